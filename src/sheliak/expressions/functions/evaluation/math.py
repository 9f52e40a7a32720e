"""Numbers. JavaScript never refuses: what has no value is NaN, what is too large is infinite, and zero keeps its sign."""

from __future__ import annotations

import math
from collections.abc import Callable
from math import copysign, inf, isinf, isnan, nan

from sheliak.expressions.environment import Environment
from sheliak.expressions.functions.evaluation.meaning import Meanings, declared
from sheliak.expressions.values import Value, to_number

MEANINGS: Meanings = {}
pure, surrounded = declared(MEANINGS, "nothing"), declared(MEANINGS, "environment")


def _of_one(name: str, function: Callable[[float], float]) -> None:
    def apply(value: Value) -> Value:
        return function(to_number(value))

    pure(name)(apply)


def _or_nan(function: Callable[[float], float]) -> Callable[[float], float]:
    def apply(x: float) -> float:
        try:
            return function(x)
        except ValueError:
            return nan

    return apply


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


_of_one("abs", abs)
_of_one("acos", _or_nan(math.acos))
_of_one("asin", _or_nan(math.asin))
_of_one("atan", math.atan)
_of_one("ceil", rounded_up)
_of_one("cos", _or_nan(math.cos))
_of_one("exp", exponential)
_of_one("floor", rounded_down)
_of_one("log", logarithm)
_of_one("round", rounded)
_of_one("sin", _or_nan(math.sin))
_of_one("sqrt", _or_nan(math.sqrt))
_of_one("tan", _or_nan(math.tan))


@pure("atan2")
def arc_tangent(a: Value, b: Value) -> Value:
    return math.atan2(to_number(a), to_number(b))


@pure("pow")
def power_of(a: Value, b: Value) -> Value:
    return power(to_number(a), to_number(b))


@pure("hypot")
def hypotenuse_of(*values: Value) -> Value:
    return hypotenuse(*map(to_number, values))


@pure("max")
def largest_of(*values: Value) -> Value:
    return largest(*map(to_number, values))


@pure("min")
def smallest_of(*values: Value) -> Value:
    return smallest(*map(to_number, values))


@pure("clamp")
def clamp(value: Value, low: Value, high: Value) -> Value:
    """The upper end first, then the lower: with the ends exchanged the lower one wins."""
    return largest(to_number(low), smallest(to_number(high), to_number(value)))


@pure("isNaN")
def is_nan(value: Value) -> Value:
    return isinstance(value, float) and isnan(value)


@pure("isFinite")
def is_finite(value: Value) -> Value:
    return isinstance(value, float) and math.isfinite(value)


@surrounded("random")
def random(environment: Environment) -> Value:
    return environment.random()
