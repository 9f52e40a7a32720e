"""Ranges of two numbers: panned, zoomed, clamped; places between the elements of a list."""

from __future__ import annotations

from collections.abc import Callable

from sheliak.plan.choice import choose
from sheliak.plan.coercion import NAN, NOTHING, and_, is_missing, or_, truth_of
from sheliak.plan.column_types import BOOLEAN, NEVER, NUMBER, UNDEFINED, List, Nothing, Plain
from sheliak.plan.expressions import Apply, PlanExpression, constant
from sheliak.plan.members import item
from sheliak.plan.scope import ColumnFunction, Scope
from sheliak.plan.terms import Term, function_of, term, when
from sheliak.plan.unplannable import Unplannable

Operands = list[PlanExpression]
Warp = tuple[Callable[[Term], Term], Callable[[Term], Term]]
"""To where a scale is linear, and back."""


def _numbers(operands: Operands) -> PlanExpression:
    """The first argument, a list of numbers."""
    of = operands[0].of if operands else Nothing()
    if not isinstance(of, List) or of.missing is not NEVER or of.element != NUMBER:
        raise Unplannable("it takes a value for a list of numbers that is none")
    return operands[0]


def _number(operands: Operands, index: int) -> Term:
    return term(operands[index] if index < len(operands) else NAN)


def _pair(*ends: Term) -> PlanExpression:
    return Apply("list", tuple(end.expression for end in ends), List(NUMBER))


def _at(numbers: PlanExpression, index: PlanExpression) -> Term:
    return term(item(numbers, index))


def _length(numbers: PlanExpression) -> Term:
    return Term(Apply("list.length", (numbers,), NUMBER))


def _ends(domain: PlanExpression) -> tuple[Term, Term]:
    """The first and the last number. An empty domain stops the run, so a list that may be empty has no column."""
    if not isinstance(domain, Apply) or domain.operation != "list" or not domain.operands:
        raise Unplannable("a domain that may be empty stops the run")
    return term(domain.operands[0]), term(domain.operands[-1])


def _signed(x: Term, of: Callable[[Term], Term]) -> Term:
    """An odd function: of the number without its sign, and then with it."""
    return when(x < 0.0, -of(-x), of(x))


def _linear(operands: Operands, index: int) -> Warp:
    return (lambda x: x), (lambda x: x)


def _logarithmic(operands: Operands, index: int) -> Warp:
    start, _ = _ends(_numbers(operands))
    sign = when(start > 0.0, 1.0, when(start < 0.0, -1.0, start))
    return (lambda x: function_of("log", sign * x)), (lambda x: sign * function_of("exp", x))


def _powered(operands: Operands, index: int) -> Warp:
    exponent = _number(operands, index)
    return (
        lambda x: _signed(x, lambda size: function_of("pow", size, exponent)),
        lambda x: _signed(x, lambda size: function_of("pow", size, 1.0 / exponent)),
    )


def _symmetric(operands: Operands, index: int) -> Warp:
    scale = _number(operands, index)

    def lift(x: Term) -> Term:
        size = function_of("log1p", function_of("abs", x / scale))
        return when(x > 0.0, size, when(x < 0.0, -size, x))

    def ground(x: Term) -> Term:
        size = function_of("expm1", function_of("abs", x)) * scale
        return when(x > 0.0, size, when(x < 0.0, -size, x))

    return lift, ground


def _pan(warp: Callable[[Operands, int], Warp]) -> ColumnFunction:
    def function(operands: Operands, scope: Scope) -> PlanExpression:
        lift, ground = warp(operands, 2)
        start, stop = map(lift, _ends(_numbers(operands)))
        shift = (stop - start) * _number(operands, 1)
        return _pair(ground(start - shift), ground(stop - shift))

    return function


def _zoom(warp: Callable[[Operands, int], Warp]) -> ColumnFunction:
    def function(operands: Operands, scope: Scope) -> PlanExpression:
        lift, ground = warp(operands, 3)
        start, stop = map(lift, _ends(_numbers(operands)))
        middle = (start + stop) / 2.0
        fixed = middle
        if len(operands) > 1 and not isinstance(operands[1].of, Nothing):
            fixed = when(is_missing(operands[1]), middle, lift(_number(operands, 1)))
        by = _number(operands, 2)
        return _pair(ground(fixed + (start - fixed) * by), ground(fixed + (stop - fixed) * by))

    return function


def _clamp_range(operands: Operands, scope: Scope) -> PlanExpression:
    """The range moved into [low, high] with its span kept; [low, high] itself when the span is too wide."""
    if not all(isinstance(operand.of, Plain) and operand.of == NUMBER for operand in operands[1:3]) or len(operands) < 3:
        raise Unplannable("`clampRange` gives back its limits as they are, and they are not all numbers")
    ends = _numbers(operands)
    one, other = _at(ends, constant(0.0)), _at(ends, constant(1.0))
    start, stop = when(other < one, other, one), when(other < one, one, other)
    low, high = _number(operands, 1), _number(operands, 2)
    width = stop - start
    wide = width >= high - low
    moved = function_of("min", function_of("max", start, low), high - width)
    return _pair(when(wide, low, moved), when(wide, high, moved + width))


def _interpolate_linear(operands: Operands, scope: Scope) -> PlanExpression:
    """Between the two neighbours of a position, the elements being evenly spaced from 0 to 1."""
    numbers, share = _numbers(operands), _number(operands, 1)
    last = _length(numbers) - 1.0
    position = share * last
    index = function_of("floor", position)
    rest = position - index
    here, there = _at(numbers, index.expression), _at(numbers, (index + 1.0).expression)
    between = when(rest.equals(0.0), here, here + rest * (there - here))
    inside = choose((share >= 1.0), item(numbers, last.expression), between.expression)
    first = or_(last <= 0.0, choose(share > 0.0, constant(False), constant(True)))
    return choose(first, item(numbers, constant(0.0)), inside)


def _bandspace(operands: Operands, scope: Scope) -> PlanExpression:
    """How many steps of a band scale fit its range."""
    if any(isinstance(operand.of, Plain) and operand.of.kind != "number" for operand in operands) or any(
        not isinstance(operand.of, Plain | Nothing) for operand in operands
    ):
        raise Unplannable("`bandspace` gives back its arguments as they are, and they are not all numbers")
    count, inner, outer = (
        Term(choose(truth_of(operands[index]), _number(operands, index).expression, constant(0.0)))
        if index < len(operands)
        else term(0.0)
        for index in range(3)
    )
    space = count - inner + outer * 2.0
    return when(count.equals(0.0), 0.0, when(space > 0.0, space, 1.0)).expression


def _flush(operands: Operands, scope: Scope) -> PlanExpression:
    """The fourth or the fifth argument when a value is that near to the one or the other end of the range, else the sixth."""
    left, right, center = [*operands[3:6], *[NOTHING[UNDEFINED]] * 3][:3]
    if len(operands) < 3 or not isinstance(operands[2].of, Plain) or operands[2].of != NUMBER:
        raise Unplannable("`flush` needs a threshold that is a number")
    ends, value, near = _numbers(operands), _number(operands, 1), _number(operands, 2)
    last = (_length(ends) - 1.0).expression
    one, other = _at(ends, constant(0.0)), _at(ends, last)
    start, stop = when(other < one, other, one), when(other < one, one, other)
    to_start, to_stop = function_of("abs", value - start), function_of("abs", stop - value)
    near_stop = choose(to_stop <= near, right, center)
    nearer = choose(and_(to_start < to_stop, to_start <= near), left, near_stop)
    none = or_(_length(ends).equals(0.0), Apply("number.is_nan", (near.expression,), BOOLEAN))
    return choose(none, center, nearer)


FUNCTIONS: dict[str, ColumnFunction] = {
    "panLinear": _pan(_linear),
    "panLog": _pan(_logarithmic),
    "panPow": _pan(_powered),
    "panSymlog": _pan(_symmetric),
    "zoomLinear": _zoom(_linear),
    "zoomLog": _zoom(_logarithmic),
    "zoomPow": _zoom(_powered),
    "zoomSymlog": _zoom(_symmetric),
    "clampRange": _clamp_range,
    "interpolateLinear": _interpolate_linear,
    "bandspace": _bandspace,
    "flush": _flush,
}
