"""extent: publishes the least and the greatest number of a field as a signal; the rows stay as they are."""

from __future__ import annotations

from math import inf, isfinite
from typing import TYPE_CHECKING

from sheliak.transforms._contract import Checking, FieldRef, Transform, param, transform
from sheliak.types.shapes import NUMBER, Array, Record, Type

if TYPE_CHECKING:
    from sheliak.expressions.values import Row
    from sheliak.plan.operators import Plan
    from sheliak.plan.planning import Planning
    from sheliak.transforms._running import Running


@transform("extent")
class Extent(Transform):
    """Numeric text and dates count as numbers, other values are passed over."""

    field: FieldRef = param("field", required=True, demands="number")

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tExtent: T ⊢ p : T' and T' is read as a number give T."""
        return datum

    def signal_type(self, datum: Record, checking: Checking) -> Type:
        """[least, greatest]; both undefined over no numbers at all."""
        return Array(NUMBER)

    def rows(self, rows: list[Row], running: Running) -> list[Row]:
        """⟦extent⟧: the rows as they are. Null and empty text do not count, and other text not unless it reads as a number."""
        from sheliak.expressions.numerals import number_text
        from sheliak.expressions.values import UNDEFINED
        from sheliak.transforms._numerics.quantiles import numbers_of
        from sheliak.transforms._running import getter, name_of

        numbers = numbers_of(map(getter(self.field, running), rows))
        low, high = min(numbers, default=inf), max(numbers, default=-inf)
        if isfinite(low) and isfinite(high):
            running.publish([low, high])
        else:
            name = name_of(self.field)
            of = f' for field "{name}"' if name else "undefined" if name is None else ""
            running.warn(f"Infinite extent{of}: [{number_text(low)}, {number_text(high)}]")
            running.publish([UNDEFINED, UNDEFINED])
        return rows

    def plan(self, upstream: Plan, planning: Planning) -> Plan:
        from sheliak.plan.stopping import stopping
        from sheliak.transforms._planning import read_field, start
        from sheliak.transforms._plans.extents import publish_extent

        value = read_field(self.field, start(upstream, planning))
        publish_extent(value, upstream, planning)
        return stopping(upstream, value)
