"""Scales between numbers: linear, log, pow, sqrt, symlog, time and utc."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from math import copysign, exp, expm1, floor, inf, isfinite, isnan, log, log1p, nan
from typing import TypeAlias

from sheliak.engines.protocol import Unavailable
from sheliak.expressions.values import UNDEFINED, Date, Value, divided, less_than, to_number
from sheliak.expressions.zones import clipped

Curve: TypeAlias = Callable[[float], float]


@dataclass(frozen=True, slots=True)
class Bending:
    """What a kind of scale does to numbers before it places them in a line, and back."""

    forward: Curve
    backward: Curve


def _log(value: float) -> float:
    return log(value) if value > 0 else -inf if value == 0 else nan


def _exp(value: float) -> float:
    try:
        return exp(value)
    except OverflowError:
        return inf


def _expm1(value: float) -> float:
    try:
        return expm1(value)
    except OverflowError:
        return inf


def _signed(curve: Curve) -> Curve:
    """A curve of positive numbers, mirrored for negative ones."""
    return lambda value: -curve(-value) if value < 0 else curve(value)


def _power(value: float, exponent: float) -> float:
    try:
        return float(value**exponent) if value or exponent > 0 else inf
    except OverflowError:
        return inf


LINEAR = Bending(lambda value: value, lambda value: value)


def logarithmic(negative: bool) -> Bending:
    if negative:
        return Bending(lambda value: -_log(-value), lambda value: -_exp(-value))
    return Bending(_log, _exp)


def power(exponent: float) -> Bending:
    if exponent == 1:
        return LINEAR
    inverse = divided(1.0, exponent)
    return Bending(_signed(lambda value: _power(value, exponent)), _signed(lambda value: _power(value, inverse)))


def symmetric(constant: float) -> Bending:
    return Bending(
        lambda value: copysign(log1p(abs(divided(value, constant))), value),
        lambda value: copysign(_expm1(abs(value)), value) * constant,
    )


@dataclass(frozen=True, slots=True)
class ContinuousScale:
    """A piecewise map from a domain of numbers to a range."""

    bending: Bending
    ends: tuple[float, ...]
    """The domain."""
    outputs: Value
    """The range; anything but numbers is for the renderer to mix."""
    clamp: bool = False
    rounded: bool = False
    temporal: bool = False

    def apply(self, value: Value) -> Value:
        if value is None or value is UNDEFINED:
            return UNDEFINED
        number = to_number(value)
        if isnan(number):
            return UNDEFINED
        placed = _piecewise(self._bent(), self._numbers(), self.bending.forward(self._clamped(number)))
        return float(floor(placed + 0.5)) if self.rounded and isfinite(placed) else placed

    def invert(self, value: Value) -> Value:
        """One position, or the two ends of a stretch of the range, the lower first."""
        if not isinstance(value, list):
            return self._inverted(value)
        low, high = (value[index] if index < len(value) else UNDEFINED for index in (0, 1))
        if less_than(high, low):
            low, high = high, low
        return [self._inverted(low), self._inverted(high)]

    def _inverted(self, value: Value) -> Value:
        bent = _piecewise(self._numbers(), self._bent(), to_number(value))
        found = self._clamped(self.bending.backward(bent))
        return Date(clipped(found)) if self.temporal else found

    def domain(self) -> Value:
        return [Date(clipped(end)) if self.temporal else end for end in self.ends]

    def range(self) -> Value:
        if isinstance(self.outputs, Unknown):
            raise Unavailable(self.outputs.reason)
        return list(self.outputs) if isinstance(self.outputs, list) else self.outputs

    def bandwidth(self) -> float:
        return 0.0

    def _bent(self) -> list[float]:
        return [self.bending.forward(end) for end in self.ends]

    def _numbers(self) -> list[float]:
        values = self.range()
        assert isinstance(values, list)
        if not all(isinstance(value, float) for value in values):
            raise Unavailable("the range of the scale is not made of numbers")
        return [to_number(value) for value in values]

    def _clamped(self, value: float) -> float:
        if not self.clamp:
            return value
        values = self.range()
        count = min(len(self.ends), len(values) if isinstance(values, list) else 0)
        low, high = sorted((self.ends[0], self.ends[count - 1]))
        return max(low, min(high, value))


class Unknown(list["Value"]):
    """Stands for a range that only the renderer knows."""

    def __init__(self, reason: str) -> None:
        super().__init__()
        self.reason = reason


def _piecewise(inputs: list[float], outputs: list[float], value: float) -> float:
    """Between the neighbouring inputs, and beyond the outermost in their direction."""
    count = min(len(inputs), len(outputs))
    if count < 2:
        return nan
    if inputs[count - 1] < inputs[0]:
        inputs, outputs = inputs[:count][::-1], outputs[:count][::-1]
    index = bisect_right(inputs, value, 1, count - 1) - 1 if count > 2 else 0
    start, end = inputs[index], inputs[index + 1]
    share = (value - start) / (end - start) if end != start and not isnan(end - start) else nan if isnan(end - start) else 0.5
    return outputs[index] * (1 - share) + outputs[index + 1] * share
