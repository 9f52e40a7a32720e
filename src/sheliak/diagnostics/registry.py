"""The register of findings: each is a class with a code, a title and a severity; `explanations/<code>.md` explains it."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import ClassVar, Self, TypeVar, dataclass_transform

from sheliak.source.declared import dataclass
from sheliak.source.place import Place


class Severity(enum.Enum):
    """How bad a finding is. Errors are certain; warnings are very likely mistakes; hints are advice."""

    ERROR = "error"
    WARNING = "warning"
    HINT = "hint"


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that a finding speaks of: where a field was dropped, where a name was first defined."""

    place: Place
    message: str


@dataclass(frozen=True, slots=True)
class Repair:
    """A change of text that mends the finding without changing anything else: replace what stands at the place."""

    place: Place
    replacement: str
    description: str


@dataclass_transform(kw_only_default=True, frozen_default=True)
class _Declared:
    """Subclasses are declared like keyword-only frozen dataclasses and type-checked as such.

    They are none, because making one dataclass costs about a millisecond at start-up, and there are many findings of which a run
    shows few.
    """

    _fields: ClassVar[tuple[str, ...]] = ()
    _required: ClassVar[frozenset[str]] = frozenset()

    def __init_subclass__(cls) -> None:
        own = tuple([name for name, of in cls.__annotations__.items() if not str(of).startswith("ClassVar")])
        cls._fields += own
        cls._required |= {name for name in own if name not in cls.__dict__}

    def __init__(self, **given: object) -> None:
        if not (self._required <= given.keys() <= set(self._fields)):
            wrong = sorted(self._required - given.keys()) or sorted(given.keys() - set(self._fields))
            raise TypeError(f"{type(self).__name__}: {', '.join(wrong)}")
        for name, value in given.items():
            object.__setattr__(self, name, value)

    def _values(self) -> tuple[object, ...]:
        return tuple([getattr(self, name) for name in self._fields])

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and isinstance(other, _Declared) and self._values() == other._values()

    def __hash__(self) -> int:
        return hash(type(self))

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={value!r}" for name, value in zip(self._fields, self._values(), strict=True))
        return f"{type(self).__name__}({shown})"


class Diagnostic(_Declared):
    """One finding about the user's spec. Subclasses add what they know and turn it into prose in `message` and `help`."""

    code: ClassVar[str] = ""
    title: ClassVar[str] = ""
    default_severity: ClassVar[Severity] = Severity.ERROR

    place: Place

    def moved(self, place: Place) -> Self:
        """The same finding at another place."""
        values = {name: getattr(self, name) for name in self._fields}
        return type(self)(**{**values, "place": place})

    @property
    def severity(self) -> Severity:
        return self.default_severity

    def message(self) -> str:
        """What is so, in one sentence of plain words; the first line of the report."""
        raise AssertionError(f"{type(self).__name__} has no message")

    def notes(self) -> tuple[str, ...]:
        """Further facts, one sentence each: which fields there are, what Vega does with this."""
        return ()

    def help(self) -> str | None:
        """The likeliest repair, as a statement."""
        return None

    def related(self) -> tuple[Related, ...]:
        return ()

    def repair(self) -> Repair | None:
        """A safe repair, if there is exactly one that can be made without asking."""
        return None


REGISTRY: dict[str, type[Diagnostic]] = {}
D = TypeVar("D", bound=Diagnostic)


def diagnostic(code: str, title: str, severity: Severity = Severity.ERROR) -> Callable[[type[D]], type[D]]:
    """Registers a finding under its kebab-case code."""

    def register(cls: type[D]) -> type[D]:
        cls.code, cls.title, cls.default_severity = code, title, severity
        if code in REGISTRY:
            raise ValueError(f"two diagnostics have the code {code}")
        REGISTRY[code] = cls
        return cls

    return register


def entry_of(code: str) -> type[Diagnostic] | None:
    """The class registered for a code."""
    return REGISTRY.get(code)
