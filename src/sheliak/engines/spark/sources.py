"""The rows of sources as frames: rows of the driver through Arrow, tables and files through Spark's readers."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sheliak.engines.spark.arrow_values import arrow_array
from sheliak.engines.spark.expressions import column_name
from sheliak.engines.spark.summaries import POSITION
from sheliak.engines.spark.tables import Table
from sheliak.expressions.values import UNDEFINED, Row, Value
from sheliak.plan.operators import Schema, Source

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

_MANY_ROWS = 50_000
"""Above this many rows a file that Spark reads is faster than the rows themselves."""


def column_of(rows: list[Row], name: str) -> list[Value]:
    return [row.get(name, UNDEFINED) for row in rows]


@dataclass(slots=True)
class SessionSources:
    """The sources of one session; files it had to write are removed with `close`."""

    session: SparkSession
    folder: tempfile.TemporaryDirectory[str] | None = None
    frames: dict[int, DataFrame] = field(default_factory=dict)
    kept: list[Source] = field(default_factory=list)

    def frame(self, source: Source, schema: Schema, *, position: bool) -> DataFrame:
        """The rows with the schema's columns and, if it is asked for, their position."""
        if isinstance(source.place, Table):
            return source.place.frame(schema, position=position)
        if id(source) not in self.frames:
            self.frames[id(source)] = self._ingested(source, schema)
            self.kept.append(source)
        wanted = dict.fromkeys(column_name(field.column) for field in schema.fields)
        return self.frames[id(source)].select(*wanted, *([POSITION] if position else []))

    def _ingested(self, source: Source, schema: Schema) -> DataFrame:
        table = arrow_table(source.rows or [], schema)
        if table.num_rows <= _MANY_ROWS:
            return self.session.createDataFrame(table)
        from pyarrow import parquet

        if self.folder is None:
            self.folder = tempfile.TemporaryDirectory(prefix="sheliak-")
        path = os.path.join(self.folder.name, f"{len(self.frames)}.parquet")
        parquet.write_table(table, path)
        return self.session.read.parquet(path)

    def close(self) -> None:
        if self.folder is not None:
            self.folder.cleanup()


def arrow_table(rows: list[Row], schema: Schema) -> pa.Table:
    """The rows as columns of a schema, and their position."""
    import pyarrow as pa

    columns = {column_name(field.column): arrow_array(column_of(rows, field.name), field.of) for field in schema.fields}
    return pa.table({**columns, POSITION: pa.array(range(len(rows)), pa.int64())})
