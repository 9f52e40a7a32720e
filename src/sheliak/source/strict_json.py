"""Strict JSON by the C decoder, which is made to refuse what it would take without a word: repeated keys and NaN."""

import json

CONSTANTS = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}
"""Numbers that JavaScript can write and JSON cannot."""

REFUSED = (ValueError, RecursionError)
"""What `STRICT` raises for a text that it does not read."""

_ZEROS = {"0": 0, "-0": -0.0}


class _Unnoticed(ValueError):
    """Something Python's decoder does not count as an error."""


def integer(digits: str) -> int | float:
    """JavaScript's number: an int where a double keeps every digit, else the nearest double, or Infinity."""
    if len(digits) < 16:
        return int(digits) or _ZEROS[digits]
    return float(digits)


def is_nested_deeper(value: object, levels: int) -> bool:
    """Whether a decoded value has more than so many levels of objects and arrays."""
    level: list[dict[str, object] | list[object]] = [value] if isinstance(value, (dict, list)) else []
    depth = 0
    while level and depth <= levels:
        depth += 1
        # Exact types: the decoder makes no others, and this runs once for every value of a large file.
        level = [
            inner
            for outer in level
            for inner in (outer.values() if type(outer) is dict else outer)
            if type(inner) is dict or type(inner) is list
        ]
    return depth > levels


def _object(members: list[tuple[str, object]]) -> dict[str, object]:
    decoded = dict(members)
    if len(decoded) != len(members):
        raise _Unnoticed("a key is repeated")
    return decoded


def _constant(name: str) -> float:
    raise _Unnoticed(name)


STRICT = json.JSONDecoder(object_pairs_hook=_object, parse_int=integer, parse_constant=_constant)
