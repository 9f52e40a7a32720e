"""bin: the start and the end of the interval that a number falls into."""

from __future__ import annotations

from math import nan
from typing import TYPE_CHECKING

from sheliak.diagnostics.parameters import ShortAs
from sheliak.transforms._contract import Checking, FieldRef, Name, Transform, Value, param, transform, whole_name, with_names
from sheliak.types.shapes import NUMBER, STRING, Array, Record, Type

if TYPE_CHECKING:
    from sheliak.expressions.values import Row
    from sheliak.expressions.values import Value as RunValue
    from sheliak.plan.operators import Plan
    from sheliak.plan.planning import Planning
    from sheliak.transforms._numerics.binning import Bins
    from sheliak.transforms._running import Running


@transform("bin", writes=True)
class Bin(Transform):
    """Nothing is taken from the data: `extent` must be given, by an `extent` transform's signal for example."""

    field: FieldRef = param("field", required=True, demands="number")
    interval: Value = param("boolean", default=True)
    anchor: Value = param("number")
    maxbins: Value = param("number", default=20)
    base: Value = param("number", default=10)
    divide: tuple[Value, ...] = param("number", array=True, default=(5, 2))
    extent: tuple[Value, ...] = param("number", array=True, required=True, length=2)
    span: Value = param("number")
    step: Value = param("number")
    steps: tuple[Value, ...] = param("number", array=True)
    minstep: Value = param("number", default=0)
    nice: Value = param("boolean", default=True)
    name: Value = param("string")
    into: tuple[Name | None, ...] = param("string", array=True, vega_name="as", default=("bin0", "bin1"))

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tBin: T ⊢ p : T' and T' is read as a number give T ∪ {f₀: number, f₁: number}.

        Beyond the paper: the default names are `bin0` and `bin1`; with `interval` false there is only the first; a single
        name in `as` leaves the second to a field called `undefined`. Numeric text and dates are coerced.
        """
        wanted = 1 if self.interval is False else 2
        if len(self.into) < wanted:
            written = "a field called `undefined`"
            finding = ShortAs(place=self.place("as"), owner=self.owner, given=len(self.into), wanted=wanted, written=written)
            checking.report(finding)
        return with_names(datum, [(whole_name(self.into, index), NUMBER) for index in range(wanted)])

    def signal_type(self, datum: Record, checking: Checking) -> Type:
        """The binning function, with the start, the stop and the step as its properties."""
        return _BINNING

    def rows(self, rows: list[Row], running: Running) -> list[Row]:
        """⟦bin⟧: each row gets the start and the end of its bin.

        Null, missing and empty values have no bin (null); what lies outside of the extent is in an infinite one; the last bin holds
        its end.
        """
        from sheliak.expressions.values import UNDEFINED, to_number
        from sheliak.transforms._running import getter, ingested

        rows, get, parameters = ingested(rows), getter(self.field, running), self.parameters()
        bins, (first, second) = self.bins(), parameters.names("bin0", "bin1")
        both = parameters.value("interval") is not False
        for row in rows:
            value = get(row)
            start = None if value is None or value is UNDEFINED or value == "" else bins.start_of(to_number(value))
            row[first] = start
            if both:
                row[second] = None if start is None else bins.end_of(start)
        running.publish(self._published(bins))
        return rows

    def plan(self, upstream: Plan, planning: Planning) -> Plan:
        from sheliak.plan.building import with_fields
        from sheliak.transforms._planning import read_field, start
        from sheliak.transforms._plans.bins import bin_end, bin_start

        parameters, bins = self.parameters(), self.bins()
        first, second = parameters.names("bin0", "bin1")
        start_of_bin = bin_start(read_field(self.field, start(upstream, planning)), bins)
        both = parameters.value("interval") is not False
        planning.publish(self._published(bins))
        return with_fields(upstream, {first: start_of_bin, **({second: bin_end(start_of_bin, bins)} if both else {})}, planning)

    def bins(self) -> Bins:
        """The bins that the parameters ask for."""
        from sheliak.expressions.values import UNDEFINED, to_boolean, to_number
        from sheliak.transforms._numerics.binning import Binning

        parameters = self.parameters()
        low, high, *_ = [*(parameters.numbers("extent") or []), nan, nan]
        divide, steps, nice, anchor = (parameters.value(name) for name in ("divide", "steps", "nice", "anchor"))
        bins = Binning(
            low=low,
            high=high,
            maxbins=parameters.number("maxbins", 20.0),
            base=parameters.number("base", 10.0),
            divide=tuple(map(to_number, divide)) if isinstance(divide, list) else (5.0, 2.0),
            span=parameters.number("span", 0.0),
            step=parameters.number("step", 0.0),
            steps=tuple(map(to_number, steps)) if isinstance(steps, list) else None,
            minstep=parameters.number("minstep", 0.0),
            nice=nice is UNDEFINED or to_boolean(nice),
        ).bins()
        return bins if anchor is None or anchor is UNDEFINED else bins.anchored(to_number(anchor))

    def _published(self, bins: Bins) -> RunValue:
        from sheliak.expressions.values import to_boolean, to_text
        from sheliak.transforms._running import key_name

        name, field = self.parameters().value("name"), key_name(self.field)
        called = to_text(name) if to_boolean(name) else f"bin_{field}"
        return {"start": bins.start, "stop": bins.stop, "step": bins.step, "fields": [field], "fname": called}


_BINNING = Record(
    {
        "start": NUMBER,
        "stop": NUMBER,
        "step": NUMBER,
        "fname": STRING,
        "fields": Array(STRING),
        "name": STRING,
        "length": NUMBER,
    }
)
