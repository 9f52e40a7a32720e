"""The value of an imputed row, from the values that its group has."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sheliak.expressions.values import UNDEFINED, Value, less_or_equal, less_than
from sheliak.expressions.zones import Zone
from sheliak.transforms._numerics.arithmetic import total_of
from sheliak.transforms._numerics.quantiles import numbers_and_empty_text, quantile_of_sorted


def _mean(values: Sequence[Value], zone: Zone) -> Value:
    numbers = numbers_and_empty_text(values)
    return total_of(numbers) / len(numbers) if numbers else UNDEFINED


def _median(values: Sequence[Value], zone: Zone) -> Value:
    return quantile_of_sorted(sorted(numbers_and_empty_text(values)), 0.5)


def _min(values: Sequence[Value], zone: Zone) -> Value:
    return _extreme(values, lambda value, least: less_than(value, least, zone), zone)


def _max(values: Sequence[Value], zone: Zone) -> Value:
    return _extreme(values, lambda value, greatest: less_than(greatest, value, zone), zone)


def _extreme(values: Sequence[Value], beyond: Callable[[Value, Value], bool], zone: Zone) -> Value:
    """The first value beyond all others, compared as they are; undefined of nothing but null and NaN."""
    extreme: Value = UNDEFINED
    for value in values:
        if value is None or value is UNDEFINED:
            continue
        if less_or_equal(value, value, zone) if extreme is UNDEFINED else beyond(value, extreme):
            extreme = value
    return extreme


METHODS: dict[str, Callable[[Sequence[Value], Zone], Value]] = {"mean": _mean, "median": _median, "min": _min, "max": _max}
