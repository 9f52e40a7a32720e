"""The texts that a column takes, as JavaScript's String() writes them: what pivot makes columns of."""

from __future__ import annotations

import math
from collections.abc import Mapping

from sheliak.loading.columns import Column
from sheliak.loading.formats import Format
from sheliak.loading.table import Table, inferred_type_of

MAX_DISTINCT = 1000


def distinct_texts(table: Table, format: Format, name: str) -> frozenset[str] | None:
    """Every text of the column after `parse`; None when there are too many, or when they are not plain values."""
    column = table.columns.get(name)
    if column is None:
        return None
    how = _parser(table, format, name, column)
    values = _distinct_values(column)
    if values is None:
        return None
    texts = {_parsed_text(value, how) for value in values} | (set() if column.everywhere else {_missing_text(how)})
    return None if None in texts else frozenset(text for text in texts if text is not None)


def _distinct_values(column: Column) -> list[object] | None:
    # Keyed by class too: in Python True == 1.
    found: dict[tuple[type, object], object] = {}
    for value in column.values():
        if isinstance(value, dict | list) or len(found) > MAX_DISTINCT:
            return None
        found[type(value), value] = value
    return list(found.values()) if len(found) <= MAX_DISTINCT else None


def _parser(table: Table, format: Format, name: str, column: Column) -> str | None:
    if not table.parses or format.parse is None:
        return None
    if format.parse == "auto":
        return inferred_type_of(column) if name in table.leading else None
    return format.parse.get(name)


def _missing_text(how: str | None) -> str:
    return "undefined" if how in (None, "unknown") else "null"


def _parsed_text(value: object, how: str | None) -> str | None:
    """The text of one value after its parser; None where that depends on the reader's time zone or engine."""
    if how in (None, "unknown"):
        return js_text(value)
    if value is None or value == "":
        return "null"
    match how:
        case "number" | "integer":
            return js_text(_js_number(value))
        case "boolean":
            return "false" if value in ("false", "0", 0) else "true"
        case "string":
            return js_text(value)
        case _:
            return None


def _js_number(value: object) -> float:
    """JavaScript's Number(value) for a plain value."""
    if isinstance(value, int | float):
        return float(value)
    text = str(value).strip()
    prefix = text[:2].lower()
    try:
        if prefix in _BASES:
            return float(int(text[2:], _BASES[prefix]))
        return float(text) if text.isascii() and not _PYTHON_ONLY & set(text) else _infinity(text)
    except (ValueError, OverflowError):
        return math.nan


_BASES: Mapping[str, int] = {"0x": 16, "0o": 8, "0b": 2}
# Python reads "nan", "inf" and "1_000" as numbers, JavaScript does not.
_PYTHON_ONLY = frozenset("nNiI_")


def _infinity(text: str) -> float:
    return {"Infinity": math.inf, "+Infinity": math.inf, "-Infinity": -math.inf}.get(text, math.nan)


def js_text(value: object) -> str:
    """JavaScript's String(value) for null, booleans, numbers and text."""
    if isinstance(value, str):
        return value
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return _number_text(float(value)) if isinstance(value, int | float) else str(value)


def _number_text(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    if value == int(value) and abs(value) < 1e16:
        return str(int(value))
    digits, _, exponent = repr(value).partition("e")
    if not exponent:
        return digits
    power = int(exponent)
    if not -7 < power < 21:
        return f"{digits.removesuffix('.0')}e{power:+d}"
    return _without_exponent(digits, power)


def _without_exponent(digits: str, power: int) -> str:
    """JavaScript writes numbers from 1e-6 up to 1e21 without an exponent, Python from 1e-4 up to 1e16."""
    sign = "-" if digits.startswith("-") else ""
    mantissa = digits.lstrip("-").replace(".", "")
    return f"{sign}{mantissa.ljust(power + 1, '0')}" if power > 0 else f"{sign}0.{'0' * (-power - 1)}{mantissa}"
