"""Σ: the types of the builtins, and what they compute.

Erratum E10: `formula` evaluates its expression again on remove, so every builtin must be a pure function; and for
Assumption 1 every one is total on the types it declares.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from sheliak.calculus.type_syntax import BOOLEAN, NUMBER, STRING, Type


@dataclass(frozen=True, slots=True)
class Signature:
    """Σ(builtin) = (T₁, …, Tₙ) ⇒ T, and the function itself (mypy cannot see that it fits: test_builtins does)."""

    arguments: tuple[Type, ...]
    result: Type
    compute: Callable[..., bool | float | str]


def _round(x: float) -> float:
    """JavaScript's Math.round: halves go up, and the sign of zero is kept."""
    if not math.isfinite(x):
        return x
    below = float(math.floor(x))
    return math.copysign(below + 1 if x - below >= 0.5 else below, x)


def _floor(x: float) -> float:
    return math.copysign(math.floor(x), x) if math.isfinite(x) else x


def _ceil(x: float) -> float:
    return math.copysign(math.ceil(x), x) if math.isfinite(x) else x


def _min(x: float, y: float) -> float:
    """NaN if either is; −0 is smaller than 0."""
    if math.isnan(x) or math.isnan(y):
        return math.nan
    return min((x, math.copysign(1.0, x)), (y, math.copysign(1.0, y)))[0]


def _length(s: str) -> float:
    """UTF-16 code units, as JavaScript counts."""
    return float(sum(2 if ord(c) > 0xFFFF else 1 for c in s))


_UNARY = (NUMBER,)
_BINARY = (NUMBER, NUMBER)

BUILTINS: dict[str, Signature] = {
    "abs": Signature(_UNARY, NUMBER, abs),
    "ceil": Signature(_UNARY, NUMBER, _ceil),
    "floor": Signature(_UNARY, NUMBER, _floor),
    "round": Signature(_UNARY, NUMBER, _round),
    "min": Signature(_BINARY, NUMBER, _min),
    "max": Signature(_BINARY, NUMBER, lambda x, y: -_min(-x, -y)),
    "isNaN": Signature(_UNARY, BOOLEAN, math.isnan),
    "length": Signature((STRING,), NUMBER, _length),
    "lower": Signature((STRING,), STRING, str.lower),
    "upper": Signature((STRING,), STRING, str.upper),
    "contains": Signature((STRING, STRING), BOOLEAN, lambda whole, part: part in whole),
}
