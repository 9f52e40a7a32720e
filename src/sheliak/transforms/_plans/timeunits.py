"""Calendar units over a column: an instant rounded down to some of its parts."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, isnan, nan
from typing import TYPE_CHECKING

from sheliak.expressions.time_units import ordered_units
from sheliak.expressions.values import Value, to_number
from sheliak.expressions.zones import UTC, Zone
from sheliak.plan.arithmetic import numbers
from sheliak.plan.calendar import at_instant, calendar_time, clipped, in_zone, iso_week, iso_year, part, week_of_year
from sheliak.plan.choice import choose
from sheliak.plan.coercion import NAN, NOTHING, and_, is_missing, number_of
from sheliak.plan.column_types import BOOLEAN, NULL, NUMBER, Plain
from sheliak.plan.expressions import Apply, PlanExpression, constant
from sheliak.plan.functions.dates import as_date, moved
from sheliak.plan.operators import Plan
from sheliak.plan.planning import Planning
from sheliak.plan.unplannable import Unplannable
from sheliak.transforms._numerics.timeunits import units_for
from sheliak.transforms._plans.extents import ends_of_field

if TYPE_CHECKING:
    from sheliak.transforms.timeunit import TimeUnit

_CLOCK = ("hours", "minutes", "seconds", "milliseconds")
_LENGTHS = {"date": 86_400_000.0, "hours": 3_600_000.0, "minutes": 60_000.0, "seconds": 1000.0, "milliseconds": 1.0}
_YEAR_0, _YEAR_100 = -62_167_219_200_000.0, -59_011_459_200_000.0
_NO_YEAR = 2012.0
_NO_ISO_YEAR = 2015.0


@dataclass(frozen=True, slots=True)
class Units:
    """The units to round to, the last of them to a multiple of the step, in a time zone."""

    units: list[str]
    step: float
    zone: Zone
    utc: bool


def rounding_of(transform: TimeUnit, value: PlanExpression, upstream: Plan, planning: Planning) -> Units:
    """The units that the parameters ask for; without any, those that suit the extent."""
    parameters = transform.parameters()
    utc = parameters.value("timezone") == "utc"
    if parameters.flag("inferUnits"):
        raise Unplannable("`inferUnits` looks at every date")
    named = parameters.elements("units")
    if named is not None:
        units, step = named, parameters.number("step", 1.0)
    else:
        low, high = _ends(parameters.elements("extent"), value, upstream, planning)
        units, step = units_for(low, high, parameters.number("maxbins", 40.0))
    return Units(ordered_units(units), step, UTC if utc else planning.zone, utc)


def _ends(given: list[Value] | None, value: PlanExpression, upstream: Plan, planning: Planning) -> tuple[float, float]:
    if given is None:
        return ends_of_field(value, upstream, planning) or (nan, nan)
    return (to_number(given[0]), to_number(given[-1])) if given else (nan, nan)


def rounded_dates(value: PlanExpression, rounding: Units) -> tuple[PlanExpression, PlanExpression]:
    """The start of the units that hold a date, and one step of the last unit later; null where there is no date."""
    # A date is whole milliseconds within the range of dates, or invalid.
    ms = number_of(value)
    start = _floor(ms if isinstance(value.of, Plain) and value.of.kind == "date" else clipped(ms), rounding)
    end = _end(start, rounding)
    gone = is_missing(value)
    return choose(gone, NOTHING[NULL], as_date(start)), choose(gone, NOTHING[NULL], as_date(end))


def _floor(ms: PlanExpression, r: Units) -> PlanExpression:
    length = _LENGTHS.get(r.units[-1]) if _is_even(r) else None
    if length is not None:
        return _even_floor(ms, length, r)
    local = in_zone(ms, r.zone)
    year = _year(local, r)
    clock = [_stepped(r, unit, part(unit, local), 0.0) if unit in r.units else constant(0.0) for unit in _CLOCK]
    time = calendar_time(year, _month(local, r), _day(local, year, r), *clock)
    start = clipped(at_instant(time, r.zone))
    if "year" not in r.units:
        # A constant year would make a date of an invalid one.
        return choose(Apply("number.is_nan", (ms,), BOOLEAN), NAN, start)
    early = and_(
        Apply("number.less_or_equal", (constant(0.0), year), BOOLEAN), Apply("number.less", (year, constant(100.0)), BOOLEAN)
    )
    # Vega makes no date of the first hundred years in UTC.
    return choose(early, NAN, start) if r.utc else start


def _is_even(r: Units) -> bool:
    """The units leave out none from the year down, and in universal time all of the last are of one length."""
    down = ["year", "month", "date", *_CLOCK]
    return r.zone.rules is None and r.units == down[: len(r.units)] and (r.step <= 1 or isnan(r.step))


def _even_floor(ms: PlanExpression, length: float, r: Units) -> PlanExpression:
    """Without a look at the calendar: days and parts of days are counted from 1970 as well as from a year's start."""
    start = Apply("date.floor", (ms,), NUMBER, (length,))
    if not r.utc:
        return start
    early = and_(
        Apply("number.less_or_equal", (constant(_YEAR_0), ms), BOOLEAN),
        Apply("number.less", (ms, constant(_YEAR_100)), BOOLEAN),
    )
    return choose(early, NAN, start)


def _stepped(r: Units, unit: str, value: PlanExpression, phase: float) -> PlanExpression:
    if unit != r.units[-1] or r.step <= 1 or isnan(r.step):
        return value
    steps = numbers("number.floor", numbers("number.divide", _minus(value, phase), constant(r.step)))
    return _plus(numbers("number.multiply", constant(r.step), steps), phase)


def _plus(value: PlanExpression, amount: float) -> PlanExpression:
    return value if amount == 0 else numbers("number.add", value, constant(amount))


def _minus(value: PlanExpression, amount: float) -> PlanExpression:
    return value if amount == 0 else numbers("number.subtract", value, constant(amount))


def _year(local: PlanExpression, r: Units) -> PlanExpression:
    if "year" not in r.units:
        return constant(_NO_ISO_YEAR if "isoweek" in r.units else _NO_YEAR)
    return _stepped(r, "year", iso_year(local) if "isoweek" in r.units else part("year", local), 0.0)


def _month(local: PlanExpression, r: Units) -> PlanExpression:
    if "month" in r.units:
        return _stepped(r, "month", part("month", local), 0.0)
    if "quarter" not in r.units:
        return constant(0.0)
    quarter = numbers("number.floor", numbers("number.divide", part("month", local), constant(3.0)))
    return numbers("number.multiply", constant(3.0), _stepped(r, "quarter", quarter, 0.0))


def _day(local: PlanExpression, year: PlanExpression, r: Units) -> PlanExpression:
    """The day that the units choose, counted from the start of the year or of the month."""
    if "isoweek" in r.units:
        return _iso_day(local, year, r)
    if "week" in r.units or "day" in r.units:
        return _week_day(local, year, r)
    if "date" in r.units:
        return _stepped(r, "date", part("date", local), 1.0)
    if "dayofyear" in r.units:
        return _stepped(r, "dayofyear", part("dayofyear", local), 1.0)
    return constant(1.0)


def _week_day(local: PlanExpression, year: PlanExpression, r: Units) -> PlanExpression:
    """Weeks begin on Sunday; days without a week are put into the first whole one."""
    first = part("day", calendar_time(year))
    before = numbers("number.remainder", _plus(first, 6.0), constant(7.0))
    if "day" not in r.units:
        week = numbers("number.multiply", _stepped(r, "week", week_of_year(local), 1.0), constant(7.0))
        return numbers("number.subtract", week, before)
    week = numbers("number.multiply", week_of_year(local), constant(7.0)) if "week" in r.units else constant(7.0)
    day = numbers("number.subtract", numbers("number.add", part("day", local), week), before)
    return _stepped(r, "day", day, 1.0)


def _iso_day(local: PlanExpression, year: PlanExpression, r: Units) -> PlanExpression:
    """Weeks begin on Monday, the first is the one with the year's first Thursday."""
    fourth = part("day", calendar_time(year, constant(0.0), constant(4.0)))
    # The Monday on or before January 4; the days of December before it count as 0, -1, …
    after_monday = numbers("number.remainder", _plus(fourth, 6.0), constant(7.0))
    first = numbers("number.subtract", constant(4.0), after_monday)
    week = iso_week(local)
    if "day" not in r.units:
        return numbers("number.add", first, _weeks(_stepped(r, "isoweek", week, 1.0)))
    weekday = numbers("number.remainder", _plus(part("day", local), 6.0), constant(7.0))
    return _stepped(r, "day", numbers("number.add", numbers("number.add", first, _weeks(week)), weekday), 1.0)


def _weeks(number: PlanExpression) -> PlanExpression:
    return numbers("number.multiply", _minus(number, 1.0), constant(7.0))


def _end(start: PlanExpression, r: Units) -> PlanExpression:
    unit, step = r.units[-1], float(floor(r.step)) if r.step == r.step else r.step
    if unit in _CLOCK:
        return clipped(numbers("number.add", start, constant(step * _LENGTHS[unit])))
    return clipped(at_instant(moved(unit, in_zone(start, r.zone), constant(step)), r.zone))
