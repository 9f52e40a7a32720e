"""Sums that forget nothing: what was added can be taken away again, however large it was.

A double is a whole number times a power of two. Sums of such are kept as whole numbers of any length, so that the order of additions does
not matter, and rounded once, when they are read.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import frexp, inf, isfinite, isnan, nan
from typing import Any, TypeAlias

_BITS = 53
_HALF = 26
Packed: TypeAlias = "list[int | str]"


@dataclass(slots=True)
class ExactSum:
    """A sum of doubles: `whole` times two to the power `power`; NaN and the infinities are counted."""

    whole: int = 0
    power: int = 0
    count: int = 0
    nans: int = 0
    positive: int = 0
    negative: int = 0

    def add(self, value: float, weight: int) -> None:
        """Adds a value, or takes it away (weight -1)."""
        self.count += weight
        if isfinite(value):
            share, power = frexp(value)
            self.shift(int(share * (1 << _BITS)) * weight, power - _BITS)
        elif isnan(value):
            self.nans += weight
        elif value > 0:
            self.positive += weight
        else:
            self.negative += weight

    def add_square(self, value: float, weight: int) -> None:
        """The same with the square of a value."""
        self.count += weight
        if isfinite(value):
            share, power = frexp(value)
            whole = int(share * (1 << _BITS))
            self.shift(whole * whole * weight, 2 * (power - _BITS))
        else:
            self.nans += weight

    def shift(self, whole: int, power: int) -> None:
        """Adds a whole number times a power of two."""
        if not whole:
            return
        if power < self.power:
            self.whole <<= self.power - power
            self.power = power
        self.whole += whole << (power - self.power)

    def merge(self, other: ExactSum, weight: int = 1) -> None:
        """Adds another sum, or takes it away (weight -1)."""
        self.shift(other.whole * weight, other.power)
        self.count += other.count * weight
        self.nans += other.nans * weight
        self.positive += other.positive * weight
        self.negative += other.negative * weight

    def negated(self) -> ExactSum:
        return ExactSum(-self.whole, self.power, -self.count, -self.nans, -self.positive, -self.negative)

    @property
    def exact(self) -> Fraction:
        """The sum of what is finite."""
        return Fraction(self.whole) * Fraction(2) ** self.power

    def over(self, divisor: int) -> float:
        """The nearest double of the sum of what is finite, divided by a positive whole number."""
        if self.power > 0:
            return _quotient(self.whole << self.power, divisor)
        return _quotient(self.whole, divisor << -self.power)

    @property
    def unusual(self) -> float | None:
        """What a sum with NaN or an infinity is; None for one without."""
        if self.nans or (self.positive and self.negative):
            return nan
        return inf if self.positive else -inf if self.negative else None

    def packed(self) -> Packed:
        whole, power = self.whole, self.power
        zeros = (whole & -whole).bit_length() - 1 if whole else 0
        return [hex(whole >> zeros), power + zeros if whole else 0, self.count, self.nans, self.positive, self.negative]


def unpacked(given: Any) -> ExactSum:
    whole, *rest = given
    return ExactSum(int(whole, 16), *rest)


def rounded(value: Fraction) -> float:
    """The nearest double; beyond all of them, an infinity."""
    return _quotient(value.numerator, value.denominator)


def _quotient(numerator: int, denominator: int) -> float:
    try:
        return numerator / denominator
    except OverflowError:
        return inf if numerator > 0 else -inf


def exact_sums(codes: Any, values: Any, groups: int) -> list[ExactSum]:
    """The sums of many values at once, one for each group: `codes` says which group a value belongs to."""
    import numpy as np

    found = [ExactSum() for _ in range(groups)]
    finite = np.isfinite(values)
    for code, number in zip(*np.unique(codes[~finite], return_inverse=False, return_counts=True), strict=True):
        of = values[(codes == code) & ~finite]
        found[code].nans += int(np.isnan(of).sum())
        found[code].positive += int((of == np.inf).sum())
        found[code].negative += int((of == -np.inf).sum())
        found[code].count += int(number)
    share, power = np.frexp(values[finite])
    whole = np.ldexp(share, _BITS).astype(np.int64)
    high, low = whole >> _HALF, whole & ((1 << _HALF) - 1)
    # Sums of halves stay whole in a double while there are fewer than 2 ** 25 values.
    keys, places = np.unique(codes[finite].astype(np.int64) * 4096 + (power + 2048), return_inverse=True)
    tops, bottoms = (np.bincount(places, weights=part, minlength=len(keys)) for part in (high, low))
    counts = np.bincount(places, minlength=len(keys))
    for key, top, bottom, number in zip(keys.tolist(), tops.tolist(), bottoms.tolist(), counts.tolist(), strict=True):
        of_group = found[key // 4096]
        of_group.shift((int(top) << _HALF) + int(bottom), key % 4096 - 2048 - _BITS)
        of_group.count += number
    return found
