"""Calendar units: an instant rounded down to some of its parts, and the choice of units that suit an extent or some dates."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import floor as whole
from math import inf, isnan, log10, nan

from sheliak.expressions.arithmetic import largest, rounded, rounded_down
from sheliak.expressions.functions.evaluation.datetime import counted_from_new_year, iso_weeks, start_of_utc_year, start_of_year
from sheliak.expressions.intervals import DAYS, INTERVALS, MONDAYS, SUNDAYS
from sheliak.expressions.values import Value, divided
from sheliak.expressions.zones import DAY, HOUR, MINUTE, SECOND, Calendar, Zone, clipped, milliseconds_of

_CLOCK = ("hours", "minutes", "seconds", "milliseconds")
_NO_YEAR = 2012
"""Units without a year are put into this one: a leap year that begins on a Sunday."""
_NO_ISO_YEAR = 2015
"""A year with 53 weeks of ISO 8601."""


@dataclass(frozen=True, slots=True)
class Rounding:
    """Rounds an instant down to units, the last of them to a multiple of the step."""

    units: list[str]
    step: float
    zone: Zone
    utc: bool

    def floor(self, ms: float) -> float:
        """The start of the units that hold an instant."""
        ms = clipped(ms)
        if isnan(ms):
            return nan
        at, of = self.zone.calendar(ms), self.units
        year = self._year(ms, at.year)
        month = self._stepped("month", at.month, 0) if "month" in of else self._quarter(at.month) if "quarter" in of else 0
        day = self._day(ms, at, year)
        clock = [self._stepped(unit, part, 0) if unit in of else 0 for unit, part in zip(_CLOCK, at[3:7], strict=True)]
        return self._instant(year, (month, day, *clock))

    def end(self, start: float) -> float:
        """One step of the last unit later."""
        step = rounded_down(self.step)
        return INTERVALS[self.units[-1]].offset(start, step, self.zone)

    def _stepped(self, unit: str, part: float, phase: int) -> float:
        if unit != self.units[-1] or self.step <= 1 or isnan(self.step):
            return part
        return phase + self.step * rounded_down(divided(part - phase, self.step))

    def _year(self, ms: float, year: int) -> float:
        if "year" not in self.units:
            return _NO_ISO_YEAR if "isoweek" in self.units else _NO_YEAR
        if "isoweek" in self.units:
            year = self.zone.calendar(DAYS.offset(MONDAYS.floor(ms, self.zone), 3, self.zone)).year
        return self._stepped("year", year, 0)

    def _quarter(self, month: int) -> float:
        return 3 * self._stepped("quarter", month // 3, 0)

    def _day(self, ms: float, at: Calendar, year: float) -> float:
        """The day that the units choose, counted from the start of the year or of the month."""
        of = self.units
        if "isoweek" in of:
            return self._iso_day(ms, at.weekday, year)
        if "week" in of or "day" in of:
            return self._week_day(ms, at.weekday, year)
        if "date" in of:
            return self._stepped("date", at.day, 1)
        if "dayofyear" in of:
            return self._stepped("dayofyear", counted_from_new_year(DAYS, self._starts)(ms, self.zone), 1)
        return 1

    def _week_day(self, ms: float, weekday: int, year: float) -> float:
        """Weeks begin on Sunday; days without a week are put into the first whole one."""
        before = (self._first_weekday(year) + 6) % 7
        if "day" not in self.units:
            return self._stepped("week", self._week(ms), 1) * 7 - before
        number = self._week(ms) if "week" in self.units else 1
        return self._stepped("day", weekday + number * 7 - before, 1)

    def _iso_day(self, ms: float, weekday: int, year: float) -> float:
        """Weeks begin on Monday, the first is the one with the year's first Thursday."""
        first = self._first_iso_day(year)
        number = iso_weeks(self._starts)(ms, self.zone)
        if "day" not in self.units:
            return first + (self._stepped("isoweek", number, 1) - 1) * 7
        return self._stepped("day", first + (number - 1) * 7 + (weekday + 6) % 7, 1)

    def _week(self, ms: float) -> float:
        return counted_from_new_year(SUNDAYS, self._starts)(ms, self.zone)

    @property
    def _starts(self) -> Callable[[int, Zone], float]:
        """The first instant of a year."""
        return start_of_utc_year if self.utc else start_of_year

    def _first_weekday(self, year: float) -> int:
        return self.zone.calendar(self._starts(int(year), self.zone)).weekday

    def _first_iso_day(self, year: float) -> int:
        """The day of January on which week 1 begins; 0 and less are days of December."""
        fourth = DAYS.offset(self._starts(int(year), self.zone), 3, self.zone)
        first = self.zone.calendar(MONDAYS.floor(fourth, self.zone))
        return first.day - 31 if first.month else first.day

    def _instant(self, year: float, parts: tuple[float, ...]) -> float:
        if not 0 <= year < 100:
            return clipped(self.zone.instant(milliseconds_of((year, *parts))))
        if self.utc:
            return nan  # Vega makes no date of the first hundred years in UTC
        at = self.zone.calendar(self.zone.instant(milliseconds_of((-1, *parts))))
        return clipped(self.zone.instant(milliseconds_of((year, *at[1:7]))))


_MILLISECONDS = ("year", "month", "date", "hours", "minutes", "seconds", "milliseconds")
_SECONDS, _MINUTES, _HOURS, _DAYS, _MONTHS, _YEARS = (_MILLISECONDS[:count] for count in (6, 5, 4, 3, 2, 1))
_WEEKS = ("year", "week")
_MONTH, _YEAR = 30 * DAY, 365 * DAY
_CHOICES: tuple[tuple[tuple[str, ...], int, int], ...] = (
    (_SECONDS, 1, SECOND),
    (_SECONDS, 5, 5 * SECOND),
    (_SECONDS, 15, 15 * SECOND),
    (_SECONDS, 30, 30 * SECOND),
    (_MINUTES, 1, MINUTE),
    (_MINUTES, 5, 5 * MINUTE),
    (_MINUTES, 15, 15 * MINUTE),
    (_MINUTES, 30, 30 * MINUTE),
    (_HOURS, 1, HOUR),
    (_HOURS, 3, 3 * HOUR),
    (_HOURS, 6, 6 * HOUR),
    (_HOURS, 12, 12 * HOUR),
    (_DAYS, 1, DAY),
    (_WEEKS, 1, 7 * DAY),
    (_MONTHS, 1, _MONTH),
    (_MONTHS, 3, 3 * _MONTH),
    (_YEARS, 1, _YEAR),
)
_LENGTHS = [length for _, _, length in _CHOICES]


def units_for(start: float, stop: float, maxbins: float) -> tuple[list[Value], float]:
    """The units and the step that divide an extent into about `maxbins` pieces."""
    span = stop - start
    wanted = abs(0.0 if isnan(span) else span) / maxbins
    index = bisect_right(_LENGTHS, wanted)
    if index == len(_CHOICES):
        return list(_YEARS), tick_step(start / _YEAR, stop / _YEAR, maxbins)
    if not index:
        return list(_MILLISECONDS), largest(tick_step(start, stop, maxbins), 1.0)
    nearer = wanted / _LENGTHS[index - 1] < _LENGTHS[index] / wanted
    units, step, _ = _CHOICES[index - 1 if nearer else index]
    return list(units), float(step)


def tick_step(start: float, stop: float, count: float) -> float:
    """A round step (1, 2 or 5 times a power of ten) for about so many ticks; negative if the ends are."""
    if stop < start:
        return -tick_step(stop, start, count)
    step = divided(stop - start, max(0.0, count))
    if not 0 < step < inf:
        return step if step == inf else step * 0  # 0 over no distance, NaN over none that can be measured
    exponent = whole(log10(step))
    rest = step / 10.0**exponent
    factor = 10 if rest >= 50**0.5 else 5 if rest >= 10**0.5 else 2 if rest >= 2**0.5 else 1
    first, last = _tick_ends(start, stop, exponent, factor)
    if last < first and 0.5 <= count < 2:
        return tick_step(start, stop, count * 2)
    return 10.0**exponent * factor if exponent >= 0 else 1 / (10.0**-exponent / factor)


def _tick_ends(start: float, stop: float, exponent: int, factor: int) -> tuple[float, float]:
    """The numbers of the first and the last tick inside."""
    if exponent < 0:
        per_unit = 10.0**-exponent / factor
        first, last = rounded(start * per_unit), rounded(stop * per_unit)
        return first + (first / per_unit < start), last - (last / per_unit > stop)
    step = 10.0**exponent * factor
    first, last = rounded(start / step), rounded(stop / step)
    return first + (first * step < start), last - (last * step > stop)


def units_of_dates(instants: Sequence[float], zone: Zone) -> tuple[list[Value], float]:
    """The coarsest units to which all dates are rounded already.

    Dates on one weekday suggest weeks; that they are not so does not stop the search for longer units.
    """
    at = [zone.calendar(ms) for ms in instants]
    grains: list[tuple[tuple[str, ...], int, bool]] = [
        (_MILLISECONDS, 1, True),
        (_SECONDS, 1, all(one.milliseconds == 0 for one in at)),
        (_MINUTES, 1, all(one.seconds == 0 for one in at)),
        (_MINUTES, 5, all(one.minutes % 5 == 0 for one in at)),
        (_MINUTES, 10, all(one.minutes % 10 == 0 for one in at)),
        (_HOURS, 1, all(one.minutes == 0 for one in at)),
        (_DAYS, 1, all(one.hours == 0 for one in at)),
        (_WEEKS, 1, len({one.weekday for one in at}) == 1),
        (_MONTHS, 1, all(one.day == 1 for one in at)),
        (_MONTHS, 3, all(one.month % 3 == 0 for one in at)),
        (_YEARS, 1, all(one.month == 0 for one in at)),
        (_YEARS, 10, all(one.year % 10 == 0 for one in at)),
    ]
    fits = [*(fit for _, _, fit in grains), False]
    mismatch = fits.index(False)
    required = next(index for index, fit in enumerate(fits) if not fit and index != _WEEK_GRAIN)
    units, step, _ = grains[(required if required > mismatch + 1 else mismatch) - 1]
    return list(units), float(step)


_WEEK_GRAIN = 7
