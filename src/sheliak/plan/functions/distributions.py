"""Probability distributions over columns: densities, how much lies below a value, the value below which a share lies.

A location that is text would make the result text; such a location has no column here.
"""

from __future__ import annotations

from math import inf, nan, pi, sqrt

from sheliak.expressions.normal_distribution import DENOMINATOR, FAR_TAIL, MIDDLE, NUMERATOR, TAIL
from sheliak.plan.choice import choose
from sheliak.plan.coercion import NAN, and_, is_missing, number_of, or_, truth_of
from sheliak.plan.column_types import Mixed, Nothing, Plain
from sheliak.plan.expressions import PlanExpression, constant
from sheliak.plan.scope import ColumnFunction, Scope
from sheliak.plan.terms import Term, function_of, polynomial, term, when
from sheliak.plan.unplannable import Unplannable

_ROOT = sqrt(2 * pi)
Operands = list[PlanExpression]


def _number(operands: Operands, index: int) -> Term:
    return term(operands[index] if index < len(operands) else NAN)


def _or(operands: Operands, index: int, default: float) -> Term:
    """An argument; a default where it is null, undefined or left out."""
    if index >= len(operands) or isinstance(operands[index].of, Nothing):
        return term(default)
    return Term(choose(is_missing(operands[index]), constant(default), number_of(operands[index])))


def _mean(operands: Operands) -> Term:
    """The second argument; 0 where it is not true."""
    if len(operands) < 2:
        return term(0.0)
    return Term(choose(truth_of(operands[1]), number_of(operands[1]), constant(0.0)))


def _is_number(operands: Operands, *indices: int) -> None:
    """Vega adds to these as they are, and to text or dates that means text."""
    for index in indices:
        of = operands[index].of if index < len(operands) else Nothing()
        kinds = {of.kind} if isinstance(of, Plain) else of.kinds if isinstance(of, Mixed) else set()
        if kinds & {"text", "date"}:
            raise Unplannable("a distribution whose place is text gives text")


# Normal


def _density_normal(operands: Operands, scope: Scope) -> PlanExpression:
    deviation = _or(operands, 2, 1.0)
    z = (_number(operands, 0) - _mean(operands)) / deviation
    return (function_of("exp", -0.5 * z * z) / (deviation * _ROOT)).expression


def _cumulative_normal(operands: Operands, scope: Scope) -> PlanExpression:
    return below((_number(operands, 0) - _mean(operands)) / _or(operands, 2, 1.0)).expression


def below(z: Term) -> Term:
    """How much of the standard normal distribution lies below z."""
    tail = _beyond(function_of("abs", z))
    return when(z > 0.0, 1.0 - tail, tail)


def _beyond(z: Term) -> Term:
    bell = function_of("exp", -z * z / 2.0)
    fraction = z + 0.65
    for numerator in (4.0, 3.0, 2.0, 1.0):
        fraction = z + numerator / fraction
    near = bell * polynomial(NUMERATOR, z) / polynomial(DENOMINATOR, z)
    return when(z > 37.0, 0.0, when(z < 7.07106781186547, near, bell / fraction / 2.506628274631))


def _quantile(operands: Operands) -> Term:
    _is_number(operands, 1)
    share = _number(operands, 0)
    reached = _mean(operands) + _or(operands, 2, 1.0) * sqrt(2) * inverse_error(2.0 * share - 1.0)
    return when(or_(share < 0.0, share > 1.0), nan, reached)


def inverse_error(x: Term) -> Term:
    """The inverse of the error function, from -1 to 1."""
    product = (1.0 - x) * (1.0 + x)
    w = -function_of("log", product)
    root = function_of("sqrt", w)
    tails = when(w < 16.0, polynomial(TAIL, root - 3.25), polynomial(FAR_TAIL, root - 5.0))
    inside = when(w < 6.25, polynomial(MIDDLE, w - 3.125), tails)
    return when(product > 0.0, inside, when(product <= 0.0, inf, nan)) * x


# Lognormal


def _density_lognormal(operands: Operands, scope: Scope) -> PlanExpression:
    value, deviation = _number(operands, 0), _or(operands, 2, 1.0)
    z = (function_of("log", value) - _mean(operands)) / deviation
    return when(value <= 0.0, 0.0, function_of("exp", -0.5 * z * z) / (deviation * _ROOT * value)).expression


def _cumulative_lognormal(operands: Operands, scope: Scope) -> PlanExpression:
    return below((function_of("log", _number(operands, 0)) - _mean(operands)) / _or(operands, 2, 1.0)).expression


# Uniform


def _ends(operands: Operands) -> tuple[Term, Term]:
    """One end alone is the upper one; without any it is from 0 to 1."""
    _is_number(operands, 1)
    low, high = _number(operands, 1), _number(operands, 2)
    if len(operands) < 3 or isinstance(operands[2].of, Nothing):
        return term(0.0), _or(operands, 1, 1.0)
    alone = is_missing(operands[2])
    return when(alone, 0.0, low), when(alone, _or(operands, 1, 1.0), high)


def _density_uniform(operands: Operands, scope: Scope) -> PlanExpression:
    (start, stop), value = _ends(operands), _number(operands, 0)
    return when(and_(start <= value, value <= stop), 1.0 / (stop - start), 0.0).expression


def _cumulative_uniform(operands: Operands, scope: Scope) -> PlanExpression:
    (start, stop), value = _ends(operands), _number(operands, 0)
    return when(value < start, 0.0, when(stop < value, 1.0, (value - start) / (stop - start))).expression


def _quantile_uniform(operands: Operands, scope: Scope) -> PlanExpression:
    (start, stop), share = _ends(operands), _number(operands, 0)
    return when(and_(share >= 0.0, share <= 1.0), start + share * (stop - start), nan).expression


FUNCTIONS: dict[str, ColumnFunction] = {
    "densityNormal": _density_normal,
    "cumulativeNormal": _cumulative_normal,
    "quantileNormal": lambda operands, scope: _quantile(operands).expression,
    "densityLogNormal": _density_lognormal,
    "cumulativeLogNormal": _cumulative_lognormal,
    "quantileLogNormal": lambda operands, scope: function_of("exp", _quantile(operands)).expression,
    "densityUniform": _density_uniform,
    "cumulativeUniform": _cumulative_uniform,
    "quantileUniform": _quantile_uniform,
}
