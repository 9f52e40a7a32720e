"""Operations over a row's place in its partition. Rows that the sort order does not tell apart are peers; unsorted rows have none."""

from __future__ import annotations

from math import ceil, nan
from typing import TYPE_CHECKING

from sheliak.transforms._operations.declaration import Operation, window_operation

if TYPE_CHECKING:
    from sheliak.expressions.values import Value
    from sheliak.transforms._operations.frames import Frame, WindowFunction
    from sheliak.transforms._running import Getter


class _Place:
    """A number made from the row's place; what the operations below remember from row to row is in `last`."""

    last = 0

    def start(self) -> None:
        self.last = 0


@window_operation("row_number", operand="none")
class RowNumber(Operation):
    """1, 2, 3, …"""

    def window(self, get: Getter, parameter: float) -> WindowFunction:
        return _RowNumber()


class _RowNumber(_Place):
    def next(self, frame: Frame) -> Value:
        return frame.index + 1.0


@window_operation("rank", operand="none")
class Rank(Operation):
    """Peers share a number, and the next row's number leaves a gap."""

    def window(self, get: Getter, parameter: float) -> WindowFunction:
        return _Rank()


class _Rank(_Place):
    """`last` is the index of the first peer."""

    def next(self, frame: Frame) -> Value:
        if frame.starts_peers():
            self.last = frame.index
        return self.last + 1.0


@window_operation("dense_rank", operand="none")
class DenseRank(Operation):
    """Peers share a number, without gaps."""

    def window(self, get: Getter, parameter: float) -> WindowFunction:
        return _DenseRank()


class _DenseRank(_Place):
    """`last` counts the peers that came before."""

    def next(self, frame: Frame) -> Value:
        self.last += frame.starts_peers()
        return self.last + 1.0


@window_operation("percent_rank", operand="none")
class PercentRank(Operation):
    """From 0 to 1; NaN in a partition of one row."""

    def window(self, get: Getter, parameter: float) -> WindowFunction:
        return _PercentRank()


class _PercentRank(_Rank):
    def next(self, frame: Frame) -> Value:
        super().next(frame)
        return self.last / (len(frame.rows) - 1) if len(frame.rows) > 1 else nan


@window_operation("cume_dist", operand="none")
class CumulativeDistribution(Operation):
    """The share of rows up to the last peer; the first row alone does not see its peers."""

    def window(self, get: Getter, parameter: float) -> WindowFunction:
        return _CumulativeDistribution()


class _CumulativeDistribution(_Place):
    """`last` is the index of the last peer."""

    def share(self, frame: Frame) -> float:
        count = len(frame.rows)
        if self.last < frame.index:
            self.last = frame.index
            while self.last + 1 < count and not frame.differs(self.last, self.last + 1):
                self.last += 1
        return (1 + self.last) / count

    def next(self, frame: Frame) -> Value:
        return self.share(frame)


@window_operation("ntile", operand="none", positive_parameter=True)
class NTile(Operation):
    """The cumulative distribution in so many steps, rounded up; not the `ntile` of SQL."""

    def window(self, get: Getter, parameter: float) -> WindowFunction:
        self.check_positive(parameter, "ntile num must be greater than zero.")
        return _NTile(parameter)


class _NTile(_CumulativeDistribution):
    def __init__(self, count: float) -> None:
        self.count = count

    def next(self, frame: Frame) -> Value:
        return float(ceil(self.count * self.share(frame)))
