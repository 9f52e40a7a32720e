"""The calendar over columns. A local time is written as the milliseconds that would be its instant if local time were UTC."""

from __future__ import annotations

from sheliak.expressions.zones import Zone
from sheliak.plan.arithmetic import numbers
from sheliak.plan.column_types import NUMBER
from sheliak.plan.expressions import Apply, PlanExpression, constant


def clipped(ms: PlanExpression) -> PlanExpression:
    """TimeClip: whole milliseconds within 100 million days of 1970, else NaN."""
    return numbers("date.clip", ms)


def in_zone(ms: PlanExpression, zone: Zone) -> PlanExpression:
    """An instant as local time."""
    return ms if zone.rules is None else Apply("date.local", (ms,), NUMBER, (zone.name,))


def at_instant(local: PlanExpression, zone: Zone) -> PlanExpression:
    """The instant of a local time: of a time that occurs twice the first; one left out is reckoned as before the change."""
    return local if zone.rules is None else Apply("date.instant", (local,), NUMBER, (zone.name,))


def part(name: str, local: PlanExpression) -> PlanExpression:
    """year, month (0 to 11), date (1 to 31), day (0 is Sunday), dayofyear (1 to 366), hours, …; NaN of an invalid date."""
    return Apply(f"calendar.{name}", (local,), NUMBER)


def calendar_time(*parts: PlanExpression) -> PlanExpression:
    """The local time of year, month, date, hours, minutes, seconds, milliseconds; what is left out is the least, too much carries over."""
    defaults = (0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0)
    given = [*parts, *(constant(default) for default in defaults[len(parts) :])]
    return Apply("calendar.time", tuple(given), NUMBER)


def week_of_year(local: PlanExpression) -> PlanExpression:
    """The Sundays of the year up to the day, itself included."""
    return Apply("calendar.week", (part("dayofyear", local), part("day", local)), NUMBER)


def iso_week(local: PlanExpression) -> PlanExpression:
    """The ISO week: weeks begin on Monday and belong to the year of their Thursday."""
    thursday = week_thursday(local)
    return Apply("calendar.iso_week", (part("dayofyear", thursday),), NUMBER)


def iso_year(local: PlanExpression) -> PlanExpression:
    """The year that the ISO week belongs to."""
    return part("year", week_thursday(local))


def week_thursday(local: PlanExpression) -> PlanExpression:
    """The same time on Thursday of the week, which begins on Monday."""
    monday_first = numbers("number.remainder", numbers("number.add", part("day", local), constant(6.0)), constant(7.0))
    days = numbers("number.subtract", constant(3.0), monday_first)
    return numbers("number.add", local, numbers("number.multiply", days, constant(86_400_000.0)))
