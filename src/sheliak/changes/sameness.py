"""When two values are the same: when no expression can tell them apart, but for the identity of arrays and objects."""

from __future__ import annotations

from math import copysign, isnan

from sheliak.expressions.values import Date, RegExp, Value


def same(a: Value, b: Value, within: frozenset[tuple[int, int]] = frozenset()) -> bool:
    """NaN is itself, 0 and −0 differ, 1 is not true; arrays and objects by their parts, dates by their instant.

    A row may hold itself: `within` are the pairs that are being compared, and taken for the same.
    """
    if a is b:
        return True
    if isinstance(a, float):
        return isinstance(b, float) and _same_number(a, b)
    if isinstance(a, dict):
        return isinstance(b, dict) and a.keys() == b.keys() and _same_members(a, b, within)
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and _same_elements(a, b, within)
    if isinstance(a, Date):
        return isinstance(b, Date) and _same_number(a.ms, b.ms)
    if isinstance(a, RegExp):
        return isinstance(b, RegExp) and a == b
    return type(a) is type(b) and isinstance(a, (str, bool, int)) and a == b


def _same_number(a: float, b: float) -> bool:
    return copysign(1, a) == copysign(1, b) if a == b else isnan(a) and isnan(b)


def _same_members(a: dict[str, Value], b: dict[str, Value], within: frozenset[tuple[int, int]]) -> bool:
    pair = id(a), id(b)
    if pair in within:
        return True
    inside: frozenset[tuple[int, int]] | None = None
    for name, value in a.items():
        other = b[name]
        if value is other:
            continue
        if inside is None:
            inside = within | {pair}
        if not same(value, other, inside):
            return False
    return True


def _same_elements(a: list[Value], b: list[Value], within: frozenset[tuple[int, int]]) -> bool:
    pair = id(a), id(b)
    if pair in within:
        return True
    inside = within | {pair}
    return all(same(value, other, inside) for value, other in zip(a, b, strict=True))
