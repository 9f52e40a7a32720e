"""Random numbers as Vega draws them."""

from __future__ import annotations

from math import fmod, isnan, nan, sqrt

from sheliak.expressions.arithmetic import logarithm


class RandomSource:
    """Vega's seeded generator; called, it gives the next number, at least 0 and below 1.

    It multiplies in floating point, where JavaScript loses the last bits of the product: part of the sequence, so kept.
    """

    __slots__ = ("_spare", "_state")

    def __init__(self, seed: float = 42.0) -> None:
        self._state = float(seed)
        self._spare = nan

    def __call__(self) -> float:
        self._state = fmod(1103515245.0 * self._state + 12345.0, 2147483647.0)
        return self._state / 2147483647.0

    @property
    def state(self) -> tuple[float, float]:
        """From which the next numbers follow; where it is set again, they are the same again."""
        return self._state, self._spare

    @state.setter
    def state(self, state: tuple[float, float]) -> None:
        self._state, self._spare = state

    def normal(self) -> float:
        """A number of the standard normal distribution. They come in pairs, and the second waits for the next call."""
        if not isnan(self._spare):
            spare, self._spare = self._spare, nan
            return spare
        while True:
            x, y = self() * 2 - 1, self() * 2 - 1
            square = x * x + y * y
            if 0 < square <= 1:
                factor = sqrt(-2 * logarithm(square) / square)
                self._spare = y * factor
                return x * factor
