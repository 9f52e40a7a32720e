"""Arithmetic as JavaScript does it: it never refuses. What has no value is NaN, what is too large is infinite, zero has a sign."""

from __future__ import annotations

import math
from math import copysign, inf, isinf, isnan, nan


def rounded_up(x: float) -> float:
    """The next whole number, upwards."""
    return copysign(float(math.ceil(x)), x) if math.isfinite(x) else x


def rounded_down(x: float) -> float:
    """The next whole number, downwards."""
    return copysign(float(math.floor(x)), x) if math.isfinite(x) else x


def rounded(x: float) -> float:
    """The nearest whole number; a half goes up, towards +infinity."""
    if not math.isfinite(x):
        return x
    whole = math.floor(x)
    return copysign(float(whole + 1 if x - whole >= 0.5 else whole), x)


def exponential(x: float) -> float:
    """e to the power x."""
    try:
        return math.exp(x)
    except OverflowError:
        return inf


def logarithm(x: float) -> float:
    """The natural logarithm."""
    return math.log(x) if x > 0 else nan if x < 0 or isnan(x) else -inf


def power(base: float, exponent: float) -> float:
    """base ** exponent; unlike in most languages, 1 to an infinite or undefined power is NaN."""
    if isnan(exponent) or (isinf(exponent) and abs(base) == 1):
        return nan
    try:
        return math.pow(base, exponent)
    except OverflowError:
        return -inf if base < 0 and exponent % 2 == 1 else inf
    except ValueError:
        if base == 0:
            return copysign(inf, base) if exponent % 2 == 1 else inf
        return nan


def hypotenuse(*lengths: float) -> float:
    """The square root of the sum of squares, summed with a correction and scaled by the largest."""
    if any(map(isinf, lengths)):
        return inf
    if any(map(isnan, lengths)):
        return nan
    largest = max(map(abs, lengths), default=0.0)
    if largest == 0:
        return 0.0
    total = correction = 0.0
    for length in lengths:
        ratio = abs(length) / largest
        term = ratio * ratio - correction
        new = total + term
        correction = (new - total) - term
        total = new
    return math.sqrt(total) * largest


def largest(*numbers: float) -> float:
    """-infinity of none, NaN if one is; 0 is larger than -0."""
    if any(map(isnan, numbers)):
        return nan
    return max(numbers, key=_signed, default=-inf)


def smallest(*numbers: float) -> float:
    """Infinity of none, NaN if one is; -0 is smaller than 0."""
    if any(map(isnan, numbers)):
        return nan
    return min(numbers, key=_signed, default=inf)


def _signed(number: float) -> tuple[float, float]:
    return number, copysign(1.0, number)
