"""Sums and ranges as JavaScript makes them."""

from __future__ import annotations

from collections.abc import Iterable

from sheliak.expressions.arithmetic import rounded_up
from sheliak.expressions.values import divided
from sheliak.plan.budget import DRIVER_BUDGET, spend


def number_range(start: float, stop: float, step: float) -> list[float]:
    """start, start + step, … before the stop; raises OverBudget for too many."""
    count = rounded_up(divided(stop - start, step))
    if not 0 < count < 2**31:
        return []
    return [start + index * step for index in range(spend(int(count), "the sequence", DRIVER_BUDGET))]


def total_of(numbers: Iterable[float]) -> float:
    """Added one after the other; Python's own `sum` compensates for the digits that get lost."""
    total = 0.0
    for number in numbers:
        total += number
    return total
