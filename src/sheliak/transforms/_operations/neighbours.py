"""Operations that fetch the field from another row of the partition or frame."""

from __future__ import annotations

from sheliak.transforms._operations.declaration import Operation, window_operation
from sheliak.types.operations import join
from sheliak.types.shapes import NULL, Record, Type


class _Fetched(Operation):
    """A value of the field."""

    def result(self, field: Type, rows: Record) -> Type:
        return field


class _FetchedOrNull(Operation):
    """A value of the field, null where there is no such row."""

    def result(self, field: Type, rows: Record) -> Type:
        return join((field, NULL))


@window_operation("lag")
class Lag(_FetchedOrNull):
    """So many rows before; an offset of 0 counts as 1."""


@window_operation("lead")
class Lead(_FetchedOrNull):
    """So many rows after; an offset of 0 counts as 1."""


@window_operation("first_value")
class FirstValue(_Fetched):
    """Of the frame; an empty frame stops the run."""


@window_operation("last_value")
class LastValue(_Fetched):
    """Of the frame; an empty frame stops the run."""


@window_operation("nth_value", positive_parameter=True)
class NthValue(_FetchedOrNull):
    """Of the frame."""


@window_operation("prev_value")
class PreviousValue(_Fetched):
    """The row's own value, or else the last one before it that is not missing; the frame does not matter."""


@window_operation("next_value")
class NextValue(_Fetched):
    """The row's own value, or else the first one after it that is not missing; the frame does not matter."""
