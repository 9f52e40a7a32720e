"""Easing curves: from the share of time that has passed to the share of the way."""

from __future__ import annotations

from collections.abc import Callable
from math import asin, pi

from sheliak.plan.coercion import NAN
from sheliak.plan.expressions import PlanExpression
from sheliak.plan.scope import ColumnFunction, Scope
from sheliak.plan.terms import Term, function_of, term, when

Curve = Callable[[Term], Term]
_OVERSHOOT = 1.70158
_PERIOD = 0.3 / (2 * pi)
_SHIFT = asin(1.0) * _PERIOD
_BOUNCES = ((4 / 11, 0.0, 0.0), (8 / 11, 6 / 11, 3 / 4), (10 / 11, 9 / 11, 15 / 16))
"""Each until when, where its lowest point is in time, and how high that is."""
_STEEPNESS = 1 / (4 / 11) / (4 / 11)


def _power(t: Term, exponent: int) -> Term:
    result = t
    for _ in range(exponent - 1):
        result = result * t
    return result


def _turned(curve: Curve) -> Curve:
    """The curve from its other end."""
    return lambda t: 1.0 - curve(1.0 - t)


def _both(curve: Curve) -> Curve:
    """The curve up to the middle, and from there its other end."""

    def ease(t: Term) -> Term:
        twice = t * 2.0
        return when(twice <= 1.0, curve(twice) * 0.5, (2.0 - curve(2.0 - twice)) * 0.5)

    return ease


def _circle(t: Term) -> Term:
    return 1.0 - function_of("sqrt", 1.0 - t * t)


def _fall(t: Term) -> Term:
    """From 1 at 0 to 0 at 1, by halves."""
    return (function_of("pow", 2.0, -10.0 * t) - 0.0009765625) * 1.0009775171065494


def _fall_both(t: Term) -> Term:
    twice = t * 2.0
    return when(twice <= 1.0, _fall(1.0 - twice), 2.0 - _fall(twice - 1.0)) / 2.0


def _bounce_end(t: Term) -> Term:
    result = _bounce(t, 21 / 22, 63 / 64)
    for until, middle, height in reversed(_BOUNCES):
        result = when(t < until, _bounce(t, middle, height), result)
    return result


def _bounce(t: Term, middle: float, height: float) -> Term:
    since = t - middle
    return _STEEPNESS * since * since + height


def _bounce_both(t: Term) -> Term:
    twice = t * 2.0
    return when(twice <= 1.0, 1.0 - _bounce_end(1.0 - twice), _bounce_end(twice - 1.0) + 1.0) / 2.0


def _back_end(t: Term) -> Term:
    left = t - 1.0
    return left * left * ((left + 1.0) * _OVERSHOOT + left) + 1.0


def _back_both(t: Term) -> Term:
    twice = t * 2.0
    left = twice - 2.0
    rising = twice * twice * ((_OVERSHOOT + 1) * twice - _OVERSHOOT)
    return when(twice < 1.0, rising, left * left * ((_OVERSHOOT + 1) * left + _OVERSHOOT) + 2.0) / 2.0


def _elastic_start(t: Term) -> Term:
    left = t - 1.0
    return _fall(-left) * function_of("sin", (_SHIFT - left) / _PERIOD)


def _elastic_end(t: Term) -> Term:
    return 1.0 - _fall(t) * function_of("sin", (t + _SHIFT) / _PERIOD)


def _elastic_both(t: Term) -> Term:
    left = t * 2.0 - 1.0
    rising = _fall(-left) * function_of("sin", (_SHIFT - left) / _PERIOD)
    return when(left < 0.0, rising, 2.0 - _fall(left) * function_of("sin", (_SHIFT + left) / _PERIOD)) / 2.0


def _function(curve: Curve) -> ColumnFunction:
    def function(operands: list[PlanExpression], scope: Scope) -> PlanExpression:
        return curve(term(operands[0] if operands else NAN)).expression

    return function


def _family(
    name: str, start: Curve, end: Curve | None = None, both: Curve | None = None, bare: str = "InOut"
) -> dict[str, ColumnFunction]:
    """The three forms of a curve; the bare name is one of them. An end that is not given is the start turned round."""
    forms = {"In": start, "Out": end or _turned(start), "InOut": both or _both(start)}
    return {**{f"ease{name}{form}": _function(made) for form, made in forms.items()}, f"ease{name}": _function(forms[bare])}


FUNCTIONS: dict[str, ColumnFunction] = {
    "easeLinear": _function(lambda t: t),
    **_family("Quad", lambda t: _power(t, 2), lambda t: t * (2.0 - t)),
    **_family("Cubic", lambda t: _power(t, 3)),
    **_family("Poly", lambda t: _power(t, 3)),
    **_family("Circle", _circle),
    **_family(
        "Sin",
        lambda t: when(t.equals(1.0), 1.0, 1.0 - function_of("cos", t * (pi / 2))),
        lambda t: function_of("sin", t * (pi / 2)),
        lambda t: (1.0 - function_of("cos", t * pi)) / 2.0,
    ),
    **_family("Exp", lambda t: _fall(1.0 - t), lambda t: 1.0 - _fall(t), _fall_both),
    **_family("Bounce", _turned(_bounce_end), _bounce_end, _bounce_both, "Out"),
    **_family("Back", lambda t: t * t * (_OVERSHOOT * (t - 1.0) + t), _back_end, _back_both),
    **_family("Elastic", _elastic_start, _elastic_end, _elastic_both, "Out"),
}
