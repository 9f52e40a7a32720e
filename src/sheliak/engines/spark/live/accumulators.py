"""What is remembered of a group, so that rows can be added to it and taken away: one accumulator for each summary.

Counts and sums are exact. Of the least and the first some are kept in order; when all of these have gone while others are left,
the group has to be looked at again (Exhausted).
"""

from __future__ import annotations

from bisect import bisect_left, insort
from dataclasses import dataclass, field
from fractions import Fraction
from math import isnan, nan
from typing import Any, Protocol, TypeAlias

from sheliak.engines.spark.live.exact import ExactSum, exact_sums, rounded, unpacked
from sheliak.plan.operators import Summary

Given: TypeAlias = "tuple[Any, ...]"
"""The operands of a summary in one row, as Spark gives them."""
PLACE = "place"
KEPT = 16
"""So many of the least are kept."""


class Exhausted(Exception):
    """What was kept of a group does not tell what it comes to now."""


class Accumulator(Protocol):
    """One summary of a group."""

    def change(self, given: Given, place: int, weight: int) -> None:
        """Takes a row in (weight 1), or out (-1)."""

    def value(self) -> Any:
        """What the group comes to, as Spark would give it. Raises Exhausted."""

    def packed(self) -> Any:
        """As JSON."""


@dataclass(slots=True)
class Counted:
    """count, count_true and any: the rows for which the operand is true, or all."""

    function: str
    count: int = 0

    def change(self, given: Given, place: int, weight: int) -> None:
        if not given or given[0]:
            self.count += weight

    def value(self) -> Any:
        return self.count > 0 if self.function == "any" else float(self.count)

    def packed(self) -> Any:
        return self.count


@dataclass(slots=True)
class Summed:
    """sum, mean, variance and variance_population of the operands that are not missing."""

    function: str
    sum: ExactSum = field(default_factory=ExactSum)
    squares: ExactSum = field(default_factory=ExactSum)

    def change(self, given: Given, place: int, weight: int) -> None:
        if given[0] is None:
            return
        self.sum.add(given[0], weight)
        if self.function.startswith("variance"):
            self.squares.add_square(given[0], weight)

    def value(self) -> Any:
        count = self.sum.count
        if not count or (self.function == "variance" and count < 2):
            return None
        unusual = self.sum.unusual
        if self.function == "sum":
            return self.sum.over(1) if unusual is None else unusual
        if self.function == "mean":
            return self.sum.over(count) if unusual is None else unusual
        if unusual is not None:
            return nan
        spread = self.squares.exact - self.sum.exact * self.sum.exact / count
        return rounded(spread / (count - 1 if self.function == "variance" else Fraction(count)))

    def packed(self) -> Any:
        return [self.sum.packed(), self.squares.packed() if self.function.startswith("variance") else None]


@dataclass(slots=True)
class Least:
    """min, max, first, first_present and last: the least of what the rows are ordered by, and the values that come with them.

    `place` is the place of a group's first row.
    """

    function: str
    count: int = 0
    kept: list[list[Any]] = field(default_factory=list)

    def change(self, given: Given, place: int, weight: int) -> None:
        entry = self._entry(given, place)
        if entry is None:
            return
        if weight > 0:
            if len(self.kept) == self.count or (self.kept and entry[0] <= self.kept[-1][0]):
                insort(self.kept, entry, key=lambda one: one[0])
                del self.kept[KEPT:]
        else:
            self.drop(entry)
        self.count += weight

    def drop(self, entry: list[Any]) -> None:
        place = bisect_left(self.kept, entry[0], key=lambda one: one[0])
        if place < len(self.kept) and self.kept[place][0] == entry[0]:
            del self.kept[place]

    def _entry(self, given: Given, place: int) -> list[Any] | None:
        """What orders a row, and its value; None for a row that does not count."""
        if self.function == PLACE:
            return [[place], place]
        value = given[0]
        match self.function:
            case "first" | "last":
                if len(given) > 1 and not given[1]:
                    return None
                return [[place if self.function == "first" else -place], value]
            case "first_present":
                return None if value is None else [[place], value]
            case "min":
                return None if value is None else [[isnan(value), 0.0 if isnan(value) else value], value]
            case _:
                return None if value is None else [[not isnan(value), 0.0 if isnan(value) else -value], value]

    def value(self) -> Any:
        if not self.count:
            return None
        if not self.kept:
            raise Exhausted
        return self.kept[0][1]

    def packed(self) -> Any:
        return [self.count, self.kept]


_FUNCTIONS: dict[str, type[Counted | Summed | Least]] = {
    "count": Counted,
    "count_true": Counted,
    "any": Counted,
    "sum": Summed,
    "mean": Summed,
    "variance": Summed,
    "variance_population": Summed,
    "min": Least,
    "max": Least,
    "first": Least,
    "first_present": Least,
    "last": Least,
    PLACE: Least,
}


def is_kept(summary: Summary) -> bool:
    """Whether a summary can be brought up to date from what is remembered."""
    return summary.function in _FUNCTIONS and summary.function != PLACE


def accumulator(function: str) -> Accumulator:
    """An empty one."""
    return _FUNCTIONS[function](function)


def accumulator_of(function: str, packed: Any) -> Accumulator:
    """One that was packed."""
    kind = _FUNCTIONS[function]
    if kind is Counted:
        return Counted(function, packed)
    if kind is Least:
        return Least(function, packed[0], packed[1])
    return Summed(function, unpacked(packed[0]), unpacked(packed[1]) if packed[1] is not None else ExactSum())


def merged(one: Accumulator, other: Accumulator) -> Accumulator:
    """What both took in."""
    match one, other:
        case Counted(), Counted():
            return Counted(one.function, one.count + other.count)
        case Summed(), Summed():
            one.sum.merge(other.sum)
            one.squares.merge(other.squares)
            return one
        case Least(), Least():
            kept = sorted([*one.kept, *other.kept], key=lambda entry: entry[0])
            # Beyond the last that is kept of either nothing is known, unless all of it is kept.
            ends = [part.kept[-1][0] for part in (one, other) if part.kept and len(part.kept) < part.count]
            end = min(ends, default=None)
            known = kept if end is None else [entry for entry in kept if entry[0] <= end]
            return Least(one.function, one.count + other.count, known[:KEPT])
        case _:
            raise AssertionError("accumulators of different summaries")


def taken_away(one: Accumulator) -> Accumulator | None:
    """What takes the same rows away when it is merged; None where rows have to go one by one."""
    match one:
        case Counted(function, count):
            return Counted(function, -count)
        case Summed(function, sum, squares):
            return Summed(function, sum.negated(), squares.negated())
        case _:
            return None


# Many rows at once


def leave_places(one: Accumulator, count: int) -> int:
    """So many rows go; those up to the place that is returned may be among the kept ones (`drop_place`)."""
    assert isinstance(one, Least)
    one.count -= count
    return int(one.kept[-1][1]) if one.kept else -1


def drop_place(one: Accumulator, place: int) -> None:
    """The row at a place is not kept any more."""
    assert isinstance(one, Least)
    one.drop([[place], place])


def is_ordered(function: str) -> bool:
    """It keeps the least of something."""
    return _FUNCTIONS[function] is Least


def is_plain_sum(function: str) -> bool:
    """It is told by the sum of its operand alone, which may serve several."""
    return function in ("sum", "mean")


def sums_of(codes: Any, operand: Any, groups: int) -> list[ExactSum]:
    """The sums of a column, one for each group."""
    present = operand.is_valid().to_numpy(zero_copy_only=False)
    values = operand.fill_null(0.0).to_numpy(zero_copy_only=False)
    return exact_sums(codes[present], values[present], groups)


def add_sum(one: Accumulator, sum: ExactSum, weight: int) -> None:
    """Takes what came to a sum in (weight 1), or out (-1)."""
    assert isinstance(one, Summed)
    one.sum.merge(sum, weight)


def many(function: str, codes: Any, operands: list[Any], places: Any, groups: int) -> list[Accumulator]:
    """One accumulator for each group, of operands that are whole columns; `codes` says which group a row belongs to."""
    import numpy as np

    if _FUNCTIONS[function] is Counted:
        chosen = codes if not operands else codes[is_true(operands[0])]
        return [Counted(function, count) for count in np.bincount(chosen, minlength=groups).tolist()]
    if function in ("first", "last", PLACE):
        return _ends(function, codes, operands, places, groups)
    return _one_by_one(function, codes, operands, places, groups)


def is_true(column: Any) -> Any:
    """For which rows a column is true, as an array."""
    return column.fill_null(False).to_numpy(zero_copy_only=False)


def _ends(function: str, codes: Any, operands: list[Any], places: Any, groups: int) -> list[Accumulator]:
    """The first or last rows of each group."""
    import numpy as np

    chosen = np.flatnonzero(is_true(operands[1])) if len(operands) > 1 else np.arange(len(codes))
    found = [Least(function, count) for count in np.bincount(codes[chosen], minlength=groups).tolist()]
    by = -places[chosen] if function == "last" else places[chosen]
    order = chosen[np.lexsort((by, codes[chosen]))]
    sorted_codes = codes[order]
    # The number of a row among those of its group.
    starts = np.searchsorted(sorted_codes, sorted_codes)
    kept = order[np.arange(len(order)) - starts < KEPT]
    values = operands[0].take(kept).to_pylist() if operands else places[kept].tolist()
    for code, place, value in zip(codes[kept].tolist(), places[kept].tolist(), values, strict=True):
        found[code].kept.append([[-place if function == "last" else place], value])
    return list(found)


def _one_by_one(function: str, codes: Any, operands: list[Any], places: Any, groups: int) -> list[Accumulator]:
    found = [accumulator(function) for _ in range(groups)]
    rows = zip(*(column.to_pylist() for column in operands), strict=True)
    for code, given, place in zip(codes.tolist(), rows, places.tolist(), strict=True):
        found[code].change(given, place, 1)
    return found
