"""Arrow data as a frame of Spark's: types that Spark does not take are turned into those it does."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
import weakref
from collections.abc import Iterable
from itertools import chain
from typing import TYPE_CHECKING, Any

from sheliak.engines.spark.arrow_in import frame_of_arrow
from sheliak.engines.spark.sources import sees_files

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

MANY_ROWS = 50_000
"""More rows go through a file that Spark reads, which is faster than the rows themselves."""


def frame_of_batches(schema: pa.Schema, batches: Iterable[pa.RecordBatch], session: SparkSession) -> DataFrame:
    """The rows as a frame. A file that had to be written is removed with the frame, at the latest with the process."""
    import pyarrow as pa

    plain = pa.schema([pa.field(f"k{index}", plain_type(field.type), field.nullable) for index, field in enumerate(schema)])
    tables = (plain_table(batch, plain) for batch in batches)
    first, rows = [], 0
    for table in tables:
        first.append(table)
        rows += table.num_rows
        if rows > MANY_ROWS and sees_files(session):
            return _through_file(plain, chain(first, tables), schema.names, session)
    return frame_of_arrow(session, pa.concat_tables(first) if first else plain.empty_table()).toDF(*schema.names)


def _through_file(schema: pa.Schema, tables: Iterable[pa.Table], names: list[str], session: SparkSession) -> DataFrame:
    from pyarrow import parquet

    folder = tempfile.mkdtemp(prefix="sheliak-")
    path = os.path.join(folder, "given.parquet")
    _FOLDERS.add(folder)
    with parquet.ParquetWriter(path, schema) as writer:
        for table in tables:
            writer.write_table(table)
    frame = session.read.parquet(path).toDF(*names)
    weakref.finalize(frame, _remove, folder)
    return frame


_FOLDERS: set[str] = set()


def _remove(folder: str) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    _FOLDERS.discard(folder)


def plain_type(of: pa.DataType) -> pa.DataType:
    """The type under which Spark reads a column; the same for those it knows."""
    import pyarrow as pa
    from pyarrow import types

    if types.is_dictionary(of):
        return plain_type(of.value_type)
    if types.is_timestamp(of):
        return pa.timestamp("us", of.tz)
    if types.is_time(of) or types.is_duration(of) or types.is_float16(of):
        return pa.float64()
    if types.is_uint64(of):
        return pa.decimal128(20, 0)
    if types.is_unsigned_integer(of):
        return pa.int64()
    if types.is_date64(of):
        return pa.timestamp("us", "UTC")
    if types.is_large_string(of) or types.is_string_view(of):
        return pa.string()
    if types.is_large_binary(of) or types.is_binary_view(of) or types.is_fixed_size_binary(of):
        return pa.binary()
    if types.is_list(of) or types.is_large_list(of) or types.is_fixed_size_list(of):
        return pa.list_(plain_type(of.value_type))
    if types.is_struct(of):
        return pa.struct([pa.field(field.name, plain_type(field.type), field.nullable) for field in of])
    if types.is_null(of):
        return pa.string()
    return of


def plain_table(batch: pa.RecordBatch, schema: pa.Schema) -> pa.Table:
    """A batch with the types of `plain_type`."""
    import pyarrow as pa

    columns = [plain_column(column, field.type) for column, field in zip(batch.columns, schema, strict=True)]
    return pa.Table.from_arrays(columns, schema=schema)


def plain_column(column: Any, of: pa.DataType) -> Any:
    import pyarrow as pa
    from pyarrow import compute, types

    kind = column.type
    if kind.equals(of):
        return column
    if types.is_dictionary(kind):
        return plain_column(column.dictionary_decode(), of)
    if types.is_timestamp(kind):
        # Towards the past, as JavaScript's milliseconds are cut.
        return compute.floor_temporal(column, unit="microsecond").cast(of, safe=False)
    if types.is_time(kind) or types.is_duration(kind):
        per_unit = {"s": 1000.0, "ms": 1.0, "us": 1e-3, "ns": 1e-6}[kind.unit]
        whole = column.cast(pa.int32() if kind.bit_width == 32 else pa.int64())
        return compute.multiply(whole.cast(pa.float64(), safe=False), per_unit)
    if types.is_date64(kind):
        return column.cast(pa.timestamp("ms", "UTC")).cast(of)
    return column.cast(of, safe=False)


def remove_all() -> None:
    """Removes the files of frames that are still there."""
    for folder in [*_FOLDERS]:
        _remove(folder)


atexit.register(remove_all)
