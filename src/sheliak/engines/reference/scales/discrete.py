"""Scales of separate values: ordinal, band and point."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from math import floor, isfinite, isnan

from sheliak.engines.protocol import Unavailable
from sheliak.engines.reference.scales.continuous import Unknown
from sheliak.expressions.values import UNDEFINED, Date, EvaluationError, Value, to_number

Key = tuple[str, object]


def key_of(value: Value) -> Key:
    """What tells the values of a domain apart: 1 and "1" differ, dates are compared by their instants."""
    if isinstance(value, Date):
        return "number", value.ms
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return type(value).__name__, value
    if isinstance(value, float):
        return "number", "NaN" if isnan(value) else value
    return ("undefined", None) if value is UNDEFINED else ("object", id(value))


def distinct(values: list[Value]) -> list[Value]:
    """Each value once, as it first occurs."""
    found: dict[Key, Value] = {}
    for value in values:
        found.setdefault(key_of(value), value)
    return list(found.values())


@dataclass(frozen=True, slots=True)
class OrdinalScale:
    """The range repeats where the domain is longer. With an implicit domain, unseen values join it."""

    values: list[Value]
    outputs: list[Value]
    implicit: bool = False

    def apply(self, value: Value) -> Value:
        keys = [key_of(known) for known in self.values]
        key = key_of(value)
        if key not in keys:
            if not self.implicit:
                return UNDEFINED
            self.values.append(value)
            keys.append(key)
        outputs = self.range()
        assert isinstance(outputs, list)
        return outputs[keys.index(key) % len(outputs)] if outputs else UNDEFINED

    def invert(self, value: Value) -> Value:
        raise EvaluationError("(s.invert || s.invertExtent) is not a function")

    def domain(self) -> Value:
        return list(self.values)

    def range(self) -> Value:
        if isinstance(self.outputs, Unknown):
            raise Unavailable(self.outputs.reason)
        return list(self.outputs)

    def bandwidth(self) -> float:
        return 0.0


@dataclass(slots=True)
class BandScale:
    """Equal bands along a range; a point scale has bands without width."""

    values: list[Value]
    ends: tuple[float, float]
    inner: float = 0.0
    outer: float = 0.0
    align: float = 0.5
    rounded: bool = False

    def places(self) -> tuple[list[float], float]:
        """Where each band begins, and how wide it is."""
        count = len(self.values)
        backwards = self.ends[1] < self.ends[0]
        start, stop = self.ends[::-1] if backwards else self.ends
        step = (stop - start) / (band_space(count, self.inner, self.outer) or 1)
        step = rounded_down(step) if self.rounded else step
        start += (stop - start - step * (count - self.inner)) * self.align
        width = step * (1 - self.inner)
        if self.rounded:
            start, width = rounded_down(start + 0.5), rounded_down(width + 0.5)
        found = [start + step * index for index in range(count)]
        return (found[::-1] if backwards else found), width

    def apply(self, value: Value) -> Value:
        keys = [key_of(known) for known in self.values]
        key = key_of(value)
        return self.places()[0][keys.index(key)] if key in keys else UNDEFINED

    def invert(self, value: Value) -> Value:
        if isinstance(value, list):
            return self._between(*(value[index] if index < len(value) else UNDEFINED for index in (0, 1)))
        found = self._between(value, value)
        return found[0] if isinstance(found, list) else found

    def _between(self, first: Value, second: Value) -> Value:
        """The values whose bands lie between two positions; undefined when there are none."""
        if any(end is None or end is UNDEFINED or isnan(to_number(end)) for end in (first, second)):
            return UNDEFINED
        low, high = sorted((to_number(first), to_number(second)))
        places, width = self.places()
        backwards = self.ends[1] < self.ends[0]
        places = places[::-1] if backwards else places
        if not places or high < places[0] or low > max(self.ends):
            return UNDEFINED
        a = max(0, bisect_right(places, low) - 1)
        b = a if low == high else bisect_right(places, high) - 1
        a += low - places[a] > width + 1e-10
        if backwards:
            a, b = len(places) - 1 - b, len(places) - 1 - a
        return self.values[a : b + 1] if a <= b else UNDEFINED

    def domain(self) -> Value:
        return list(self.values)

    def range(self) -> Value:
        return list(self.ends)

    def bandwidth(self) -> float:
        return self.places()[1]


def rounded_down(value: float) -> float:
    """Math.floor: infinities and NaN stay what they are."""
    return float(floor(value)) if isfinite(value) else value


def band_space(count: float, inner: float, outer: float) -> float:
    """How many steps bands and the paddings around them take."""
    space = count - inner + outer * 2
    return (space if space > 0 else 1.0) if count else 0.0
