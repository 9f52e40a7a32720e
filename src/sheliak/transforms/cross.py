"""cross: every row paired with every row, itself included."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from sheliak.transforms._contract import Checking, ExprRef, Name, Transform, param, transform, whole_name, with_names
from sheliak.transforms._demands import demand_distinct
from sheliak.types.shapes import EMPTY_RECORD, Array, Record, Type

if TYPE_CHECKING:
    from sheliak.expressions.values import Row
    from sheliak.plan.operators import Plan
    from sheliak.plan.planning import Planning
    from sheliak.transforms._running import Running

_NAMES = ("a", "b")


@transform("cross", generates=True, keeps_input=False)
class Cross(Transform):
    """The two rows of a pair are nested under the two names; `filter` sees the pair."""

    # Vega lists `filter` first; what it sees is known once `as` is.
    into: tuple[Name | None, ...] = param("string", array=True, vega_name="as", length=2, default=_NAMES)
    filter: ExprRef | None = param("expr", signals=False)

    @classmethod
    def reads(cls, name: str, datum: Type, given: Mapping[str, object], checking: Checking) -> Type:
        """`filter` is evaluated over the pair."""
        names = given.get("into", _NAMES)
        assert isinstance(names, tuple)
        return _pair(datum, names) if name == "filter" else datum

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tCross: T gives {f₀: T, f₁: T}; the filter is typed over that, {f₀: T, f₁: T} ⊢ e : T'.

        Beyond the paper: the default names are `a` and `b`; a single name in `as` leaves the second row to a field called
        `undefined`.
        """
        names = [(whole_name(self.into, index), self.place("as", index)) for index in (0, 1)]
        demand_distinct(names, self.owner, checking)
        return _pair(datum, self.into)

    def signal_type(self, datum: Record, checking: Checking) -> Type:
        return Array(_pair(datum, self.into))

    def rows(self, rows: list[Row], running: Running) -> list[Row]:
        """⟦cross⟧: every row with every row, those with the first row first; the pairs hold the rows themselves."""
        from sheliak.expressions.values import to_boolean
        from sheliak.plan.budget import DRIVER_BUDGET, spend
        from sheliak.transforms._running import as_value, ingest

        spend(len(rows) ** 2, f"every one of {len(rows):,} rows with every one", DRIVER_BUDGET)
        first, second = self.parameters().names("a", "b")
        test = None if self.filter is None else running.evaluator(self.filter)
        pairs = []
        for left in rows:
            for right in rows:
                pair: Row = {first: left}
                pair[second] = right
                if test is None or to_boolean(test(pair)):
                    pairs.append(ingest(pair))
        running.publish(as_value(pairs))
        return pairs

    def plan(self, upstream: Plan, planning: Planning) -> Plan:
        from sheliak.plan.building import fields_only
        from sheliak.plan.coercion import truth_of
        from sheliak.plan.operators import Cross as CrossOperator
        from sheliak.plan.operators import Field, Keep
        from sheliak.transforms._planning import read_expression, start
        from sheliak.transforms._plans.sizes import named_columns, spend_pairs

        spend_pairs(upstream, planning)
        upstream = named_columns(upstream, planning)
        record = upstream.schema.record()
        left, right = (Field(name, planning.column(), record) for name in self.parameters().names("a", "b"))
        pairs: Plan = CrossOperator(upstream, left, right)
        if left.name == right.name:
            pairs = fields_only(pairs, {left.name: right.read()}, planning)
        if self.filter is not None:
            pairs = Keep(pairs, truth_of(read_expression(self.filter, start(pairs, planning))))
        planning.publish_rows(pairs)
        return pairs


def _pair(of: Type, names: tuple[Name | None, ...]) -> Record:
    return with_names(EMPTY_RECORD, [(whole_name(names, 0), of), (whole_name(names, 1), of)])
