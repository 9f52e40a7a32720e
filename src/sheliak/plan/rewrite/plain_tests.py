"""Tests that a source understands: `a && b` as two tests, and comparisons with a column as it is.

JavaScript takes null for 0 when it compares, so a column that may be null is filled before. Where the filler fails the test, so may the
missing value itself: a comparison with a missing operand does not hold. Readers of files skip what such a test rules out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sheliak.plan.coercion import and_, or_
from sheliak.plan.column_types import BOOLEAN
from sheliak.plan.expressions import Apply, Choose, Constant, PlanExpression
from sheliak.plan.operators import Keep, Plan
from sheliak.plan.rewrite.rebuilding import Rebuilding
from sheliak.plan.stopping import stops


def plain_tests(plans: Sequence[Plan]) -> list[Plan]:
    """The plans with the tests of filters made plain."""
    return list(map(Rebuilding(_changed), plans))


def _changed(plan: Plan) -> Plan:
    if not isinstance(plan, Keep):
        return plan
    if stops(plan.test):
        return _behind_guards(plan)
    test = plain(plan.test)
    return plan if test is plan.test else Keep(plan.upstream, test)


def _behind_guards(plan: Keep) -> Keep:
    """What stops the run is asked of the rows that pass the tests before it, and stays as it is: where it stands is where it stops."""
    guards, test = _split(plan.test)
    upstream = plan.upstream
    for guard in guards:
        upstream = Keep(upstream, plain(guard))
    return Keep(upstream, test) if guards else plan


def _split(test: PlanExpression) -> tuple[list[PlanExpression], PlanExpression]:
    """The tests before the first that may stop the run, and what is left of them all."""
    match test:
        case Choose(first, second, third) if third is first and test.of == BOOLEAN:
            if not stops(first):
                guards, left = _split(second)
                return [first, *guards], left
            guards, left = _split(first)
            return guards, Choose(left, second, left, BOOLEAN) if guards else test
        case _:
            return [], test


def plain(test: PlanExpression) -> PlanExpression:
    """The same test of the same rows."""
    match test:
        case Choose(first, second, third) if third is first and test.of == BOOLEAN:
            return and_(plain(first), plain(second))
        case Choose(first, second, third) if second is first and test.of == BOOLEAN:
            return or_(plain(first), plain(third))
        case Apply("and" | "or", (left, right)):
            parts = (plain(left), plain(right))
            return test if parts == (left, right) else replace(test, operands=parts)
        case Apply("number.less" | "number.less_or_equal" | "number.equal", (left, right)):
            return _unfilled(test, left, right)
        case _:
            return test


def _unfilled(test: Apply, left: PlanExpression, right: PlanExpression) -> PlanExpression:
    match left, right:
        case Apply("fill", (column, Constant(filler))), Constant(bound) if not _holds(test.operation, filler, bound):
            return replace(test, operands=(column, right))
        case Constant(bound), Apply("fill", (column, Constant(filler))) if not _holds(test.operation, bound, filler):
            return replace(test, operands=(left, column))
        case _:
            return test


def _holds(operation: str, left: object, right: object) -> bool:
    if not isinstance(left, int | float) or not isinstance(right, int | float):
        return True
    match operation:
        case "number.less":
            return left < right
        case "number.less_or_equal":
            return left <= right
        case _:
            return left == right
