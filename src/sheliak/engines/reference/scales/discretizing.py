"""Scales from numbers to separate values: quantize, quantile, threshold and bin-ordinal; and the identity."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from math import isnan, nan
from typing import Literal

from sheliak.engines.protocol import Unavailable
from sheliak.engines.reference.scales.continuous import Unknown
from sheliak.expressions.values import UNDEFINED, Date, EvaluationError, Value, less_or_equal, less_than, strict_equal, to_number

Kind = Literal["quantize", "quantile", "threshold", "bin-ordinal"]


@dataclass(frozen=True, slots=True)
class SteppedScale:
    """Limits cut the numbers into stretches; each stretch has one value of the range."""

    kind: Kind
    values: list[float]
    """The domain: the two ends, all values, the limits themselves, or the ends of bins."""
    outputs: list[Value]

    def limits(self) -> list[float]:
        count = len(self._outputs())
        match self.kind:
            case "quantize":
                low, high = (*self.values, nan, nan)[:2]
                return [(index * high + (count - index) * low) / count for index in range(1, count)]
            case "quantile":
                return [quantile(self.values, index / count) for index in range(1, count)]
            case "threshold":
                return self.values[: count - 1]
            case "bin-ordinal":
                return self.values

    def apply(self, value: Value) -> Value:
        if value is None or value is UNDEFINED or is_nan(value):
            return UNDEFINED
        number, outputs = to_number(value), self._outputs()
        if isnan(number) and self.kind == "quantile":
            return UNDEFINED
        # Text that is no number is less than every limit.
        index = 0 if isnan(number) else bisect_right(self.limits(), number)
        if self.kind == "bin-ordinal":
            # JavaScript's remainder of -1 is -1, where no value is.
            return outputs[(index - 1) % len(outputs)] if index and outputs else UNDEFINED
        return outputs[index] if index < len(outputs) else UNDEFINED

    def invert(self, value: Value) -> Value:
        if self.kind == "bin-ordinal":
            raise EvaluationError("(s.invert || s.invertExtent) is not a function")
        return self._stretch_of_range(value) if isinstance(value, list) else self._stretch(value)

    def _stretch(self, value: Value) -> Value:
        """The stretch that has a value of the range."""
        outputs, limits = self._outputs(), self.limits()
        index = next((position for position, output in enumerate(outputs) if strict_equal(output, value)), -1)
        if index < 0:
            return [UNDEFINED, UNDEFINED] if self.kind == "threshold" else [nan, nan]
        # The outermost stretches of a threshold scale are open, those of the others end with the domain.
        ends: list[float] = [] if self.kind == "threshold" else [self.values[0], self.values[-1]] if self.values else []
        low = limits[index - 1 : index] if index > 0 else ends[:1]
        high = limits[index : index + 1] if index < len(limits) else ends[1:]
        return [low[0] if low else UNDEFINED, high[0] if high else UNDEFINED]

    def _stretch_of_range(self, ends: list[Value]) -> Value:
        """From the first value of the range between two ends to the last."""
        low, high = (ends[index] if index < len(ends) else UNDEFINED for index in (0, 1))
        if less_than(high, low):
            low, high = high, low
        between = [output for output in self._outputs() if less_or_equal(low, output) and less_or_equal(output, high)]
        if not between:
            return UNDEFINED
        first, last = self._stretch(between[0]), self._stretch(between[-1])
        assert isinstance(first, list) and isinstance(last, list)
        return [first[1] if first[0] is UNDEFINED else first[0], last[0] if last[1] is UNDEFINED else last[1]]

    def domain(self) -> Value:
        return [*self.values]

    def range(self) -> Value:
        return list(self._outputs())

    def bandwidth(self) -> float:
        return 0.0

    def _outputs(self) -> list[Value]:
        if isinstance(self.outputs, Unknown):
            raise Unavailable(self.outputs.reason)
        return self.outputs


def is_nan(value: Value) -> bool:
    """NaN itself, or an invalid date."""
    number = value.ms if isinstance(value, Date) else value
    return isinstance(number, float) and isnan(number)


def quantile(ascending: list[float], share: float) -> float:
    """The quantile of sorted numbers, between two of them in proportion."""
    if not ascending:
        return nan
    position = (len(ascending) - 1) * share
    index = int(position)
    if index + 1 >= len(ascending):
        return ascending[-1]
    return ascending[index] + (ascending[index + 1] - ascending[index]) * (position - index)


@dataclass(frozen=True, slots=True)
class IdentityScale:
    """Numbers as they are."""

    values: list[float]

    def apply(self, value: Value) -> Value:
        number = to_number(value)
        return UNDEFINED if value is None or value is UNDEFINED or isnan(number) else number

    def invert(self, value: Value) -> Value:
        if not isinstance(value, list):
            return self.apply(value)
        low, high = (value[index] if index < len(value) else UNDEFINED for index in (0, 1))
        return [self.apply(high), self.apply(low)] if less_than(high, low) else [self.apply(low), self.apply(high)]

    def domain(self) -> Value:
        return [*self.values]

    def range(self) -> Value:
        return [*self.values]

    def bandwidth(self) -> float:
        return 0.0
