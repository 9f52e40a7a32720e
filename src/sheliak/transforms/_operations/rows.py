"""Operations that count or collect rows. Null, undefined and "" are missing; NaN is neither valid nor missing."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from sheliak.transforms._operations.declaration import Operation, aggregate_operation
from sheliak.types.shapes import Array, Record, Type

if TYPE_CHECKING:
    from sheliak.expressions.values import Value
    from sheliak.transforms._operations.cells import Measure


@aggregate_operation("values")
class Values(Operation):
    """The rows of the group themselves, not the values of the field; a field must be named all the same."""

    rank: ClassVar[int] = -1

    def result(self, field: Type, rows: Record) -> Type:
        return Array(rows)

    def value(self, measure: Measure) -> Value:
        # The store's own list: in a window without a start, the rows of a partition all hold one list, in the end all of it.
        rows: list[Value] = measure.cell.kept.values()  # type: ignore[assignment]
        return rows


@aggregate_operation("count", operand="none")
class Count(Operation):
    """All rows of the group; a field only lends its name to the output."""


class CountOfValues(Operation):
    """What `pivot` counts: the rows whose value is not NaN."""

    def value(self, measure: Measure) -> Value:
        return float(measure.missing + measure.valid)


@aggregate_operation("missing")
class Missing(Operation):
    """Rows whose value is missing."""

    def value(self, measure: Measure) -> Value:
        return float(measure.missing)


@aggregate_operation("valid")
class Valid(Operation):
    """Rows whose value is neither missing nor NaN."""

    def value(self, measure: Measure) -> Value:
        return float(measure.valid)


@aggregate_operation("distinct")
class Distinct(Operation):
    """Different values as text: 1 and "1" are one, and the missing ones count too."""

    rank: ClassVar[int] = 3
    needs: ClassVar[tuple[str, ...]] = ("values",)

    def value(self, measure: Measure) -> Value:
        return measure.cell.kept.distinct(measure.get)
