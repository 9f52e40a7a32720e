"""JavaScript's arithmetic on floats, where Python would raise an error or choose another answer."""

from __future__ import annotations

import math
from collections.abc import Iterable
from math import inf, isfinite, isinf, isnan, nan

from sheliak.expressions.values import divided

__all__ = [
    "ceiling",
    "divided",
    "exponential",
    "floor",
    "greatest",
    "least",
    "logarithm",
    "number_range",
    "power",
    "root",
    "rounded",
    "total_of",
]


def floor(x: float) -> float:
    return float(math.floor(x)) if isfinite(x) else x


def ceiling(x: float) -> float:
    return float(math.ceil(x)) if isfinite(x) else x


def rounded(x: float) -> float:
    """To the nearest whole number, halves upwards."""
    if not isfinite(x):
        return x
    below = float(math.floor(x))
    return below if x - below < 0.5 else below + 1


def greatest(a: float, b: float) -> float:
    """NaN if either is NaN."""
    return nan if isnan(a) or isnan(b) else max(a, b)


def least(a: float, b: float) -> float:
    """NaN if either is NaN."""
    return nan if isnan(a) or isnan(b) else min(a, b)


def number_range(start: float, stop: float, step: float) -> list[float]:
    """start, start + step, … before the stop."""
    count = ceiling(divided(stop - start, step))
    return [start + index * step for index in range(int(count))] if 0 < count < 2**31 else []


def total_of(numbers: Iterable[float]) -> float:
    """Added one after the other; Python's own `sum` compensates for the digits that get lost."""
    total = 0.0
    for number in numbers:
        total += number
    return total


def logarithm(x: float) -> float:
    if x > 0:
        return math.log(x)
    return -inf if x == 0 else nan


def exponential(x: float) -> float:
    try:
        return math.exp(x)
    except OverflowError:
        return inf


def root(x: float) -> float:
    """The square root; NaN of what is negative."""
    return math.sqrt(x) if x >= 0 else nan


def power(base: float, exponent: float) -> float:
    """`base ** exponent`."""
    # Python's 1 ** NaN and 1 ** infinity are 1, JavaScript's are NaN.
    if isnan(exponent) or (isinf(exponent) and abs(base) == 1):
        return nan
    try:
        return math.pow(base, exponent)
    except OverflowError:
        return -inf if base < 0 and exponent % 2 == 1 else inf
    except ValueError:  # 0 to a negative power, or a negative base to a fraction
        if base == 0:
            return math.copysign(inf, base) if exponent % 2 == 1 else inf
        return nan
