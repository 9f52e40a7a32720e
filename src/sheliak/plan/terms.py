"""Formulas over numbers, written as formulas: `(t - 1.0) * 2.0` is a plan's expression."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from sheliak.plan.arithmetic import numbers
from sheliak.plan.choice import choose
from sheliak.plan.coercion import number_of
from sheliak.plan.column_types import BOOLEAN
from sheliak.plan.expressions import Apply, PlanExpression, constant


@dataclass(frozen=True, slots=True)
class Term:
    """A number of the row."""

    expression: PlanExpression

    def __add__(self, other: Operand) -> Term:
        return _made("number.add", self, other)

    def __radd__(self, other: float) -> Term:
        return _made("number.add", other, self)

    def __sub__(self, other: Operand) -> Term:
        return _made("number.subtract", self, other)

    def __rsub__(self, other: float) -> Term:
        return _made("number.subtract", other, self)

    def __mul__(self, other: Operand) -> Term:
        return _made("number.multiply", self, other)

    def __rmul__(self, other: float) -> Term:
        return _made("number.multiply", other, self)

    def __truediv__(self, other: Operand) -> Term:
        return _made("number.divide", self, other)

    def __rtruediv__(self, other: float) -> Term:
        return _made("number.divide", other, self)

    def __neg__(self) -> Term:
        return _made("number.negate", self)

    def __lt__(self, other: Operand) -> Test:
        return _tested("number.less", self, other)

    def __le__(self, other: Operand) -> Test:
        return _tested("number.less_or_equal", self, other)

    def __gt__(self, other: Operand) -> Test:
        return _tested("number.less", other, self)

    def __ge__(self, other: Operand) -> Test:
        return _tested("number.less_or_equal", other, self)

    def equals(self, other: Operand) -> Test:
        return _tested("number.equal", self, other)


Operand: TypeAlias = Term | float
Test: TypeAlias = PlanExpression


def term(value: PlanExpression | float) -> Term:
    """A value taken for a number."""
    return Term(constant(value) if isinstance(value, float) else number_of(value))


def _expression(operand: Operand) -> PlanExpression:
    return operand.expression if isinstance(operand, Term) else constant(float(operand))


def _made(operation: str, *operands: Operand) -> Term:
    return Term(numbers(operation, *map(_expression, operands)))


def _tested(operation: str, left: Operand, right: Operand) -> Test:
    return Apply(operation, (_expression(left), _expression(right)), BOOLEAN)


def when(test: Test, yes: Operand, no: Operand) -> Term:
    """One of two numbers."""
    return Term(choose(test, _expression(yes), _expression(no)))


def function_of(name: str, *operands: Operand) -> Term:
    """A function of numbers by the name that the plan has for it: exp, log, pow, sin, sqrt, abs, floor, …"""
    return _made(f"number.{name}", *operands)


def polynomial(coefficients: Sequence[float], x: Term) -> Term:
    """Horner's scheme, the coefficient of the highest power first."""
    value: Operand = coefficients[0]
    for coefficient in coefficients[1:]:
        value = value * x + coefficient
    return value if isinstance(value, Term) else term(value)
