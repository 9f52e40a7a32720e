"""Text read as a date by a pattern such as `%Y-%m-%d`; the directives are those of `time_formats`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from sheliak.expressions.intervals import DAYS, MONDAYS, reset
from sheliak.expressions.numerals import SPACES
from sheliak.expressions.texts import units_of
from sheliak.expressions.time_formats import DATE, DATE_AND_TIME, MONTH_NAMES, PADS, PERIODS, TIME, WEEKDAYS
from sheliak.expressions.zones import UTC, Zone, clipped, milliseconds_of

Parts: TypeAlias = dict[str, int]
Read: TypeAlias = Callable[[Parts, str, int], int]
"""Takes in what a directive finds at a position; gives the position behind it, -1 where it finds nothing."""

_NUMBER: Final = re.compile(rf"[{re.escape(SPACES)}]*[0-9]+")
# Only the Z must stand at the position itself; an offset is looked for in the next six characters, and its length skipped.
_ZONE: Final = re.compile(r"\A(?P<utc>Z)|(?P<hours>[+-][0-9]{2})(?::?(?P<minutes>[0-9]{2}))?")


@lru_cache(maxsize=1 << 14)
def parsed_time(text: str, pattern: str, zone: Zone, utc: bool = False) -> float | None:
    """The instant in milliseconds (NaN beyond the range of dates); None where the text does not fit the pattern."""
    units = units_of(text)
    parts: Parts = {"y": 1900, "d": 1, "H": 0, "M": 0, "S": 0, "L": 0}
    if _read(parts, units_of(pattern), units, 0) != len(units):
        return None
    return _instant(parts, zone, utc)


def _read(parts: Parts, pattern: str, text: str, at: int) -> int:
    position = 0
    while position < len(pattern):
        if at >= len(text) or at < 0:
            return -1
        letter = pattern[position]
        position += 1
        if letter != "%":
            at = at + 1 if text[at] == letter else -1
            continue
        letter = pattern[position : position + 1]
        position += 1
        if letter and letter in PADS:
            letter = pattern[position : position + 1]
            position += 1
        at = _DIRECTIVES[letter](parts, text, at) if letter in _DIRECTIVES else -1
    return at


def _number(name: str, width: int | None, change: Callable[[int], int] = lambda number: number) -> Read:
    def read(parts: Parts, text: str, at: int) -> int:
        found = _NUMBER.match(text[at:] if width is None else text[at : at + width])
        if found is None:
            return -1
        parts[name] = change(_whole(found[0].strip(SPACES)))
        return at + found.end()

    return read


def _whole(digits: str) -> int:
    """A number of digits; timestamps can have many, and beyond 17 they are no date anyway."""
    digits = digits.lstrip("0")
    return int(digits[:20] or 0)


def _name(name: str, names: Sequence[str]) -> Read:
    def read(parts: Parts, text: str, at: int) -> int:
        for index, word in enumerate(names):
            if text[at : at + len(word)].isascii() and text[at : at + len(word)].lower() == word.lower():
                parts[name] = index
                return at + len(word)
        return -1

    return read


def _short(names: Sequence[str]) -> tuple[str, ...]:
    return tuple([name[:3] for name in names])


def _day_of_year(parts: Parts, text: str, at: int) -> int:
    parts["m"] = 0 if (end := _number("d", 3)(parts, text, at)) >= 0 else parts.get("m", 0)
    return end


def _offset(parts: Parts, text: str, at: int) -> int:
    found = _ZONE.search(text[at : at + 6])
    if found is None:
        return -1
    parts["Z"] = 0 if found["utc"] else -int(found["hours"] + (found["minutes"] or "00"))
    return at + len(found[0])


def _percent(parts: Parts, text: str, at: int) -> int:
    return at + 1 if text[at] == "%" else -1


def _pattern(pattern: str) -> Read:
    return lambda parts, text, at: _read(parts, pattern, text, at)


def _full_year(number: int) -> int:
    return number + (1900 if number > 68 else 2000)


_DIRECTIVES: Final[dict[str, Read]] = {
    "a": _name("w", _short(WEEKDAYS)),
    "A": _name("w", WEEKDAYS),
    "b": _name("m", _short(MONTH_NAMES)),
    "B": _name("m", MONTH_NAMES),
    "c": _pattern(DATE_AND_TIME),
    "d": _number("d", 2),
    "e": _number("d", 2),
    "f": _number("L", 6, lambda number: number // 1000),
    "g": _number("y", 2, _full_year),
    "G": _number("y", 4),
    "H": _number("H", 2),
    "I": _number("H", 2),
    "j": _day_of_year,
    "L": _number("L", 3),
    "m": _number("m", 2, lambda number: number - 1),
    "M": _number("M", 2),
    "p": _name("p", PERIODS),
    "q": _number("q", 1, lambda number: number * 3 - 3),
    "Q": _number("Q", None),
    "s": _number("s", None),
    "S": _number("S", 2),
    "u": _number("u", 1),
    "U": _number("U", 2),
    "V": _number("V", 2),
    "w": _number("w", 1),
    "W": _number("W", 2),
    "x": _pattern(DATE),
    "X": _pattern(TIME),
    "y": _number("y", 2, _full_year),
    "Y": _number("y", 4),
    "Z": _offset,
    "%": _percent,
}


def _instant(parts: Parts, zone: Zone, utc: bool) -> float | None:
    if "Q" in parts:
        return clipped(float(parts["Q"]))
    if "s" in parts:
        return clipped(float(parts["s"]) * 1000 + parts["L"])
    if utc:
        parts.setdefault("Z", 0)
    if "p" in parts:
        parts["H"] = parts["H"] % 12 + parts["p"] * 12
    parts.setdefault("m", parts.get("q", 0))
    place = UTC if "Z" in parts else zone
    if "V" in parts:
        if not 1 <= parts["V"] <= 53:
            return None
        _set_iso_week(parts, place)
    elif "W" in parts or "U" in parts:
        _set_week(parts, place)
    behind = parts.get("Z", 0)
    sign = -1 if behind < 0 else 1
    parts["H"] += sign * (abs(behind) // 100)
    parts["M"] += sign * (abs(behind) % 100)
    return _date(parts, place)


def _set_iso_week(parts: Parts, zone: Zone) -> None:
    """From a year and an ISO week to year, month and day."""
    start = _date({**_MIDNIGHT, "y": parts["y"], "m": 0, "d": 1}, zone)
    weekday = zone.calendar(start).weekday
    monday = (MONDAYS.ceil if weekday > 4 or weekday == 0 else MONDAYS.floor)(start, zone)
    at = zone.calendar(DAYS.offset(monday, (parts["V"] - 1) * 7, zone))
    parts["y"], parts["m"], parts["d"] = at.year, at.month, at.day + (parts.get("w", 1) + 6) % 7


_MIDNIGHT: Final[Parts] = {"H": 0, "M": 0, "S": 0, "L": 0}


def _set_week(parts: Parts, zone: Zone) -> None:
    """From a week, counted from the first Monday or Sunday, to a day of January."""
    weekday = parts["w"] if "w" in parts else parts["u"] % 7 if "u" in parts else 1 if "W" in parts else 0
    first = zone.calendar(_date({**_MIDNIGHT, "y": parts["y"], "m": 0, "d": 1}, zone)).weekday
    parts["m"] = 0
    if "W" in parts:
        parts["d"] = (weekday + 6) % 7 + parts["W"] * 7 - (first + 5) % 7
    else:
        parts["d"] = weekday + parts["U"] * 7 - (first + 6) % 7


def _date(parts: Parts, zone: Zone) -> float:
    """A date from its parts. A year below 100 is set afterwards, which moves a 29 February to March."""
    year = parts["y"]
    late = 0 <= year < 100
    numbers = (-1 if late else year, parts["m"], parts["d"], parts["H"], parts["M"], parts["S"], parts["L"])
    ms = clipped(zone.instant(milliseconds_of(numbers)))
    return reset(ms, zone, lambda at: (year, *at[1:7])) if late else ms
