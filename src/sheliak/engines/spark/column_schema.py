"""The Spark type of a plan's column, and its constants."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, assert_never

from sheliak.engines.spark.columns import nothing, number, tagged
from sheliak.engines.spark.lazy_functions import F
from sheliak.expressions.values import UNDEFINED, Date, Value, encode
from sheliak.plan.column_types import ColumnType, List, Mixed, Nothing, Opaque, Plain, Record

if TYPE_CHECKING:
    from pyspark.sql import Column

_PLAIN = {"number": "double", "boolean": "boolean", "text": "string", "date": "double"}


def spark_type(of: ColumnType) -> str:
    """The column's type as Spark writes it."""
    match of:
        case Plain(kind):
            return _PLAIN[kind]
        case Mixed():
            return "struct<t:tinyint,n:double,s:string>"
        case Record(fields):
            return f"struct<{','.join(f'f{index}:{spark_type(member)}' for index, (_, member) in enumerate(fields))}>"
        case List(element):
            return f"array<{spark_type(element)}>"
        case Opaque() | Nothing():
            return "string"
        case _:
            assert_never(of)


def literal(value: Value, of: ColumnType) -> Column:
    """A constant in a column of a type."""
    if isinstance(of, Mixed):
        return _mixed(value)
    if isinstance(of, Opaque):
        return F.lit(json.dumps(encode(value)))
    if value is None or value is UNDEFINED:
        return F.lit(None).cast(spark_type(of))
    match value:
        case bool() | str():
            return F.lit(value)
        case float() | int():
            return number(float(value))
        case Date(ms):
            return number(ms)
        case list() if isinstance(of, List):
            element = of.element
            return F.array(*(literal(item, element) for item in value)).cast(spark_type(of))
        case dict() if isinstance(of, Record):
            members = [literal(value.get(name, UNDEFINED), member) for name, member in of.fields]
            return F.struct(*(member.alias(f"f{index}") for index, member in enumerate(members)))
        case _:
            raise AssertionError(f"no column holds {value!r}")


def _mixed(value: Value) -> Column:
    none = F.lit(None)
    match value:
        case None:
            return nothing("null")
        case bool():
            return tagged(F.lit(2), number(float(value)), none)
        case float() | int():
            return tagged(F.lit(3), number(float(value)), none)
        case str():
            return tagged(F.lit(4), none, F.lit(value))
        case Date(ms):
            return tagged(F.lit(5), number(ms), none)
        case _:
            return nothing("undefined")
