"""The names that JavaScript prints in brackets after a date: one for a zone's standard time, one for its summer time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from functools import cache
from pathlib import Path
from typing import Final

from sheliak.expressions.zones import DAY, HOUR, MINUTE, calendar_of, days_to

# Their summer time is the standard time for Python, and winter time is an hour less; for JavaScript it is the other way round.
_WINTER_IS_LESS: Final = frozenset({"Europe/Dublin", "Eire", "Africa/Casablanca", "Africa/El_Aaiun"})
_LAST_KNOWN: Final = (2**31 - 1) * 1000


def zone_label(name: str, rules: tzinfo, ms: int, offset: int) -> str:
    """The zone's long English name at an instant; a zone without one is named by its offset."""
    names = _names().get(name)
    if names is None:
        return _offset_name(offset)
    return names[is_summer(name, rules, ms if 0 <= ms <= _LAST_KNOWN else _equivalent(ms))]


def _offset_name(offset: int) -> str:
    hours, rest = divmod(abs(offset), HOUR)
    return f"GMT{'-' if offset < 0 else '+'}{hours:02d}:{rest // MINUTE:02d}"


def is_summer(name: str, rules: tzinfo, ms: int) -> bool:
    """Whether JavaScript takes it for summer time."""
    local = (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=ms)).astimezone(rules)
    return bool(local.utcoffset()) if name in _WINTER_IS_LESS else bool(local.dst())


def _equivalent(ms: int) -> int:
    """The same day of a year from 2008 to 2037 that has the same weekdays.

    JavaScript asks for the name then, whatever the clocks did at the time itself.
    """
    at = calendar_of(ms)
    weekday = (days_to(at.year, 0, 1) + 4) % 7
    leap = days_to(at.year + 1, 0, 1) - days_to(at.year, 0, 1) == 366
    year = 2008 + ((1956 if leap else 1967) + weekday * 12 % 28 + 3 * 28 - 2008) % 28
    return days_to(year, at.month, at.day) * DAY + ms % DAY


@cache
def _names() -> dict[str, tuple[str, str]]:
    """By zone, from lines `standard name|summer name|zone zone ...`."""
    found = {}
    for line in Path(__file__).with_suffix(".txt").read_text("utf-8").splitlines():
        standard, summer, zones = line.split("|")
        found.update(dict.fromkeys(zones.split(), (standard, summer)))
    return found
