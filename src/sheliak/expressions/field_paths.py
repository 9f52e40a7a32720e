"""Vega's access paths: `a.b`, `a[0]`, `a['b c']`, and `a\\.b` for the flat name `a.b`; and what they read from a type."""

from __future__ import annotations

from functools import lru_cache

from sheliak.diagnostics.fields import FieldOfValue, missing_field
from sheliak.diagnostics.findings import Findings
from sheliak.diagnostics.registry import Diagnostic
from sheliak.source.declared import dataclass, replace
from sheliak.source.place import Place
from sheliak.types.operations import Presence, field_of, join, options_of
from sheliak.types.shapes import NULL, NUMBER, TEXTS, UNDEFINED, UNKNOWN, Array, Literal, Record, Scalar, Type, Unknown, Unseen


class FieldPathError(ValueError):
    """An access path with an unbalanced bracket or quote."""


@lru_cache(maxsize=4096)
def split_path(text: str) -> tuple[str, ...]:
    """The path elements of a field reference; raises FieldPathError where Vega's parser would."""
    if not any(c in text for c in ".[]\\\"'"):
        return (text,) if text else ()
    return _PathReader(text).read()


class _PathReader:
    """Reads a path character by character; the odd cases are Vega's own, found by running it on random texts."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.path: list[str] = []
        self.start = 0
        """Where the element at hand begins."""
        self.kept = ""
        """What an escape has already settled of it."""
        self.bracket = 0
        """Where the text after an open bracket begins; 0 outside of brackets, -1 behind a quoted text."""
        self.quote = ""

    def read(self) -> tuple[str, ...]:
        position = 0
        while position < len(self.text):
            position = self._character(position, self.text[position]) + 1
        if self.bracket:
            raise FieldPathError(f"`{self.text}` has an opening bracket or quote without a closing bracket")
        if self.quote:
            raise FieldPathError(f"`{self.text}` has an opening quote without a closing one")
        if position > self.start:
            self._push(position)
        return tuple(self.path)

    def _character(self, at: int, c: str) -> int:
        """Takes in one character; the position of the last one used up."""
        if c == "\\":
            self.kept += self.text[self.start : at]
            self.start = at + 1
            return at + 1
        if self.quote:
            self._quoted(at, c)
        elif c in "\"'" and self.start == self.bracket:
            # Outside of brackets this holds for the first element only: `it's` reads as an opening quote after `it`.
            self.start, self.quote = at + 1, c
        elif c == "." and not self.bracket:
            self._end_element(at)
        elif c == "[":
            if at > self.start:
                self._push(at)
            self.bracket = self.start = at + 1
        elif c == "]":
            self._close(at)
        return at

    def _quoted(self, at: int, c: str) -> None:
        if c == self.quote:
            self._push(at)
            self.quote, self.bracket = "", -1

    def _end_element(self, at: int) -> None:
        if at > self.start:
            self._push(at)
        else:
            self.start = at + 1

    def _close(self, at: int) -> None:
        if not self.bracket:
            raise FieldPathError(f"`{self.text}` has a closing bracket without an opening one")
        if self.bracket > 0:
            self._push(at)
        self.bracket, self.start = 0, at + 1

    def _push(self, end: int) -> None:
        self.path.append(self.kept + self.text[self.start : end])
        self.kept, self.start = "", end + 1


def accessor_name(text: str) -> str:
    """The name a field reference gives to what it reads: one element as it is, several as they were written."""
    path = split_path(text)
    return path[0] if len(path) == 1 else text


@dataclass(frozen=True, slots=True)
class Reading:
    """One place that reads a path: where it stands, what it reads from, who hears of mistakes."""

    findings: Findings
    place: Place
    dataset: str | None = None
    site: str | None = None
    replaceable: bool = True
    harmless: bool = False
    """Vega does the same when the field is missing."""


class _Probe:
    """Findings that are only counted: is a name missing."""

    strict = False

    def __init__(self) -> None:
        self.found = False

    def report(self, finding: Diagnostic) -> None:
        self.found = True

    def require(self, unseen: Unseen, demanded: Type) -> None:
        return


def types_of_alternatives(of: Type, names: tuple[Literal, ...], reading: Reading) -> list[Type]:
    """A field that a signal names. Every option that the spec writes down must be a field, and is reported where it is
    written; of the results of a computation, one field among them is enough."""
    written = [name for name in names if name.place is not None]
    computed = [str(name.value) for name in names if name.place is None]
    types = [
        _type_of_text(of, str(name.value), replace(reading, place=name.place, replaceable=False))
        for name in written
        if name.place
    ]
    if computed and not written and all(_is_missing(of, name, reading) for name in computed):
        return [_type_of_text(of, computed[0], reading)]
    probe = replace(reading, findings=_Probe())
    return types + [_type_of_text(of, name, probe) for name in computed]


def _is_missing(of: Type, name: str, reading: Reading) -> bool:
    probe = _Probe()
    _type_of_text(of, name, replace(reading, findings=probe))
    return probe.found


def _type_of_text(of: Type, text: str, reading: Reading) -> Type:
    try:
        return type_of_path(of, split_path(text), reading)
    except FieldPathError:
        return UNKNOWN


def type_of_path(of: Type, path: tuple[str, ...], reading: Reading) -> Type:
    """T-eField repeated: T ⊢ p.f₁.….fₙ. A missing field is reported once; what follows is unknown."""
    for depth, name in enumerate(path):
        of = type_of_field(of, name, ".".join(path[:depth]) or "datum", reading)
        if isinstance(of, Unknown) and of.origin is None:
            return of
    return of


def type_of_field(of: Type, name: str, holder: str, reading: Reading) -> Type:
    """T-eField over the alternatives of a type: reported when no alternative has the field."""
    options = [option for option in options_of(of) if option not in (NULL, UNDEFINED)]
    if not options:
        return UNKNOWN
    found = [type_ for option in options if (type_ := _field_of_option(option, name, reading)) is not None]
    if found:
        missing = len(found) < len(options_of(of))
        return join((*found, UNDEFINED)) if missing else join(found)
    _report_missing(options, name, holder, of, reading)
    return UNKNOWN


def _field_of_option(option: Type, name: str, reading: Reading) -> Type | None:
    match option:
        case Record():
            type_, presence = field_of(option, name)
            if presence is Presence.UNSEEN and isinstance(type_, Unknown) and type_.origin is not None:
                reading.findings.require(type_.origin, UNKNOWN)
            return None if presence is Presence.ABSENT else type_
        case Unknown(origin):
            return _below_unseen(origin, name, reading) if origin is not None else UNKNOWN
        case Array(element):
            return NUMBER if name == "length" else element if name.isdigit() else None
        case Literal(value) if isinstance(value, str):
            return NUMBER if name == "length" else UNKNOWN if name.isdigit() else None
        case Scalar() if option in TEXTS:
            return NUMBER if name == "length" else UNKNOWN if name.isdigit() else None
        case _:
            return None


def _below_unseen(origin: Unseen, name: str, reading: Reading) -> Type:
    below = Unseen(origin.dataset, (*origin.path, name))
    reading.findings.require(below, UNKNOWN)
    return Unknown(below)


def _report_missing(options: list[Type], name: str, holder: str, of: Type, reading: Reading) -> None:
    findings, place = reading.findings, reading.place
    record = next((option for option in options if isinstance(option, Record)), None)
    if record is not None:
        finding = missing_field(
            place,
            name,
            record,
            dataset=reading.dataset,
            site=reading.site,
            replaceable=reading.replaceable,
            harmless=reading.harmless,
        )
        if finding is not None:
            findings.report(finding)
    else:
        findings.report(FieldOfValue(place=place, field=name, holder=holder, of=of))
