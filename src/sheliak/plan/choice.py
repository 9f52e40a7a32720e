"""`a ? b : c` over columns: both results in one type."""

from __future__ import annotations

from collections.abc import Sequence

from sheliak.plan.coercion import FALSE, TRUE, converted, not_
from sheliak.plan.column_types import OPAQUE, unified
from sheliak.plan.expressions import Choose, Constant, PlanExpression
from sheliak.plan.unplannable import Unplannable


def choose(test: PlanExpression, consequent: PlanExpression, alternate: PlanExpression) -> PlanExpression:
    """The one or the other; `test` is a boolean that is never missing."""
    if isinstance(test, Constant):
        return consequent if test.value else alternate
    if consequent is alternate:
        return consequent
    if consequent is TRUE and alternate is FALSE:
        return test
    if consequent is FALSE and alternate is TRUE:
        return not_(test)
    of = unified(consequent.of, alternate.of)
    if of == OPAQUE:
        consequent, alternate = _opaque(consequent), _opaque(alternate)
    return Choose(test, converted(consequent, of), converted(alternate, of), of)


def _opaque(e: PlanExpression) -> PlanExpression:
    """A constant can be written as anything; columns of different kinds cannot become one."""
    if e.of == OPAQUE:
        return e
    if isinstance(e, Constant):
        return Constant(e.value, OPAQUE)
    raise Unplannable("it chooses between values of different kinds")


def chosen(cases: Sequence[tuple[PlanExpression, PlanExpression]], otherwise: PlanExpression) -> PlanExpression:
    """The value beside the first test that holds."""
    result = otherwise
    for test, value in reversed(cases):
        result = choose(test, value, result)
    return result
