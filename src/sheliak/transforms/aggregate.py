"""aggregate: one row per group, with the group's keys and one field for each operation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from sheliak.transforms._contract import Checking, FieldRef, Name, Transform, Value, param, renamings, transform, with_names
from sheliak.transforms._demands import demand_distinct
from sheliak.transforms._operations import AGGREGATES
from sheliak.transforms._operations.measures import measures, parallel, reads_no_field
from sheliak.types.operations import opened
from sheliak.types.shapes import EMPTY_RECORD, Record

if TYPE_CHECKING:
    from sheliak.expressions.values import Row
    from sheliak.plan.operators import Plan
    from sheliak.plan.planning import Planning
    from sheliak.transforms._running import Running


@transform("aggregate", generates=True, keeps_input=False)
class Aggregate(Transform):
    """Rows are grouped by `groupby`; without it all rows are one group."""

    groupby: tuple[FieldRef, ...] = param("field", array=True)
    ops: tuple[Name, ...] = param("enum", array=True, options=tuple(AGGREGATES), default=("count",))
    aggregate_params: tuple[Value, ...] = param("number", array=True, nullable=True)
    fields: tuple[FieldRef | None, ...] = param("field", array=True, nullable=True, default=(None,))
    into: tuple[Name | None, ...] = param("string", array=True, nullable=True, vega_name="as")
    drop: Value = param("boolean", default=True)
    cross: Value = param("boolean", default=False)
    key: FieldRef | None = param("field")

    @classmethod
    def passes_over(cls, name: str, index: int, given: Mapping[str, object]) -> bool:
        return reads_no_field(name, index, given, AGGREGATES)

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tAgg: T ⊢ kᵢ : Tᵢ and T ⊢ opⱼ(pⱼ) : T'ⱼ give {kᵢ: Tᵢ, fⱼ: T'ⱼ}.

        Beyond the paper: without `ops` Vega counts; a name missing in `as` becomes `<op>_<field>`, or the operation alone
        where there is no field; a nested key `a.b` becomes the flat field `a.b`; min and max keep the field's type; values,
        argmin and argmax yield whole rows; `ops` and `fields` of different lengths stop the run.
        """
        keys = with_names(EMPTY_RECORD, ((key.name, key.of) for key in self.groupby))
        if not parallel(self, checking):
            return opened(keys)
        outputs = list(measures(self, datum, datum, AGGREGATES, checking))
        placed = [(name, self.place("as", index)) for index, (name, _) in enumerate(outputs)]
        demand_distinct([*((key.name, key.place) for key in self.groupby), *placed], self.owner, checking)
        return with_names(keys, outputs)

    def renamed(self) -> dict[str, str]:
        return renamings((key, key.name) for key in self.groupby)

    def rows(self, rows: list[Row], running: Running) -> list[Row]:
        """⟦aggregate⟧: a row per group, in the order of the groups' first rows.

        Groups are told apart by the text of their keys (1 and "1" are one, dates to the second), or by `key`; their rows have the
        first row's keys. Empty input gives no row. With `cross` the missing combinations follow, empty.
        """
        from sheliak.transforms._grouping import Groups
        from sheliak.transforms._operations.asked import measured_by
        from sheliak.transforms._running import getter, getters, key_name

        names, keys = [key_name(key) for key in self.groupby], getters(self.groupby, running)
        key = None if self.key is None else getter(self.key, running)
        groups = Groups(names, keys, key, measured_by(self, self.fields, AGGREGATES, running), running)
        groups.add(rows)
        if self.parameters().flag("cross") and len(names) > 1:
            groups.cross()
        aggregated = groups.rows()
        running.publish(groups.published())
        return aggregated

    def plan(self, upstream: Plan, planning: Planning) -> Plan:
        from sheliak.transforms._plans.grouping import plan_aggregate

        cross = self.parameters().flag("cross")
        return plan_aggregate(self, self.groupby, self.key, self.fields, upstream, planning, cross=cross)
