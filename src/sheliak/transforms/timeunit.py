"""timeunit: the start and the end of the calendar unit that a date falls into."""

from __future__ import annotations

from math import inf, isnan
from typing import TYPE_CHECKING

from sheliak.diagnostics.parameters import ShortAs, WrongKind
from sheliak.source.tree import Node
from sheliak.transforms._contract import Checking, FieldRef, Name, Transform, Value, param, transform, whole_name, with_names
from sheliak.types.shapes import DATE, NUMBER, STRING, Array, Record, Type

if TYPE_CHECKING:
    from sheliak.expressions.values import Row
    from sheliak.expressions.values import Value as RunValue
    from sheliak.expressions.zones import Zone
    from sheliak.plan.operators import Plan
    from sheliak.plan.planning import Planning
    from sheliak.transforms._numerics.timeunits import Rounding
    from sheliak.transforms._running import Running

_UNITS = (
    "year",
    "quarter",
    "month",
    "week",
    "isoweek",
    "date",
    "day",
    "dayofyear",
    "hours",
    "minutes",
    "seconds",
    "milliseconds",
)
_CALENDARS = (("quarter", "month", "date"), ("week", "day"), ("isoweek", "day"), ("dayofyear",))
"""Each way to divide a year; units of two of them do not go together."""


@transform("timeunit", writes=True)
class TimeUnit(Transform):
    """Dates and numbers of milliseconds are taken; without `units` they are chosen from the extent."""

    field: FieldRef = param("field", required=True, demands="date")
    interval: Value = param("boolean", default=True)
    units: tuple[Name, ...] = param("enum", array=True, options=_UNITS)
    step: Value = param("number", default=1)
    maxbins: Value = param("number", default=40)
    extent: tuple[Value | Node, ...] = param("any", array=True)
    infer_units: Value = param("boolean", vega_name="inferUnits", default=False)
    timezone: Name = param("enum", options=("local", "utc"), enforced=False, default="local")
    into: tuple[Name | None, ...] = param("string", array=True, vega_name="as", default=("unit0", "unit1"))

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tTimeUnit: T ⊢ p : T' and T' is a date or a number give T ∪ {f₀: date, f₁: date}.

        Beyond the paper: the default names are `unit0` and `unit1`; with `interval` false there is only the first; a single
        name in `as` leaves the second to a field called `undefined`; date text is not parsed; units of different calendars
        stop the run.
        """
        wanted = 1 if self.interval is False else 2
        if len(self.into) < wanted:
            written = "a field called `undefined`"
            place = self.place("as")
            checking.report(ShortAs(place=place, owner=self.owner, given=len(self.into), wanted=wanted, written=written))
        self._check_units(checking)
        return with_names(datum, [(whole_name(self.into, index), DATE) for index in range(wanted)])

    def _check_units(self, checking: Checking) -> None:
        if not self.given("units") or self.infer_units:
            return
        dividing = {unit for unit in self.units if any(unit in calendar for calendar in _CALENDARS)}
        if self.units and any(dividing <= set(calendar) for calendar in _CALENDARS):
            return
        found = " with ".join(f"`{unit}`" for unit in self.units if unit in dividing) if dividing else "an empty list"
        owner = f"`units` of {self.owner}"
        expected = "units of one calendar" if dividing else "a list of units"
        checking.report(WrongKind(place=self.place("units"), owner=owner, expected=expected, found=found))

    def signal_type(self, datum: Record, checking: Checking) -> Type:
        """The rounding function, with the units it uses and the dates it has met as its properties."""
        return _ROUNDING

    def rows(self, rows: list[Row], running: Running) -> list[Row]:
        """⟦timeunit⟧: each row gets the start and the end of its unit; null where it has no date.

        Text is not parsed, only read as a number. The end is a step of the shortest unit later, whatever the units leave out.
        """
        from sheliak.expressions.values import UNDEFINED, Date, to_number
        from sheliak.transforms._running import getter, ingested

        rows, get, parameters = ingested(rows), getter(self.field, running), self.parameters()
        rounding, (first, second) = self.rounding(rows, running), parameters.names("unit0", "unit1")
        both = parameters.value("interval") is not False
        ends: dict[float, float] = {}
        for row in rows:
            value = get(row)
            start = None if value is None or value is UNDEFINED else rounding.floor(to_number(value))
            if start is not None and start not in ends:
                ends[start] = rounding.end(start) if both else start
            row[first] = None if start is None else Date(start)
            if both:
                row[second] = None if start is None else Date(ends[start])
        self._publish(rounding, ends, running)
        return rows

    def plan(self, upstream: Plan, planning: Planning) -> Plan:
        from sheliak.plan.building import with_fields
        from sheliak.transforms._planning import read_field, start
        from sheliak.transforms._plans.timeunits import rounded_dates, rounding_of

        parameters = self.parameters()
        first, second = parameters.names("unit0", "unit1")
        value = read_field(self.field, start(upstream, planning))
        rounding = rounding_of(self, value, upstream, planning)
        starts, ends = rounded_dates(value, rounding)
        both = parameters.value("interval") is not False
        return with_fields(upstream, {first: starts, **({second: ends} if both else {})}, planning)

    def rounding(self, rows: list[Row], running: Running) -> Rounding:
        """The units that the parameters name, or those that suit the extent or the dates."""
        from sheliak.expressions.time_units import ordered_units
        from sheliak.expressions.zones import UTC
        from sheliak.transforms._numerics.timeunits import Rounding

        parameters = self.parameters()
        utc = parameters.value("timezone") == "utc"
        zone = UTC if utc else running.zone
        named = parameters.elements("units")
        if parameters.flag("inferUnits"):
            self._warn_of_overridden(running)
            units, step = self._detected(rows, zone, running)
        elif named is None:
            units, step = self._suited(rows, running)
        else:
            units, step = named, parameters.number("step", 1.0)
        return Rounding(ordered_units(units), step, zone, utc)

    def _warn_of_overridden(self, running: Running) -> None:
        from sheliak.expressions.values import UNDEFINED

        parameters = self.parameters()
        if any(parameters.value(name) not in (None, UNDEFINED) for name in ("units", "step", "maxbins", "extent")):
            running.warn("TimeUnit inferUnits overrides units, step, maxbins and extent.")

    def _detected(self, rows: list[Row], zone: Zone, running: Running) -> tuple[list[RunValue], float]:
        from sheliak.expressions.functions.evaluation.datetime import instant_of
        from sheliak.expressions.values import to_text
        from sheliak.transforms._numerics.timeunits import units_of_dates
        from sheliak.transforms._running import RunError, getter

        get, instants = getter(self.field, running), []
        for row in rows:
            value = get(row)
            instants.append(instant_of(value, running.zone))
            if isnan(instants[-1]):
                raise RunError(f"Invalid date: {to_text(value, running.zone)}")
        return units_of_dates(instants, zone)

    def _suited(self, rows: list[Row], running: Running) -> tuple[list[RunValue], float]:
        from sheliak.expressions.values import UNDEFINED, to_number
        from sheliak.transforms._numerics.extents import extent_of_field
        from sheliak.transforms._numerics.timeunits import units_for
        from sheliak.transforms._running import getter

        parameters = self.parameters()
        given = parameters.elements("extent")
        if given is None:
            start, stop = extent_of_field(rows, getter(self.field, running), running.zone)
        else:
            start, stop = given[0] if given else UNDEFINED, given[-1] if given else UNDEFINED
        return units_for(to_number(start), to_number(stop), parameters.number("maxbins", 40.0))

    def _publish(self, rounding: Rounding, ends: dict[float, float], running: Running) -> None:
        from sheliak.expressions.values import Date

        valid_starts, valid_ends = [at for at in ends if not isnan(at)], [at for at in ends.values() if not isnan(at)]
        running.publish(
            {
                "unit": rounding.units[-1],
                "units": [*rounding.units],
                "step": rounding.step,
                "start": Date(min(valid_starts)) if valid_starts else inf,
                "stop": Date(max(valid_ends)) if valid_ends else -inf,
            }
        )


_ROUNDING = Record(
    {
        "unit": STRING,
        "units": Array(STRING),
        "step": NUMBER,
        "start": DATE,
        "stop": DATE,
        "name": STRING,
        "length": NUMBER,
    }
)
