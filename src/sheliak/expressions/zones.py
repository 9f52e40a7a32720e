"""Instants and calendars: milliseconds since 1970 as years, months, days and hours, in UTC or in a zone's local time.

The calendar is JavaScript's: Gregorian for all years, with a year 0; 100 000 000 days to either side of 1970 exist.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import inf, isfinite, nan, trunc
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from datetime import tzinfo

SECOND: Final = 1000
MINUTE: Final = 60 * SECOND
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR
# The calendar repeats after 400 years; Python's zones know the years 1 to 9999 only.
_DAYS_OF_400_YEARS: Final = 146_097
_CYCLE: Final = _DAYS_OF_400_YEARS * DAY
_YEAR_1: Final = -62_135_596_800_000
_YEAR_9600: Final = 240_778_828_800_000
_LARGEST: Final = 8.64e15


class Calendar(NamedTuple):
    """An instant's parts; `month` and `weekday` count from 0 (January, Sunday)."""

    year: int
    month: int
    day: int
    hours: int
    minutes: int
    seconds: int
    milliseconds: int
    weekday: int


def clipped(ms: float) -> float:
    """The milliseconds that a date can hold: whole, and NaN beyond its range."""
    return float(trunc(ms)) + 0.0 if -_LARGEST <= ms <= _LARGEST else nan


def days_to(year: int, month: int, day: int) -> int:
    """Days from 1970-01-01 to a day; months from 0, and any month or day, also outside its range."""
    year, month = year + month // 12, month % 12 + 1
    if month <= 2:
        year, month = year - 1, month + 12
    era, year = divmod(year, 400)
    return era * _DAYS_OF_400_YEARS + year * 365 + year // 4 - year // 100 + (153 * month - 457) // 5 + day - 719_469


def calendar_of(ms: int) -> Calendar:
    """The parts of an instant given as milliseconds of its local time."""
    days, rest = divmod(ms, DAY)
    year, month, day = _date_of(days)
    hours, rest = divmod(rest, HOUR)
    minutes, rest = divmod(rest, MINUTE)
    seconds, milliseconds = divmod(rest, SECOND)
    return Calendar(year, month, day, hours, minutes, seconds, milliseconds, (days + 4) % 7)


@lru_cache(maxsize=1 << 12)
def _date_of(days: int) -> tuple[int, int, int]:
    # Years are counted from March, so that the leap day is the last.
    era, day = divmod(days + 719_468, _DAYS_OF_400_YEARS)
    year = (day - day // 1460 + day // 36_524 - day // 146_096) // 365
    day -= 365 * year + year // 4 - year // 100
    month = (5 * day + 2) // 153
    year += era * 400 + month // 10
    return year, (month + 2) % 12, day - (153 * month + 2) // 5 + 1


def milliseconds_of(parts: tuple[float, ...]) -> float:
    """Milliseconds of (year, month, day, hours, minutes, seconds, ms) as JavaScript reckons them; NaN if any is not finite.

    Each part is cut to a whole number, and may be outside its usual range.
    """
    if not all(map(isfinite, parts)):
        return nan
    year, month, day, hours, minutes, seconds, milliseconds = map(trunc, parts)
    if abs(year) > 400_000 or abs(month) > 5_000_000:
        return nan  # no day and no hour brings it back into a date's range, as far as JavaScript reckons
    days = days_to(year, month, 1) + day - 1
    total = float(days) * DAY + (float(hours) * HOUR + float(minutes) * MINUTE + float(seconds) * SECOND + float(milliseconds))
    return total if -inf < total < inf else nan


@dataclass(frozen=True, slots=True, eq=False)
class Zone:
    """A time zone; without rules it is UTC."""

    name: str
    rules: tzinfo | None = None

    def offset(self, ms: int) -> int:
        """Milliseconds by which local time is ahead of UTC at an instant."""
        return 0 if self.rules is None else _offset_at(self.rules, _within_years(ms) // SECOND)

    def local(self, ms: int) -> int:
        """The instant as milliseconds of local time."""
        return ms if self.rules is None else ms + self.offset(ms)

    def instant(self, local: float) -> float:
        """The instant of a local time: of a time that occurs twice the first; a time left out is reckoned as before the change."""
        if self.rules is None or not abs(local) <= _LARGEST + DAY:
            return local
        return local - _offset_of_local(self.rules, _within_years(trunc(local)) // SECOND)

    def calendar(self, ms: float) -> Calendar:
        """The parts of a valid instant in this zone."""
        return calendar_of(self.local(int(ms)))

    def label(self, ms: int) -> str:
        """The zone's name at an instant, as JavaScript prints it in brackets after a date."""
        if self.rules is None:
            return "Coordinated Universal Time"
        from sheliak.expressions.zone_names import zone_label

        return zone_label(self.name, self.rules, ms, self.offset(ms))


UTC: Final = Zone("UTC")


@lru_cache(maxsize=64)
def zone_of(name: str) -> Zone:
    """The zone of a name such as `Europe/Berlin`; raises ValueError where no such zone is known."""
    if name in ("UTC", "Etc/UTC"):
        return UTC
    from zoneinfo import ZoneInfo

    try:
        return Zone(name, ZoneInfo(name))
    except (OSError, KeyError) as problem:  # KeyError: zoneinfo's own error for a name it does not find
        raise ValueError(f"the time zone `{name}` is not known") from problem


def _within_years(ms: int) -> int:
    """The same time of the 400-year cycle, in a year that Python's zones know; before the year 1 nothing changes."""
    if ms >= _YEAR_9600:
        return ms - ((ms - _YEAR_9600) // _CYCLE + 1) * _CYCLE
    return max(ms, _YEAR_1 + 2 * DAY)


@lru_cache(maxsize=1 << 14)
def _offset_at(rules: tzinfo, seconds: int) -> int:
    from datetime import UTC, datetime, timedelta

    offset = (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)).astimezone(rules).utcoffset()
    return 0 if offset is None else int(offset.total_seconds()) * SECOND


@lru_cache(maxsize=1 << 14)
def _offset_of_local(rules: tzinfo, seconds: int) -> int:
    from datetime import datetime, timedelta

    offset = (datetime(1970, 1, 1) + timedelta(seconds=seconds)).replace(tzinfo=rules).utcoffset()
    return 0 if offset is None else int(offset.total_seconds()) * SECOND
