"""Sums that subtraction undoes.

Erratum E11: the figure takes a tuple out of a group by subtracting. On doubles that does not undo the addition:
NaN − NaN is NaN, ∞ − ∞ too, (1 + 1e16) − 1e16 is 0, and −0 is lost in −0 + 0 − 0.
"""

from __future__ import annotations

import math
from typing import NamedTuple

_UNIT_BITS = 1074  # every finite double is a whole multiple of 2^-1074
_UNITS_PER_ONE = 1 << _UNIT_BITS


class Total(NamedTuple):
    """What the members of a group add up to, so that the sum depends on the members alone, not on their history."""

    units: int = 0  # the finite members, in 2^-1074
    nans: int = 0
    up: int = 0  # how many ∞
    down: int = 0  # how many −∞
    minus_zeros: int = 0

    def plus(self, x: float) -> Total:
        return self._moved(x, 1)

    def minus(self, x: float) -> Total:
        return self._moved(x, -1)

    def _moved(self, x: float, n: int) -> Total:
        units, nans, up, down, minus_zeros = self
        if math.isnan(x):
            nans += n
        elif x == math.inf:
            up += n
        elif x == -math.inf:
            down += n
        elif x == 0:
            minus_zeros += n if math.copysign(1, x) < 0 else 0
        else:
            numerator, denominator = x.as_integer_ratio()
            units += n * (numerator << _UNIT_BITS + 1 - denominator.bit_length())
        return Total(units, nans, up, down, minus_zeros)

    def sum_of(self, size: int) -> float:
        """The sum of the `size` members, rounded once; −0 if all of them are −0."""
        if self.nans or self.up and self.down:
            return math.nan
        if self.up or self.down:
            return math.inf if self.up else -math.inf
        if self.units == 0:
            return -0.0 if self.minus_zeros == size else 0.0
        try:
            return self.units / _UNITS_PER_ONE
        except OverflowError:
            return math.inf if self.units > 0 else -math.inf
