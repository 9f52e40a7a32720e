"""timeunit: the start and the end of the calendar unit that a date falls into."""

from __future__ import annotations

from sheliak.diagnostics.parameters import ShortAs, WrongKind
from sheliak.source.tree import Node
from sheliak.transforms._contract import Checking, FieldRef, Name, Transform, Value, param, transform, whole_name, with_names
from sheliak.types.shapes import DATE, NUMBER, STRING, Array, Record, Type

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


@transform("timeunit")
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
