"""Distributions: their densities and how much of them lies below a number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, isnan, pi, sqrt
from typing import Protocol

from sheliak.expressions.arithmetic import exponential, logarithm, power, smallest
from sheliak.expressions.normal_distribution import below
from sheliak.expressions.values import UNDEFINED, Value, divided, to_number
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
        return divided(exponential(-0.5 * z * z), self.stdev * _ROOT)

    def cumulative(self, x: float) -> float:
        return below(divided(x - self.mean, self.stdev))


@dataclass(frozen=True, slots=True)
class LogNormal:
    """Its logarithm is normal."""

    mean: float
    stdev: float

    def density(self, x: float) -> float:
        if x <= 0:
            return 0.0
        z = divided(logarithm(x) - self.mean, self.stdev)
        return divided(exponential(-0.5 * z * z), self.stdev * _ROOT * x)

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
        total = 0.0
        for value in self.values:
            z = divided(x - value, self.bandwidth)
            total += exp(-0.5 * z * z) / _ROOT
        return divided(divided(total, self.bandwidth), float(len(self.values)))

    def cumulative(self, x: float) -> float:
        total = 0.0
        for value in self.values:
            total += below(divided(x - value, self.bandwidth))
        return divided(total, float(len(self.values)))


def estimated(values: Sequence[Value], bandwidth: float) -> Estimated:
    """The estimate from some values, null counted as 0; a bandwidth of 0 is chosen from them."""
    return Estimated([to_number(value) for value in values], bandwidth or _suited_bandwidth(values))


def _suited_bandwidth(values: Sequence[Value]) -> float:
    """Scott's rule, from the deviation or the quartiles, whichever is less."""
    ordered = sorted(numbers_of(values))
    low, high = quantile_of_sorted(ordered, 0.25), quantile_of_sorted(ordered, 0.75)
    spread = to_number(deviation(numbers_and_empty_text(values)))
    chosen = smallest(spread, (to_number(high) - to_number(low)) / 1.34)
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
