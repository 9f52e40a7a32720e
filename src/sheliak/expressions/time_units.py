"""Vega's time units: their order, which go together, and the pattern that writes a date by them."""

from __future__ import annotations

from typing import Final

from sheliak.expressions.intervals import INTERVALS
from sheliak.expressions.numerals import SPACES
from sheliak.expressions.values import EvaluationError, Undefined, Value, to_text
from sheliak.expressions.zones import UTC, Zone

_ORDER: Final = {unit: index for index, unit in enumerate(INTERVALS)}
_PATTERNS: Final = {
    "year": "%Y ",
    "quarter": "Q%q ",
    "month": "%b ",
    "date": "%d ",
    "week": "W%U ",
    "isoweek": "W%V ",
    "day": "%a ",
    "dayofyear": "%j ",
    "hours": "%H:00",
    "minutes": "00:%M",
    "seconds": ":%S",
    "milliseconds": ".%L",
    "year-isoweek": "%G W%V ",
    "year-month": "%Y-%m ",
    "year-month-date": "%Y-%m-%d ",
    "hours-minutes": "%H:%M",
}


def ordered_units(units: Value, zone: Zone = UTC) -> list[str]:
    """Time units from the longest to the shortest; raises EvaluationError where one is unknown or they do not go together."""
    names = [to_text(unit, zone) for unit in listed(units)]
    if not names:
        raise EvaluationError("Missing time unit.")
    for name in names:
        if name not in _ORDER:
            raise EvaluationError(f"Invalid time unit: {name}.")
    weeks, months = {"week", "isoweek", "day"} & set(names), {"quarter", "month", "date"} & set(names)
    if bool(weeks) + bool(months) + ("dayofyear" in names) > 1 or {"week", "isoweek"} <= weeks:
        raise EvaluationError(f"Incompatible time units: {to_text(units, zone)}")
    return sorted(names, key=_ORDER.__getitem__)


def listed(value: Value) -> list[Value]:
    """An array as it is, nothing as an empty one, anything else as an array of it."""
    if isinstance(value, list):
        return value
    return [] if value is None or isinstance(value, Undefined) else [value]


def unit_pattern(units: list[str], changed: dict[str, Value], zone: Zone = UTC) -> str:
    """The pattern for some units: as many as possible at once take the pattern of their names joined by `-`."""
    patterns: dict[str, Value] = {**_PATTERNS, **changed}
    written, at = [], 0
    while at < len(units):
        for end in range(len(units), at, -1):
            pattern = patterns.get("-".join(units[at:end]))
            if pattern is not None and not isinstance(pattern, Undefined):
                written.append(to_text(pattern, zone))
                at = end
                break
        else:
            raise EvaluationError(f"there is no pattern for the time unit `{units[at]}`")  # Vega would search without end
    return "".join(written).strip(SPACES)
