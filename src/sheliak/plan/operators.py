"""The engine-free algebra: what is computed with the rows of a dataset, one class per operator.

    Scan       the rows of a source                                 Join     for each row the last one of another plan with its key
    Keep       the rows for which a test holds                      Cross    every row with every row, as two records
    Project    the row's fields computed anew                       Union    the rows of several plans, one plan after another
    Unfold     one row for each element of a list                   Sort     another order
    Group      one row for each group                               Fresh    as many rows, taken in anew in their order
    Window     columns computed from the rows around each row       Sample   some rows, by their numbers
    PerGroup   what a kernel makes of the rows of each group        Generate numbers in a row

A plan has a schema: its fields in order, each with the column that holds it. Columns are numbered; names exist in the schema only.
Rows have an order, and a number given when they were taken in, by which ties are broken (decision 0002).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from sheliak.expressions.values import Row
from sheliak.plan.column_types import ColumnType, Record
from sheliak.plan.expressions import Option, PlanExpression, Read


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a plan's rows and the column that holds it."""

    name: str
    column: int
    of: ColumnType

    def read(self) -> Read:
        return Read(self.column, self.of)


@dataclass(frozen=True, slots=True)
class Schema:
    """The fields of a plan's rows, in order."""

    fields: tuple[Field, ...]
    unnamed: frozenset[int] = frozenset()
    """Columns that an operator left for the next step; a field may well be called ""."""

    def reads(self) -> dict[str, PlanExpression]:
        """The fields as expressions, by name."""
        return {field.name: field.read() for field in self.fields if field.column not in self.unnamed}

    def record(self) -> Record:
        """The row as the type of one value."""
        return Record(tuple((name, value.of) for name, value in self.reads().items()))


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """Rows that are there: in the driver's memory, or where only an engine finds them (`place`)."""

    name: str
    rows: list[Row] | None = None
    place: object = None
    count: int | None = None
    """How many rows there are, if that is known."""


@dataclass(frozen=True, slots=True)
class Output:
    """A computed column and the field it becomes."""

    name: str
    column: int
    value: PlanExpression

    @property
    def field(self) -> Field:
        return Field(self.name, self.column, self.value.of)


SummaryFunction: TypeAlias = Literal[
    "count",
    "count_true",
    "sum",
    "product",
    "mean",
    "variance",
    "variance_population",
    "percentile",
    "percentiles",
    "min",
    "max",
    "min_text",
    "max_text",
    "any",
    "first",
    "first_present",
    "last",
    "list",
    "distinct",
    "first_of_least",
    "first_of_greatest",
]


@dataclass(frozen=True, slots=True, eq=False)
class Summary:
    """One value for the rows of a group or frame. A missing operand is passed over, except by `first`, `last` and `list`.

    count: the rows; count_true: those for which the operand is true; any: whether it is for one; distinct: different values;
    first, last: of the rows for which the second operand, if there is one, is true; first_present: the first that is not missing;
    list: all in order; first_of_least, first_of_greatest: the operand in the first row whose second operand is least or greatest.
    """

    function: SummaryFunction
    operands: tuple[PlanExpression, ...]
    of: ColumnType
    options: tuple[Option, ...] = ()

    @property
    def needs_order(self) -> bool:
        return self.function in ("first", "first_present", "last", "list", "first_of_least", "first_of_greatest")


@dataclass(frozen=True, slots=True)
class Summarized:
    """A summary and the column it becomes."""

    column: int
    summary: Summary

    def read(self) -> Read:
        return Read(self.column, self.summary.of)


def _unnamed(made: Summarized | Surveyed) -> Field:
    return Field("", made.column, made.read().of)


def _with_unnamed(schema: Schema, added: tuple[Field, ...]) -> Schema:
    return Schema((*schema.fields, *added), schema.unnamed | {field.column for field in added})


@dataclass(frozen=True, slots=True)
class SortKey:
    """Missing values come first, then NaN, then the values; descending turns all of it round."""

    value: PlanExpression
    descending: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Scan:
    """The rows of a source."""

    source: Source
    schema: Schema


@dataclass(frozen=True, slots=True, eq=False)
class Keep:
    """The rows for which a test, a boolean that is never missing, is true."""

    upstream: Plan
    test: PlanExpression

    @property
    def schema(self) -> Schema:
        return self.upstream.schema


@dataclass(frozen=True, slots=True, eq=False)
class Project:
    """The row's fields computed anew; a field whose value is a column as it is keeps that column."""

    upstream: Plan
    outputs: tuple[Output, ...]

    @property
    def schema(self) -> Schema:
        return Schema(tuple(output.field for output in self.outputs))


@dataclass(frozen=True, slots=True, eq=False)
class Unfold:
    """One row for each element of a list, with the element and its index in columns of their own; no row for an empty list."""

    upstream: Plan
    items: PlanExpression
    element: Field
    index: Field | None = None

    @property
    def schema(self) -> Schema:
        return _with_unnamed(self.upstream.schema, (self.element,) if self.index is None else (self.element, self.index))


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """One row for each combination of the keys, in the order of the groups' first rows; without keys one, or none of no rows."""

    upstream: Plan
    keys: tuple[Output, ...]
    summaries: tuple[Summarized, ...]
    always: bool = False
    """Without keys there is one row even of no rows at all."""

    @property
    def schema(self) -> Schema:
        return _with_unnamed(Schema(()), (*(key.field for key in self.keys), *(_unnamed(made) for made in self.summaries)))


@dataclass(frozen=True, slots=True)
class Frame:
    """Which rows around a row count: from `start` to `end` relative to it, None without bound; with `peers` on to rows that tie."""

    start: int | None
    end: int | None
    peers: bool


WHOLE = Frame(None, None, peers=False)


@dataclass(frozen=True, slots=True, eq=False)
class Around:
    """A column computed from the rows around a row: a summary of its frame, or one of

    row_number, rank, dense_rank, size (of the partition), last_peer (the number of the last row that ties with it);
    previous, next (so many rows before or after), prev_present, next_present (its own value, or the nearest that is not missing);
    frame_first, frame_last, frame_nth (of the frame).
    """

    function: str
    operands: tuple[PlanExpression, ...]
    of: ColumnType
    options: tuple[Option, ...] = ()
    frame: Frame = WHOLE


@dataclass(frozen=True, slots=True)
class Surveyed:
    """What is computed from the rows around, and the column it becomes."""

    column: int
    around: Summary | Around
    frame: Frame = WHOLE

    def read(self) -> Read:
        return Read(self.column, self.around.of)


@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """Columns computed from the rows of the same partition, sorted for the purpose; ties are broken by the rows' numbers,
    or, with `by_order`, by the order they have."""

    upstream: Plan
    partition: tuple[PlanExpression, ...]
    sort: tuple[SortKey, ...]
    surveyed: tuple[Surveyed, ...]
    by_order: bool = False

    @property
    def schema(self) -> Schema:
        return _with_unnamed(self.upstream.schema, tuple(_unnamed(made) for made in self.surveyed))


@dataclass(frozen=True, slots=True, eq=False)
class Join:
    """For each row the last row of another plan whose keys equal the row's, keys that are missing on both sides included."""

    upstream: Plan
    other: Plan
    keys: tuple[tuple[PlanExpression, PlanExpression], ...]
    found: Field
    """True where there is such a row."""
    copied: tuple[tuple[PlanExpression, Field], ...]
    """What is taken from it, into columns of their own; missing where there is none."""

    @property
    def schema(self) -> Schema:
        return _with_unnamed(self.upstream.schema, (self.found, *(made for _, made in self.copied)))


@dataclass(frozen=True, slots=True, eq=False)
class Cross:
    """Every row with every row, itself included, as two records."""

    upstream: Plan
    left: Field
    right: Field

    @property
    def schema(self) -> Schema:
        return Schema((self.left, self.right))


@dataclass(frozen=True, slots=True, eq=False)
class Union:
    """The rows of several plans, one plan after another; the columns are those of the schema, one value for each from each plan."""

    parts: tuple[tuple[Plan, tuple[PlanExpression, ...]], ...]
    schema: Schema
    turns: tuple[int, ...] = ()
    """In which turn the rows of each part were taken in; those of one turn are rows of one dataset. None given: in their order."""


@dataclass(frozen=True, slots=True, eq=False)
class Sort:
    """The rows in the order of the keys; those that tie by their numbers."""

    upstream: Plan
    keys: tuple[SortKey, ...]

    @property
    def schema(self) -> Schema:
        return self.upstream.schema


@dataclass(frozen=True, slots=True, eq=False)
class Fresh:
    """The same rows, taken in anew: their numbers follow their order."""

    upstream: Plan

    @property
    def schema(self) -> Schema:
        return self.upstream.schema


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """The rows of these numbers, counted from 0 in the plan's order, in the order of the list."""

    upstream: Plan
    numbers: tuple[int, ...]

    @property
    def schema(self) -> Schema:
        return self.upstream.schema


Kernel: TypeAlias = Callable[[list[Row]], list[Row]]


@dataclass(frozen=True, slots=True, eq=False)
class PerGroup:
    """What a kernel makes of the rows of each group: the meaning itself, for what the algebra cannot say."""

    upstream: Plan
    keys: tuple[PlanExpression, ...]
    kernel: Kernel
    name: str
    inputs: Mapping[str, PlanExpression]
    outputs: tuple[Field, ...]
    always: bool = False
    """Without keys the kernel is run even on no rows at all."""
    aligned: bool = False
    """The kernel answers one row for each, in their order; the rows keep their fields and their places."""

    @property
    def schema(self) -> Schema:
        return Schema((*self.upstream.schema.fields, *self.outputs)) if self.aligned else Schema(self.outputs)


@dataclass(frozen=True, slots=True, eq=False)
class Generate:
    """`count` rows with the numbers start, start + step, …"""

    start: float
    step: float
    count: int
    number: Field

    @property
    def schema(self) -> Schema:
        return Schema((self.number,))


Plan: TypeAlias = (
    Scan | Keep | Project | Unfold | Group | Window | Join | Cross | Union | Sort | Fresh | Sample | PerGroup | Generate
)


def upstreams(plan: Plan) -> tuple[Plan, ...]:
    """The plans directly below."""
    match plan:
        case Scan() | Generate():
            return ()
        case Union(parts):
            return tuple(part for part, _ in parts)
        case Join(upstream, other):
            return (upstream, other)
        case _:
            return (plan.upstream,)
