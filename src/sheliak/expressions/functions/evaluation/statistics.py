"""Probability distributions: how much lies below a value, how dense they are there, the value below which a share lies, samples.

A location that is text stays text where Vega adds to it: the result is then text too.
"""

from __future__ import annotations

from math import nan, pi, sqrt
from typing import Final

from sheliak.expressions.arithmetic import exponential, logarithm
from sheliak.expressions.environment import Environment
from sheliak.expressions.functions.evaluation.meaning import Meanings, declared
from sheliak.expressions.normal_distribution import below, inverse_error
from sheliak.expressions.values import Undefined, Value, add, divided, less_or_equal, less_than, to_boolean, to_number
from sheliak.expressions.zones import Zone

MEANINGS: Meanings = {}
pure, local, surrounded = declared(MEANINGS, "nothing"), declared(MEANINGS, "zone"), declared(MEANINGS, "environment")
_ROOT: Final = sqrt(2 * pi)


def _or(value: Value, default: float) -> Value:
    return default if value is None or isinstance(value, Undefined) else value


def _mean(value: Value) -> Value:
    return value if to_boolean(value) else 0.0


# Normal


@pure("densityNormal")
def normal_density(value: Value, mean: Value, stdev: Value) -> Value:
    deviation = to_number(_or(stdev, 1.0))
    z = divided(to_number(value) - to_number(_mean(mean)), deviation)
    return divided(exponential(-0.5 * z * z), deviation * _ROOT)


@pure("cumulativeNormal")
def normal_cumulative(value: Value, mean: Value, stdev: Value) -> Value:
    return _cumulative(to_number(value), mean, stdev)


def _cumulative(value: float, mean: Value, stdev: Value) -> float:
    return below(divided(value - to_number(_mean(mean)), to_number(_or(stdev, 1.0))))


@local("quantileNormal")
def normal_quantile(zone: Zone, share: Value, mean: Value, stdev: Value) -> Value:
    return _quantile(zone, share, mean, stdev)


def _quantile(zone: Zone, share: Value, mean: Value, stdev: Value) -> Value:
    if less_than(share, 0.0, zone) or less_than(1.0, share, zone):
        return nan
    return add(_mean(mean), to_number(_or(stdev, 1.0)) * sqrt(2) * inverse_error(2 * to_number(share) - 1), zone)


@surrounded("sampleNormal")
def normal_sample(environment: Environment, mean: Value, stdev: Value) -> Value:
    return add(_mean(mean), environment.random.normal() * to_number(_or(stdev, 1.0)), environment.timezone)


# Lognormal


@local("densityLogNormal")
def lognormal_density(zone: Zone, value: Value, mean: Value, stdev: Value) -> Value:
    if less_or_equal(value, 0.0, zone):
        return 0.0
    number, deviation = to_number(value), to_number(_or(stdev, 1.0))
    z = divided(logarithm(number) - to_number(_mean(mean)), deviation)
    return divided(exponential(-0.5 * z * z), deviation * _ROOT * number)


@pure("cumulativeLogNormal")
def lognormal_cumulative(value: Value, mean: Value, stdev: Value) -> Value:
    return _cumulative(logarithm(to_number(value)), mean, stdev)


@local("quantileLogNormal")
def lognormal_quantile(zone: Zone, share: Value, mean: Value, stdev: Value) -> Value:
    return exponential(to_number(_quantile(zone, share, mean, stdev)))


@surrounded("sampleLogNormal")
def lognormal_sample(environment: Environment, mean: Value, stdev: Value) -> Value:
    step = environment.random.normal() * to_number(_or(stdev, 1.0))
    return exponential(to_number(add(_mean(mean), step, environment.timezone)))


# Uniform


def _ends(low: Value, high: Value) -> tuple[Value, Value]:
    """One end alone is the upper one; without any it is from 0 to 1."""
    if high is None or isinstance(high, Undefined):
        return 0.0, _or(low, 1.0)
    return low, high


@local("densityUniform")
def uniform_density(zone: Zone, value: Value, low: Value, high: Value) -> Value:
    start, stop = _ends(low, high)
    if less_or_equal(start, value, zone) and less_or_equal(value, stop, zone):
        return divided(1.0, to_number(stop) - to_number(start))
    return 0.0


@local("cumulativeUniform")
def uniform_cumulative(zone: Zone, value: Value, low: Value, high: Value) -> Value:
    start, stop = _ends(low, high)
    if less_than(value, start, zone):
        return 0.0
    if less_than(stop, value, zone):
        return 1.0
    return divided(to_number(value) - to_number(start), to_number(stop) - to_number(start))


@local("quantileUniform")
def uniform_quantile(zone: Zone, share: Value, low: Value, high: Value) -> Value:
    start, stop = _ends(low, high)
    if less_or_equal(0.0, share, zone) and less_or_equal(share, 1.0, zone):
        return add(start, to_number(share) * (to_number(stop) - to_number(start)), zone)
    return nan


@surrounded("sampleUniform")
def uniform_sample(environment: Environment, low: Value, high: Value) -> Value:
    start, stop = _ends(low, high)
    return add(start, (to_number(stop) - to_number(start)) * environment.random(), environment.timezone)
