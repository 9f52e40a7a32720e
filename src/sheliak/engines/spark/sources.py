"""The rows of sources as frames: rows of the driver through Arrow, tables and files through Spark's readers."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Protocol, cast
from weakref import WeakKeyDictionary

from sheliak.engines.spark.arrow_in import frame_of_arrow
from sheliak.engines.spark.arrow_values import arrow_array
from sheliak.engines.spark.expressions import column_name
from sheliak.engines.spark.summaries import POSITION
from sheliak.expressions.values import UNDEFINED, Row, Value
from sheliak.plan.operators import Schema, Source

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

_MANY_ROWS = 50_000
"""Above this many rows a file that Spark reads is faster than the rows themselves."""


def column_of(rows: list[Row], name: str) -> list[Value]:
    return [row.get(name, UNDEFINED) for row in rows]


class Place(Protocol):
    """Where rows are that the driver does not hold."""

    def frame(self, schema: Schema, *, position: bool) -> DataFrame:
        """The rows with the schema's columns and, if it is asked for, their position."""


@dataclass(slots=True)
class SessionSources:
    """The sources of one session; what it had to write or to keep is removed with `close`."""

    session: SparkSession
    folder: tempfile.TemporaryDirectory[str] | None = None
    frames: dict[tuple[int, tuple[int, ...]], DataFrame] = field(default_factory=dict)
    kept: list[Source] = field(default_factory=list)
    persisted: list[DataFrame] = field(default_factory=list)
    numbers: count[int] = field(default_factory=count)

    def frame(self, source: Source, schema: Schema, *, position: bool) -> DataFrame:
        """The rows with the schema's columns and, if it is asked for, their position."""
        if source.place is not None:
            return cast(Place, source.place).frame(schema, position=position)
        key = (id(source), tuple(field.column for field in schema.fields))
        if key not in self.frames:
            self.frames[key] = self._ingested(source, schema)
            self.kept.append(source)
        wanted = dict.fromkeys(column_name(field.column) for field in schema.fields)
        return self.frames[key].select(*wanted, *([POSITION] if position else []))

    def _ingested(self, source: Source, schema: Schema) -> DataFrame:
        return self.frame_of_table(arrow_table(source.rows or [], schema))

    def frame_of_table(self, table: pa.Table) -> DataFrame:
        """An Arrow table as a frame: many rows through a file, which is faster than the rows themselves."""
        if table.num_rows <= _MANY_ROWS or not sees_files(self.session):
            return frame_of_arrow(self.session, table)
        from pyarrow import parquet

        path = self.new_path(".parquet")
        parquet.write_table(table, path)
        return self.session.read.parquet(path)

    def new_path(self, ending: str) -> str:
        """A path for a file that is removed at the end."""
        if self.folder is None:
            self.folder = tempfile.TemporaryDirectory(prefix="sheliak-")
        return os.path.join(self.folder.name, f"{next(self.numbers)}{ending}")

    def keep(self, frame: DataFrame) -> DataFrame:
        """The frame, computed once when it is first needed and kept on Spark's disks until the end."""
        from pyspark import StorageLevel

        self.persisted.append(frame.persist(StorageLevel.DISK_ONLY))
        return self.persisted[-1]

    def close(self) -> None:
        for frame in self.persisted:
            frame.unpersist()
        self.persisted.clear()
        if self.folder is not None:
            self.folder.cleanup()
            self.folder = None


def sees_files(session: SparkSession) -> bool:
    """Whether Spark reads the files of this machine. Behind a server only a try can tell; a cluster's machines do not."""
    if not is_connect(session):
        return (session.sparkContext.master or "").startswith("local")
    if session not in _SEEING:
        _SEEING[session] = _sees(session)
    return _SEEING[session]


_SEEING: WeakKeyDictionary[SparkSession, bool] = WeakKeyDictionary()


def _sees(session: SparkSession) -> bool:
    from pyspark.errors import PySparkException

    with tempfile.NamedTemporaryFile(prefix="sheliak-", suffix=".txt") as probe:
        try:
            return session.read.text(probe.name).limit(1).count() == 0
        except PySparkException:
            return False


def is_connect(session: SparkSession) -> bool:
    """The session talks to a server (Spark Connect)."""
    return type(session).__module__.startswith("pyspark.sql.connect")


def arrow_table(rows: list[Row], schema: Schema) -> pa.Table:
    """The rows as columns of a schema, and their position."""
    import pyarrow as pa

    columns = {column_name(field.column): arrow_array(column_of(rows, field.name), field.of) for field in schema.fields}
    return pa.table({**columns, POSITION: pa.array(range(len(rows)), pa.int64())})
