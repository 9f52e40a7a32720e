"""Operations that count or collect rows. Null, undefined and "" are missing; NaN is neither valid nor missing."""

from __future__ import annotations

from sheliak.transforms._operations.declaration import Operation, aggregate_operation
from sheliak.types.shapes import Array, Record, Type


@aggregate_operation("values")
class Values(Operation):
    """The rows of the group themselves, not the values of the field; a field must be named all the same."""

    def result(self, field: Type, rows: Record) -> Type:
        return Array(rows)


@aggregate_operation("count", operand="none")
class Count(Operation):
    """All rows of the group; a field only lends its name to the output."""


@aggregate_operation("missing")
class Missing(Operation):
    """Rows whose value is missing."""


@aggregate_operation("valid")
class Valid(Operation):
    """Rows whose value is neither missing nor NaN."""


@aggregate_operation("distinct")
class Distinct(Operation):
    """Different values as text: 1 and "1" are one, and the missing ones count too."""
