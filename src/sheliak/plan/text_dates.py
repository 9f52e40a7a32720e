"""Dates written as text, over columns: the forms that every JavaScript engine reads alike, and d3's patterns."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from sheliak.expressions.numerals import SPACES
from sheliak.expressions.time_formats import MONTH_NAMES, PADS, PERIODS, WEEKDAYS
from sheliak.expressions.zones import Zone
from sheliak.plan.arithmetic import numbers
from sheliak.plan.calendar import at_instant, calendar_time, clipped, part
from sheliak.plan.choice import choose
from sheliak.plan.coercion import and_, is_missing, known, not_
from sheliak.plan.column_types import BOOLEAN, DATE, NUMBER, Plain
from sheliak.plan.expressions import Apply, PlanExpression, constant
from sheliak.plan.unplannable import Unplannable

_DAY = r"[0-9]{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12][0-9]|3[01]))?)?"
_CLOCK = r"(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\.[0-9]{1,9})?)?"
_ZONE = r"(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):?[0-5][0-9])?"
STANDARD = rf"(?:{_DAY}|[0-9]{{4}}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])[Tt]{_CLOCK}{_ZONE})"
"""What the standard asks for, as far as its parts stand at fixed places."""
SPACED = rf"(?!00)[0-9]{{4}}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01]) {_CLOCK}[Zz]?"
"""The same with a space for the T, as databases write it: every engine takes it for local time."""
READABLE = rf"(?:{STANDARD}|{SPACED})"
"""All of a text must match one of these."""


def standard_instant(text: PlanExpression, zone: Zone) -> PlanExpression:
    """Date.parse of a text that is `READABLE`: milliseconds, never missing."""
    time = Apply("text.standard_time", (text,), NUMBER)
    offset = Apply("text.standard_offset", (text,), NUMBER)
    local = Apply("number.is_nan", (offset,), BOOLEAN)
    ahead = choose(local, constant(0.0), offset)
    return clipped(choose(local, at_instant(time, zone), numbers("number.subtract", time, ahead)))


# Patterns


@dataclass(slots=True)
class _Reading:
    """A pattern as a regular expression; for each part of a date the group, or the value, that the last directive gives it."""

    expression: str = ""
    groups: int = 0
    parts: dict[str, tuple[str, int]] = field(default_factory=dict)

    def number(self, names: str, width: int) -> None:
        """So many places at most, of which the first may be blank; what was taken is not given back."""
        space = f"[{_java_class(SPACES)}]"
        ways = [f"{space}{{{blank}}}[0-9]{{1,{width - blank}}}" for blank in range(1, width)]
        self.group("|".join([f"[0-9]{{1,{width}}}", *ways]), names)

    def names(self, names: tuple[str, ...], part: str) -> None:
        self.group("|".join(f"(?i:{name})" for name in names), part)

    def group(self, ways: str, names: str) -> None:
        self.groups += 1
        self.expression += f"((?>{ways}))"
        for name in names:
            self.parts[name] = (names, self.groups)


def _java_class(characters: str) -> str:
    return "".join(f"\\u{ord(character):04x}" for character in characters)


_NUMBERS = {
    "d": ("d", 2),
    "e": ("d", 2),
    "H": ("H", 2),
    "I": ("H", 2),
    "M": ("M", 2),
    "S": ("S", 2),
    "L": ("L", 3),
    "Y": ("Y", 4),
}
_CHANGED = {"f": ("f", 6), "m": ("m", 2), "y": ("y", 2), "j": ("j", 3)}
_SHORT_MONTHS = tuple(name[:3] for name in MONTH_NAMES)
_SHORT_DAYS = tuple(name[:3] for name in WEEKDAYS)
_WORDS = {
    "b": (_SHORT_MONTHS, "b"),
    "B": (MONTH_NAMES, "B"),
    "p": (PERIODS, "p"),
    "a": (_SHORT_DAYS, "a"),
    "A": (WEEKDAYS, "A"),
}


def _read(pattern: str) -> _Reading:
    reading = _Reading()
    pieces = iter(pattern)
    for letter in pieces:
        if letter != "%":
            reading.expression += re.escape(letter) if letter.isascii() else letter
            continue
        directive = next(pieces, "")
        if directive and directive in PADS:
            directive = next(pieces, "")
        if directive in _NUMBERS or directive in _CHANGED:
            reading.number(*(_NUMBERS.get(directive) or _CHANGED[directive]))
        elif directive in _WORDS:
            names, part = _WORDS[directive]
            reading.names(tuple(names), part)
        elif directive == "%":
            reading.expression += "%"
        else:
            raise Unplannable(f"it reads dates with the directive %{directive}")
    return reading


def instant_by_pattern(text: PlanExpression, pattern: str, zone: Zone) -> PlanExpression:
    """The date that a text means by d3's pattern; null where it does not fit. The text is there, or is not a text that fits."""
    reading = _read(pattern)
    if not reading.parts or not pattern.isascii():
        raise Unplannable("it reads dates by a pattern that names no part of a date")
    expression = f"^{reading.expression}\\z"
    there = known(text)
    fits = Apply("text.matching", (there,), BOOLEAN, (expression,))
    date = Apply("number.date", (clipped(at_instant(_local_time(_Parts(reading, there, expression)), zone)),), DATE)
    return choose(and_(not_(is_missing(text)), fits), date, constant(None))


@dataclass(frozen=True, slots=True)
class _Parts:
    reading: _Reading
    text: PlanExpression
    expression: str

    def has(self, part: str) -> bool:
        return part in self.reading.parts

    def number(self, part: str, otherwise: float = 0.0) -> PlanExpression:
        if not self.has(part):
            return constant(otherwise)
        _, group = self.reading.parts[part]
        return Apply("text.group_number", (self.text,), NUMBER, (self.expression, group))

    def place(self, part: str, names: tuple[str, ...]) -> PlanExpression:
        _, group = self.reading.parts[part]
        return Apply("text.group_place", (self.text,), NUMBER, (self.expression, group, *(name.lower() for name in names)))

    def last(self, *parts: str) -> str | None:
        """The one of the parts that stands last in the pattern."""
        return max((part for part in parts if self.has(part)), key=lambda part: self.reading.parts[part][1], default=None)


def _local_time(parts: _Parts) -> PlanExpression:
    year = _year(parts)
    rest = [*_month_and_day(parts), _hours(parts), parts.number("M"), parts.number("S"), _milliseconds(parts)]
    plain = calendar_time(year, *rest)
    if parts.last("Y", "y") != "Y":
        return plain
    # A year below 100 is set afterwards, which moves a 29 February to March.
    early = Apply("number.less", (year, constant(100.0)), BOOLEAN)
    before = calendar_time(constant(-1.0), *rest)
    names = ("month", "date", "hours", "minutes", "seconds", "milliseconds")
    return choose(early, calendar_time(year, *(part(name, before) for name in names)), plain)


def _year(parts: _Parts) -> PlanExpression:
    if parts.last("Y", "y") != "y":
        return parts.number("Y", 1900.0)
    short = parts.number("y")
    late = Apply("number.less", (constant(68.0), short), BOOLEAN)
    return numbers("number.add", short, choose(late, constant(1900.0), constant(2000.0)))


def _month_and_day(parts: _Parts) -> list[PlanExpression]:
    day = parts.number(parts.last("d", "j") or "d", 1.0)
    match parts.last("m", "b", "B", "j"):
        case "m":
            return [numbers("number.subtract", parts.number("m"), constant(1.0)), day]
        case "b":
            return [parts.place("b", _SHORT_MONTHS), day]
        case "B":
            return [parts.place("B", tuple(MONTH_NAMES)), day]
        case _:
            return [constant(0.0), day]


def _hours(parts: _Parts) -> PlanExpression:
    hours = parts.number("H")
    if not parts.has("p"):
        return hours
    half = numbers("number.multiply", parts.place("p", tuple(PERIODS)), constant(12.0))
    return numbers("number.add", numbers("number.remainder", hours, constant(12.0)), half)


def _milliseconds(parts: _Parts) -> PlanExpression:
    if parts.last("L", "f") != "f":
        return parts.number("L")
    return numbers("number.floor", numbers("number.divide", parts.number("f"), constant(1000.0)))


def is_text(e: PlanExpression) -> bool:
    return isinstance(e.of, Plain) and e.of.kind == "text"
