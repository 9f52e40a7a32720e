"""Operations that compare values as they are: numbers as numbers, dates as dates, text as text ("10" before "9")."""

from __future__ import annotations

from sheliak.transforms._operations.declaration import Operation, aggregate_operation
from sheliak.types.shapes import Record, Type


@aggregate_operation("min", operand="order")
class Min(Operation):
    """The least value: it keeps the field's type."""

    def result(self, field: Type, rows: Record) -> Type:
        return field


@aggregate_operation("max", operand="order")
class Max(Operation):
    """The greatest value: it keeps the field's type."""

    def result(self, field: Type, rows: Record) -> Type:
        return field


@aggregate_operation("argmin", operand="order")
class ArgMin(Operation):
    """The first row with the least value, as a nested datum; an empty one without a valid value."""

    def result(self, field: Type, rows: Record) -> Type:
        return rows


@aggregate_operation("argmax", operand="order")
class ArgMax(Operation):
    """The first row with the greatest value, as a nested datum; an empty one without a valid value."""

    def result(self, field: Type, rows: Record) -> Type:
        return rows
