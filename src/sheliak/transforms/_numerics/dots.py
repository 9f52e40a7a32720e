"""Dot plots: values that are near each other are drawn in one stack."""

from __future__ import annotations

from collections.abc import Sequence

from sheliak.expressions.values import Value, add, less_or_equal, to_number
from sheliak.expressions.zones import Zone


def dot_positions(values: Sequence[Value], step: float, zone: Zone, *, smooth: bool) -> list[float]:
    """The position of each of the sorted values: a stack reaches one step from its first value, and stands in its middle.

    Vega adds the values as they are, so that numeric text is put together as text.
    """
    first = last = values[0]
    end = add(first, step, zone)
    positions: list[float] = []
    for index in range(1, len(values)):
        value = values[index]
        if less_or_equal(end, value, zone):
            positions += [to_number(add(first, last, zone)) / 2] * (index - len(positions))
            first, end = value, add(value, step, zone)
        last = value
    positions += [to_number(add(first, last, zone)) / 2] * (len(values) - len(positions))
    return _smoothed(positions, step + step / 4) if smooth else positions


def _smoothed(positions: list[float], near: float) -> list[float]:
    """Evens out neighbouring stacks: the larger hands half of what it has more to the smaller."""
    left, right = 0, _end_of_stack(positions, 0, 1)
    while right < len(positions):
        end = _end_of_stack(positions, right, right + 1)
        if positions[right] - positions[right - 1] < near:
            _share(positions, left, right, right + ((left + end - right - right) >> 1))
        left, right = right, end
    return positions


def _end_of_stack(positions: list[float], start: int, end: int) -> int:
    while end < len(positions) and positions[start] == positions[end]:
        end += 1
    return end


def _share(positions: list[float], left: int, right: int, middle: int) -> None:
    low, high = positions[left], positions[right]
    for index in range(middle, right):
        positions[index] = high
    for index in range(right + 1, middle + 1):
        positions[index] = low
