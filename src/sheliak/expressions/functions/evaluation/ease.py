"""Easing: curves from (0, 0) to (1, 1). `In` starts slowly, `Out` ends slowly, `InOut` does both; without an ending it is
`InOut`, except that bounce and elastic are `Out`.
"""

from __future__ import annotations

from collections.abc import Callable
from math import pi
from typing import Final, TypeAlias

from sheliak.expressions.arithmetic import arc_sine, cosine, power, sine, square_root
from sheliak.expressions.functions.evaluation.meaning import Meanings, declared
from sheliak.expressions.values import Value, to_number

MEANINGS: Meanings = {}
pure = declared(MEANINGS, "nothing")
Curve: TypeAlias = Callable[[float], float]


def _curve(name: str, of: Curve) -> None:
    def apply(value: Value) -> Value:
        return of(to_number(value))

    pure(name)(apply)


def _family(name: str, start: Curve, end: Curve, both: Curve, plain: Curve | None = None) -> None:
    _curve(f"ease{name}In", start)
    _curve(f"ease{name}Out", end)
    _curve(f"ease{name}InOut", both)
    _curve(f"ease{name}", plain or both)


def _squared_both(t: float) -> float:
    t *= 2
    return (t * t if t <= 1 else (t - 1) * (2 - (t - 1)) + 1) / 2


def _cubed_both(t: float) -> float:
    t *= 2
    return (t * t * t if t <= 1 else (t - 2) * (t - 2) * (t - 2) + 2) / 2


def _power_both(t: float) -> float:
    t *= 2
    return (power(t, 3.0) if t <= 1 else 2 - power(2 - t, 3.0)) / 2


def _fall(x: float) -> float:
    """2 to the power -10x, stretched so that it falls from 1 to 0 between 0 and 1."""
    return (power(2.0, -10 * x) - 0.0009765625) * 1.0009775171065494


def _fall_both(t: float) -> float:
    t *= 2
    return (_fall(1 - t) if t <= 1 else 2 - _fall(t - 1)) / 2


def _circle_end(t: float) -> float:
    t -= 1
    return square_root(1 - t * t)


def _circle_both(t: float) -> float:
    t *= 2
    return (1 - square_root(1 - t * t) if t <= 1 else square_root(1 - (t - 2) * (t - 2)) + 1) / 2


_BOUNCES: Final = ((4 / 11, 0.0, 0.0), (8 / 11, 6 / 11, 3 / 4), (10 / 11, 9 / 11, 15 / 16))
"""Each until when, where its lowest point is in time, and how high that is."""
_STEEPNESS: Final = 1 / (4 / 11) / (4 / 11)


def _bounce_end(t: float) -> float:
    _, middle, height = next((bounce for bounce in _BOUNCES if t < bounce[0]), (1.0, 21 / 22, 63 / 64))
    t -= middle
    return _STEEPNESS * t * t + height


def _bounce_both(t: float) -> float:
    t *= 2
    return (1 - _bounce_end(1 - t) if t <= 1 else _bounce_end(t - 1) + 1) / 2


_OVERSHOOT: Final = 1.70158


def _back_end(t: float) -> float:
    t -= 1
    return t * t * ((t + 1) * _OVERSHOOT + t) + 1


def _back_both(t: float) -> float:
    t *= 2
    if t < 1:
        return t * t * ((_OVERSHOOT + 1) * t - _OVERSHOOT) / 2
    t -= 2
    return (t * t * ((_OVERSHOOT + 1) * t + _OVERSHOOT) + 2) / 2


_PERIOD: Final = 0.3 / (2 * pi)
_SHIFT: Final = arc_sine(1.0) * _PERIOD


def _elastic_start(t: float) -> float:
    t -= 1
    return _fall(-t) * sine((_SHIFT - t) / _PERIOD)


def _elastic_end(t: float) -> float:
    return 1 - _fall(t) * sine((t + _SHIFT) / _PERIOD)


def _elastic_both(t: float) -> float:
    t = t * 2 - 1
    if t < 0:
        return _fall(-t) * sine((_SHIFT - t) / _PERIOD) / 2
    return (2 - _fall(t) * sine((_SHIFT + t) / _PERIOD)) / 2


_curve("easeLinear", lambda t: t)
_family("Quad", lambda t: t * t, lambda t: t * (2 - t), _squared_both)
_family("Cubic", lambda t: t * t * t, lambda t: (t - 1) * (t - 1) * (t - 1) + 1, _cubed_both)
_family("Poly", lambda t: power(t, 3.0), lambda t: 1 - power(1 - t, 3.0), _power_both)
_family(
    "Sin",
    lambda t: 1.0 if t == 1 else 1 - cosine(t * (pi / 2)),
    lambda t: sine(t * (pi / 2)),
    lambda t: (1 - cosine(pi * t)) / 2,
)
_family("Exp", lambda t: _fall(1 - t), lambda t: 1 - _fall(t), _fall_both)
_family("Circle", lambda t: 1 - square_root(1 - t * t), _circle_end, _circle_both)
_family("Bounce", lambda t: 1 - _bounce_end(1 - t), _bounce_end, _bounce_both, _bounce_end)
_family("Back", lambda t: t * t * (_OVERSHOOT * (t - 1) + t), _back_end, _back_both)
_family("Elastic", _elastic_start, _elastic_end, _elastic_both, _elastic_end)
