"""Values as text for a reader, and back. Null is always the text "null"; a date that is no Date is read as a number."""

from __future__ import annotations

from sheliak.expressions.functions.evaluation.meaning import Meanings, declared
from sheliak.expressions.functions.evaluation.types import merge
from sheliak.expressions.number_formats import formatted
from sheliak.expressions.properties import property_of
from sheliak.expressions.time_formats import MONTH_NAMES, MULTIPLE, WEEKDAYS, finest_unit, formatted_time
from sheliak.expressions.time_parsing import parsed_time
from sheliak.expressions.time_units import ordered_units, unit_pattern
from sheliak.expressions.values import Date, EvaluationError, Value, is_object, to_boolean, to_number, to_text
from sheliak.expressions.zones import UTC, Zone

MEANINGS: Meanings = {}
pure, local = declared(MEANINGS, "nothing"), declared(MEANINGS, "zone")


@local("format")
def format_number(zone: Zone, value: Value, specifier: Value) -> Value:
    return "null" if value is None else formatted(value, to_text(specifier, zone), zone)


@local("timeFormat")
def time_format(zone: Zone, value: Value, specifier: Value) -> Value:
    return _formatted(zone, zone, value, specifier, False)


@local("utcFormat")
def utc_format(zone: Zone, value: Value, specifier: Value) -> Value:
    return _formatted(zone, UTC, value, specifier, True)


def _formatted(zone: Zone, within: Zone, value: Value, specifier: Value, utc: bool) -> str:
    if value is None:
        return "null"
    ms = to_number(value)
    pattern = specifier if isinstance(specifier, str) else _pattern(zone, within, ms, specifier)
    return formatted_time(ms, pattern, within, utc)


def _pattern(zone: Zone, within: Zone, ms: float, specifier: Value) -> str:
    """Without one pattern there is one for each unit, and the date decides which."""
    patterns: Value = specifier if to_boolean(specifier) else {}
    if not is_object(patterns):
        raise EvaluationError(f"Invalid time multi-format specifier: {to_text(patterns, zone)}")
    unit = finest_unit(ms, within)
    given = property_of(patterns, unit)
    if unit == "date" and not to_boolean(given):
        given = property_of(patterns, "day")
    return to_text(given, zone) if to_boolean(given) else MULTIPLE[unit]


@local("timeParse")
def time_parse(zone: Zone, value: Value, specifier: Value) -> Value:
    return _parsed(value, specifier, zone, False)


@local("utcParse")
def utc_parse(zone: Zone, value: Value, specifier: Value) -> Value:
    return _parsed(value, specifier, zone, True)


def _parsed(value: Value, specifier: Value, zone: Zone, utc: bool) -> Value:
    if value is None:
        return "null"
    ms = parsed_time(to_text(value, zone), to_text(specifier, zone), zone, utc)
    return None if ms is None else Date(ms)


@local("timeUnitSpecifier")
def time_unit_specifier(zone: Zone, units: Value, specifiers: Value) -> Value:
    changed = merge(specifiers)
    assert isinstance(changed, dict)
    return unit_pattern(ordered_units(units, zone), changed, zone)


# Names: any whole number counts, 12 is January again


def _month(index: Value) -> str:
    return MONTH_NAMES[int(index) % 12] if isinstance(index, float) and index.is_integer() else ""


def _weekday(index: Value) -> str:
    return WEEKDAYS[int(index) % 7] if isinstance(index, float) and index.is_integer() else ""


@pure("monthFormat")
def month_name(index: Value) -> Value:
    return _month(index)


@pure("monthAbbrevFormat")
def month_abbreviation(index: Value) -> Value:
    return _month(index)[:3]


@pure("dayFormat")
def weekday_name(index: Value) -> Value:
    return _weekday(index)


@pure("dayAbbrevFormat")
def weekday_abbreviation(index: Value) -> Value:
    return _weekday(index)[:3]
