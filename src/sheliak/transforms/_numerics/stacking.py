"""Where the values of a stack start and end, written into its rows.

Where values are taken as positive Vega writes a row's start before it reads its value: the start is the value if it bears its name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from sheliak.expressions.values import Row, divided


@dataclass(frozen=True, slots=True)
class Ends:
    """How a row's value is read, and the names of its start and its end."""

    value: Callable[[Row], float]
    start: str
    end: str


Layout: TypeAlias = Callable[[Sequence[Row], Ends, float, float], None]
"""Of the rows in their order, given the sum of their values' sizes, and the greatest of such sums over all stacks."""


def stack_zero(rows: Sequence[Row], ends: Ends, total: float, most: float) -> None:
    """From zero upwards, negative values from zero downwards."""
    above = below = 0.0
    for row in rows:
        value = ends.value(row)
        if value < 0:
            row[ends.start], row[ends.end] = below, below + value
            below += value
        else:
            row[ends.start], row[ends.end] = above, above + value
            above += value


def stack_center(rows: Sequence[Row], ends: Ends, total: float, most: float) -> None:
    """The middle of each stack in the middle of the greatest."""
    last = (most - total) / 2
    for row in rows:
        row[ends.start] = last
        last += abs(ends.value(row))
        row[ends.end] = last


def stack_normalize(rows: Sequence[Row], ends: Ends, total: float, most: float) -> None:
    """Each stack from 0 to 1."""
    scale = divided(1.0, total)
    last = height = 0.0
    for row in rows:
        row[ends.start] = last
        height += abs(ends.value(row))
        row[ends.end] = last = scale * height


LAYOUTS: dict[str, Layout] = {"zero": stack_zero, "center": stack_center, "normalize": stack_normalize}
