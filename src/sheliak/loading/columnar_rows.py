"""Arrow and Parquet files as rows: numbers are floats, timestamps and days are dates, null stays null."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Protocol

from sheliak.expressions.values import Date, Row, Value
from sheliak.loading.columnar import ARROW_MAGIC, PARQUET_MAGIC, is_installed
from sheliak.loading.data_file import DataFile, Unreadable

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


class _Batch(Protocol):
    def to_pylist(self) -> list[dict[str, object]]: ...


def read_rows(path: Path) -> list[Row]:
    """The rows of a file that begins like Parquet or Arrow; raises Unreadable."""
    return [row for batch in read_batches(path) for row in batch]


def read_batches(path: Path) -> Iterator[list[Row]]:
    """The same, some rows at a time."""
    if not is_installed():
        raise Unreadable("reading it needs pyarrow")
    for batch in _batches(path):
        yield [{name: value_of(cell) for name, cell in row.items()} for row in batch.to_pylist()]


def _batches(path: Path) -> Iterator[_Batch]:
    with DataFile(path) as file:
        opening = file.bytes_at(0, 8)
    arrow = importlib.import_module("pyarrow")
    try:
        if opening.startswith(PARQUET_MAGIC):
            yield from _parquet(path)
        else:
            yield from _arrow(path, opening.startswith(ARROW_MAGIC))
    except (arrow.ArrowException, OSError, ValueError) as error:
        reason = str(error).partition("\n")[0][:200]
        raise Unreadable(f"it is not a readable Arrow or Parquet file ({reason})") from error


def _parquet(path: Path) -> Iterator[_Batch]:
    with importlib.import_module("pyarrow.parquet").ParquetFile(path) as file:
        yield from file.iter_batches()


def _arrow(path: Path, is_file: bool) -> Iterator[_Batch]:
    """The file form ends with its schema, the stream form begins with it."""
    ipc = importlib.import_module("pyarrow.ipc")
    with importlib.import_module("pyarrow").OSFile(str(path)) as source:
        if is_file:
            reader = ipc.open_file(source)
            yield from (reader.get_batch(index) for index in range(reader.num_record_batches))
        else:
            yield from ipc.open_stream(source)


def value_of(cell: object) -> Value:
    """A cell as JavaScript would hold it. A time without a zone counts as universal time, as in Arrow's own library."""
    match cell:
        case None | bool() | str():
            return cell
        case int() | float() | Decimal():
            return float(cell)
        case datetime():
            instant = cell if cell.tzinfo is not None else cell.replace(tzinfo=UTC)
            return Date(float((instant - _EPOCH) // _MILLISECOND))
        case date():
            return Date(float((datetime(cell.year, cell.month, cell.day, tzinfo=UTC) - _EPOCH) // _MILLISECOND))
        case time():
            return ((cell.hour * 60 + cell.minute) * 60 + cell.second) * 1000 + cell.microsecond / 1000
        case timedelta():
            return cell / _MILLISECOND
        case dict():
            return {str(name): value_of(member) for name, member in cell.items()}
        case bytes():
            return cell.decode("utf-8", "replace")
        case Iterable():
            return [value_of(element) for element in cell]
        case _:
            return str(cell)
