"""Rows as Arrow tables: numbers, booleans and text as themselves, dates as timestamps in UTC, lists and objects nested.

A column that holds several kinds of values is text: each value as JavaScript writes it, lists and objects as JSON.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import TYPE_CHECKING

from sheliak.expressions.values import UNDEFINED, Date, Row, Value
from sheliak.running.plain_rows import cell, field_names, json_text, plain

if TYPE_CHECKING:
    import pyarrow as pa

_FIRST, _LAST = -62_135_596_800_000, 253_402_300_799_999
"""The years 1 to 9999, which every reader of timestamps knows."""


def table_of(rows: Sequence[Row]) -> pa.Table:
    """The rows as a table; a field that a row lacks is null in it."""
    import pyarrow as pa

    names = field_names(rows)
    columns = [column_of([row.get(name, UNDEFINED) for row in rows]) for name in names]
    # Names may repeat nowhere, but a table without columns would forget how many rows it has.
    return pa.Table.from_arrays(columns, names=[safe_text(name) for name in names])


def column_of(values: Sequence[Value]) -> pa.Array:
    """The values as an array of the one type that holds them all."""
    import pyarrow as pa

    kinds = {_kind(value) for value in values} - {"missing"}
    if kinds == {"number"}:
        return pa.array([value if isinstance(value, float | int) else None for value in values], pa.float64())
    if kinds == {"boolean"}:
        return pa.array([value if isinstance(value, bool) else None for value in values], pa.bool_())
    if kinds == {"date"}:
        return pa.array([_instant(value) for value in values], pa.timestamp("ms", "UTC"))
    if kinds == {"text"}:
        return pa.array([safe_text(value) if isinstance(value, str) else None for value in values], pa.string())
    if kinds in ({"list"}, {"object"}):
        return _nested(values, kinds == {"list"})
    if not kinds:
        return pa.nulls(len(values))
    return _texts(values)


def _kind(value: Value) -> str:
    match value:
        case bool():
            return "boolean"
        case float() | int():
            return "number"
        case str():
            return "text"
        case Date(ms):
            return "date" if not isfinite(ms) or _FIRST <= ms <= _LAST else "other"
        case list():
            return "list"
        case dict():
            return "object"
        case _:
            return "missing" if value is None or value is UNDEFINED else "other"


def _instant(value: Value) -> int | None:
    return int(value.ms) if isinstance(value, Date) and isfinite(value.ms) else None


def _nested(values: Sequence[Value], are_lists: bool) -> pa.Array:
    """Lists and objects whose parts have one type each; others are JSON."""
    import pyarrow as pa

    try:
        if are_lists:
            return _lists([value if isinstance(value, list) else None for value in values])
        return _objects([value if isinstance(value, dict) else None for value in values])
    except pa.ArrowException:
        return _texts(values)


def _lists(values: Sequence[list[Value] | None]) -> pa.Array:
    import pyarrow as pa

    inner = column_of([item for value in values for item in value or ()])
    offsets, total = [0], 0
    for value in values:
        total += len(value or ())
        offsets.append(total)
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), inner, mask=pa.array([value is None for value in values]))


def _objects(values: Sequence[Row | None]) -> pa.Array:
    import pyarrow as pa

    names = field_names([value for value in values if value is not None])
    if not names:
        return _texts(values)
    columns = [column_of([UNDEFINED if value is None else value.get(name, UNDEFINED) for value in values]) for name in names]
    mask = pa.array([value is None for value in values])
    return pa.StructArray.from_arrays(columns, names=[safe_text(name) for name in names], mask=mask)


def _texts(values: Sequence[Value]) -> pa.Array:
    import pyarrow as pa

    return pa.array([_text(value) for value in values], pa.string())


def _text(value: Value) -> str | None:
    if value is None or value is UNDEFINED:
        return None
    return safe_text(json_text(plain(value)) if isinstance(value, list | dict) else cell(value))


def safe_text(text: str) -> str:
    """Text without lone surrogates, which no file can hold."""
    return text.encode("utf-8", "replace").decode() if not text.isascii() else text
