"""Tables that Spark reads: their columns as columns of a plan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sheliak.engines.spark.expressions import column_name
from sheliak.engines.spark.lazy_functions import F
from sheliak.engines.spark.summaries import POSITION
from sheliak.plan.column_types import NULL, ColumnType, List, Plain, Record
from sheliak.plan.operators import Field, Scan, Schema, Source
from sheliak.plan.planning import Planning
from sheliak.plan.unplannable import Unplannable

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame
    from pyspark.sql.types import DataType


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A frame of somebody else's, and which of its columns a plan's columns are."""

    given: DataFrame
    columns: Mapping[int, Column]

    def frame(self, schema: Schema, *, position: bool) -> DataFrame:
        """The columns of the schema, read as a plan's."""
        wanted = {field.column: self.columns[field.column] for field in schema.fields}
        place = [F.monotonically_increasing_id().alias(POSITION)] if position else []
        return self.given.select(*(column.alias(column_name(name)) for name, column in wanted.items()), *place)


def scan_table(name: str, given: DataFrame, planning: Planning) -> Scan:
    """A scan of a frame: numbers become doubles, instants milliseconds; NULL is null."""
    fields, columns = [], {}
    for position, described in enumerate(given.schema.fields):
        number = planning.column()
        of, column = read_column(_quoted(given, position), described.dataType, described.name)
        fields.append(Field(described.name, number, of))
        columns[number] = column
    return Scan(Source(name, place=Table(given, columns)), Schema(tuple(fields)))


def _quoted(given: DataFrame, position: int) -> Column:
    # A name is text: back-quotes keep dots and stars in it from being read.
    return given["`" + given.columns[position].replace("`", "``") + "`"]


def read_column(column: Column, of: DataType, name: str) -> tuple[ColumnType, Column]:
    """A column of a Spark type as a plan's column."""
    kind = of.typeName()
    if kind in ("byte", "short", "integer", "long", "float", "double", "tinyint", "smallint", "int", "bigint") or kind.startswith(
        "decimal"
    ):
        return Plain("number", NULL), column.cast("double")
    if kind == "boolean":
        return Plain("boolean", NULL), column
    if kind in ("string", "varchar", "char"):
        return Plain("text", NULL), column.cast("string")
    if kind == "timestamp":
        return Plain("date", NULL), F.unix_micros(column).cast("double") / 1000.0
    if kind == "timestamp_ntz":
        return Plain("date", NULL), _ntz_micros(column) / 1000.0
    if kind == "date":
        return Plain("date", NULL), F.unix_date(column).cast("double") * 86_400_000.0
    return _nested(column, of, name)


def _ntz_micros(column: Column) -> Column:
    """Microseconds of a time without zone, taken for UTC."""
    day = F.unix_date(column.cast("date")).cast("double") * 86_400_000_000.0
    seconds = F.hour(column) * 3600 + F.minute(column) * 60 + F.second(column)
    fraction = F.date_format(column, "SSSSSS").cast("double")
    return day + seconds.cast("double") * 1_000_000.0 + fraction


def _nested(column: Column, of: DataType, name: str) -> tuple[ColumnType, Column]:
    from pyspark.sql.types import ArrayType, StructType

    if isinstance(of, StructType):
        members = [read_column(column[field.name], field.dataType, field.name) for field in of.fields]
        made = F.struct(*(member.alias(f"f{index}") for index, (_, member) in enumerate(members)))
        fields = tuple((field.name, member) for field, (member, _) in zip(of.fields, members, strict=True))
        return Record(fields, NULL), F.when(column.isNotNull(), made)
    if isinstance(of, ArrayType):
        found: list[ColumnType] = []

        def element(item: Column) -> Column:
            inner, made = read_column(item, of.elementType, name)
            found.append(inner)
            return made

        transformed = F.transform(column, element)
        return List(found[0], NULL), transformed
    raise Unplannable(f"the column `{name}` has the type {of.simpleString()}, which has no counterpart in a chart")
