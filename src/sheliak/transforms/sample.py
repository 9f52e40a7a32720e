"""sample: keeps a random choice of the rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sheliak.diagnostics.parameters import MissingParameter
from sheliak.transforms._contract import Checking, Transform, Value, param, transform
from sheliak.types.shapes import Array, Record, Type

if TYPE_CHECKING:
    from sheliak.expressions.values import Row
    from sheliak.plan.operators import Plan
    from sheliak.plan.planning import Planning
    from sheliak.transforms._running import Running


@transform("sample")
class Sample(Transform):
    """At most `size` rows."""

    size: Value = param("number")

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tSample: T gives T.

        Beyond the paper: the default that Vega declares for `size` is never applied; without it no row is kept.
        """
        if not self.given("size"):
            why = "the default of 1000 is never applied: without `size` no row is kept"
            checking.report(MissingParameter(place=self.place(), name="size", owner=self.owner, instead=why))
        return datum

    def signal_type(self, datum: Record, checking: Checking) -> Type:
        return Array(datum)

    def rows(self, rows: list[Row], running: Running) -> list[Row]:
        """⟦sample⟧: a reservoir. Each row beyond `size` may take the place of one that is in it; without `size` none ever is.

        Where a signal computes the size, Vega puts all rows in twice: it takes the first value for a change.
        """
        from sheliak.expressions.values import to_number
        from sheliak.transforms._running import as_value, ingested

        size = to_number(self.parameters().value("size"))
        rounds = 2 if running.is_computed("size") and size > 0 else 1
        chosen: list[Row] = []
        for count, row in enumerate(ingested(rows) * rounds):
            if len(chosen) < size:
                chosen.append(row)
            else:
                place = int((count + 1) * running.random())
                if place < len(chosen):
                    chosen[place] = row
        running.publish(as_value(chosen))
        return chosen

    def plan(self, upstream: Plan, planning: Planning) -> Plan:
        from sheliak.expressions.values import to_number
        from sheliak.transforms._plans.numbering import sampled

        size = to_number(self.parameters().value("size"))
        chosen = sampled(upstream, size, 2 if planning.is_computed("size") else 1, planning)
        planning.publish_rows(chosen)
        return chosen
