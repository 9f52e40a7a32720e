"""dotbin: the positions of dots in a dot plot, near values drawn together."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from sheliak.transforms._contract import Checking, FieldRef, Name, Transform, Value, param, transform, with_names
from sheliak.types.shapes import NUMBER, Record, Type

if TYPE_CHECKING:
    from sheliak.expressions.values import Row
    from sheliak.plan.operators import Plan
    from sheliak.plan.planning import Planning
    from sheliak.transforms._running import Running


@transform("dotbin", writes=True)
class DotBin(Transform):
    """Without `step` a bin is a thirtieth of the field's extent."""

    field: FieldRef = param("field", required=True, demands="number")
    groupby: tuple[FieldRef, ...] = param("field", array=True)
    step: Value = param("number")
    smooth: Value = param("boolean", default=False)
    into: Name = param("string", vega_name="as", default="bin")

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tDotBin: T ⊢ p : T' and T' is read as a number give T ∪ {f: number}.

        Beyond the paper: the default name is `bin`; null counts as 0.
        """
        return with_names(datum, [(self.into, NUMBER)])

    def signal_type(self, datum: Record, checking: Checking) -> Type:
        return Record({"start": NUMBER, "stop": NUMBER, "step": NUMBER})

    def rows(self, rows: list[Row], running: Running) -> list[Row]:
        """⟦dotbin⟧: group by group, in the order of the field, each row gets the middle of its stack."""
        from sheliak.expressions.values import to_number
        from sheliak.transforms._grouping import parts
        from sheliak.transforms._numerics.dots import dot_positions
        from sheliak.transforms._numerics.extents import extent_of_field, span
        from sheliak.transforms._ordering import sorted_rows
        from sheliak.transforms._running import NO_ROW, getter, getters, ingested

        rows, zone, get, parameters = ingested(rows), running.zone, getter(self.field, running), self.parameters()
        groups = parts(rows, getters(self.groupby, running) if self.given("groupby") else None, zone)
        step = parameters.number("step", 0.0) or span(extent_of_field(rows, get, zone)) / 30
        name, smooth = parameters.name("bin"), parameters.flag("smooth")
        low, high = inf, -inf
        for group in groups:
            ordered = sorted_rows(group.rows, lambda a, b: to_number(get(a)) - to_number(get(b)))
            values = [get(row) for row in ordered or [NO_ROW]]  # Vega reads the first row of an empty group, too
            for row, position in zip(ordered, dot_positions(values, step, zone, smooth=smooth), strict=True):
                low, high = min(low, position), max(high, position)
                row[name] = position
        running.publish({"start": low, "stop": high, "step": step})
        return rows

    def plan(self, upstream: Plan, planning: Planning) -> Plan:
        from sheliak.transforms._plans.curves import plan_dotbin

        return plan_dotbin(self, self.field, self.groupby, upstream, planning)
