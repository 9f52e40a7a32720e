"""Points of a curve, closer together where it bends."""

from __future__ import annotations

from collections.abc import Callable
from math import pi
from typing import TypeAlias

from sheliak.expressions.arithmetic import angle
from sheliak.expressions.values import Value, add, divided, to_number
from sheliak.expressions.zones import Zone

Curve: TypeAlias = Callable[[float], float]
Point: TypeAlias = tuple[Value, float]

_BEND = 0.5 * pi / 180
"""A bend of half a degree, in a plot as wide as it is high, asks for a point in between."""


def sample_curve(curve: Curve, start: Value, stop: Value, least: float, most: float, zone: Zone) -> list[Point]:
    """From `least` to `most` intervals between the ends; if both are the same, evenly spaced.

    The ends are taken as they are: Vega adds to them with JavaScript's `+`, so that the points between the ends of numeric text
    are text too, one written behind the other.
    """
    span = to_number(stop) - to_number(start)

    def point(x: Value) -> Point:
        return x, curve(to_number(x))

    def inner(index: float) -> Point:
        return point(add(start, divided(index, least) * span, zone))

    most = max(least, most)
    if least == most:
        return [point(start), *[inner(index) for index in _counted(1.0, most)], point(stop)]
    waiting = [point(stop), *[inner(index) for index in reversed(_counted(least % 1 or 1.0, least))]]
    return _refined(point, point(start), waiting, divided(span, most), divided(1.0, span), zone)


def _counted(first: float, end: float) -> list[float]:
    """first, first + 1, … below the end."""
    numbers = []
    while first < end:
        numbers.append(first)
        first += 1
    return numbers


def _refined(
    point: Callable[[Value], Point], first: Point, waiting: list[Point], closest: float, width: float, zone: Zone
) -> list[Point]:
    """The points, the last of `waiting` first, with midpoints put between them where the curve bends."""
    height = _scale(first, waiting)
    done = [first]
    while waiting:
        before, after = done[-1], waiting[-1]
        middle = point(to_number(add(before[0], after[0], zone)) / 2)
        apart = to_number(middle[0]) - to_number(before[0]) >= closest
        if apart and abs(_angle(before, after, width, height) - _angle(before, middle, width, height)) > _BEND:
            waiting.append(middle)
        else:
            done.append(waiting.pop())
    return done


def _scale(first: Point, points: list[Point]) -> float:
    """What makes the curve one unit high."""
    low = high = first[1]
    for _, y in points:
        low = min(low, y)
        high = max(high, y)
    return divided(1.0, high - low)


def _angle(a: Point, b: Point, width: float, height: float) -> float:
    return angle(height * (b[1] - a[1]), width * (to_number(b[0]) - to_number(a[0])))
