"""Dates. The parts of a date are asked of anything: text is parsed, a number is milliseconds, what is no date has NaN parts."""

from __future__ import annotations

from collections.abc import Callable
from math import floor, isfinite, isnan, nan, trunc
from typing import TypeAlias

from sheliak.expressions.date_parsing import parse_date
from sheliak.expressions.environment import Environment
from sheliak.expressions.functions.evaluation.meaning import Meanings, declared
from sheliak.expressions.intervals import DAYS, INTERVALS, MONDAYS, SUNDAYS, Interval, timezone_offset
from sheliak.expressions.values import UNDEFINED, Date, Undefined, Value, to_number, to_primitive
from sheliak.expressions.zones import UTC, Calendar, Zone, clipped, milliseconds_of

MEANINGS: Meanings = {}
pure, local, surrounded = declared(MEANINGS, "nothing"), declared(MEANINGS, "zone"), declared(MEANINGS, "environment")

Part: TypeAlias = Callable[[float, Zone], float]
StartOfYear: TypeAlias = Callable[[int, Zone], float]


def instant_of(value: Value, zone: Zone) -> float:
    """new Date(value), as milliseconds."""
    if isinstance(value, Date):
        return value.ms
    plain = to_primitive(value, "default", zone)
    return parse_date(plain, zone) if isinstance(plain, str) else clipped(to_number(plain))


@surrounded("now")
def now(environment: Environment) -> Value:
    return environment.now


@surrounded("datetime")
def datetime(environment: Environment, *parts: Value) -> Value:
    """The present; the date of a timestamp or text; or a local date from its parts, where the years 0 to 99 are of the 1900s."""
    zone = environment.timezone
    if not parts:
        return Date(clipped(environment.now))
    if len(parts) == 1:
        return Date(instant_of(parts[0], zone))
    return Date(clipped(zone.instant(_from_parts(parts))))


@pure("utc")
def utc(*parts: Value) -> Value:
    return clipped(_from_parts(parts))


def _from_parts(parts: tuple[Value, ...]) -> float:
    numbers = [to_number(part) for part in parts[:7]] or [nan]
    year = numbers[0]
    if isfinite(year) and 0 <= trunc(year) <= 99:
        year = float(trunc(year) + 1900)
    return milliseconds_of((year, *numbers[1:], *(0.0, 1.0, 0.0, 0.0, 0.0, 0.0)[len(numbers) - 1 :]))


@local("time")
def time(zone: Zone, value: Value) -> Value:
    return instant_of(value, zone)


@local("timezoneoffset")
def timezoneoffset(zone: Zone, value: Value) -> Value:
    return timezone_offset(instant_of(value, zone), zone)


# Parts, in local time and in UTC


def _part(name: str, of: Part, of_utc: Part | None = None) -> None:
    def local_part(zone: Zone, value: Value) -> Value:
        return of(instant_of(value, zone), zone)

    def utc_part(zone: Zone, value: Value) -> Value:
        return (of_utc or of)(instant_of(value, zone), UTC)

    local(name)(local_part)
    local(f"utc{name}")(utc_part)


def _calendar_part(of: Callable[[Calendar], int]) -> Part:
    return lambda ms, zone: nan if isnan(ms) else float(of(zone.calendar(ms)))


def quarter(ms: float, zone: Zone) -> float:
    """1 to 4; the bits of NaN are 0, so an invalid date is in the first quarter."""
    return 1.0 if isnan(ms) else float(1 + zone.calendar(ms).month // 3)


def start_of_year(year: int, zone: Zone) -> float:
    """The first instant of a year."""
    return clipped(zone.instant(milliseconds_of((year, 0, 1, 0, 0, 0, 0))))


def start_of_utc_year(year: int, zone: Zone) -> float:
    """The same as Vega makes it for UTC, by a function that takes the years 0 to 99 for those of the 1900s."""
    return start_of_year(year + 1900 if 0 <= year <= 99 else year, UTC)


def counted_from_new_year(interval: Interval, starts: StartOfYear) -> Part:
    """How many days or Sundays the year has had: a date is in day 1 of its year, and in week 0 before the first Sunday."""

    def count(ms: float, zone: Zone) -> float:
        return nan if isnan(ms) else interval.count(starts(zone.calendar(ms).year, zone) - 1, ms, zone)

    return count


def iso_weeks(starts: StartOfYear) -> Part:
    """The week's number, week 1 being the one with the year's first Thursday."""

    def count(ms: float, zone: Zone) -> float:
        if isnan(ms):
            return nan
        thursday = DAYS.offset(MONDAYS.floor(ms, zone), 3, zone)
        if isnan(thursday):
            return nan
        fourth = DAYS.offset(starts(zone.calendar(thursday).year, zone), 3, zone)
        return 1 + MONDAYS.count(MONDAYS.floor(fourth, zone), ms, zone)

    return count


_part("year", _calendar_part(lambda at: at.year))
_part("quarter", quarter)
_part("month", _calendar_part(lambda at: at.month))
_part("week", counted_from_new_year(SUNDAYS, start_of_year), counted_from_new_year(SUNDAYS, start_of_utc_year))
_part("isoweek", iso_weeks(start_of_year), iso_weeks(start_of_utc_year))
_part("date", _calendar_part(lambda at: at.day))
_part("day", _calendar_part(lambda at: at.weekday))
_part("dayofyear", counted_from_new_year(DAYS, start_of_year), counted_from_new_year(DAYS, start_of_utc_year))
_part("hours", _calendar_part(lambda at: at.hours))
_part("minutes", _calendar_part(lambda at: at.minutes))
_part("seconds", _calendar_part(lambda at: at.seconds))
_part("milliseconds", _calendar_part(lambda at: at.milliseconds))


# Steps and sequences


def _offset(zone: Zone, unit: Value, date: Value, step: Value) -> Value:
    """A date some units later; undefined for an unknown unit."""
    interval = INTERVALS.get(unit) if isinstance(unit, str) else None
    return UNDEFINED if interval is None else Date(interval.offset(clipped(to_number(date)), _step(step), zone))


def _step(step: Value) -> float:
    if step is None or isinstance(step, Undefined):
        return 1.0
    number = to_number(step)
    return float(floor(number)) if isfinite(number) else number


def _sequence(zone: Zone, unit: Value, start: Value, stop: Value, step: Value) -> Value:
    interval = INTERVALS.get(unit) if isinstance(unit, str) else None
    if interval is None:
        return UNDEFINED
    return [Date(ms) for ms in interval.range(to_number(start), to_number(stop), _step(step), zone)]


local("timeOffset")(_offset)
local("timeSequence")(_sequence)


@local("utcOffset")
def utc_offset(zone: Zone, unit: Value, date: Value, step: Value) -> Value:
    return _offset(UTC, unit, date, step)


@local("utcSequence")
def utc_sequence(zone: Zone, unit: Value, start: Value, stop: Value, step: Value) -> Value:
    return _sequence(UTC, unit, start, stop, step)
