"""Intervals of time: the start of the hour, day, week, month, ... that holds an instant, steps from one to the next, and counts.

All are reckoned in local time, so a day may have 23 or 25 hours; with the zone UTC they are Vega's UTC intervals.
Instants are milliseconds; NaN, for an invalid date, comes out as it went in.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import floor, isfinite, isnan, nan
from typing import Final, TypeAlias

from sheliak.expressions.values import EvaluationError
from sheliak.expressions.zones import DAY, HOUR, MINUTE, SECOND, Calendar, Zone, clipped, milliseconds_of

Floor: TypeAlias = Callable[[float, Zone], float]
Offset: TypeAlias = Callable[[float, float, Zone], float]
Count: TypeAlias = Callable[[float, float, Zone], float]
_MOST_STEPS: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Interval:
    """One length of time: `floor` finds where it starts, `offset` moves by a number of them, whole or not."""

    floor: Floor
    offset: Offset
    between: Count

    def ceil(self, ms: float, zone: Zone) -> float:
        """The next start, or the instant itself if it is one."""
        return self.floor(self.offset(self.floor(clipped(ms - 1), zone), 1.0, zone), zone)

    def count(self, start: float, end: float, zone: Zone) -> float:
        """How many start after `start` and not after `end`."""
        number = self.between(self.floor(clipped(start), zone), self.floor(clipped(end), zone), zone)
        return float(floor(number)) if isfinite(number) else number

    def range(self, start: float, stop: float, step: float, zone: Zone) -> list[float]:
        """The starts from `start` to before `stop`, every `step`th."""
        found: list[float] = []
        at = self.ceil(start, zone)
        if not at < stop or not step > 0:
            return found
        while True:
            found.append(at)
            if len(found) > _MOST_STEPS:
                raise EvaluationError(f"a sequence of more than {_MOST_STEPS} dates is not made")
            at = self.floor(self.offset(at, step, zone), zone)
            if not (found[-1] < at < stop):
                return found


# Setting parts of an instant, as the methods of a JavaScript date do


def reset(ms: float, zone: Zone, change: Callable[[Calendar], tuple[float, ...]]) -> float:
    """The instant whose parts (year, month, day, hours, minutes, seconds, ms) are made from those of another."""
    if isnan(ms):
        return nan
    return clipped(zone.instant(milliseconds_of(change(zone.calendar(ms)))))


def at_midnight(ms: float, zone: Zone) -> float:
    """The start of its day."""
    return reset(ms, zone, lambda at: (*at[:3], 0, 0, 0, 0))


def on_day(ms: float, day: Callable[[Calendar], float], zone: Zone) -> float:
    """The same time on another day of the month, which need not be one of it."""
    return reset(ms, zone, lambda at: (at.year, at.month, day(at), *at[3:7]))


def timezone_offset(ms: float, zone: Zone) -> float:
    """getTimezoneOffset: the minutes by which local time is behind UTC."""
    return nan if isnan(ms) else float(int(-zone.offset(int(ms)) / MINUTE)) + 0.0


def _clock(of: Callable[[Calendar], int]) -> Floor:
    """The start of a second, minute or hour lies some milliseconds back, whatever the clock is set to."""
    return lambda ms, zone: nan if isnan(ms) else clipped(ms - of(zone.calendar(ms)))


def _steps(length: float) -> Offset:
    return lambda ms, step, zone: clipped(ms + step * length)


def _lengths(length: float) -> Count:
    return lambda start, end, zone: (end - start) / length


def _days(length: float) -> Count:
    def between(start: float, end: float, zone: Zone) -> float:
        shift = timezone_offset(end, zone) - timezone_offset(start, zone)
        return (end - start - shift * MINUTE) / length

    return between


MILLISECOND: Final = Interval(lambda ms, zone: ms, _steps(1), _lengths(1))
SECONDS: Final = Interval(_clock(lambda at: at.milliseconds), _steps(SECOND), _lengths(SECOND))
MINUTES: Final = Interval(_clock(lambda at: at.milliseconds + at.seconds * SECOND), _steps(MINUTE), _lengths(MINUTE))
HOURS: Final = Interval(
    _clock(lambda at: at.milliseconds + at.seconds * SECOND + at.minutes * MINUTE), _steps(HOUR), _lengths(HOUR)
)
DAYS: Final = Interval(at_midnight, lambda ms, step, zone: on_day(ms, lambda at: at.day + step, zone), _days(DAY))


def weeks_from(weekday: int) -> Interval:
    """Weeks that begin on a weekday, Sunday being 0."""

    def start(ms: float, zone: Zone) -> float:
        return at_midnight(on_day(ms, lambda at: at.day - (at.weekday + 7 - weekday) % 7, zone), zone)

    return Interval(start, lambda ms, step, zone: on_day(ms, lambda at: at.day + step * 7, zone), _days(7 * DAY))


SUNDAYS: Final = weeks_from(0)
MONDAYS: Final = weeks_from(1)
THURSDAYS: Final = weeks_from(4)


def _month_start(ms: float, zone: Zone) -> float:
    return at_midnight(on_day(ms, lambda at: 1, zone), zone)


def _months_on(ms: float, step: float, zone: Zone) -> float:
    return reset(ms, zone, lambda at: (at.year, at.month + step, *at[2:7]))


def _months_between(start: float, end: float, zone: Zone) -> float:
    if isnan(start) or isnan(end):
        return nan
    first, last = zone.calendar(start), zone.calendar(end)
    return float(last.month - first.month + (last.year - first.year) * 12)


MONTHS: Final = Interval(_month_start, _months_on, _months_between)


def _year_start(ms: float, zone: Zone) -> float:
    return at_midnight(reset(ms, zone, lambda at: (at.year, 0, 1, *at[3:7])), zone)


def _years_on(ms: float, step: float, zone: Zone) -> float:
    return reset(ms, zone, lambda at: (at.year + step, *at[1:7]))


def _years_between(start: float, end: float, zone: Zone) -> float:
    return nan if isnan(start) or isnan(end) else float(zone.calendar(end).year - zone.calendar(start).year)


YEARS: Final = Interval(_year_start, _years_on, _years_between)


def _starts_quarter(ms: float, zone: Zone) -> bool:
    if isnan(ms):
        raise EvaluationError("the date leaves the range of dates")  # Vega would search for a quarter without end
    return zone.calendar(ms).month % 3 == 0


def _quarter_start(ms: float, zone: Zone) -> float:
    if isnan(ms):
        return nan
    while not _starts_quarter(ms := _month_start(ms, zone), zone):
        ms -= 1
    return ms


def _quarters_on(ms: float, step: float, zone: Zone) -> float:
    """Month by month until the month is the first of a quarter: the 31st of a month may end up on the 1st or later of another."""
    if isnan(ms) or isnan(step):
        return ms
    if abs(step) > _MOST_STEPS:
        raise EvaluationError(f"more than {_MOST_STEPS} quarters are not counted")
    for _ in range(int(abs(step))):
        ms = _months_on(ms, 1 if step > 0 else -1, zone)
        while not _starts_quarter(ms, zone):
            ms = _months_on(ms, 1 if step > 0 else -1, zone)
    return ms


QUARTERS: Final = Interval(_quarter_start, _quarters_on, lambda start, end, zone: _months_between(start, end, zone) / 3)

INTERVALS: Final = {
    "year": YEARS,
    "quarter": QUARTERS,
    "month": MONTHS,
    "week": SUNDAYS,
    "isoweek": MONDAYS,
    "date": DAYS,
    "day": DAYS,
    "dayofyear": DAYS,
    "hours": HOURS,
    "minutes": MINUTES,
    "seconds": SECONDS,
    "milliseconds": MILLISECOND,
}
"""Vega's time units."""
