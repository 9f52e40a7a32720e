"""Operations that compare values as they are: numbers as numbers, dates as dates, text as text ("10" before "9")."""

from __future__ import annotations

from math import isnan, nan
from typing import TYPE_CHECKING, ClassVar

from sheliak.transforms._operations.declaration import Operation, aggregate_operation
from sheliak.types.shapes import Record, Type

if TYPE_CHECKING:
    from sheliak.expressions.values import Row, Value
    from sheliak.transforms._operations.cells import Measure


class _Extreme(Operation):
    """The least or the greatest value: it keeps the field's type.

    In a moving window the extreme is NaN from the moment it leaves until it is asked for: then all rows of the frame are searched.
    """

    rank: ClassVar[int] = 4
    needs: ClassVar[tuple[str, ...]] = ("values",)

    def result(self, field: Type, rows: Record) -> Type:
        return field


@aggregate_operation("min", operand="order")
class Min(_Extreme):
    """The least value."""

    def start(self, measure: Measure, parameter: float | None) -> None:
        measure.least = measure.nothing

    def add(self, measure: Measure, value: Value, row: Row) -> None:
        if measure.least is measure.nothing or measure.less(value, measure.least):
            measure.least = value

    def remove(self, measure: Measure, value: Value, row: Row) -> None:
        if measure.at_most(value, measure.least):
            measure.least = nan

    def value(self, measure: Measure) -> Value:
        if _is_lost(measure.least):
            measure.least = measure.of_row(measure.cell.kept.extent(measure.get)[0])
        return measure.least


@aggregate_operation("max", operand="order")
class Max(_Extreme):
    """The greatest value."""

    def start(self, measure: Measure, parameter: float | None) -> None:
        measure.greatest = measure.nothing

    def add(self, measure: Measure, value: Value, row: Row) -> None:
        if measure.greatest is measure.nothing or measure.less(measure.greatest, value):
            measure.greatest = value

    def remove(self, measure: Measure, value: Value, row: Row) -> None:
        if measure.at_most(measure.greatest, value):
            measure.greatest = nan

    def value(self, measure: Measure) -> Value:
        if _is_lost(measure.greatest):
            measure.greatest = measure.of_row(measure.cell.kept.extent(measure.get)[1])
        return measure.greatest


class _ExtremeRow(Operation):
    """A row with an extreme value, as a nested datum; an empty one without a value."""

    rank: ClassVar[int] = 3

    def result(self, field: Type, rows: Record) -> Type:
        return rows


@aggregate_operation("argmin", operand="order")
class ArgMin(_ExtremeRow):
    """The first row with the least value. It takes in a value before `min` does, so the first row is found by searching."""

    needs: ClassVar[tuple[str, ...]] = ("min", "values")

    def start(self, measure: Measure, parameter: float | None) -> None:
        measure.least_row = None

    def add(self, measure: Measure, value: Value, row: Row) -> None:
        if measure.less(value, measure.least):
            measure.least_row = row

    def remove(self, measure: Measure, value: Value, row: Row) -> None:
        if measure.at_most(value, measure.least):
            measure.least_row = None

    def value(self, measure: Measure) -> Value:
        return measure.cell.kept.extent(measure.get)[0] or {} if measure.least_row is None else measure.least_row


@aggregate_operation("argmax", operand="order")
class ArgMax(_ExtremeRow):
    """The first row with the greatest value. It takes in a value before `max` does, so the first row is found by searching."""

    needs: ClassVar[tuple[str, ...]] = ("max", "values")

    def start(self, measure: Measure, parameter: float | None) -> None:
        measure.greatest_row = None

    def add(self, measure: Measure, value: Value, row: Row) -> None:
        if measure.less(measure.greatest, value):
            measure.greatest_row = row

    def remove(self, measure: Measure, value: Value, row: Row) -> None:
        if measure.at_most(measure.greatest, value):
            measure.greatest_row = None

    def value(self, measure: Measure) -> Value:
        return measure.cell.kept.extent(measure.get)[1] or {} if measure.greatest_row is None else measure.greatest_row


def _is_lost(extreme: Value) -> bool:
    return isinstance(extreme, float) and isnan(extreme)
