"""Easing curves: from the share of time that has passed to the share of the way."""

from __future__ import annotations

from collections.abc import Callable
from math import pi

from sheliak.plan.arithmetic import numbers
from sheliak.plan.choice import choose
from sheliak.plan.coercion import number_of
from sheliak.plan.column_types import BOOLEAN
from sheliak.plan.expressions import Apply, PlanExpression, constant
from sheliak.plan.scope import ColumnFunction, Scope

Curve = Callable[[PlanExpression], PlanExpression]


def _plus(a: PlanExpression, b: float) -> PlanExpression:
    return numbers("number.add", a, constant(b))


def _times(a: PlanExpression, b: float) -> PlanExpression:
    return numbers("number.multiply", a, constant(b))


def _power(t: PlanExpression, exponent: int) -> PlanExpression:
    result = t
    for _ in range(exponent - 1):
        result = numbers("number.multiply", result, t)
    return result


def _turned(curve: Curve) -> Curve:
    """The curve from its other end."""
    return lambda t: numbers("number.subtract", constant(1.0), curve(numbers("number.subtract", constant(1.0), t)))


def _both(curve: Curve) -> Curve:
    """The curve up to the middle, and from there its other end."""

    def ease(t: PlanExpression) -> PlanExpression:
        twice = _times(t, 2.0)
        first = Apply("number.less_or_equal", (twice, constant(1.0)), BOOLEAN)
        rest = numbers("number.subtract", constant(2.0), curve(numbers("number.subtract", constant(2.0), twice)))
        return choose(first, _times(curve(twice), 0.5), _times(rest, 0.5))

    return ease


def _sine(t: PlanExpression) -> PlanExpression:
    at_end = Apply("number.equal", (t, constant(1.0)), BOOLEAN)
    wave = numbers("number.subtract", constant(1.0), numbers("number.cos", _times(t, pi / 2)))
    return choose(at_end, constant(1.0), wave)


def _sine_both(t: PlanExpression) -> PlanExpression:
    return _times(numbers("number.subtract", constant(1.0), numbers("number.cos", _times(t, pi))), 0.5)


def _circle(t: PlanExpression) -> PlanExpression:
    return numbers(
        "number.subtract", constant(1.0), numbers("number.sqrt", numbers("number.subtract", constant(1.0), _power(t, 2)))
    )


def _function(curve: Curve) -> ColumnFunction:
    def function(operands: list[PlanExpression], scope: Scope) -> PlanExpression:
        return curve(number_of(operands[0]))

    return function


def _family(name: str, curve: Curve, whole: str) -> dict[str, ColumnFunction]:
    """The three forms of a curve; the bare name is one of them."""
    forms = {"In": curve, "Out": _turned(curve), "InOut": _both(curve)}
    return {**{f"ease{name}{form}": _function(made) for form, made in forms.items()}, f"ease{name}": _function(forms[whole])}


FUNCTIONS: dict[str, ColumnFunction] = {
    "easeLinear": _function(lambda t: t),
    **_family("Quad", lambda t: _power(t, 2), "InOut"),
    **_family("Cubic", lambda t: _power(t, 3), "InOut"),
    **_family("Poly", lambda t: _power(t, 3), "InOut"),
    **_family("Circle", _circle, "InOut"),
    **_family("Sin", _sine, "InOut"),
    "easeSinInOut": _function(_sine_both),
    "easeSin": _function(_sine_both),
}
