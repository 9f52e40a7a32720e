"""JavaScript's values as Arrow arrays of a column type, and back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from math import nan
from typing import TYPE_CHECKING, Any, assert_never

from sheliak.engines.failures import RunFailure
from sheliak.expressions.values import UNDEFINED, Date, Value, decode, encode
from sheliak.plan.column_types import ColumnType, List, Missing, Mixed, Nothing, Opaque, Plain, Record

if TYPE_CHECKING:
    import pyarrow as pa

_MISSING: dict[Missing, Value] = {Missing.NEVER: UNDEFINED, Missing.NULL: None, Missing.UNDEFINED: UNDEFINED}


CUT = "text is cut between the halves of a character, and a half is no text of a column"


class CutText(RunFailure):
    """A text that begins or ends within a character."""

    def __init__(self) -> None:
        super().__init__(CUT)


def arrow_type(of: ColumnType) -> pa.DataType:
    """The Arrow type of a column type."""
    import pyarrow as pa

    match of:
        case Plain("number" | "date"):
            return pa.float64()
        case Plain("boolean"):
            return pa.bool_()
        case Plain() | Opaque() | Nothing():
            return pa.string()
        case Mixed():
            return pa.struct([("t", pa.int8()), ("n", pa.float64()), ("s", pa.string())])
        case Record(fields):
            return pa.struct([(f"f{index}", arrow_type(member)) for index, (_, member) in enumerate(fields)])
        case List(element):
            return pa.list_(arrow_type(element))
        case _:
            assert_never(of)


def arrow_array(values: Sequence[Value], of: ColumnType) -> pa.Array:
    """Values as an Arrow array of a column type that holds them."""
    import pyarrow as pa

    try:
        return pa.array(plain_values(values, of), arrow_type(of))
    except UnicodeEncodeError as error:
        raise CutText from error


def plain_values(values: Sequence[Value], of: ColumnType) -> list[object]:
    """The same for a column."""
    if isinstance(of, Plain) and of.kind != "date":
        return [None if value is UNDEFINED else value for value in values]
    return [plain_value(value, of) for value in values]


def plain_value(value: Value, of: ColumnType) -> object:
    """What pyarrow reads for a value, and what stands for it in JSON."""
    match of:
        case Mixed():
            return _tagged(value)
        case Opaque():
            return json.dumps(encode(value))
        case _ if value is None or value is UNDEFINED:
            return None
        case Plain("date"):
            assert isinstance(value, Date)
            return value.ms
        case Plain() | Nothing():
            return value
        case Record(fields):
            assert isinstance(value, dict)
            return {f"f{index}": plain_value(value.get(name, UNDEFINED), member) for index, (name, member) in enumerate(fields)}
        case List(element):
            assert isinstance(value, list)
            return [plain_value(item, element) for item in value]


def _tagged(value: Value) -> dict[str, object]:
    match value:
        case None:
            return {"t": 1, "n": None, "s": None}
        case bool():
            return {"t": 2, "n": float(value), "s": None}
        case float() | int():
            return {"t": 3, "n": float(value), "s": None}
        case str():
            return {"t": 4, "n": None, "s": value}
        case Date(ms):
            return {"t": 5, "n": ms, "s": None}
        case _:
            return {"t": 0, "n": None, "s": None}


def values_of(array: pa.Array | pa.ChunkedArray, of: ColumnType) -> list[Value]:
    """The values of an Arrow array of a column type."""
    items = array.to_pylist()
    if isinstance(of, Plain) and of.kind != "date":
        missing = _MISSING[of.missing]
        return items if missing is None or not array.null_count else [missing if item is None else item for item in items]
    return [value_of_plain(item, of) for item in items]


def value_of_plain(item: Any, of: ColumnType) -> Value:
    """The value that `plain_value` wrote."""
    match of:
        case Plain(kind, missing):
            return _MISSING[missing] if item is None else Date(item) if kind == "date" else item
        case Mixed():
            return _untagged(item)
        case Opaque():
            return None if item is None else decode(json.loads(item))
        case Nothing(missing):
            return _MISSING[missing]
        case List(element, missing):
            return _MISSING[missing] if item is None else [value_of_plain(inner, element) for inner in item]
        case Record(fields, missing):
            return _MISSING[missing] if item is None else _record(item, fields)
        case _:
            assert_never(of)


def _record(item: dict[str, Any], fields: tuple[tuple[str, ColumnType], ...]) -> dict[str, Value]:
    members = ((name, value_of_plain(item[f"f{index}"], member)) for index, (name, member) in enumerate(fields))
    return {name: value for name, value in members if value is not UNDEFINED}


def _untagged(item: dict[str, Any] | None) -> Value:
    if item is None:
        return UNDEFINED
    match item["t"]:
        case 1:
            return None
        case 2:
            return bool(item["n"])
        case 3:
            return float(item["n"])
        case 4:
            return str(item["s"])
        case 5:
            return Date(nan if item["n"] is None else item["n"])
        case _:
            return UNDEFINED
