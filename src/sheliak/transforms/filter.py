"""filter: keeps the rows for which an expression is truthy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sheliak.expressions.narrowing import NO_FACTS, facts_of, narrowed
from sheliak.expressions.parser import ExpressionSyntaxError, parse_expression
from sheliak.transforms._contract import Checking, ExprRef, Transform, param, transform
from sheliak.types.operations import extended
from sheliak.types.shapes import Record, Type

if TYPE_CHECKING:
    from sheliak.expressions.values import Row
    from sheliak.plan.operators import Plan
    from sheliak.plan.planning import Planning
    from sheliak.transforms._running import Running


def _passing(datum: Record, test: str) -> Record:
    """The record of the rows that pass a test."""
    try:
        facts = facts_of(parse_expression(test), True, NO_FACTS)
    except ExpressionSyntaxError:
        return datum
    fields: dict[str, Type] = {}
    for path, tests in facts.items():
        of = datum.fields.get(path[1]) if len(path) == 2 and path[0] == "datum" else None
        if of is not None and ((kept := narrowed(of, tests)) is not of or path[1] in datum.optional):
            fields[path[1]] = kept
    return extended(datum, fields) if fields else datum


@transform("filter", generates=True)
class Filter(Transform):
    """`expr` may have any type; JavaScript's truthiness decides."""

    expr: ExprRef = param("expr", required=True, signals=False)

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tFilter: T ⊢ e : T' gives T.

        Beyond the paper: what the test says of a field holds for the rows that pass: after `isValid(datum.x)` x is there and not null.
        """
        return _passing(datum, self.expr.node.text or "")

    def rows(self, rows: list[Row], running: Running) -> list[Row]:
        """⟦filter⟧: the rows for which the expression is truthy."""
        from sheliak.expressions.values import to_boolean

        test = running.evaluator(self.expr)
        return [row for row in rows if to_boolean(test(row))]

    def plan(self, upstream: Plan, planning: Planning) -> Plan:
        from sheliak.plan.coercion import truth_of
        from sheliak.plan.expressions import Constant
        from sheliak.plan.operators import Keep
        from sheliak.transforms._planning import read_expression, start
        from sheliak.transforms._plans.numbering import run_unread

        test = truth_of(read_expression(self.expr, start(upstream, planning)))
        if not isinstance(test, Constant):
            return Keep(upstream, test)
        if not test.value:
            run_unread(upstream, planning)
        return upstream if test.value else Keep(upstream, test)
