"""Distributions: their densities and how much of them lies below a number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, isnan, pi, sqrt
from typing import Protocol

from sheliak.expressions.values import UNDEFINED, Value, to_number
from sheliak.transforms._numerics.arithmetic import divided, least, logarithm, power
from sheliak.transforms._numerics.quantiles import deviation, numbers_and_empty_text, numbers_of, quantile_of_sorted

_ROOT = sqrt(2 * pi)


class Distribution(Protocol):
    """What a curve can be drawn of."""

    def density(self, x: float) -> float: ...
    def cumulative(self, x: float) -> float: ...


@dataclass(frozen=True, slots=True)
class Normal:
    """Gauss's bell."""

    mean: float
    stdev: float

    def density(self, x: float) -> float:
        z = divided(x - self.mean, self.stdev)
        return divided(exp(-0.5 * z * z), self.stdev * _ROOT)

    def cumulative(self, x: float) -> float:
        """By West's approximation (Better approximations to cumulative normal functions, 2009)."""
        z = divided(x - self.mean, self.stdev)
        tail = _upper_tail(abs(z))
        return 1 - tail if z > 0 else tail


_NUMERATOR = (
    *(3.52624965998911e-02, 0.700383064443688, 6.37396220353165, 33.912866078383),
    *(112.079291497871, 221.213596169931, 220.206867912376),
)
_DENOMINATOR = (
    *(8.83883476483184e-02, 1.75566716318264, 16.064177579207, 86.7807322029461),
    *(296.564248779674, 637.333633378831, 793.826512519948, 440.413735824752),
)


def _upper_tail(z: float) -> float:
    """How much of the standard bell lies above a number that is not negative."""
    if z > 37:
        return 0.0
    bell = exp(-z * z / 2)
    if z < 7.07106781186547:
        return bell * _polynomial(_NUMERATOR, z) / _polynomial(_DENOMINATOR, z)
    fraction = z + 0.65
    for numerator in (4, 3, 2, 1):
        fraction = z + numerator / fraction
    return bell / fraction / 2.506628274631


def _polynomial(coefficients: Sequence[float], x: float) -> float:
    value = coefficients[0]
    for coefficient in coefficients[1:]:
        value = value * x + coefficient
    return value


@dataclass(frozen=True, slots=True)
class LogNormal:
    """Its logarithm is normal."""

    mean: float
    stdev: float

    def density(self, x: float) -> float:
        if x <= 0:
            return 0.0
        z = divided(logarithm(x) - self.mean, self.stdev)
        return divided(exp(-0.5 * z * z), self.stdev * _ROOT * x)

    def cumulative(self, x: float) -> float:
        return Normal(self.mean, self.stdev).cumulative(logarithm(x))


@dataclass(frozen=True, slots=True)
class Uniform:
    """The same everywhere between two ends."""

    low: float
    high: float

    def density(self, x: float) -> float:
        return divided(1.0, self.high - self.low) if self.low <= x <= self.high else 0.0

    def cumulative(self, x: float) -> float:
        return 0.0 if x < self.low else 1.0 if x > self.high else divided(x - self.low, self.high - self.low)


@dataclass(frozen=True, slots=True)
class Estimated:
    """The mean of bells, one around each of the values. A value that is no number makes NaN of it all."""

    values: list[float]
    bandwidth: float

    def density(self, x: float) -> float:
        bell, total = Normal(0.0, 1.0), 0.0
        for value in self.values:
            total += bell.density(divided(x - value, self.bandwidth))
        return divided(divided(total, self.bandwidth), float(len(self.values)))

    def cumulative(self, x: float) -> float:
        bell, total = Normal(0.0, 1.0), 0.0
        for value in self.values:
            total += bell.cumulative(divided(x - value, self.bandwidth))
        return divided(total, float(len(self.values)))


def estimated(values: Sequence[Value], bandwidth: float) -> Estimated:
    """The estimate from some values, null counted as 0; a bandwidth of 0 is chosen from them."""
    return Estimated([to_number(value) for value in values], bandwidth or _suited_bandwidth(values))


def _suited_bandwidth(values: Sequence[Value]) -> float:
    """Scott's rule, from the deviation or the quartiles, whichever is less."""
    ordered = sorted(numbers_of(values))
    low, high = quantile_of_sorted(ordered, 0.25), quantile_of_sorted(ordered, 0.75)
    spread = to_number(deviation(numbers_and_empty_text(values)))
    chosen = least(spread, (to_number(high) - to_number(low)) / 1.34)
    for candidate in (chosen, spread, abs(to_number(low)), 1.0):
        if candidate and not isnan(candidate):
            return 1.06 * candidate * power(float(len(values)), -0.2)
    raise AssertionError("1 is a bandwidth")


@dataclass(frozen=True, slots=True)
class Mixture:
    """A weighted sum of others."""

    parts: list[Distribution]
    weights: list[float]

    def density(self, x: float) -> float:
        total = 0.0
        for part, weight in zip(self.parts, self.weights, strict=True):
            total += weight * part.density(x)
        return total

    def cumulative(self, x: float) -> float:
        total = 0.0
        for part, weight in zip(self.parts, self.weights, strict=True):
            total += weight * part.cumulative(x)
        return total


def mixture(parts: list[Distribution], weights: Sequence[Value]) -> Mixture:
    """The weights are scaled to a sum of 1; one that is not given is 1."""
    given = [weights[index] if index < len(weights) else None for index in range(len(parts))]
    numbers = [1.0 if weight is None or weight is UNDEFINED else to_number(weight) for weight in given]
    total = 0.0
    for number in numbers:
        total += number
    return Mixture(parts, [divided(number, total) for number in numbers])
