"""Where the values of a stack start and end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from sheliak.transforms._numerics.arithmetic import divided

Ends: TypeAlias = Iterator[tuple[float, float]]
Layout: TypeAlias = Callable[[Sequence[float], float, float], Ends]
"""The values in their order, the sum of their sizes, and the greatest of such sums over all stacks."""


def stack_zero(values: Sequence[float], total: float, most: float) -> Ends:
    """From zero upwards, negative values from zero downwards."""
    above = below = 0.0
    for value in values:
        if value < 0:
            yield below, below + value
            below += value
        else:
            yield above, above + value
            above += value


def stack_center(values: Sequence[float], total: float, most: float) -> Ends:
    """The middle of each stack in the middle of the greatest."""
    last = (most - total) / 2
    for value in values:
        yield last, last + abs(value)
        last += abs(value)


def stack_normalize(values: Sequence[float], total: float, most: float) -> Ends:
    """Each stack from 0 to 1."""
    scale = divided(1.0, total)
    last = height = 0.0
    for value in values:
        height += abs(value)
        yield last, scale * height
        last = scale * height


LAYOUTS: dict[str, Layout] = {"zero": stack_zero, "center": stack_center, "normalize": stack_normalize}
