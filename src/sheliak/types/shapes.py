"""The type language of DESIGN 2: what a value in a Vega dataset can be.

    T ::= boolean | number | string | date | null | undefined | literal
        | {f: T, f?: T} closed or open | [T] | T ∪ T | unknown

Text is split by what is known of its content, because Vega coerces numeric text in some places and not in others:
`WORDS` was seen not to read as a number, `NUMERIC_TEXT` always does, `DATE_TEXT` reads as a date, `STRING` was not seen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from sheliak.source.declared import dataclass, field
from sheliak.source.place import Place


class Scalar:
    """A type without parts. There is one object of each, so identity is equality."""

    __slots__ = ("name",)
    __match_args__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"Scalar({self.name!r})"


@dataclass(frozen=True, slots=True)
class Literal:
    """Exactly one known boolean, number or text; `place` is the spec's place that gives it, where one does."""

    value: str | float | bool
    place: Place | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Array:
    """An array whose elements all have one type."""

    # Not hashed: arrays may nest as deep as an expression.
    element: Type = field(hash=False)


@dataclass(frozen=True, slots=True)
class Unseen:
    """A value inside data that nobody has looked at: the dataset, and the path of fields that leads there."""

    dataset: str
    path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unknown:
    """A type that no rule complains about; `origin` says which unseen value it stands for, if it stands for one."""

    origin: Unseen | None = None


@dataclass(frozen=True, slots=True)
class Lineage:
    """How a record came to be: the step that made it and the record it was made from."""

    step: str
    """A transform's Vega type, or `values`, `url`, `schema`, `source`, `facet`, `mark`."""
    place: Place | None = None
    before: Record | None = None
    dataset: str | None = None
    added: tuple[str, ...] = ()
    """The names this step wrote."""
    defaulted: bool = False
    """Vega chose the added names, the spec did not."""
    renamed: Mapping[str, str] = field(default_factory=dict)
    """Old name -> new name, where a step gives a field another name."""
    may_hold: Callable[[str], bool] | None = None
    """For sampled data: asks the whole source whether a field with this name may occur after all."""
    distinct: Callable[[str], frozenset[str] | None] | None = None
    """For data at hand: every text that a column takes, or None where that is not known."""


@dataclass(frozen=True, slots=True)
class Record:
    """The fields of a datum. A closed record has no others; an open one may have fields nobody has seen."""

    fields: Mapping[str, Type] = field(hash=False)
    optional: frozenset[str] = frozenset()
    """The fields that only some rows have."""
    open: bool = False
    unseen: Unseen | None = None
    """For an open record: whose unseen columns they are (None: nobody's, for example a computed name)."""
    lineage: Lineage | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Union:
    """One of several types; made by `join`, never nested, never with fewer than two options."""

    options: tuple[Type, ...]


Type: TypeAlias = Scalar | Literal | Record | Array | Union | Unknown

BOOLEAN = Scalar("boolean")
NUMBER = Scalar("number")
STRING = Scalar("string")
WORDS = Scalar("words")
NUMERIC_TEXT = Scalar("numeric text")
DATE_TEXT = Scalar("date text")
DATE = Scalar("date")
NULL = Scalar("null")
UNDEFINED = Scalar("undefined")
UNKNOWN = Unknown()

TEXTS = frozenset({STRING, WORDS, NUMERIC_TEXT, DATE_TEXT})
EMPTY_RECORD = Record({})
OPEN_RECORD = Record({}, open=True)
