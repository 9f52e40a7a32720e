"""joinaggregate: every row gets the measures of its group."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from sheliak.transforms._contract import Checking, FieldRef, Name, Transform, param, transform, with_names
from sheliak.transforms._operations import AGGREGATES
from sheliak.transforms._operations.measures import measures, parallel, reads_no_field
from sheliak.types.operations import opened
from sheliak.types.shapes import Record

if TYPE_CHECKING:
    from sheliak.expressions.values import Row
    from sheliak.plan.operators import Plan
    from sheliak.plan.planning import Planning
    from sheliak.transforms._running import Running


@transform("joinaggregate", writes=True)
class JoinAggregate(Transform):
    """Rows are grouped as by `aggregate`; none is dropped."""

    groupby: tuple[FieldRef, ...] = param("field", array=True)
    # Vega lists `fields` first; whether one of them is read is known once `ops` is.
    ops: tuple[Name, ...] = param("enum", array=True, options=tuple(AGGREGATES), default=("count",))
    fields: tuple[FieldRef | None, ...] = param("field", array=True, nullable=True, default=(None,))
    into: tuple[Name | None, ...] = param("string", array=True, nullable=True, vega_name="as")
    key: FieldRef | None = param("field")

    @classmethod
    def passes_over(cls, name: str, index: int, given: Mapping[str, object]) -> bool:
        return reads_no_field(name, index, given, AGGREGATES)

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tJoinAgg: T ⊢ opⱼ(pⱼ) : T'ⱼ gives T ∪ {fⱼ: T'ⱼ}.

        Beyond the paper: names and results are those of `aggregate`; a key that is nested, renamed or computed is written
        too, under its flat name. The rows in values, argmin and argmax are the ones being extended, so they are open.
        """
        keys = with_names(datum, ((key.name, key.of) for key in self.groupby if not key.is_column))
        if not parallel(self, checking):
            return opened(keys)
        return with_names(keys, measures(self, datum, opened(datum), AGGREGATES, checking))

    def rows(self, rows: list[Row], running: Running) -> list[Row]:
        """⟦joinaggregate⟧: each row gets what its group comes to, and the group's keys, which are those of its first row."""
        from sheliak.transforms._grouping import Groups
        from sheliak.transforms._operations.asked import measured_by
        from sheliak.transforms._running import getter, getters, ingested, key_name

        rows = ingested(rows)
        names, keys = [key_name(key) for key in self.groupby], getters(self.groupby, running)
        key = None if self.key is None else getter(self.key, running)
        groups = Groups(names, keys, key, measured_by(self, self.fields, AGGREGATES, running), running)
        groups.add(rows)
        groups.rows()
        for row in rows:
            row.update(groups.cells[groups.text(row)][0])
        running.publish(groups.published())
        return rows

    def plan(self, upstream: Plan, planning: Planning) -> Plan:
        from sheliak.transforms._plans.grouping import plan_joinaggregate

        return plan_joinaggregate(self, self.groupby, self.key, self.fields, upstream, planning)
