"""Dates written as text, on columns: the forms that every JavaScript engine reads, and d3's patterns."""

from __future__ import annotations

from collections.abc import Callable
from math import nan
from typing import TYPE_CHECKING

from sheliak.engines.spark.columns import number
from sheliak.engines.spark.dates import calendar_time
from sheliak.engines.spark.lazy_functions import F

if TYPE_CHECKING:
    from pyspark.sql import Column

_OFFSET = "([+-])([0-9]{2}):?([0-9]{2})$"


def _part(s: Column, start: int, length: int, absent: float) -> Column:
    return F.coalesce(F.substring(s, start, length).try_cast("double"), number(absent))


def standard_time(s: Column) -> Column:
    """The time that a text of the standard's form shows, whatever its zone: its parts stand at known places."""
    fraction = F.regexp_extract(F.substring(s, 20, 20), "^\\.([0-9]+)", 1)
    milliseconds = F.coalesce(F.rpad(F.substring(fraction, 1, 3), 3, "0").try_cast("double"), number(0.0))
    # A time without seconds has its zone where they would stand.
    seconds = F.when(F.substring(s, 17, 1) == ":", _part(s, 18, 2, 0.0)).otherwise(number(0.0))
    return calendar_time(
        _part(s, 1, 4, nan),
        _part(s, 6, 2, 1.0) - 1.0,
        _part(s, 9, 2, 1.0),
        _part(s, 12, 2, 0.0),
        _part(s, 15, 2, 0.0),
        seconds,
        milliseconds,
    )


def standard_offset(s: Column) -> Column:
    """The milliseconds by which the zone written at the end is ahead of UTC: 0 for Z and for a day alone, NaN for local time."""
    time = F.length(s) > 10
    sign = F.when(F.regexp_extract(s, _OFFSET, 1) == "-", -1.0).otherwise(1.0)
    hours, minutes = (F.regexp_extract(s, _OFFSET, group).try_cast("double") for group in (2, 3))
    written = sign * (hours * 3_600_000.0 + minutes * 60_000.0)
    utc = ~time | s.endswith("Z") | s.endswith("z")
    return F.when(utc, number(0.0)).otherwise(F.coalesce(F.when(time, written), number(nan)))


def group_number(s: Column, pattern: str, group: int) -> Column:
    """The number that a group of a pattern finds; 0 where it finds none."""
    return F.coalesce(F.regexp_extract(F.regexp_extract(s, pattern, group), "[0-9]+", 0).try_cast("double"), number(0.0))


def group_place(s: Column, pattern: str, group: int, *names: str) -> Column:
    """The index of the name that a group of a pattern finds; 0 where it finds none."""
    found = F.lower(F.regexp_extract(s, pattern, group))
    place = F.array_position(F.array(*(F.lit(name) for name in names)), found)
    return F.greatest(place.cast("double") - 1.0, number(0.0))


OPERATIONS: dict[str, Callable[..., Column]] = {
    "text.standard_time": standard_time,
    "text.standard_offset": standard_offset,
    "text.group_number": group_number,
    "text.group_place": group_place,
}
