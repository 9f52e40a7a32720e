"""formula: adds a field computed from each row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sheliak.transforms._contract import Checking, ExprRef, Name, Transform, param, transform, with_names
from sheliak.types.shapes import Record

if TYPE_CHECKING:
    from sheliak.expressions.values import Row
    from sheliak.plan.operators import Plan
    from sheliak.plan.planning import Planning
    from sheliak.transforms._running import Running


@transform("formula", writes=True)
class Formula(Transform):
    """`expr` is evaluated for every row; the result is written to `as`."""

    expr: ExprRef = param("expr", required=True, signals=False)
    into: Name = param("string", vega_name="as", required=True)
    initonly: object = param("boolean", default=False)

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tFormula: T ⊢ e : T' gives T ∪ {f: T'}.

        Beyond the paper: a dotted name in `as` is one flat field.
        """
        return with_names(datum, [(self.into, self.expr.of)])

    def rows(self, rows: list[Row], running: Running) -> list[Row]:
        """⟦formula⟧: each row gets the value of the expression; what one row has got, the next may not see."""
        from sheliak.expressions.values import to_text
        from sheliak.transforms._running import ingested

        rows, evaluate = ingested(rows), running.evaluator(self.expr)
        name = to_text(self.parameters().value("as"))
        for row in rows:
            row[name] = evaluate(row)
        running.publish(None)
        return rows

    def plan(self, upstream: Plan, planning: Planning) -> Plan:
        from sheliak.expressions.values import to_text
        from sheliak.plan.building import with_fields
        from sheliak.transforms._planning import read_expression, start

        value = read_expression(self.expr, start(upstream, planning))
        return with_fields(upstream, {to_text(self.parameters().value("as")): value}, planning)
