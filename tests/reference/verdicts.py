"""When two lists of encoded rows are the same: numbers to nine digits, undefined fields as good as absent, order counts."""

from __future__ import annotations

import json
import math
from typing import Literal

Verdict = Literal["equal", "order", "different"]
TOLERANCE = 1e-9
_NUMBERS = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf, "-0": 0.0}


def number_of(value: object) -> float | None:
    """The number that an encoded value stands for; None when it is no number."""
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        return float(value)
    if isinstance(value, dict) and set(value) == {"$num"}:
        return _NUMBERS[value["$num"]]
    return None


def defined(record: dict[str, object]) -> dict[str, object]:
    """The fields that have a value. A record is told from an encoded value by `$escape` if it has one field, which may hang on those without."""
    inner = record.get("$escape")
    if len(record) == 1 and isinstance(inner, dict):
        record = inner
    return {name: value for name, value in record.items() if not (isinstance(value, dict) and value.get("$undefined"))}


def same(a: object, b: object) -> bool:
    x, y = number_of(a), number_of(b)
    if x is not None and y is not None:
        return (math.isnan(x) and math.isnan(y)) or x == y or abs(x - y) <= TOLERANCE * max(1.0, abs(x), abs(y))
    if isinstance(a, dict) and isinstance(b, dict):
        a, b = defined(a), defined(b)
        return a.keys() == b.keys() and all(same(a[name], b[name]) for name in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and a == b


def key_of(row: object) -> str:
    """A text that equal rows share, whatever their order."""
    return json.dumps(_rounded(row), sort_keys=True)


def _rounded(value: object) -> object:
    number = number_of(value)
    if number is not None:
        return "NaN" if math.isnan(number) else f"{number:.9g}"
    if isinstance(value, dict):
        return {name: _rounded(inner) for name, inner in defined(value).items()}
    return [_rounded(inner) for inner in value] if isinstance(value, list) else value


def verdict(ours: list[object], theirs: list[object]) -> Verdict:
    if len(ours) == len(theirs) and all(map(same, ours, theirs)):
        return "equal"
    return "order" if sorted(map(key_of, ours)) == sorted(map(key_of, theirs)) else "different"
