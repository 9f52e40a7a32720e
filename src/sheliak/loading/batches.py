"""A file's rows in batches of columns, cut, selected and parsed by Vega's rules as in `rows`, in memory that does not grow with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import cast

from sheliak.expressions.values import UNDEFINED, Row, Value
from sheliak.expressions.zones import Zone
from sheliak.loading.cell_parsers import IllegalParser, Inference, Parser, parser_of
from sheliak.loading.columnar_rows import read_batches
from sheliak.loading.delimited import with_header
from sheliak.loading.formats import Format
from sheliak.loading.property_path import split_path
from sheliak.loading.streams import Unstreamable, delimited_rows, json_elements

ROWS = 20_000
"""The rows of a batch, at most."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Some rows, column by column; a field that a row lacks is undefined."""

    columns: dict[str, list[Value]]
    count: int


@dataclass(frozen=True, slots=True)
class FileBatches:
    """The rows of delimited text, of a JSON array, of a columnar file. Every iteration reads the file anew; raises Unstreamable."""

    path: Path
    format: Format
    zone: Zone
    columnar: bool = False
    """The file is Parquet or Arrow."""

    def __iter__(self) -> Iterator[Batch]:
        parsers = self._parsers()
        for batch in self._raw():
            for name, parser in parsers.items():
                absent: list[Value] = [UNDEFINED] * batch.count
                batch.columns[name] = [parser(value) for value in batch.columns.get(name, absent)]
            yield batch

    def _raw(self) -> Iterator[Batch]:
        """The rows before `parse`."""
        if self.columnar:
            return (_columns(rows) for rows in read_batches(self.path))
        if self.format.separator is not None:
            return _cells(self.path, self.format)
        return _objects(self.path, self.format)

    def _parsers(self) -> dict[str, Parser]:
        how = self.format.parse
        if how is None:
            return {}
        kinds = how if isinstance(how, Mapping) else self._inferred()
        try:
            return {name: parser_of(name, kind, self.zone) for name, kind in kinds.items()}
        except IllegalParser as error:
            raise Unstreamable(str(error)) from error

    def _inferred(self) -> dict[str, str]:
        """`auto`: the names of the first batch decide which columns are looked at, all rows what they are."""
        found: dict[str, Inference] | None = None
        for batch in self._raw():
            if found is None:
                found = {name: Inference(self.zone) for name in self._leading(batch)}
            for name, inference in found.items():
                inference.add(_distinct(batch.columns.get(name, [UNDEFINED])))
        return {name: inference.parser for name, inference in (found or {}).items()}

    def _leading(self, batch: Batch) -> Iterable[str]:
        """The header of delimited text; otherwise the keys of the first row."""
        if self.format.separator is not None and not self.columnar:
            return batch.columns
        return [name for name, values in batch.columns.items() if values[0] is not UNDEFINED]


def _distinct(values: list[Value]) -> Iterable[Value]:
    """The values; of texts, which parse alike, each once."""
    if any(isinstance(value, (dict, list)) for value in values):
        raise Unstreamable("it parses objects or arrays")
    texts = {value for value in values if isinstance(value, str)}
    return texts if len(texts) == len(values) else [*texts, *(value for value in values if not isinstance(value, str))]


def _cells(path: Path, format: Format) -> Iterator[Batch]:
    header = with_header("", format).removesuffix("\n") if format.header is not None else None
    rows = delimited_rows(path, format.separator or "", header)
    names = next(rows, None)
    if names is None:
        return
    width = len(names)
    while lines := list(islice(rows, ROWS)):
        cells = [line if len(line) == width else (line + [""] * (width - len(line)))[:width] for line in lines]
        columns = cast("Iterable[tuple[Value, ...]]", zip(*cells, strict=True))
        yield Batch({name: list(column) for name, column in zip(names, columns, strict=True)}, len(lines))


def _objects(path: Path, format: Format) -> Iterator[Batch]:
    steps = split_path(format.property) if format.property else ()
    for elements in json_elements(path, steps):
        for start in range(0, len(elements), ROWS):
            yield _columns([_row(element, format) for element in elements[start : start + ROWS]])


def _row(value: Value, format: Format) -> Row:
    """An object is a row as it is, a plain value becomes `{data: value}`."""
    if isinstance(value, dict):
        return value
    if value is None or isinstance(value, list) or format.parse:
        raise Unstreamable("its rows are not objects")
    return {"data": value}


def _columns(rows: list[Row]) -> Batch:
    names: dict[str, None] = {}
    for row in rows:
        if row.keys() != names.keys():
            names.update(dict.fromkeys(row))
    return Batch({name: [row.get(name, UNDEFINED) for row in rows] for name in names}, len(rows))
