"""The least and the greatest of some values, compared as they are."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

from sheliak.expressions.values import UNDEFINED, Row, Value, less_than, to_number
from sheliak.expressions.zones import Zone
from sheliak.transforms._running import NO_ROW, Getter


def extent_of_values(values: Sequence[Value], zone: Zone) -> tuple[Value, Value]:
    """Null, undefined and NaN do not count; both are undefined where nothing else is left."""
    low: Value = UNDEFINED
    high: Value = UNDEFINED
    for value in values:
        if value is None or value is UNDEFINED or (isinstance(value, float) and isnan(value)):
            continue
        if low is UNDEFINED:
            low = high = value
        else:
            low = value if less_than(value, low, zone) else low
            high = value if less_than(high, value, zone) else high
    return low, high


def extent_of_field(rows: Sequence[Row], get: Getter, zone: Zone) -> tuple[Value, Value]:
    """As of the field's values; but where no row has one, Vega reads on behind the last row, which ends the run."""
    ends = extent_of_values([get(row) for row in rows], zone)
    if rows and ends[0] is UNDEFINED:
        get(NO_ROW)
    return ends


def span(ends: tuple[Value, Value]) -> float:
    """From the least to the greatest; 0 where that is no number."""
    distance = to_number(ends[1]) - to_number(ends[0])
    return 0.0 if isnan(distance) else distance
