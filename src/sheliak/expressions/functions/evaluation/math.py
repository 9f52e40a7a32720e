"""Numbers. JavaScript never refuses: what has no value is NaN, what is too large is infinite, and zero keeps its sign."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite, isnan

from sheliak.expressions.arithmetic import (
    angle,
    arc_cosine,
    arc_sine,
    arc_tangent,
    cosine,
    exponential,
    hypotenuse,
    largest,
    logarithm,
    power,
    rounded,
    rounded_down,
    rounded_up,
    sine,
    smallest,
    square_root,
    tangent,
)
from sheliak.expressions.environment import Environment
from sheliak.expressions.functions.evaluation.meaning import Meanings, declared
from sheliak.expressions.values import Value, to_number

MEANINGS: Meanings = {}
pure, surrounded = declared(MEANINGS, "nothing"), declared(MEANINGS, "environment")


def _of_one(name: str, function: Callable[[float], float]) -> None:
    def apply(value: Value) -> Value:
        return function(to_number(value))

    pure(name)(apply)


_of_one("abs", abs)
_of_one("acos", arc_cosine)
_of_one("asin", arc_sine)
_of_one("atan", arc_tangent)
_of_one("ceil", rounded_up)
_of_one("cos", cosine)
_of_one("exp", exponential)
_of_one("floor", rounded_down)
_of_one("log", logarithm)
_of_one("round", rounded)
_of_one("sin", sine)
_of_one("sqrt", square_root)
_of_one("tan", tangent)


@pure("atan2")
def angle_of(a: Value, b: Value) -> Value:
    return angle(to_number(a), to_number(b))


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
    return isinstance(value, float) and isfinite(value)


@surrounded("random")
def random(environment: Environment) -> Value:
    return environment.random()
