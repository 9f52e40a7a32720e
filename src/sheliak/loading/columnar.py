"""Arrow and Parquet files: the schema says the shape, no row is read. pyarrow is imported only when such a file is met."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Protocol

from sheliak.diagnostics.loading import ParseOfAbsentColumn
from sheliak.diagnostics.registry import Diagnostic
from sheliak.loading.data_file import DataFile, Unreadable
from sheliak.loading.formats import Format
from sheliak.loading.shape import UNSEEN_SHAPE, Shape, at
from sheliak.source.declared import replace
from sheliak.types.operations import join
from sheliak.types.shapes import BOOLEAN, DATE, NULL, NUMBER, STRING, UNKNOWN, Array, Record, Type

MAX_DEPTH = 12
_MAX_STATISTICS = 20_000
PARQUET_MAGIC = b"PAR1"
ARROW_MAGIC = b"ARROW1"
_FAMILY = re.compile(r"[a-z_]+")
_FAMILIES: Mapping[str, Type] = {
    "null": NULL,
    "bool": BOOLEAN,
    **dict.fromkeys(("int", "uint", "float", "halffloat", "double", "decimal", "time", "duration"), NUMBER),
    **dict.fromkeys(("string", "large_string", "string_view"), STRING),
    **dict.fromkeys(("date", "timestamp"), DATE),
}
_LISTS = ("list", "large_list", "fixed_size_list", "list_view", "large_list_view")
_PARSED: Mapping[str, Type] = {
    "boolean": BOOLEAN,
    "number": NUMBER,
    "integer": NUMBER,
    "date": DATE,
    "utc": DATE,
    "string": STRING,
}


class ArrowField(Protocol):
    """A pyarrow field; its type is told by its name and asked for its parts."""

    @property
    def name(self) -> str: ...
    @property
    def type(self) -> object: ...
    @property
    def nullable(self) -> bool: ...


def record_of_arrow_schema(schema: Iterable[ArrowField], never_null: frozenset[str] = frozenset()) -> Record:
    """The record of rows with a pyarrow schema. Columns are nullable unless the schema or the file's statistics say otherwise."""
    return Record({field.name: _field_type(field, field.name in never_null, 0) for field in schema})


def _field_type(field: ArrowField, never_null: bool, depth: int) -> Type:
    of = _arrow_type(field.type, depth)
    return join((of, NULL)) if field.nullable and not never_null else of


def _arrow_type(of: object, depth: int) -> Type:
    """What JavaScript sees: every number is a number, dates and timestamps are dates, text has unseen content."""
    found = _FAMILY.match(str(of))
    family = found.group() if found else ""
    if family in _FAMILIES:
        return _FAMILIES[family]
    if depth >= MAX_DEPTH:
        return UNKNOWN
    if family == "struct" and isinstance(of, Iterable):
        return Record({field.name: _field_type(field, False, depth + 1) for field in of})
    inner = getattr(of, "value_type", None)
    if family in _LISTS:
        return Array(_arrow_type(inner, depth + 1))
    return _arrow_type(inner, depth + 1) if family == "dictionary" else UNKNOWN


def shape_of_columnar(path: Path, url: str, format: Format) -> Shape:
    """The shape that the file's schema gives; an open record and a note where pyarrow is not installed."""
    if not is_installed():
        return replace(UNSEEN_SHAPE, note=f"`{url}` was not looked at: reading its schema needs pyarrow")
    record, rows = read_columnar(path)
    fields, problems = dict(record.fields), []
    for name, of, problem in _parsed_fields(record, format):
        fields[name] = of
        problems += [problem] if problem is not None else []
    return Shape(replace(record, fields=fields), tuple(problems), rows=rows)


def _parsed_fields(record: Record, format: Format) -> Iterator[tuple[str, Type, Diagnostic | None]]:
    if not isinstance(format.parse, Mapping):
        return
    for name, how in format.parse.items():
        of = _PARSED.get(how.partition(":")[0], UNKNOWN)
        if name in record.fields:
            yield name, of, None
        else:
            place = at("format", "parse", name, on_key=True)
            yield name, NULL, ParseOfAbsentColumn(place=place, column=name, columns=tuple(record.fields))


def is_installed() -> bool:
    """pyarrow can be imported."""
    try:
        importlib.import_module("pyarrow")
    except ImportError:
        return False
    return True


def read_columnar(path: Path) -> tuple[Record, int | None]:
    """The record of a Parquet or Arrow file, told apart by its first bytes, and its number of rows if the file says it."""
    with DataFile(path) as file:
        opening = file.bytes_at(0, 8)
    arrow = importlib.import_module("pyarrow")
    try:
        if opening.startswith(PARQUET_MAGIC):
            return _read_parquet(path)
        return _read_arrow(arrow, path, is_file=opening.startswith(ARROW_MAGIC)), None
    except (arrow.ArrowException, OSError, ValueError) as error:
        raise Unreadable(f"it is not a readable Arrow or Parquet file ({_first_line(error)})") from error


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0][:200]


def _read_parquet(path: Path) -> tuple[Record, int | None]:
    with importlib.import_module("pyarrow.parquet").ParquetFile(path) as file:
        metadata = file.metadata
        never_null = frozenset(columns_without_null(metadata))
        return record_of_arrow_schema(file.schema_arrow, never_null), int(metadata.num_rows)


def _read_arrow(arrow: ModuleType, path: Path, is_file: bool) -> Record:
    """The file form ends with its schema, the stream form begins with it."""
    ipc = importlib.import_module("pyarrow.ipc")
    with arrow.OSFile(str(path)) as source:
        reader = ipc.open_file(source) if is_file else ipc.open_stream(source)
        return record_of_arrow_schema(reader.schema)


class _Statistics(Protocol):
    @property
    def has_null_count(self) -> bool: ...
    @property
    def null_count(self) -> int: ...


class _Chunk(Protocol):
    @property
    def path_in_schema(self) -> str: ...
    @property
    def statistics(self) -> _Statistics | None: ...


class _RowGroup(Protocol):
    def column(self, index: int) -> _Chunk: ...


class _Metadata(Protocol):
    @property
    def num_row_groups(self) -> int: ...
    @property
    def num_columns(self) -> int: ...
    def row_group(self, index: int) -> _RowGroup: ...


def columns_without_null(metadata: _Metadata) -> set[str]:
    """The flat columns whose statistics count no null in any row group; none when there are too many to ask."""
    if metadata.num_row_groups * metadata.num_columns > _MAX_STATISTICS or not metadata.num_row_groups:
        return set()
    groups = [metadata.row_group(index) for index in range(metadata.num_row_groups)]
    chunks = {name.path_in_schema for name in (groups[0].column(index) for index in range(metadata.num_columns))}
    for group in groups:
        for index in range(metadata.num_columns):
            chunk = group.column(index)
            statistics = chunk.statistics
            if statistics is None or not statistics.has_null_count or statistics.null_count:
                chunks.discard(chunk.path_in_schema)
    return chunks
