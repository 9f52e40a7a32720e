"""Data that the caller gives for datasets: Spark's frames and tables, files, Arrow, pandas and polars, rows.

a Spark DataFrame                                  as it is, of a session with or without Spark Connect
"table:NAME"                                       a table or a view of the session
a path, as text or pathlib.Path                    Parquet (a file or a folder), Arrow, CSV, TSV or JSON, by its ending
pyarrow's Table, RecordBatch, RecordBatchReader, Dataset; what exports an Arrow stream (pandas, polars)
a list of dicts                                    rows
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from sheliak.engines.failures import RunFailure
from sheliak.engines.reference.sources import FileAtHand
from sheliak.engines.spark.frame_columns import record_of_frame
from sheliak.engines.spark.job_failures import reason_of
from sheliak.expressions.values import Row
from sheliak.loading import DataFolders, read_format, row_type, shape_of_url
from sheliak.loading.columnar_rows import value_of
from sheliak.loading.formats import has_signal
from sheliak.source.tree import Node
from sheliak.types.shapes import Record

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

TABLE = "table:"
_FORMATS: dict[str, dict[str, object]] = {
    ".parquet": {"type": "parquet"},
    ".pq": {"type": "parquet"},
    ".arrow": {"type": "arrow"},
    ".arrows": {"type": "arrow"},
    ".feather": {"type": "arrow"},
    ".csv": {"type": "csv", "parse": "auto"},
    ".tsv": {"type": "tsv", "parse": "auto"},
    ".tab": {"type": "tsv", "parse": "auto"},
    ".json": {"type": "json"},
    ".geojson": {"type": "json", "property": "features"},
}


@dataclass(frozen=True, slots=True)
class GivenRows:
    """Rows in the driver's memory."""

    rows: list[Row]


Given: TypeAlias = "DataFrame | FileAtHand | GivenRows"


def frames_of(data: Mapping[str, object], session: SparkSession) -> dict[str, Given]:
    """What datasets start with, by their names. Raises RunFailure for what cannot be read."""
    return {name: _given(name, what, session) for name, what in data.items()}


def _given(name: str, what: object, session: SparkSession) -> Given:
    if isinstance(what, (FileAtHand, GivenRows)):
        return what
    if isinstance(what, str) and what.startswith(TABLE):
        return _table(name, what.removeprefix(TABLE), session)
    if isinstance(what, (str, Path)):
        return _file(name, Path(what).expanduser(), session)
    if is_spark_frame(what):
        return what  # type: ignore[return-value]
    if isinstance(what, list):
        return GivenRows([_row(name, row) for row in what])
    return _from_arrow(name, what, session)


def is_spark_frame(what: object) -> bool:
    """A DataFrame of Spark, classic or Connect."""
    kind = type(what)
    return kind.__name__ == "DataFrame" and kind.__module__.startswith("pyspark.sql")


def _row(dataset: str, row: object) -> Row:
    if not isinstance(row, Mapping):
        raise RunFailure(f"a row is a dict, not {type(row).__name__}", dataset=dataset)
    return {str(name): value_of(value) for name, value in row.items()}


# Tables and files


def _table(dataset: str, name: str, session: SparkSession) -> DataFrame:
    from pyspark.errors import PySparkException

    try:
        frame = session.table(name)
        _ = frame.schema  # a server looks for the table now
    except PySparkException as problem:
        message = f"the table `{name}` cannot be read: {reason_of(str(problem))}"
        raise RunFailure(message, dataset=dataset, details=str(problem)) from problem
    return frame


def _file(dataset: str, path: Path, session: SparkSession) -> Given:
    if path.is_dir():
        return _folder(dataset, path, session)
    if not path.is_file():
        raise RunFailure(f"there is no file `{path}`", dataset=dataset, help=f"a table of the session is given as {TABLE}NAME")
    format = _FORMATS.get(path.suffix.lower())
    if format is None:
        raise RunFailure(f"what is in `{path.name}` is not known from its ending", dataset=dataset, help=f"known: {_known()}")
    return FileAtHand(path.resolve(), str(path), Node(dict(format)))


_TEXTS = frozenset({"csv", "tsv", "dsv"})
_DOCUMENTS = frozenset({"json", "topojson"})


def with_format(file: FileAtHand, format: Node | None) -> FileAtHand:
    """A given file, read as the spec says where it expects a file of such a kind."""
    kind = file.format.get("type") if file.format is not None else None
    if kind is None or format is None or not isinstance(format.value, dict) or has_signal(format.value):
        return file
    mine, wanted = kind.text, format.value.get("type") or "json"
    if mine in _TEXTS and wanted in _TEXTS:
        return replace(file, format=Node({**format.value, "type": mine}))
    return replace(file, format=format) if mine in _DOCUMENTS and wanted in _DOCUMENTS else file


def _known() -> str:
    return ", ".join(_FORMATS)


def _folder(dataset: str, path: Path, session: SparkSession) -> Given:
    if not any(path.rglob("*.parquet")):
        raise RunFailure(f"the folder `{path}` holds no Parquet files", dataset=dataset)
    return FileAtHand(path.resolve(), str(path), Node({"type": "parquet"}))


# Arrow


def _from_arrow(dataset: str, what: object, session: SparkSession) -> DataFrame:
    from sheliak.engines.spark.reading.arrow_frames import frame_of_batches

    reader = _reader(what)
    if reader is None:
        message = f"{type(what).__module__}.{type(what).__name__} is no data that a chart can be given"
        known = "a Spark, pandas or polars frame, an Arrow table, a path, table:NAME, or a list of rows"
        raise RunFailure(message, dataset=dataset, help=f"give {known}")
    return frame_of_batches(reader.schema, reader, session)


def _reader(what: Any) -> pa.RecordBatchReader | None:
    """The batches of what pyarrow, pandas or polars hold."""
    import pyarrow as pa

    if isinstance(what, pa.RecordBatchReader):
        return what
    if isinstance(what, pa.RecordBatch):
        return pa.RecordBatchReader.from_batches(what.schema, [what])
    if isinstance(what, pa.Table):
        return what.to_reader()
    if hasattr(what, "scanner") and hasattr(what, "to_batches"):
        return what.scanner().to_reader()
    if hasattr(what, "collect") and type(what).__module__.startswith("polars"):
        what = what.collect()
    if type(what).__module__.startswith("pandas") and hasattr(what, "reset_index"):
        # An index without a name is only the number of the row.
        return pa.Table.from_pandas(what, preserve_index=_named(what.index.names)).to_reader()
    if hasattr(what, "__arrow_c_stream__"):
        return pa.RecordBatchReader.from_stream(what)
    return None


def _named(names: Iterable[object]) -> bool:
    return any(name is not None for name in names)


# What the check of a spec is told


def record_of_given(name: str, given: Given) -> Record | None:
    """The record of the rows that a dataset is given; None where it cannot be told without reading them."""
    if isinstance(given, GivenRows):
        return row_type(given.rows)
    if not isinstance(given, FileAtHand):
        return record_of_frame(given)
    path = given.path
    if path.is_dir():
        path = min(path.rglob("*.parquet"))
    format = read_format(given.format, lambda problem: None)
    shape = shape_of_url(Node(path.name), format, name, DataFolders(path.parent))
    return shape.record if isinstance(shape.record, Record) else None
