"""Steps of round numbers, and domains widened to them."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, floor, inf, isfinite, isnan, log10, sqrt

from sheliak.expressions.values import divided

_TEN, _FIVE, _TWO = sqrt(50), sqrt(10), sqrt(2)
_ROUNDS = 10


def power_of(base: float, exponent: float) -> float:
    """Math.pow for a positive base: what is too large is infinite."""
    try:
        return float(base**exponent)
    except OverflowError:
        return inf


def tick_increment(start: float, stop: float, count: float) -> float:
    """The distance between ticks: of 1, 2 or 5 times a power of ten the one that gives about `count` of them.

    Below 1 it is the negative of its inverse, so that -10 stands for 0.1 exactly. NaN and 0 mean that there is none.
    """
    step = divided(stop - start, max(0.0, count))
    if not isfinite(step) or step <= 0:
        return step if isnan(step) else 0.0
    power = floor(log10(step))
    error = step / power_of(10.0, power)
    factor = 10 if error >= _TEN else 5 if error >= _FIVE else 2 if error >= _TWO else 1
    increment = power_of(10.0, -power) / factor if power < 0 else power_of(10.0, power) * factor
    if 0.5 <= count < 2 and _spans_no_tick(start, stop, increment, inverse=power < 0):
        return tick_increment(start, stop, count * 2)
    return -increment if power < 0 else increment


def _spans_no_tick(start: float, stop: float, increment: float, *, inverse: bool) -> bool:
    first = _rounded(start * increment if inverse else start / increment)
    last = _rounded(stop * increment if inverse else stop / increment)
    first += (first / increment if inverse else first * increment) < start
    last -= (last / increment if inverse else last * increment) > stop
    return last < first


def _rounded(value: float) -> float:
    return floor(value + 0.5)


def nice_linear(domain: list[float], count: float) -> list[float]:
    """The domain with its ends moved out to ticks, as often as that changes the distance of the ticks."""
    first, last = 0, len(domain) - 1
    if domain[last] < domain[first]:
        first, last = last, first
    start, stop, before = domain[first], domain[last], 0.0
    for _ in range(_ROUNDS):
        step = tick_increment(start, stop, count)
        if step == before and step != 0:
            widened = list(domain)
            widened[first], widened[last] = start, stop
            return widened
        if step > 0 and isfinite(step):
            start, stop = floor(start / step) * step, ceil(stop / step) * step
        elif step < 0 and isfinite(start * step) and isfinite(stop * step):
            start, stop = ceil(start * step) / step, floor(stop * step) / step
        else:
            break
        before = step
    return domain


def nice_between(domain: list[float], down: Callable[[float], float], up: Callable[[float], float]) -> list[float]:
    """The domain with its lower end moved down and its upper end up."""
    widened = list(domain)
    low, high = (0, len(domain) - 1) if not domain[-1] < domain[0] else (len(domain) - 1, 0)
    widened[low], widened[high] = down(widened[low]), up(widened[high])
    return widened
