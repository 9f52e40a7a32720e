"""The frame of rows that a window operation sees, and how it moves over a sorted partition."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isnan
from typing import Protocol

from sheliak.expressions.values import UNDEFINED, Row, Value
from sheliak.transforms._operations.cells import Cell
from sheliak.transforms._ordering import Comparator
from sheliak.transforms._running import NO_ROW


class WindowFunction(Protocol):
    """A window operation at work. It is asked once for every row, in their order."""

    def start(self) -> None:
        """A new partition begins."""

    def next(self, frame: Frame) -> Value:
        """The value for the row at hand."""


class Frame:
    """A partition, the row at hand, and which rows around it count: from `start` to before `end`."""

    __slots__ = ("end", "index", "order", "rows", "start")

    def __init__(self, rows: Sequence[Row], order: Comparator | None) -> None:
        self.rows = rows
        self.order = order
        self.index = self.start = self.end = 0

    def row(self, index: float) -> Row:
        """The row at an index that any arithmetic may have made."""
        inside = 0 <= index < len(self.rows) and index == int(index)
        return self.rows[int(index)] if inside else NO_ROW

    @staticmethod
    def is_missing(value: Value) -> bool:
        """Null or undefined."""
        return value is None or value is UNDEFINED

    def differs(self, a: int, b: int) -> bool:
        """Whether two rows are no peers. Without a sort order every row stands alone."""
        return self.order is None or bool(self.order(self.row(a), self.row(b)))

    def starts_peers(self) -> bool:
        """Whether the row at hand is no peer of the one before it; the first row of all does not count."""
        return self.index > 0 and self.differs(self.index - 1, self.index)

    def move(self, index: int, before: Value, after: Value) -> None:
        """To the next row. The bounds are distances from it, negative for earlier rows; null and undefined are no bound."""
        count = len(self.rows)
        self.index = index
        self.start = _within(index + before, count) if isinstance(before, float) else 0
        self.end = _within(index + after + 1, count) if isinstance(after, float) else count

    def widen(self) -> None:
        """Takes in the peers of the first and of the last row; an empty frame at an end of the partition ends the run."""
        first, last = self.start, self.end - 1
        order = self.order
        assert order is not None
        if first > 0 and not self.differs(first, first - 1):
            self.start = self._search(lambda row: order(row, self.rows[first]) < 0)
        if last < len(self.rows) - 1 and not self.differs(last, last + 1):
            self.end = self._search(lambda row: order(row, self.rows[last]) <= 0)

    def _search(self, precedes: Callable[[Row], bool]) -> int:
        """The number of rows at the start for which the answer is yes, by bisection."""
        low, high = 0, len(self.rows)
        while low < high:
            middle = (low + high) // 2
            if precedes(self.rows[middle]):
                low = middle + 1
            else:
                high = middle
        return low


def _within(position: float, count: int) -> int:
    return 0 if isnan(position) else int(min(max(position, 0), count))


class Windows:
    """The operations of a `window` transform over one partition after the other."""

    def __init__(self, cell: Cell | None, functions: list[tuple[str, WindowFunction]]) -> None:
        self.cell = cell
        self.functions = functions

    def run(self, frame: Frame, before: Value, after: Value, *, peers: bool) -> None:
        """Writes the results into the rows; what a row has got already is what the next ones read."""
        if self.cell is not None:
            self.cell.start()
        for _, function in self.functions:
            function.start()
        for index in range(len(frame.rows)):
            start, end = frame.start, frame.end
            frame.move(index, before, after)
            if peers:
                frame.widen()
            self._write(frame, start, end)

    def _write(self, frame: Frame, start: int, end: int) -> None:
        row = frame.rows[frame.index]
        if self.cell is not None:
            # Vega first gives up the rows behind the new start, also those it never took in (the frame lies ahead).
            for index in range(start, frame.start):
                self.cell.remove(frame.rows[index])
            for index in range(end, frame.end):
                self.cell.add(frame.rows[index])
            self.cell.write(row)
        for name, function in self.functions:
            row[name] = function.next(frame)
