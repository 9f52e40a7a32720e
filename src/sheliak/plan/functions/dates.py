"""Dates: their parts in local time and UTC, and instants made of parts. Text is not parsed here."""

from __future__ import annotations

from collections.abc import Callable
from math import nan

from sheliak.plan.arithmetic import numbers
from sheliak.plan.calendar import at_instant, calendar_time, clipped, in_zone, iso_week, part, week_of_year
from sheliak.plan.choice import choose
from sheliak.plan.coercion import filled, is_exactly, number_of
from sheliak.plan.column_types import BOOLEAN, DATE, NULL, Mixed, Nothing, Plain, kinds_of
from sheliak.plan.expressions import Apply, Constant, PlanExpression, constant
from sheliak.plan.iso_dates import instant_of_text
from sheliak.plan.scope import ColumnFunction, Scope
from sheliak.plan.unplannable import Unplannable

PARTS = ("year", "month", "date", "day", "hours", "minutes", "seconds", "milliseconds")


def instant(e: PlanExpression, scope: Scope) -> PlanExpression:
    """new Date(x) as milliseconds: NaN for an invalid date."""
    match e.of:
        case Plain("date", missing):
            number = Apply("date.number", (e,), Plain("number", missing))
            return filled(number, {"null": 0.0, "undefined": nan}.get(missing.value))
        case Plain("text") | Mixed() if "text" in kinds_of(e.of):
            return choose(is_exactly(e, NULL), constant(0.0), instant_of_text(e, scope))
        case Plain() | Mixed() | Nothing():
            return clipped(number_of(e))
        case _:
            raise Unplannable("it takes a list or an object for a date")


def as_date(ms: PlanExpression) -> PlanExpression:
    """Milliseconds as a date."""
    return Apply("number.date", (ms,), DATE)


def _argument(operands: list[PlanExpression], scope: Scope) -> PlanExpression:
    if not operands:
        raise Unplannable("a date without arguments is the present")
    return instant(operands[0], scope)


def _part(name: str, *, utc: bool) -> ColumnFunction:
    def function(operands: list[PlanExpression], scope: Scope) -> PlanExpression:
        ms = _argument(operands, scope)
        return part(name, ms if utc else in_zone(ms, scope.zone))

    return function


def _derived(of_local: Callable[[PlanExpression], PlanExpression], *, utc: bool) -> ColumnFunction:
    def function(operands: list[PlanExpression], scope: Scope) -> PlanExpression:
        ms = _argument(operands, scope)
        return of_local(ms if utc else in_zone(ms, scope.zone))

    return function


def _quarter(local: PlanExpression) -> PlanExpression:
    """1 to 4; 1 for an invalid date."""
    third = numbers("number.divide", part("month", local), constant(3.0))
    return numbers("number.add", constant(1.0), numbers("number.integer", third))


def _time(operands: list[PlanExpression], scope: Scope) -> PlanExpression:
    return _argument(operands, scope)


def _timezoneoffset(operands: list[PlanExpression], scope: Scope) -> PlanExpression:
    return minutes_behind(_argument(operands, scope), scope)


def minutes_behind(ms: PlanExpression, scope: Scope) -> PlanExpression:
    """By how many whole minutes local time is behind UTC."""
    behind = numbers("number.subtract", ms, in_zone(ms, scope.zone))
    return numbers("number.truncate", numbers("number.divide", behind, constant(60_000.0)))


def _datetime(operands: list[PlanExpression], scope: Scope) -> PlanExpression:
    """One argument is an instant, several are a local time."""
    if len(operands) == 1:
        return as_date(instant(operands[0], scope))
    return as_date(clipped(at_instant(_parts(operands), scope.zone)))


def _utc(operands: list[PlanExpression], scope: Scope) -> PlanExpression:
    return clipped(_parts(operands))


def _parts(operands: list[PlanExpression]) -> PlanExpression:
    """The time of year, month, …, milliseconds; a year below 100 is one of the twentieth century."""
    given = [number_of(operand) for operand in operands[:7]]
    year = numbers("number.truncate", given[0])
    early = Apply(
        "and",
        (
            Apply("number.less_or_equal", (constant(0.0), year), BOOLEAN),
            Apply("number.less_or_equal", (year, constant(99.0)), BOOLEAN),
        ),
        BOOLEAN,
    )
    given[0] = choose(early, numbers("number.add", constant(1900.0), year), given[0])
    return calendar_time(*given)


_STEPS = {"hours": 3_600_000.0, "minutes": 60_000.0, "seconds": 1000.0, "milliseconds": 1.0}
_DAYS = {"week": 7.0, "isoweek": 7.0, "date": 1.0, "day": 1.0, "dayofyear": 1.0}


def moved(unit: str, local: PlanExpression, count: PlanExpression) -> PlanExpression:
    """A local time so many calendar units later."""
    year, month, date = (part(name, local) for name in ("year", "month", "date"))
    if unit == "year":
        year = numbers("number.add", year, count)
    elif unit in ("quarter", "month"):
        months = numbers("number.multiply", count, constant(3.0)) if unit == "quarter" else count
        month = numbers("number.add", month, months)
    else:
        date = numbers("number.add", date, numbers("number.multiply", count, constant(_DAYS[unit])))
    times = [part(name, local) for name in ("hours", "minutes", "seconds", "milliseconds")]
    return calendar_time(year, month, date, *times)


def _offset(*, utc: bool) -> ColumnFunction:
    def function(operands: list[PlanExpression], scope: Scope) -> PlanExpression:
        unit = operands[0]
        if (
            not isinstance(unit, Constant)
            or not isinstance(unit.value, str)
            or (unit.value not in {*_STEPS, *_DAYS, "year", "month"})
        ):
            raise Unplannable("a time offset needs the name of a unit")
        ms = instant(operands[1], scope)
        step = constant(1.0) if len(operands) < 3 else _whole(operands[2])
        if unit.value in _STEPS:
            return as_date(clipped(numbers("number.add", ms, numbers("number.multiply", step, constant(_STEPS[unit.value])))))
        later = moved(unit.value, ms if utc else in_zone(ms, scope.zone), step)
        return as_date(clipped(later if utc else at_instant(later, scope.zone)))

    return function


def _whole(step: PlanExpression) -> PlanExpression:
    if not isinstance(step, Constant) or not isinstance(step.value, float | int):
        raise Unplannable("a time offset needs a constant number of units")
    return numbers("number.floor", step)


FUNCTIONS: dict[str, ColumnFunction] = {
    **{name: _part(name, utc=False) for name in PARTS},
    **{f"utc{name}": _part(name, utc=True) for name in PARTS},
    "quarter": _derived(_quarter, utc=False),
    "utcquarter": _derived(_quarter, utc=True),
    "dayofyear": _part("dayofyear", utc=False),
    "utcdayofyear": _part("dayofyear", utc=True),
    "week": _derived(week_of_year, utc=False),
    "utcweek": _derived(week_of_year, utc=True),
    "isoweek": _derived(iso_week, utc=False),
    "utcisoweek": _derived(iso_week, utc=True),
    "time": _time,
    "timezoneoffset": _timezoneoffset,
    "datetime": _datetime,
    "utc": _utc,
    "timeOffset": _offset(utc=False),
    "utcOffset": _offset(utc=True),
}
