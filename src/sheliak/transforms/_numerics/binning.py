"""Steps and starts of bins."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isnan, nan, trunc

from sheliak.expressions.arithmetic import largest, logarithm, power, rounded, rounded_down, rounded_up, smallest
from sheliak.expressions.values import divided
from sheliak.transforms._running import RunError

_NUDGE = 1e-14
"""A number this close below a bin's start belongs to it: floating point brought it there."""
_MOST_STEPS = 5000


@dataclass(frozen=True, slots=True)
class Bins:
    """Bins of one width."""

    start: float
    stop: float
    step: float

    def anchored(self, anchor: float) -> Bins:
        """Moved so that a bin starts at the anchor."""
        shift = anchor - (self.start + self.step * rounded_down(divided(anchor - self.start, self.step)))
        return Bins(self.start + shift, self.stop + shift, self.step)

    def start_of(self, number: float) -> float:
        """The start of the bin that holds a number: infinite outside of all bins; the last bin holds its end."""
        if number < self.start:
            return -inf
        if number > self.stop:
            return inf
        number = largest(self.start, smallest(number, self.stop - self.step))
        return self.start + self.step * rounded_down(_NUDGE + divided(number - self.start, self.step))

    def end_of(self, start: float) -> float:
        """The end of the bin with that start."""
        return self.start + self.step * (1 + divided(start - self.start, self.step))


@dataclass(frozen=True, slots=True)
class Binning:
    """How bins are chosen for an extent; a number that is 0 is not given."""

    low: float
    high: float
    maxbins: float
    base: float
    divide: tuple[float, ...]
    span: float
    step: float
    steps: tuple[float, ...] | None
    minstep: float
    nice: bool

    def bins(self) -> Bins:
        """The bins, the last of them whole."""
        step = self._step()
        start, stop = self._rounded(step) if self.nice else (self.low, self.high)
        if stop == start:
            stop = start + step
        return Bins(start, start + rounded_up(divided(stop - start, step)) * step, step)

    def _step(self) -> float:
        span = self.span or _or(_or(self.high - self.low, abs(self.low)), 1.0)
        if self.step:
            return self.step
        return self._computed_step(span) if self.steps is None else self._listed_step(span)

    def _listed_step(self, span: float) -> float:
        """The last of the listed steps below what is wanted: a step smaller, not greater, than the limit of bins asks for."""
        if not self.steps:
            return nan
        wanted = divided(span, self.maxbins)
        below = 0
        while below < len(self.steps) and self.steps[below] < wanted:
            below += 1
        return self.steps[max(0, below - 1)]

    def _computed_step(self, span: float) -> float:
        """A power of the base, multiplied while there are too many bins, then divided as far as the limit allows."""
        base = logarithm(self.base)
        level = rounded_up(divided(logarithm(self.maxbins), base))
        step = largest(self.minstep, power(self.base, rounded(divided(logarithm(span), base)) - level))
        step = self._widened(step, span)
        for divisor in self.divide:
            finer = divided(step, divisor)
            if finer >= self.minstep and divided(span, finer) <= self.maxbins:
                step = finer
        return step

    def _widened(self, step: float, span: float) -> float:
        for _ in range(_MOST_STEPS):
            if not rounded_up(divided(span, step)) > self.maxbins:
                return step
            step *= self.base
        # Vega would go on for ever.
        raise RunError(f"no step of base {self.base} leaves at most {self.maxbins} bins")

    def _rounded(self, step: float) -> tuple[float, float]:
        """The extent to whole steps."""
        size = logarithm(step)
        digits = 0 if size >= 0 else _whole(divided(-size, logarithm(self.base))) + 1
        start = rounded_down(divided(self.low, step) + power(self.base, -digits - 1.0)) * step
        return (start - step if self.low < start else start), rounded_up(divided(self.high, step)) * step


def _or(number: float, otherwise: float) -> float:
    """`number || otherwise`"""
    return number if number and not isnan(number) else otherwise


def _whole(number: float) -> int:
    return trunc(number) if abs(number) < 2**31 else 0
