"""The calendar on columns: by arithmetic on milliseconds, so that no session's time zone has a say."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from math import nan
from typing import TYPE_CHECKING

from sheliak.engines.spark.columns import number
from sheliak.engines.spark.lazy_functions import F

if TYPE_CHECKING:
    from pyspark.sql import Column

DAY = 86_400_000.0
_LARGEST = 8.64e15
_MONTHS_OF_A_MILLION_YEARS = 12_000_000
EPOCH = datetime.date(1970, 1, 1)
_WEEKDAYS = ("Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def clipped(ms: Column) -> Column:
    """Whole milliseconds within the range of dates, else NaN."""
    whole = F.when(F.abs(ms) <= _LARGEST, ms).cast("bigint").cast("double")
    return F.coalesce(whole, number(nan))


def local(ms: Column, zone: str) -> Column:
    return _shifted(ms, lambda at: F.from_utc_timestamp(at, zone))


def instant(ms: Column, zone: str) -> Column:
    return _shifted(ms, lambda at: F.to_utc_timestamp(at, zone))


def _shifted(ms: Column, shift: Callable[[Column], Column]) -> Column:
    there = F.floor(F.when(F.abs(ms) <= _LARGEST, ms))
    return F.coalesce(F.unix_millis(shift(F.timestamp_millis(there))).cast("double"), number(nan))


def _day(ms: Column) -> Column:
    """The number of the day; NULL of an invalid date."""
    return F.floor(F.when(F.abs(ms) <= 2 * _LARGEST, ms) / DAY)


def _date(ms: Column) -> Column:
    """The day as Spark's date; NULL of an invalid date."""
    return F.date_from_unix_date(_day(ms).cast("int"))


def _weekday(ms: Column) -> Column:
    """0 is Sunday, day 0 was a Thursday. By arithmetic: Spark makes a date of Java's for it, which takes longer than to look up a group."""
    return F.pmod(_day(ms) + 4, F.lit(7))


def of_date(part: Callable[[Column], Column], add: int = 0) -> Callable[[Column], Column]:
    """A part of the day, NULL of an invalid date."""
    return lambda ms: part(_date(ms)) + add if add else part(_date(ms))


def of_time(unit: float, whole: float) -> Callable[[Column], Column]:
    """How many units fit into what has passed of the longer unit; NULL of an invalid date."""
    return lambda ms: F.when(~F.isnan(ms), F.floor((ms - F.floor(ms / whole) * whole) / unit))


def bigint_part(operation: str) -> Callable[[Column], Column]:
    """A part of a date as a bigint, NULL of an invalid date."""
    return lambda ms: PARTS[operation](ms).cast("bigint")


def _number_of(part: Callable[[Column], Column]) -> Callable[[Column], Column]:
    return lambda ms: F.coalesce(part(ms).cast("double"), number(nan))


def floored(ms: Column, length: float) -> Column:
    """The last multiple of a length; a quotient of whole milliseconds within the range of dates never rounds up to the next."""
    return F.when(F.isnan(ms), ms).otherwise(F.floor(ms / length) * length)


def calendar_time(*parts: Column) -> Column:
    """MakeDate(MakeDay(year, month, date), MakeTime(hours, minutes, seconds, ms)); NaN where a part is no finite number."""
    year, month = (part.try_cast("int").cast("bigint") for part in parts[:2])
    date, hours, minutes, seconds, milliseconds = (part.try_cast("bigint").cast("double") for part in parts[2:])
    months = (year - 1970) * 12 + month
    # A million years in both directions: far beyond what a date can be, and within what Spark can count.
    reached = F.add_months(F.lit(EPOCH), F.when(F.abs(months) < _MONTHS_OF_A_MILLION_YEARS, months).cast("int"))
    days = F.unix_date(reached).cast("double") + date - 1.0
    time = hours * 3_600_000.0 + minutes * 60_000.0 + seconds * 1000.0 + milliseconds
    return F.coalesce(days * DAY + time, number(nan))


def week(day_of_year: Column, weekday: Column) -> Column:
    # The first Sunday begins week 1; the days before it are week 0.
    return F.floor((day_of_year + 6.0 - weekday) / 7.0).cast("double") + number(0.0) * weekday


def iso_week(day_of_year_of_thursday: Column) -> Column:
    x = day_of_year_of_thursday
    return F.when(F.isnan(x), x).otherwise(F.floor((x - 1.0) / 7.0).cast("double") + 1.0)


def date_text(ms: Column) -> Column:
    """A date as JavaScript prints it in UTC. NULL where it is missing."""
    day = _date(ms)
    names = [F.array(*(F.lit(name) for name in names)) for names in (_WEEKDAYS, _MONTHS)]
    weekday = F.get(names[0], _weekday(ms).cast("int"))
    month = F.get(names[1], F.month(day) - 1)
    year = F.year(day)
    sign = F.when(year < 0, "-").otherwise("")
    padded = F.lpad(F.abs(year).cast("string"), 4, "0")
    shown_year = F.concat(sign, F.when(F.abs(year) > 9999, F.abs(year).cast("string")).otherwise(padded))
    times = [_two_digits(part(ms)) for part in (_HOURS, _MINUTES, _SECONDS)]
    date = F.concat_ws(" ", weekday, month, _two_digits(F.day(day)), shown_year, F.concat_ws(":", *times))
    text = F.concat(date, F.lit(" GMT+0000 (Coordinated Universal Time)"))
    return F.when(F.isnan(ms), "Invalid Date").when(ms.isNotNull(), text)


def _two_digits(x: Column) -> Column:
    return F.lpad(x.cast("int").cast("string"), 2, "0")


_HOURS = of_time(3_600_000.0, DAY)
_MINUTES = of_time(60_000.0, 3_600_000.0)
_SECONDS = of_time(1000.0, 60_000.0)

PARTS: dict[str, Callable[[Column], Column]] = {
    "calendar.year": of_date(lambda day: F.year(day)),
    "calendar.month": of_date(lambda day: F.month(day), -1),
    "calendar.date": of_date(lambda day: F.day(day)),
    "calendar.day": _weekday,
    "calendar.dayofyear": of_date(lambda day: F.dayofyear(day)),
    "calendar.hours": _HOURS,
    "calendar.minutes": _MINUTES,
    "calendar.seconds": _SECONDS,
    "calendar.milliseconds": of_time(1.0, 1000.0),
}
"""Whole numbers, NULL of an invalid date."""

OPERATIONS: dict[str, Callable[..., Column]] = {
    "date.clip": clipped,
    "date.floor": floored,
    "date.second": lambda ms: F.when(F.isnan(ms), ms).otherwise(F.floor(ms / 1000.0).cast("double")),
    "date.local": local,
    "date.instant": instant,
    "date.text": date_text,
    **{operation: _number_of(part) for operation, part in PARTS.items()},
    "calendar.time": calendar_time,
    "calendar.week": week,
    "calendar.iso_week": iso_week,
}
