"""Quantiles, deviations and confidence intervals over values read as numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import floor, isnan

from sheliak.expressions.arithmetic import square_root
from sheliak.expressions.values import UNDEFINED, Undefined, Value, divided, to_number


def numbers_of(values: Iterable[Value]) -> list[float]:
    """The values that are numbers or read as such; null, undefined, empty text and NaN are left out."""
    present = (value for value in values if value is not None and value is not UNDEFINED and value != "")
    return [number for value in present if not isnan(number := to_number(value))]


def numbers_and_empty_text(values: Iterable[Value]) -> list[float]:
    """As `numbers_of`, but empty text counts as 0: the two libraries that Vega uses differ."""
    present = (value for value in values if value is not None and value is not UNDEFINED)
    return [number for value in present if not isnan(number := to_number(value))]


def quantile_of_sorted(ordered: Sequence[float], p: float) -> float | Undefined:
    """Linear between the two nearest of the sorted numbers; undefined without numbers."""
    if not ordered or isnan(p):
        return UNDEFINED
    if p <= 0 or len(ordered) < 2:
        return ordered[0]
    if p >= 1:
        return ordered[-1]
    position = (len(ordered) - 1) * p
    below = floor(position)
    return ordered[below] + (ordered[below + 1] - ordered[below]) * (position - below)


def deviation(numbers: Sequence[float]) -> float | Undefined:
    """The standard deviation of a sample; undefined below two numbers."""
    mean = squares = 0.0
    for count, number in enumerate(numbers, 1):
        delta = number - mean
        mean += delta / count
        squares += delta * (number - mean)
    return square_root(squares / (len(numbers) - 1)) if len(numbers) > 1 else UNDEFINED


def confidence_interval(
    values: Sequence[Value], samples: int, alpha: float, random: Callable[[], float]
) -> tuple[float | Undefined, float | Undefined]:
    """The bounds of the mean by resampling: each sample draws as many values as there are, with repetition."""
    if not values:
        return UNDEFINED, UNDEFINED
    numbers = numbers_of(values)
    count = len(numbers)
    means = []
    for _ in range(samples):
        total = 0.0
        for _ in range(count):
            total += numbers[int(random() * count)]
        means.append(divided(total, float(count)))
    ordered = sorted(mean for mean in means if not isnan(mean))
    return quantile_of_sorted(ordered, alpha / 2), quantile_of_sorted(ordered, 1 - alpha / 2)
