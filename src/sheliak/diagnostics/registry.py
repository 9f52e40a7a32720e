"""The register of findings: each is a class with a code, a title and a severity; `explanations/<code>.md` explains it."""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, TypeVar

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """One finding about the user's spec. Subclasses add what they know and turn it into prose in `message` and `help`."""

    code: ClassVar[str] = ""
    title: ClassVar[str] = ""
    default_severity: ClassVar[Severity] = Severity.ERROR

    place: Place

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
