"""Sources with many rows as plans: the first rows in files that Spark reads, without those that are otherwise by now, and these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sheliak.engines.spark.arrow_in import frame_of_arrow
from sheliak.engines.spark.expressions import column_name
from sheliak.engines.spark.lazy_functions import F
from sheliak.engines.spark.live.restricted import PlacedRows, placed_rows, table_of_placed
from sheliak.engines.spark.live.segments import Version, columns_of, types_of_rows
from sheliak.engines.spark.live.source_table import SourceTable
from sheliak.engines.spark.lower import Lower
from sheliak.engines.spark.sources import SessionSources
from sheliak.engines.spark.summaries import POSITION
from sheliak.plan.building import union
from sheliak.plan.coercion import NOTHING, converted
from sheliak.plan.column_types import NUMBER, UNDEFINED, ColumnType
from sheliak.plan.operators import Field, Plan, Scan, Schema, Source, Union
from sheliak.plan.planning import Planning

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_PLACE = "\0place"
"""No field of a file has this name."""


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """A frame whose columns are called c0, c1, ... after the columns of a plan, with a column that gives the places."""

    given: DataFrame
    place: str

    def frame(self, schema: Schema, *, position: bool) -> DataFrame:
        names = dict.fromkeys(column_name(field.column) for field in schema.fields)
        place = [F.col(self.place).cast("bigint").alias(POSITION)] if position else []
        return self.given.select(*names, *place)


def plan_of_source(table: SourceTable, planning: Planning, lower: Lower) -> Scan:
    """The rows of a source with many rows."""
    assert table.scanned is not None
    later = list(table.later.values())
    first = lower.session.read.parquet(str(table.scanned))
    if later:
        # The first rows that are otherwise by now: their ids are their places and one.
        count = table.segments[0].count
        changed = [int(one.id) - 1 for one in later if isinstance(one.id, int) and 0 < one.id <= count]
        if changed:
            first = first.join(F.broadcast(_numbers(changed, lower)), F.col("p") == F.col("changed"), "left_anti")
    parts: list[Plan] = [_scan(table.name, first, table.segments[0].types, planning)]
    present = [one for one in later if one.row is not None]
    if present:
        parts.append(_scan_of_versions(table.name, present, planning, lower))
    together = union(parts, planning)
    fields = {field.name: field for field in together.schema.fields}
    place = fields.pop(_PLACE)
    frame = lower.frame(together)
    return Scan(
        Source(table.name, place=Placed(frame, column_name(place.column)), count=table.count), Schema(tuple(fields.values()))
    )


def scan_like(scan: Scan, table: SourceTable, planning: Planning, lower: Lower) -> Scan:
    """The rows of a source at another moment, in the columns of a scan, whose types hold them."""
    schema = scan.schema
    if table.scanned is None:
        given = table.all()
        rows = placed_rows([one.row or {} for one in given], [one.place for one in given], schema)
        return Scan(Source(table.name, place=_Columns(lower, rows, schema)), schema)
    whole = plan_of_source(table, planning, lower)
    reads = whole.schema.reads()
    values = tuple(converted(reads.get(field.name, NOTHING[UNDEFINED]), field.of) for field in schema.fields)
    return Scan(Source(table.name, place=_Converted(lower, Union(((whole, values),), schema))), schema)


@dataclass(frozen=True, slots=True, eq=False)
class _Columns:
    """Rows at hand."""

    lower: Lower
    given: PlacedRows
    schema: Schema

    def frame(self, schema: Schema, *, position: bool) -> DataFrame:
        names = dict.fromkeys(column_name(field.column) for field in schema.fields)
        assert isinstance(self.lower.sources, SessionSources)
        frame = self.lower.sources.frame_of_table(table_of_placed(self.given, self.schema))
        return frame.select(*names, *([POSITION] if position else []))


@dataclass(frozen=True, slots=True, eq=False)
class _Converted:
    """Rows of a plan in columns of other types."""

    lower: Lower
    plan: Union

    def frame(self, schema: Schema, *, position: bool) -> DataFrame:
        names = dict.fromkeys(column_name(field.column) for field in schema.fields)
        frame = self.lower.frame(self.plan, position=position)
        # The one part of a union has its place beside the number of the part.
        return frame.select(*names, *([F.col(POSITION)["b"].alias(POSITION)] if position else []))


def _numbers(numbers: list[int], lower: Lower) -> DataFrame:
    import pyarrow as pa

    return frame_of_arrow(lower.session, pa.table({"changed": pa.array(numbers, pa.int64())}))


def _scan(name: str, frame: DataFrame, types: Mapping[str, ColumnType], planning: Planning) -> Scan:
    """A frame with the columns c0, c1, ... of a file and the places `p`, as a plan."""
    fields = [Field(field, planning.column(), of) for field, of in types.items()]
    place = Field(_PLACE, planning.column(), NUMBER)
    columns = [F.col(f"c{index}").alias(column_name(field.column)) for index, field in enumerate(fields)]
    given = frame.select(*columns, F.col("p").cast("double").alias(column_name(place.column)))
    return Scan(Source(name, place=Placed(given, column_name(place.column))), Schema((*fields, place)))


def _scan_of_versions(name: str, versions: list[Version], planning: Planning, lower: Lower) -> Scan:
    import pyarrow as pa

    rows = [one.row or {} for one in versions]
    types = types_of_rows(rows)
    table = pa.table({**columns_of(rows, types), "p": pa.array([one.place for one in versions], pa.int64())})
    return _scan(name, frame_of_arrow(lower.session, table), types, planning)
