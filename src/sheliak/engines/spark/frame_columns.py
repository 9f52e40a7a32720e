"""The columns of a frame as a chart's checker knows them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sheliak.types.operations import join
from sheliak.types.shapes import BOOLEAN, DATE, NULL, NUMBER, STRING, UNKNOWN, Array, Record, Type

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_NUMBERS = ("byte", "short", "integer", "long", "float", "double", "tinyint", "smallint", "int", "bigint")
_TYPES: dict[str, Type] = {
    **dict.fromkeys(_NUMBERS, NUMBER),
    **dict.fromkeys(("string", "varchar", "char"), STRING),
    **dict.fromkeys(("timestamp", "timestamp_ntz", "date"), DATE),
    "boolean": BOOLEAN,
    "void": NULL,
}


def record_of_frame(frame: DataFrame) -> Record:
    """The record of a frame's rows."""
    return _record(frame.schema)


def _record(struct: Any) -> Record:
    return Record({field.name: _type(field.dataType, field.nullable) for field in struct.fields})


def _type(of: Any, nullable: bool) -> Type:
    known = _known(of)
    return join((known, NULL)) if nullable else known


def _known(of: Any) -> Type:
    name = of.typeName()
    if name == "struct":
        return _record(of)
    if name == "array":
        return Array(_type(of.elementType, of.containsNull))
    return NUMBER if name.startswith("decimal") else _TYPES.get(name, UNKNOWN)
