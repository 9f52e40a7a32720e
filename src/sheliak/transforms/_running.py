"""What a transform may ask while it runs, and the rows that run through it.

A row that Vega has taken in has a number, given in the order of arrival: it breaks the ties of every later sort. Within one
pipeline a transform that adds fields writes them into the row itself, as Vega does, so that a row which another row holds
(`values` of a `joinaggregate`) shows them too. `begin` decides, as Vega does, whether a pipeline gets rows of its own.

This module and everything numerical is loaded only when something runs: the checker never needs it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import count
from typing import TYPE_CHECKING, Protocol, TypeAlias, cast

from sheliak.expressions.properties import property_of
from sheliak.expressions.values import UNDEFINED, EvaluationError, Row, Value

if TYPE_CHECKING:
    from sheliak.expressions.zones import Zone
    from sheliak.transforms._contract import ExprRef, FieldRef, Transform

Getter: TypeAlias = Callable[[Row], Value]
NO_ROW = cast(Row, UNDEFINED)
"""What JavaScript finds outside of an array of rows; to read a field of it ends the run."""
RunError = EvaluationError
"""Vega logs such a message and gives up the run."""


class Running(Protocol):
    """The run of one pipeline, as a transform sees it."""

    @property
    def zone(self) -> Zone:
        """What local time is."""

    def random(self) -> float:
        """The next number of the chart's one source of random numbers."""

    def next_identifier(self) -> float:
        """The next number that `identifier` gives; one counter serves the whole chart."""

    def last_identifier(self) -> float:
        """The last number given, 0 before the first."""

    def evaluator(self, expression: ExprRef) -> Getter:
        """The expression as a function of the datum."""

    def dataset(self, name: str) -> list[Row]:
        """The rows of another dataset, complete."""

    def is_computed(self, parameter: str) -> bool:
        """Whether the run has computed the signal that gives the parameter; a signal that is a plain value does not count."""

    def publish(self, value: Value) -> None:
        """The value of the signal that the transform names."""

    def warn(self, text: str) -> None:
        """What Vega would log."""


class IdentifiedRow(dict[str, Value]):
    """A row that was taken in."""

    __slots__ = ("number",)
    number: int

    def copied(self) -> IdentifiedRow:
        """Another row with the same fields and number."""
        row = IdentifiedRow(self)
        row.number = self.number
        return row


_NUMBERS = count(1)


def ingest(fields: Row) -> Row:
    """A new row with these fields."""
    row = IdentifiedRow(fields)
    row.number = next(_NUMBERS)
    return row


def ingested(rows: Iterable[Row]) -> list[Row]:
    """The rows, those of them taken in that are not yet."""
    return [row if isinstance(row, IdentifiedRow) else ingest(row) for row in rows]


def begin(pipeline: Sequence[type[Transform]], rows: Sequence[Row], *, derived: bool) -> list[Row]:
    """The rows that a pipeline of such transforms starts with.

    `derived`: they are those of another dataset. Vega copies them if the pipeline writes into its rows before it makes new ones;
    after `sequence`, which makes new rows beside the old ones, it writes into the other dataset's rows.
    """
    if derived and writes_into_its_input(pipeline):
        return [ingest(row) for row in rows]
    return ingested(rows)


def writes_into_its_input(pipeline: Sequence[type[Transform]]) -> bool:
    """Whether a transform adds fields before another has made new rows."""
    for transform in pipeline:
        if transform.writes:
            return True
        if makes_rows(transform):
            return False
    return False


def makes_rows(transform: type[Transform]) -> bool:
    """Whether the rows behind it count as new ones."""
    return transform.generates and transform.type not in _KEEP_ROWS


_KEEP_ROWS = frozenset({"filter", "impute", "nest"})


def as_value(rows: list[Row]) -> Value:
    """Rows as the array that an expression sees."""
    return cast("list[Value]", rows)


# Fields


def getter(field: FieldRef | None, running: Running) -> Getter:
    """The field as a function of the row."""
    if field is None:
        return _no_field
    if field.is_expression:
        from sheliak.transforms._contract import ExprRef

        inner = field.node.get("expr")
        assert inner is not None
        return running.evaluator(ExprRef(field.of, inner))
    return path_getter(field.paths[0])


def _no_field(row: Row) -> Value:
    raise RunError("field is not a function")


def getters(fields: Iterable[FieldRef], running: Running) -> list[Getter]:
    return [getter(field, running) for field in fields]


def path_getter(path: tuple[str, ...]) -> Getter:
    """Reads below a row; below null and undefined there is nothing to read, and the run ends."""
    if len(path) == 1:
        return _member_getter(path[0])

    def read(row: Row) -> Value:
        value: Value = row
        for name in path:
            value = property_of(value, name)
        return value

    return read


def _member_getter(name: str) -> Getter:
    def read(row: Row) -> Value:
        try:
            return row[name]
        except (KeyError, TypeError):  # a field that is not there, or no row
            return property_of(row, name)

    return read


def name_of(field: FieldRef | None) -> str | None:
    """The name that Vega's accessor has; none for an expression."""
    return None if field is None or field.is_expression else str(field.name)


def key_name(field: FieldRef) -> str:
    """The name under which a key is written; JavaScript writes what has none as "undefined"."""
    return name_of(field) or "undefined"
