"""Files that the driver reads batch by batch and writes anew, as Parquet that Spark reads: exact, in memory that does not grow.

The values decide the types of the columns (decision 0001). A file whose first batch has all the types there are is read once, others
twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sheliak.engines.spark.arrow_values import arrow_array, arrow_type
from sheliak.engines.spark.expressions import column_name
from sheliak.engines.spark.summaries import POSITION
from sheliak.expressions.values import UNDEFINED, Value
from sheliak.loading.batches import Batch
from sheliak.loading.streams import Unstreamable
from sheliak.plan.column_types import UNDEFINED as UNDEFINED_TYPE
from sheliak.plan.column_types import ColumnType, Nothing, type_of_values, unified
from sheliak.plan.operators import Field, Scan, Schema, Source

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_MOST_COLUMNS = 2000


@dataclass(frozen=True, slots=True, eq=False)
class Written:
    """A frame whose columns have the names and types of a plan's."""

    given: DataFrame

    def frame(self, schema: Schema, *, position: bool) -> DataFrame:
        wanted = dict.fromkeys(column_name(field.column) for field in schema.fields)
        return self.given.select(*wanted, *([POSITION] if position else []))


def convert(
    name: str, batches: Iterable[Batch], path: str, read: Callable[[str], DataFrame], column: Callable[[], int]
) -> Scan | None:
    """Writes the batches into a file of this path, which `read` opens, and scans that; None when there are no rows."""
    types: dict[str, ColumnType] = {}
    rows = _write(batches, path, types)
    if rows is None:
        return None
    if rows < 0:
        # Rows further on had other types than the first: all types are known now.
        rows = _write(batches, path, types)
    assert rows is not None and rows >= 0
    fields = tuple(Field(field, column(), of) for field, of in types.items())
    frame = read(path).toDF(*(column_name(field.column) for field in fields), POSITION)
    return Scan(Source(name, place=Written(frame), count=rows), Schema(fields))


def _write(batches: Iterable[Batch], path: str, types: dict[str, ColumnType]) -> int | None:
    """Writes rows as long as the types hold, and gives their number: -1 when the types had to grow, None for no rows at all."""
    writer: Any = None
    rows = 0
    fits = True
    try:
        for batch in batches:
            found = _with_batch(types, batch, seen=rows > 0)
            fits = fits and (writer is None or found == types)
            types.update(found)
            if fits:
                writer = writer or _opened(path, types)
                writer.write_table(_table(batch, types, rows))
            rows += batch.count
    finally:
        if writer is not None:
            writer.close()
    if not fits:
        return -1
    return rows if writer is not None else None


def _with_batch(types: dict[str, ColumnType], batch: Batch, *, seen: bool) -> dict[str, ColumnType]:
    """The types that hold the rows so far and those of a batch; a field is undefined in rows that lack it."""
    absent = Nothing(UNDEFINED_TYPE)
    found = dict(types)
    for name in types.keys() - batch.columns.keys():
        found[name] = unified(types[name], absent)
    for name, values in batch.columns.items():
        of = type_of_values(values)
        found[name] = unified(types[name], of) if name in types else unified(absent, of) if seen else of
    if len(found) > _MOST_COLUMNS:
        raise Unstreamable(f"it has more than {_MOST_COLUMNS} columns")
    return found


def _opened(path: str, types: dict[str, ColumnType]) -> Any:
    import pyarrow as pa
    from pyarrow import parquet

    columns = [(str(index), arrow_type(of)) for index, of in enumerate(types.values())]
    return parquet.ParquetWriter(path, pa.schema([*columns, (POSITION, pa.int64())]))


def _table(batch: Batch, types: dict[str, ColumnType], start: int) -> Any:
    import pyarrow as pa

    absent: list[Value] = [UNDEFINED] * batch.count
    columns = {str(index): arrow_array(batch.columns.get(name, absent), of) for index, (name, of) in enumerate(types.items())}
    return pa.table({**columns, POSITION: pa.array(range(start, start + batch.count), pa.int64())})
