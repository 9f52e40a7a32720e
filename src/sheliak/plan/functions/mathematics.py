"""Numbers."""

from __future__ import annotations

from math import inf

from sheliak.plan.arithmetic import numbers
from sheliak.plan.coercion import FALSE, NAN, and_, number_of, written_as
from sheliak.plan.column_types import BOOLEAN, Mixed, Opaque
from sheliak.plan.expressions import Apply, PlanExpression, constant
from sheliak.plan.functions.kinds import is_kind, is_nan_value, plain_part
from sheliak.plan.scope import ColumnFunction, Scope

_OF_ONE = ("abs", "acos", "asin", "atan", "ceil", "cos", "exp", "floor", "log", "round", "sin", "sqrt", "tan")


def _function(operation: str, count: int) -> ColumnFunction:
    def function(operands: list[PlanExpression], scope: Scope) -> PlanExpression:
        given = [*operands, *[NAN] * count][:count]
        return numbers(operation, *given)

    return function


def least(*operands: PlanExpression) -> PlanExpression:
    """Math.min."""
    return _extreme("number.min", operands, inf)


def greatest(*operands: PlanExpression) -> PlanExpression:
    """Math.max."""
    return _extreme("number.max", operands, -inf)


def _extreme(operation: str, operands: tuple[PlanExpression, ...], of_none: float) -> PlanExpression:
    if not operands:
        return constant(of_none)
    return numbers(operation, *operands) if len(operands) > 1 else number_of(operands[0])


def _clamp(operands: list[PlanExpression], scope: Scope) -> PlanExpression:
    value, lower, upper = operands
    return greatest(lower, least(upper, value))


def _is_finite(operands: list[PlanExpression], scope: Scope) -> PlanExpression:
    e = operands[0]
    if isinstance(e.of, Opaque):
        return written_as(e, r'^(-?[0-9]|\{.\$num.: "-0"\}$)')
    number = is_kind(e, "number")
    if number is FALSE:
        return FALSE
    value = plain_part(e, "number") if isinstance(e.of, Mixed) else e
    return and_(number, Apply("number.is_finite", (value,), BOOLEAN))


def _hypot(operands: list[PlanExpression], scope: Scope) -> PlanExpression:
    return numbers("number.hypot", *operands) if operands else constant(0.0)


FUNCTIONS: dict[str, ColumnFunction] = {
    **{name: _function(f"number.{name}", 1) for name in _OF_ONE},
    "atan2": _function("number.atan2", 2),
    "pow": _function("number.pow", 2),
    "max": lambda operands, scope: greatest(*operands),
    "min": lambda operands, scope: least(*operands),
    "clamp": _clamp,
    "hypot": _hypot,
    "isNaN": lambda operands, scope: is_nan_value(operands[0]),
    "isFinite": _is_finite,
}
