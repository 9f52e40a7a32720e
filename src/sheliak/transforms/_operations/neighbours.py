"""Operations that fetch the field from another row of the partition or frame."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING

from sheliak.transforms._operations.declaration import Operation, window_operation
from sheliak.types.operations import join
from sheliak.types.shapes import NULL, Record, Type

if TYPE_CHECKING:
    from sheliak.expressions.values import Value
    from sheliak.transforms._operations.frames import Frame, WindowFunction
    from sheliak.transforms._running import Getter


class _Fetched(Operation):
    """A value of the field."""

    def result(self, field: Type, rows: Record) -> Type:
        return field


class _FetchedOrNull(Operation):
    """A value of the field, null where there is no such row."""

    def result(self, field: Type, rows: Record) -> Type:
        return join((field, NULL))


class _Fetching:
    """A fetching operation at work: it reads `get` at a distance or at a place in the frame."""

    def __init__(self, get: Getter, parameter: float) -> None:
        self.get = get
        self.parameter = parameter

    def start(self) -> None:
        """Nothing is remembered."""


@window_operation("lag")
class Lag(_FetchedOrNull):
    """So many rows before; an offset of 0 counts as 1."""

    def window(self, get: Getter, parameter: float) -> WindowFunction:
        return _Lag(get, _distance(parameter))


class _Lag(_Fetching):
    def next(self, frame: Frame) -> Value:
        index = frame.index - self.parameter
        return self.get(frame.row(index)) if index >= 0 else None


@window_operation("lead")
class Lead(_FetchedOrNull):
    """So many rows after; an offset of 0 counts as 1."""

    def window(self, get: Getter, parameter: float) -> WindowFunction:
        return _Lead(get, _distance(parameter))


class _Lead(_Fetching):
    def next(self, frame: Frame) -> Value:
        index = frame.index + self.parameter
        return self.get(frame.row(index)) if index < len(frame.rows) else None


def _distance(parameter: float) -> float:
    return 1.0 if isnan(parameter) or not parameter else parameter


@window_operation("first_value")
class FirstValue(_Fetched):
    """Of the frame; an empty frame stops the run."""

    def window(self, get: Getter, parameter: float) -> WindowFunction:
        return _FirstValue(get, parameter)


class _FirstValue(_Fetching):
    def next(self, frame: Frame) -> Value:
        return self.get(frame.row(frame.start))


@window_operation("last_value")
class LastValue(_Fetched):
    """Of the frame; an empty frame stops the run."""

    def window(self, get: Getter, parameter: float) -> WindowFunction:
        return _LastValue(get, parameter)


class _LastValue(_Fetching):
    def next(self, frame: Frame) -> Value:
        return self.get(frame.row(frame.end - 1))


@window_operation("nth_value", positive_parameter=True)
class NthValue(_FetchedOrNull):
    """Of the frame."""

    def window(self, get: Getter, parameter: float) -> WindowFunction:
        self.check_positive(parameter, "nth_value nth must be greater than zero.")
        return _NthValue(get, parameter)


class _NthValue(_Fetching):
    def next(self, frame: Frame) -> Value:
        index = frame.start + self.parameter - 1
        return self.get(frame.row(index)) if index < frame.end else None


@window_operation("prev_value")
class PreviousValue(_Fetched):
    """The row's own value, or else the last one before it that is not missing; the frame does not matter."""

    def window(self, get: Getter, parameter: float) -> WindowFunction:
        return _PreviousValue(get, parameter)


class _PreviousValue(_Fetching):
    found: Value = None

    def start(self) -> None:
        self.found = None

    def next(self, frame: Frame) -> Value:
        value = self.get(frame.row(frame.index))
        if not frame.is_missing(value):
            self.found = value
        return self.found


@window_operation("next_value")
class NextValue(_Fetched):
    """The row's own value, or else the first one after it that is not missing; the frame does not matter."""

    def window(self, get: Getter, parameter: float) -> WindowFunction:
        return _NextValue(get, parameter)


class _NextValue(_Fetching):
    """Searched anew only behind the place where the last one was found."""

    found: Value = None
    place = -1

    def start(self) -> None:
        self.found, self.place = None, -1

    def next(self, frame: Frame) -> Value:
        if frame.index > self.place:
            self.found, self.place = None, len(frame.rows)
            for index in range(frame.index, len(frame.rows)):
                value = self.get(frame.rows[index])
                if not frame.is_missing(value):
                    self.found, self.place = value, index
                    break
        return self.found
