"""Scales, which the environment knows by name, and panning and zooming of domains."""

from __future__ import annotations

from collections.abc import Callable
from math import copysign, isnan
from typing import TypeAlias

from sheliak.expressions.arithmetic import exponential, exponential_less_one, logarithm, logarithm_of_one_and, power
from sheliak.expressions.environment import Environment, Scale
from sheliak.expressions.functions.evaluation.array import first_of, last_of
from sheliak.expressions.functions.evaluation.meaning import Meanings, asked, declared
from sheliak.expressions.properties import property_of
from sheliak.expressions.values import (
    UNDEFINED,
    EvaluationError,
    Function,
    Undefined,
    Value,
    add,
    divided,
    less_than,
    to_boolean,
    to_number,
)
from sheliak.expressions.zones import Zone

MEANINGS: Meanings = {}
pure, local, surrounded = declared(MEANINGS, "nothing"), declared(MEANINGS, "zone"), declared(MEANINGS, "environment")

# Those about projections; geoArea, geoBounds and geoCentroid also without one.
asked(MEANINGS, "copy", "gradient", "geoArea", "geoBounds", "geoCentroid", "geoScale", "geoTranslate")


def _scale(environment: Environment, name: Value) -> Scale | None:
    return environment.scale(name) if isinstance(name, str) else None


@surrounded("scale", "_scale")
def scaled(environment: Environment, name: Value, value: Value) -> Value:
    scale = _scale(environment, name)
    return UNDEFINED if scale is None else scale.apply(value)


@surrounded("invert")
def inverted(environment: Environment, name: Value, value: Value) -> Value:
    scale = _scale(environment, name)
    return UNDEFINED if scale is None else scale.invert(value)


@surrounded("domain")
def domain(environment: Environment, name: Value) -> Value:
    scale = _scale(environment, name)
    return [] if scale is None else scale.domain()


@surrounded("range", "_range")
def range_of(environment: Environment, name: Value) -> Value:
    scale = _scale(environment, name)
    return [] if scale is None else scale.range()


@surrounded("bandwidth", "_bandwidth")
def bandwidth(environment: Environment, name: Value) -> Value:
    scale = _scale(environment, name)
    return 0.0 if scale is None else scale.bandwidth()


@pure("pathShape", "geoShape")
def shape() -> Value:
    """A function that draws; only a renderer can call it."""
    return Function("")


@local("bandspace")
def bandspace(zone: Zone, count: Value, inner: Value, outer: Value) -> Value:
    """How many steps of a band scale fit its range."""
    bands, within, around = [value if to_boolean(value) else 0.0 for value in (count, inner, outer)]
    if not to_boolean(bands):
        return 0.0
    space = add(to_number(bands) - to_number(within), to_number(around) * 2, zone)
    return space if less_than(0.0, space, zone) else 1.0


# Panning and zooming: the domain is moved where the scale is linear

Lift: TypeAlias = Callable[[Value], float]
Ground: TypeAlias = Callable[[float], float]
Warp: TypeAlias = tuple[Lift, Ground]


def _sign(x: float) -> float:
    return x if x == 0 or isnan(x) else copysign(1.0, x)


def _linear() -> Warp:
    return _number_or_zero, lambda x: x


def _number_or_zero(value: Value) -> float:
    return 0.0 if isinstance(value, Undefined) else to_number(value)


def _logarithmic(domain: Value) -> Warp:
    sign = _sign(to_number(first_of(domain)))
    return (lambda x: logarithm(sign * to_number(x))), (lambda x: sign * exponential(x))


def _powered(exponent: Value) -> Warp:
    number = to_number(exponent)
    return (lambda x: _signed_power(to_number(x), number)), (lambda x: _signed_power(x, divided(1.0, number)))


def _signed_power(x: float, exponent: float) -> float:
    return -power(-x, exponent) if x < 0 else power(x, exponent)


def _symmetric(constant: Value) -> Warp:
    c = to_number(constant)

    def lift(value: Value) -> float:
        x = to_number(value)
        return _sign(x) * logarithm_of_one_and(abs(divided(x, c)))

    return lift, lambda x: _sign(x) * exponential_less_one(abs(x)) * c


def _ends(domain: Value, lift: Lift) -> tuple[float, float]:
    if not less_than(0.0, property_of(domain, "length")):
        raise EvaluationError("Domain array must not be empty")
    return lift(first_of(domain)), lift(last_of(domain))


def _panned(domain: Value, delta: Value, warp: Warp) -> Value:
    lift, ground = warp
    start, stop = _ends(domain, lift)
    shift = (stop - start) * to_number(delta)
    return [ground(start - shift), ground(stop - shift)]


def _zoomed(domain: Value, anchor: Value, factor: Value, warp: Warp) -> Value:
    lift, ground = warp
    start, stop = _ends(domain, lift)
    fixed = (start + stop) / 2 if anchor is None or isinstance(anchor, Undefined) else lift(anchor)
    by = to_number(factor)
    return [ground(fixed + (start - fixed) * by), ground(fixed + (stop - fixed) * by)]


@pure("panLinear")
def pan_linear(domain: Value, delta: Value) -> Value:
    return _panned(domain, delta, _linear())


@pure("panLog")
def pan_log(domain: Value, delta: Value) -> Value:
    return _panned(domain, delta, _logarithmic(domain))


@pure("panPow")
def pan_pow(domain: Value, delta: Value, exponent: Value) -> Value:
    return _panned(domain, delta, _powered(exponent))


@pure("panSymlog")
def pan_symlog(domain: Value, delta: Value, constant: Value) -> Value:
    return _panned(domain, delta, _symmetric(constant))


@pure("zoomLinear")
def zoom_linear(domain: Value, anchor: Value, factor: Value) -> Value:
    return _zoomed(domain, anchor, factor, _linear())


@pure("zoomLog")
def zoom_log(domain: Value, anchor: Value, factor: Value) -> Value:
    return _zoomed(domain, anchor, factor, _logarithmic(domain))


@pure("zoomPow")
def zoom_pow(domain: Value, anchor: Value, factor: Value, exponent: Value) -> Value:
    return _zoomed(domain, anchor, factor, _powered(exponent))


@pure("zoomSymlog")
def zoom_symlog(domain: Value, anchor: Value, factor: Value, constant: Value) -> Value:
    return _zoomed(domain, anchor, factor, _symmetric(constant))
