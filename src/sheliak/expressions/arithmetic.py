"""Arithmetic as JavaScript does it: it never refuses. What has no value is NaN, what is too large is infinite, zero has a sign.

The elementary functions but for the exponential are those of the machine's library. Engines differ from it, and from each other, in the
last bit or two; JavaScript leaves that open.
"""

from __future__ import annotations

import math
from math import copysign, inf, isfinite, isinf, isnan, nan


def rounded_up(x: float) -> float:
    """The next whole number, upwards."""
    return copysign(float(math.ceil(x)), x) if isfinite(x) else x


def rounded_down(x: float) -> float:
    """The next whole number, downwards."""
    return copysign(float(math.floor(x)), x) if isfinite(x) else x


def rounded(x: float) -> float:
    """The nearest whole number; a half goes up, towards +infinity."""
    if not isfinite(x):
        return x
    whole = math.floor(x)
    return copysign(float(whole + 1 if x - whole >= 0.5 else whole), x)


# ln 2 in two parts, the first with so few digits that its multiples are exact.
_LN2_HIGH, _LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
_EXPONENTIAL = (
    1.66666666666666019037e-01,
    -2.77777777770155933842e-03,
    6.61375632143793436117e-05,
    -1.65339022054652515390e-06,
    4.13813679705723846039e-08,
)
"""x (e^x + 1) / (e^x - 1) as a polynomial in x^2, but for the 2 it begins with: for an |x| below half of ln 2."""


def exponential(x: float) -> float:
    """e to the power x, with the last bit that JavaScript's and Java's engines have: e^x = 2^k e^r, r below half of ln 2."""
    if not isfinite(x):
        return 0.0 if x < 0 else x
    if not -745.1332191019411 <= x <= 709.782712893384:
        return 0.0 if x < 0 else inf
    if abs(x) < 2**-28 or x == 1.0:
        return math.e if x == 1.0 else 1.0 + x
    power_of_2 = _nearest_power_of_2(x)
    high, low = x - power_of_2 * _LN2_HIGH, power_of_2 * _LN2_LOW
    rest = high - low
    square, series = rest * rest, 0.0
    for coefficient in reversed(_EXPONENTIAL):
        series = square * (coefficient + series)
    c = rest - series
    if power_of_2 == 0:
        return 1.0 - ((rest * c) / (c - 2.0) - rest)
    return math.ldexp(1.0 - ((low - (rest * c) / (2.0 - c)) - high), power_of_2)


def _nearest_power_of_2(x: float) -> int:
    """The k for which x lies within half of ln 2 of k ln 2."""
    if abs(x) <= 0.5 * math.log(2):
        return 0
    if abs(x) < 1.5 * math.log(2):
        return 1 if x > 0 else -1
    return int(1.44269504088896338700 * x + copysign(0.5, x))


def exponential_less_one(x: float) -> float:
    """e to the power x, less 1."""
    if not isfinite(x):
        return -1.0 if x < 0 else x
    try:
        return math.expm1(x)
    except OverflowError:
        return inf


_LOGARITHM = (
    6.666666666666735130e-01,
    3.999999999940941908e-01,
    2.857142874366239149e-01,
    2.222219843214978396e-01,
    1.818357216161805012e-01,
    1.531383769920937332e-01,
    1.479819860511658591e-01,
)
"""ln((1 + s) / (1 - s)) / s - 2 as a polynomial in s^2: for an |s| below 0.18."""


def logarithm(x: float) -> float:
    """The natural logarithm, with the last bit that JavaScript's engines have: ln x = k ln 2 + ln(1 + f), 1 + f within the root of 2 of 1."""
    if not 0 < x < inf:
        return -inf if x == 0 else x if x == inf else nan
    mantissa, power_of_2 = math.frexp(x)
    leading = int((2 * mantissa - 1) * 2**20)
    f, k = (mantissa - 1, float(power_of_2)) if leading >= 0x6A09C else (2 * mantissa - 1, float(power_of_2 - 1))
    if leading in (0, 0xFFFFE, 0xFFFFF):
        rest = f * f * (0.5 - 0.33333333333333333 * f)
        return f - rest if k == 0 else k * _LN2_HIGH - ((rest - k * _LN2_LOW) - f)
    s, half = f / (2 + f), 0.5 * f * f
    series = _logarithm_series(s * s)
    if not 0x6147A <= leading <= 0x6B851:
        rest = s * (f - series)
        return f - rest if k == 0 else k * _LN2_HIGH - ((rest - k * _LN2_LOW) - f)
    rest = s * (half + series)
    return f - (half - rest) if k == 0 else k * _LN2_HIGH - ((half - (rest + k * _LN2_LOW)) - f)


def _logarithm_series(square: float) -> float:
    """The odd and the even terms each for themselves, as the engines sum them up."""
    c1, c2, c3, c4, c5, c6, c7 = _LOGARITHM
    fourth = square * square
    return square * (c1 + fourth * (c3 + fourth * (c5 + fourth * c7))) + fourth * (c2 + fourth * (c4 + fourth * c6))


def logarithm_of_one_and(x: float) -> float:
    """The natural logarithm of 1 + x."""
    if x > -1:
        return math.log1p(x)
    return -inf if x == -1 else nan


def power(base: float, exponent: float) -> float:
    """base ** exponent; unlike in most languages, 1 to an infinite or undefined power is NaN."""
    if exponent == 0:
        return 1.0
    if isnan(base) or isnan(exponent) or (-inf < base < 0 and isfinite(exponent) and exponent != int(exponent)):
        return nan
    odd = abs(exponent) < 2**53 and exponent % 2 == 1
    size = abs(base)
    if size in (0, 1, inf) or isinf(exponent):
        value = _simple_power(size, exponent)
    else:
        value = _finite_power(size, exponent)
    return -value if odd and copysign(1.0, base) < 0 else value


def _finite_power(size: float, exponent: float) -> float:
    try:
        return math.pow(size, exponent)
    except OverflowError:
        return inf


def _simple_power(size: float, exponent: float) -> float:
    """Of 0, 1 or infinity, or to an infinite power."""
    if size == 1:
        return nan if isinf(exponent) else 1.0
    return inf if (size > 1) == (exponent > 0) else 0.0


def sine(x: float) -> float:
    return math.sin(x) if isfinite(x) else nan


def cosine(x: float) -> float:
    return math.cos(x) if isfinite(x) else nan


def tangent(x: float) -> float:
    return math.tan(x) if isfinite(x) else nan


def arc_sine(x: float) -> float:
    return math.asin(x) if -1 <= x <= 1 else nan


def arc_cosine(x: float) -> float:
    return math.acos(x) if -1 <= x <= 1 else nan


def arc_tangent(x: float) -> float:
    return x if isnan(x) else math.atan(x)


def angle(y: float, x: float) -> float:
    """atan2: the angle of the point (x, y)."""
    return math.atan2(y, x)


def square_root(x: float) -> float:
    return math.sqrt(x) if x >= 0 else nan


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
