"""Sums and ranges as JavaScript makes them."""

from __future__ import annotations

from collections.abc import Iterable

from sheliak.expressions.arithmetic import rounded_up
from sheliak.expressions.values import divided


def number_range(start: float, stop: float, step: float) -> list[float]:
    """start, start + step, … before the stop."""
    count = rounded_up(divided(stop - start, step))
    return [start + index * step for index in range(int(count))] if 0 < count < 2**31 else []


def total_of(numbers: Iterable[float]) -> float:
    """Added one after the other; Python's own `sum` compensates for the digits that get lost."""
    total = 0.0
    for number in numbers:
        total += number
    return total
