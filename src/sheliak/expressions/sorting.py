"""Sorting by a comparison, in the very steps of JavaScript's `sort`.

Values of one kind have one stable order, whoever sorts them. But Vega's comparison finds text beside numbers mostly equal, and
then the result depends on which pairs were compared. JavaScript sorts by Tim Peters' method: runs that are already in order are
found, short ones are filled up by insertion, and runs are merged, with leaps where one of them goes on and on.
(Python's own sort was that once; since 3.13 it finds other runs.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, Generic, TypeVar

T = TypeVar("T")
_LEAP_AFTER: Final = 7


def sorted_by(items: Iterable[T], compare: Callable[[T, T], float]) -> list[T]:
    """The items in order: `compare` says by a negative number that its first argument comes before the second."""
    sorting = _Sorting(list(items), compare)
    sorting.sort()
    return sorting.items


class _Sorting(Generic[T]):
    __slots__ = ("compare", "items", "leap_after", "runs")

    def __init__(self, items: list[T], compare: Callable[[T, T], float]) -> None:
        self.items = items
        self.compare = compare
        self.runs: list[tuple[int, int]] = []
        """The start and the length of each run that waits to be merged."""
        self.leap_after = _LEAP_AFTER

    def before(self, a: T, b: T) -> bool:
        return self.compare(a, b) < 0

    def sort(self) -> None:
        least, start, count = _least_run(len(self.items)), 0, len(self.items)
        while start < count:
            end = self.run_end(start)
            if end - start < least:
                wanted = min(count, start + least)
                self.insert(start, end, wanted)
                end = wanted
            self.runs.append((start, end - start))
            self.merge_waiting()
            start = end
        while len(self.runs) > 1:
            self.merge_at(self.last_but_one())

    def run_end(self, start: int) -> int:
        """Where the order ends that begins here; what goes down all the way is turned round."""
        items, before = self.items, self.before
        at = start + 1
        if at >= len(items):
            return at
        down = before(items[at], items[start])
        while at < len(items) and before(items[at], items[at - 1]) == down:
            at += 1
        if down:
            items[start:at] = items[start:at][::-1]
        return at

    def insert(self, start: int, middle: int, end: int) -> None:
        """Insert the items from the middle on into those before it, which are in order."""
        items, before = self.items, self.before
        for at in range(max(middle, start + 1), end):
            item, low, high = items[at], start, at
            while low < high:
                half = (low + high) // 2
                if before(item, items[half]):
                    high = half
                else:
                    low = half + 1
            items.insert(low, items.pop(at))

    # Which runs are merged, and when

    def merge_waiting(self) -> None:
        """Merge until each run is longer than the next two together, and than the next."""
        runs = self.runs
        while len(runs) > 1:
            last = len(runs) - 1
            if not (self.is_longer(last) and self.is_longer(last - 1)):
                self.merge_at(self.last_but_one())
            elif runs[-2][1] <= runs[-1][1]:
                self.merge_at(last - 1)
            else:
                return

    def is_longer(self, index: int) -> bool:
        return index < 2 or self.runs[index - 2][1] > self.runs[index - 1][1] + self.runs[index][1]

    def last_but_one(self) -> int:
        """The first of the two runs to merge: the last but one, or the one before it if that is shorter than the last."""
        runs = self.runs
        return len(runs) - 3 if len(runs) > 2 and runs[-3][1] < runs[-1][1] else len(runs) - 2

    def merge_at(self, index: int) -> None:
        (start, first), (second_start, second) = self.runs[index], self.runs[index + 1]
        self.runs[index : index + 2] = [(start, first + second)]
        # What is in place already at both ends stays there.
        skipped = self.after(self.items[second_start], self.items, start, first, 0)
        start, first = start + skipped, first - skipped
        if not first:
            return
        second = self.at_or_after(self.items[start + first - 1], self.items, second_start, second, second - 1)
        if second:
            (self.merge_upwards if first <= second else self.merge_downwards)(start, first, second_start, second)

    # Where an item belongs in a run, looked for in growing leaps from a hint

    def at_or_after(self, item: T, items: list[T], base: int, length: int, hint: int) -> int:
        """How many items of the run come before the item."""
        before = self.before
        return _leapt(lambda at: before(items[base + at], item), length, hint)

    def after(self, item: T, items: list[T], base: int, length: int, hint: int) -> int:
        """How many items of the run do not come after the item."""
        before = self.before
        return _leapt(lambda at: not before(item, items[base + at]), length, hint)

    # Merging two neighbouring runs, the shorter one copied aside

    def merge_upwards(self, start: int, first: int, second_start: int, second: int) -> None:
        items, before = self.items, self.before
        left, to, a, b = items[start : start + first], start, 0, second_start
        end = second_start + second
        items[to] = items[b]
        to, b = to + 1, b + 1
        while b < end and a < first - 1:
            wins_left = wins_right = 0
            while b < end and a < first - 1 and wins_left < self.leap_after and wins_right < self.leap_after:
                if before(items[b], left[a]):
                    items[to], b, wins_right, wins_left = items[b], b + 1, wins_right + 1, 0
                else:
                    items[to], a, wins_left, wins_right = left[a], a + 1, wins_left + 1, 0
                to += 1
            if b >= end or a >= first - 1:
                break
            to, a, b = self.leap_upwards(left, first, to, a, b, end)
        rest = left[a:]
        if b < end and len(rest) == 1:  # the last of the left run is known to be the greatest of all
            items[to : to + end - b] = items[b:end]
            items[to + end - b] = rest[0]
        else:
            items[to : to + len(rest)] = rest

    def leap_upwards(self, left: list[T], first: int, to: int, a: int, b: int, end: int) -> tuple[int, int, int]:
        items = self.items
        self.leap_after += 1
        while True:
            self.leap_after = max(1, self.leap_after - 1)
            from_left = self.after(items[b], left, a, first - a, 0)
            items[to : to + from_left] = left[a : a + from_left]
            to, a = to + from_left, a + from_left
            if from_left and a >= first - 1:
                return to, a, b
            items[to] = items[b]
            to, b = to + 1, b + 1
            if b >= end:
                return to, a, b
            from_right = self.at_or_after(left[a], items, b, end - b, 0)
            items[to : to + from_right] = items[b : b + from_right]
            to, b = to + from_right, b + from_right
            if from_right and b >= end:
                return to, a, b
            items[to] = left[a]
            to, a = to + 1, a + 1
            if a >= first - 1:
                return to, a, b
            if from_left < _LEAP_AFTER and from_right < _LEAP_AFTER:
                self.leap_after += 1
                return to, a, b

    def merge_downwards(self, start: int, first: int, second_start: int, second: int) -> None:
        items, before = self.items, self.before
        right = items[second_start : second_start + second]
        to, a, b = second_start + second - 1, start + first - 1, second - 1
        items[to] = items[a]
        to, a = to - 1, a - 1
        while a >= start and b > 0:
            wins_left = wins_right = 0
            while a >= start and b > 0 and wins_left < self.leap_after and wins_right < self.leap_after:
                if before(right[b], items[a]):
                    items[to], a, wins_left, wins_right = items[a], a - 1, wins_left + 1, 0
                else:
                    items[to], b, wins_right, wins_left = right[b], b - 1, wins_right + 1, 0
                to -= 1
            if a < start or b <= 0:
                break
            to, a, b = self.leap_downwards(right, start, to, a, b)
        rest = right[: b + 1]
        if a >= start and len(rest) == 1:  # the first of the right run is known to be the least of all
            items[to - (a - start) : to + 1] = items[start : a + 1]
            items[to - (a - start) - 1] = rest[0]
        else:
            items[to - len(rest) + 1 : to + 1] = rest

    def leap_downwards(self, right: list[T], start: int, to: int, a: int, b: int) -> tuple[int, int, int]:
        items = self.items
        self.leap_after += 1
        while True:
            self.leap_after = max(1, self.leap_after - 1)
            length = a - start + 1
            from_left = length - self.after(right[b], items, start, length, length - 1)
            items[to - from_left + 1 : to + 1] = items[a - from_left + 1 : a + 1]
            to, a = to - from_left, a - from_left
            if from_left and a < start:
                return to, a, b
            items[to] = right[b]
            to, b = to - 1, b - 1
            if b <= 0:
                return to, a, b
            from_right = b + 1 - self.at_or_after(items[a], right, 0, b + 1, b)
            items[to - from_right + 1 : to + 1] = right[b - from_right + 1 : b + 1]
            to, b = to - from_right, b - from_right
            if from_right and b <= 0:
                return to, a, b
            items[to] = items[a]
            to, a = to - 1, a - 1
            if a < start:
                return to, a, b
            if from_left < _LEAP_AFTER and from_right < _LEAP_AFTER:
                self.leap_after += 1
                return to, a, b


def _least_run(count: int) -> int:
    """Such that the runs of this length are a power of 2 in number, or a little less."""
    odd = 0
    while count >= 64:
        odd |= count & 1
        count >>= 1
    return count + odd


def _leapt(holds: Callable[[int], bool], length: int, hint: int) -> int:
    """How many positions, from the start, something holds for; it is asked near the hint first, then ever farther away."""
    last, offset = 0, 1
    if holds(hint):
        most = length - hint
        while offset < most and holds(hint + offset):
            last, offset = offset, 2 * offset + 1
        low, high = hint + last + 1, hint + min(offset, most)
    else:
        most = hint + 1
        while offset < most and not holds(hint - offset):
            last, offset = offset, 2 * offset + 1
        low, high = hint - min(offset, most) + 1, hint - last
    while low < high:
        half = low + (high - low) // 2
        if holds(half):
            low = half + 1
        else:
            high = half
    return low
