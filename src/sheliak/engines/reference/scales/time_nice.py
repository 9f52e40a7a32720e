"""Domains of instants widened to round times."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, floor, isfinite

from sheliak.engines.reference.scales.ticks import nice_between, tick_increment
from sheliak.expressions.intervals import DAYS, HOURS, MINUTES, MONTHS, SECONDS, SUNDAYS, YEARS, Interval
from sheliak.expressions.zones import DAY, HOUR, MINUTE, SECOND, Calendar, Zone, days_to

_YEAR = 365 * DAY


@dataclass(frozen=True, slots=True)
class Multiple:
    """Every `step`th of an interval, counted by a part of the calendar: 12 o'clock, but not 12 hours after anything."""

    interval: Interval
    step: int
    part: Callable[[Calendar], int]

    def down(self, ms: float, zone: Zone) -> float:
        at = self.interval.floor(ms, zone)
        while not self._fits(at, zone):
            at = self.interval.floor(at - 1, zone)
        return at

    def up(self, ms: float, zone: Zone) -> float:
        at = self.down(ms - 1, zone)
        while True:
            at = self.interval.offset(at, 1.0, zone)
            if self._fits(at, zone):
                return self.down(at, zone)

    def _fits(self, ms: float, zone: Zone) -> bool:
        return self.step == 1 or self.part(zone.calendar(ms)) % self.step == 0


_SECOND = (SECONDS, lambda at: at.seconds, SECOND, (1, 5, 15, 30))
_MINUTE = (MINUTES, lambda at: at.minutes, MINUTE, (1, 5, 15, 30))
_HOUR = (HOURS, lambda at: at.hours, HOUR, (1, 3, 6, 12))
_DAY = (DAYS, lambda at: at.day - 1, DAY, (1, 2))
_WEEK = (SUNDAYS, lambda at: 0, 7 * DAY, (1,))
_MONTH = (MONTHS, lambda at: at.month, 30 * DAY, (1, 3))
_YEARS = (YEARS, lambda at: at.year, _YEAR, (1,))
_STEPS: list[tuple[float, Multiple]] = [
    (length * step, Multiple(interval, step, part))
    for interval, part, length, steps in (_SECOND, _MINUTE, _HOUR, _DAY, _WEEK, _MONTH, _YEARS)
    for step in steps
]


def nice_time(domain: list[float], count: float, zone: Zone) -> list[float]:
    """The domain with its ends moved out to round times, about `count` of which lie in it."""
    if not all(map(isfinite, domain)) or not domain:
        return domain
    start, stop = domain[0], domain[-1]
    target = abs(stop - start) / count
    lengths = [length for length, _ in _STEPS]
    index = bisect_right(lengths, target)
    if index == len(_STEPS):
        return _nice_years(domain, _step_of(start / _YEAR, stop / _YEAR, count), zone)
    if index == 0:
        step = max(_step_of(start, stop, count), 1.0)
        return nice_between(domain, lambda ms: floor(ms / step) * step, lambda ms: ceil(ms / step) * step)
    chosen = _STEPS[index - 1 if target / lengths[index - 1] < lengths[index] / target else index][1]
    return nice_between(domain, lambda ms: chosen.down(ms, zone), lambda ms: chosen.up(ms, zone))


def nice_interval(domain: list[float], interval: Interval, zone: Zone) -> list[float]:
    """The domain with its ends moved out to whole intervals."""
    if not all(map(isfinite, domain)) or not domain:
        return domain
    return nice_between(domain, lambda ms: interval.floor(ms, zone), lambda ms: interval.ceil(ms, zone))


def _step_of(start: float, stop: float, count: float) -> float:
    if stop < start:
        start, stop = stop, start
    increment = tick_increment(start, stop, count)
    return -1 / increment if increment < 0 else increment


def _nice_years(domain: list[float], step: float, zone: Zone) -> list[float]:
    size = max(int(step), 1)

    def start_of(year: int) -> float:
        return zone.instant(float(days_to(year, 0, 1) * DAY))

    def down(ms: float) -> float:
        return start_of(zone.calendar(ms).year // size * size)

    def up(ms: float) -> float:
        begun = down(ms)
        return begun if begun == ms else start_of(zone.calendar(ms).year // size * size + size)

    return nice_between(domain, down, up)
