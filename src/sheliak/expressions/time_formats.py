"""Dates as text by a pattern such as `%Y-%m-%d`, in the English locale.

    %a %A weekday   %b %B month   %d %e %j day of month, of year   %H %I %M %S %L %f %p time   %m month   %q quarter   %y %Y year
    %g %G %V ISO year and week   %U %W week   %u %w weekday as a number   %x %X %c date, time, both   %Q %s timestamp   %Z offset

Between `%` and the letter `-` means no padding, `_` spaces and `0` zeros. A letter without a meaning stands for itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import floor, isnan
from typing import Final, NamedTuple

from sheliak.expressions.intervals import (
    DAYS,
    HOURS,
    INTERVALS,
    MINUTES,
    MONDAYS,
    MONTHS,
    QUARTERS,
    SECONDS,
    SUNDAYS,
    THURSDAYS,
    YEARS,
    timezone_offset,
)
from sheliak.expressions.numerals import number_text
from sheliak.expressions.zones import Calendar, Zone, clipped

PERIODS: Final = ("AM", "PM")
WEEKDAYS: Final = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
MONTH_NAMES: Final = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
DATE_AND_TIME: Final = "%x, %X"
DATE: Final = "%-m/%-d/%Y"
TIME: Final = "%-I:%M:%S %p"
PADS: Final = {"-": "", "_": " ", "0": "0"}


class Moment(NamedTuple):
    """An instant in a zone; its parts are missing when it is no valid date."""

    ms: float
    zone: Zone
    parts: Calendar | None


def formatted_time(ms: float, pattern: str, zone: Zone, utc: bool = False) -> str:
    """An instant by a pattern; `utc` where Vega's UTC functions ask (the offset of an invalid date differs)."""
    ms = clipped(ms)
    moment = Moment(ms, zone, None if isnan(ms) else zone.calendar(ms))
    return _written(moment, pattern, utc)


class Directive(NamedTuple):
    """A letter behind a `%`, and what fills its number up on the left."""

    letter: str
    fill: str


def directives_of(pattern: str) -> Iterator[str | Directive]:
    """The parts of a pattern: text that stands for itself, and directives; those for dates and times as a whole are written out."""
    at = 0
    while (sign := pattern.find("%", at)) >= 0:
        yield pattern[at:sign]
        letter = pattern[sign + 1 : sign + 2]
        at = sign + 2
        fill = " " if letter == "e" else "0"
        if letter in PADS and letter:
            fill, letter = PADS[letter], pattern[at : at + 1]
            at += 1
        if letter in _PATTERNS:
            yield from directives_of(_PATTERNS[letter])
        else:
            yield Directive(letter, fill)
    yield pattern[at:]


def _written(moment: Moment, pattern: str, utc: bool) -> str:
    parts = directives_of(pattern)
    return "".join([part if isinstance(part, str) else _directive(moment, part.letter, part.fill, utc) for part in parts])


def _directive(moment: Moment, letter: str, fill: str, utc: bool) -> str:
    if letter in _NUMBERS:
        number, width = _NUMBERS[letter]
        return padded(number(moment), fill, width)
    if letter in _TEXTS:
        return _TEXTS[letter](moment, fill, utc)
    return letter


def padded(number: float | None, fill: str, width: int) -> str:
    """A whole number, filled up on the left; an invalid date's are NaN, and are filled up too."""
    if number is None or isnan(number):
        return "NaN".rjust(width, fill) if fill else "NaN"
    digits = number_text(abs(number))
    return ("-" if number < 0 else "") + (digits.rjust(width, fill) if fill else digits)


def _part(of: Callable[[Calendar], int]) -> Callable[[Moment], float | None]:
    return lambda moment: None if moment.parts is None else float(of(moment.parts))


def _cut(year: int, by: int) -> int:
    """The last digits of a year, with its sign."""
    return year % by if year >= 0 else -(-year % by)


def _day_of_year(moment: Moment) -> float | None:
    if moment.parts is None:
        return None
    return 1 + DAYS.count(YEARS.floor(moment.ms, moment.zone), moment.ms, moment.zone)


def _week_from(weeks: str) -> Callable[[Moment], float | None]:
    interval = SUNDAYS if weeks == "sunday" else MONDAYS

    def count(moment: Moment) -> float | None:
        if moment.parts is None:
            return None
        return interval.count(YEARS.floor(moment.ms, moment.zone) - 1, moment.ms, moment.zone)

    return count


def _thursday(moment: Moment) -> float:
    """The Thursday of the ISO week, which decides on its year."""
    assert moment.parts is not None
    before = moment.parts.weekday >= 4 or moment.parts.weekday == 0
    return (THURSDAYS.floor if before else THURSDAYS.ceil)(moment.ms, moment.zone)


def _iso_week(moment: Moment) -> float | None:
    if moment.parts is None:
        return None
    thursday, zone = _thursday(moment), moment.zone
    start = YEARS.floor(thursday, zone)
    return None if isnan(start) else THURSDAYS.count(start, thursday, zone) + (zone.calendar(start).weekday == 4)


def _iso_year(by: int) -> Callable[[Moment], float | None]:
    def year(moment: Moment) -> float | None:
        if moment.parts is None or isnan(thursday := _thursday(moment)):
            return None
        return float(_cut(moment.zone.calendar(thursday).year, by))

    return year


_NUMBERS: Final[dict[str, tuple[Callable[[Moment], float | None], int]]] = {
    "d": (_part(lambda at: at.day), 2),
    "e": (_part(lambda at: at.day), 2),
    "g": (_iso_year(100), 2),
    "G": (_iso_year(10_000), 4),
    "H": (_part(lambda at: at.hours), 2),
    "I": (lambda moment: float(moment.parts.hours % 12 or 12) if moment.parts else 12.0, 2),
    "j": (_day_of_year, 3),
    "L": (_part(lambda at: at.milliseconds), 3),
    "m": (_part(lambda at: at.month + 1), 2),
    "M": (_part(lambda at: at.minutes), 2),
    "S": (_part(lambda at: at.seconds), 2),
    "u": (_part(lambda at: at.weekday or 7), 0),
    "U": (_week_from("sunday"), 2),
    "V": (_iso_week, 2),
    "w": (_part(lambda at: at.weekday), 0),
    "W": (_week_from("monday"), 2),
    "y": (_part(lambda at: _cut(at.year, 100)), 2),
    "Y": (_part(lambda at: _cut(at.year, 10_000)), 4),
}
_PATTERNS: Final = {"c": DATE_AND_TIME, "x": DATE, "X": TIME}


def _name(of: Callable[[Calendar], str]) -> Callable[[Moment, str, bool], str]:
    return lambda moment, fill, utc: "" if moment.parts is None else of(moment.parts)


def _zone(moment: Moment, fill: str, utc: bool) -> str:
    if utc:
        return "+0000"
    if moment.parts is None:
        return "+00NaN"
    behind = timezone_offset(moment.ms, moment.zone)
    hours, minutes = divmod(abs(int(behind)), 60)
    return f"{'-' if behind > 0 else '+'}{hours:02d}{minutes:02d}"


_TEXTS: Final[dict[str, Callable[[Moment, str, bool], str]]] = {
    "a": _name(lambda at: WEEKDAYS[at.weekday][:3]),
    "A": _name(lambda at: WEEKDAYS[at.weekday]),
    "b": _name(lambda at: MONTH_NAMES[at.month][:3]),
    "B": _name(lambda at: MONTH_NAMES[at.month]),
    "f": lambda moment, fill, utc: padded(moment.parts.milliseconds if moment.parts else None, fill, 3) + "000",
    "p": lambda moment, fill, utc: PERIODS[moment.parts is not None and moment.parts.hours >= 12],
    "q": lambda moment, fill, utc: str(1 + moment.parts.month // 3) if moment.parts else "1",
    "Q": lambda moment, fill, utc: number_text(moment.ms),
    "s": lambda moment, fill, utc: number_text(float(floor(moment.ms / 1000))) if moment.parts else "NaN",
    "Z": _zone,
    "%": lambda moment, fill, utc: "%",
}

MULTIPLE: Final = {
    "milliseconds": ".%L",
    "seconds": ":%S",
    "minutes": "%I:%M",
    "hours": "%I %p",
    "date": "%a %d",
    "week": "%b %d",
    "month": "%B",
    "quarter": "%B",
    "year": "%Y",
}
"""The patterns of a time axis: each date is written by the unit that it is the start of."""


def finest_unit(ms: float, zone: Zone) -> str:
    """The unit, of those in `MULTIPLE`, that a date needs to be told from its neighbours: `year` at the very start of one."""
    start = clipped(ms)
    for unit, interval in (("milliseconds", SECONDS), ("seconds", MINUTES), ("minutes", HOURS), ("hours", DAYS)):
        if interval.floor(start, zone) < ms:
            return unit
    if MONTHS.floor(start, zone) < ms:
        return "date" if INTERVALS["week"].floor(start, zone) < ms else "week"
    if YEARS.floor(start, zone) < ms:
        return "month" if QUARTERS.floor(start, zone) < ms else "quarter"
    return "year"
