"""collect: gathers the rows, and sorts them if `sort` is given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sheliak.transforms._contract import Checking, SortKey, Transform, param, transform
from sheliak.types.shapes import Array, Record, Type

if TYPE_CHECKING:
    from sheliak.expressions.values import Row
    from sheliak.plan.operators import Plan
    from sheliak.plan.planning import Planning
    from sheliak.transforms._running import Running


@transform("collect")
class Collect(Transform):
    """Null and undefined come first, then NaN, then the values; text is compared as text, rows that tie keep their order."""

    sort: tuple[SortKey, ...] = param("compare", default=())

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tCollect: T ⊢ pᵢ : Tᵢ gives T."""
        return datum

    def signal_type(self, datum: Record, checking: Checking) -> Type:
        return Array(datum)

    def rows(self, rows: list[Row], running: Running) -> list[Row]:
        """⟦collect⟧: the rows in the order of `sort`; those that tie as they were first taken in, whatever order they had last."""
        from sheliak.transforms._ordering import order_of, sorted_rows
        from sheliak.transforms._running import as_value, ingested

        rows, order = ingested(rows), order_of(self.sort, running)
        collected = rows if order is None else sorted_rows(rows, order)
        running.publish(as_value(collected))
        return collected

    def plan(self, upstream: Plan, planning: Planning) -> Plan:
        from sheliak.plan.operators import Sort
        from sheliak.transforms._planning import read_sort, start

        keys = read_sort(self.sort, start(upstream, planning))
        collected = Sort(upstream, keys) if self.sort else upstream
        planning.publish_rows(collected)
        return collected
