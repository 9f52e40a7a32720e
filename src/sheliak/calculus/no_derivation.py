"""Why a judgement has no derivation: one class per reason, each naming the rule whose premise fails."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from sheliak.calculus.printer import type_text
from sheliak.calculus.syntax import Node, Span
from sheliak.calculus.type_syntax import RecordType, Type


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names) or "none"


@dataclass(eq=False)
class NoDerivation(Exception):
    """`node` is where the failing premise stands."""

    code: ClassVar[str]
    rule: str
    node: Node

    @property
    def span(self) -> Span | None:
        """The place to show."""
        return self.node.span

    def message(self) -> str:
        """What is so, in the user's words."""
        return "there is no derivation"

    def __str__(self) -> str:
        return f"{self.rule}: {self.message()}"


@dataclass(eq=False)
class UnknownField(NoDerivation):
    """The record has no such field."""

    code = "unknown-field"
    field: str
    record: RecordType

    def message(self) -> str:
        return f"there is no field `{self.field}`; the fields are {_listed(tuple(self.record.fields))}"


@dataclass(eq=False)
class NotARecord(NoDerivation):
    """A field is asked of what has none."""

    code = "not-a-record"
    field: str
    found: Type

    def message(self) -> str:
        return f"field `{self.field}` is asked of a value of type {type_text(self.found)}, which has no fields"


@dataclass(eq=False)
class WrongOperands(NoDerivation):
    """No rule of arithmetic or concatenation fits the operands."""

    code = "wrong-operands"
    operator: str
    left: Type
    right: Type

    def message(self) -> str:
        return f"`{self.operator}` cannot combine {type_text(self.left)} and {type_text(self.right)}"


@dataclass(eq=False)
class MixedArray(NoDerivation):
    """The items have different types."""

    code = "mixed-array"
    first: Type
    other: Type

    def message(self) -> str:
        return f"the items of an array share one type; here are {type_text(self.first)} and {type_text(self.other)}"


@dataclass(eq=False)
class RepeatedField(NoDerivation):
    """Two fields of one name (E12)."""

    code = "repeated-field"
    field: str

    def message(self) -> str:
        return f"the result would have two fields `{self.field}`"


@dataclass(eq=False)
class UnknownBuiltin(NoDerivation):
    """Not in Σ."""

    code = "unknown-builtin"
    name: str
    known: tuple[str, ...]

    @property
    def span(self) -> Span | None:
        span = self.node.span
        return span and Span(span.start, span.start + len(self.name))

    def message(self) -> str:
        return f"there is no builtin `{self.name}`; the builtins are {_listed(self.known)}"


@dataclass(eq=False)
class WrongArguments(NoDerivation):
    """Σ declares other arguments."""

    code = "wrong-arguments"
    name: str
    expected: tuple[Type, ...]
    found: tuple[Type, ...]

    def message(self) -> str:
        expected, found = (", ".join(map(type_text, Ts)) for Ts in (self.expected, self.found))
        return f"`{self.name}` takes ({expected}); it is given ({found})"


@dataclass(eq=False)
class NotANumber(NoDerivation):
    """sum and avg read numbers."""

    code = "not-a-number"
    operator: str
    found: Type

    def message(self) -> str:
        return f"`{self.operator}` needs a number; the path has type {type_text(self.found)}"


@dataclass(eq=False)
class KeyWithoutName(NoDerivation):
    """`datum` is no key (E13)."""

    code = "key-without-name"

    def message(self) -> str:
        return "a group key is a field of the datum; `datum` itself has no name to be stored under"


@dataclass(eq=False)
class UnknownDataset(NoDerivation):
    """Not in Γ."""

    code = "unknown-dataset"
    name: str
    known: tuple[str, ...]
    at: Span | None = field(kw_only=True)

    @property
    def span(self) -> Span | None:
        return self.at

    def message(self) -> str:
        return f"there is no dataset `{self.name}` above this line; the datasets are {_listed(self.known)}"


@dataclass(eq=False)
class RepeatedDataset(NoDerivation):
    """In Γ already (E14)."""

    code = "repeated-dataset"
    name: str
    at: Span | None = field(kw_only=True)

    @property
    def span(self) -> Span | None:
        return self.at

    def message(self) -> str:
        return f"a dataset `{self.name}` is defined above already"


@dataclass(eq=False)
class TooDeep(NoDerivation):
    """No rule of the paper: a limit of this program, which follows types and values by recursion."""

    code = "too-deep"
    limit: int

    def message(self) -> str:
        return f"the type after this transform is nested more than {self.limit} deep"
