"""The rows of a source: inline values and files, cut, selected and parsed by Vega's rules.

Where Vega cannot read inline values it refuses the whole spec (`LoadFailure`). Where it cannot load a file it goes on with no
rows, where it cannot read one it goes on with a single row that holds the file's text; both with a warning.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import cast

from sheliak.diagnostics.registry import Diagnostic
from sheliak.expressions.values import UNDEFINED, Row, Value, to_text
from sheliak.expressions.zones import UTC, Zone
from sheliak.loading.cell_parsers import IllegalParser, inferred_parser, parser_of
from sheliak.loading.data_file import DataFile, Unreadable
from sheliak.loading.delimited import cells_of, with_header
from sheliak.loading.formats import Format, read_format
from sheliak.loading.json_text import decode_numbers
from sheliak.loading.property_path import Missing, select, split_path
from sheliak.loading.topology import MalformedTopology, features_of, mesh_of
from sheliak.source.tree import Node


class LoadFailure(Exception):
    """Vega cannot make rows of a source; the text says why."""


@dataclass(frozen=True, slots=True)
class LoadedRows:
    """The rows of a file, and what Vega warns of when it could not load or read it."""

    rows: list[Row]
    warning: str | None = None


def rows_of_values(node: Node, format: Node | None, zone: Zone = UTC) -> list[Row]:
    """The rows of a data definition's `values`; raises LoadFailure."""
    return as_rows(parsed_values(value_of_json(node.value), format, zone))


def rows_of_file(path: Path, url: str, format: Node | None, zone: Zone = UTC) -> LoadedRows:
    """The rows of the file that a data definition's `url` means."""
    try:
        with DataFile(path) as file:
            columnar = _columnar_format(file, format)
            text = file.text() if columnar is None else ""
        if columnar is None:
            return rows_of_text(text, url, format, zone)
        return LoadedRows(_parsed_rows(_rows_of_columns(path), columnar, zone))
    except Unreadable as error:
        return LoadedRows([], f"Loading failed {url} {error}")
    except LoadFailure as error:
        return LoadedRows([], f"Data ingestion failed {url} {error}")


def rows_of_text(text: str, url: str, format: Node | None, zone: Zone = UTC) -> LoadedRows:
    """The rows of a file's text; a single row with the text itself where it cannot be read."""
    try:
        return LoadedRows(as_rows(parsed_values(text, format, zone)))
    except LoadFailure as error:
        return LoadedRows([{"data": text}], f"Data ingestion failed {url} {error}")


def as_rows(values: list[Value]) -> list[Row]:
    """Objects are rows as they are, plain values become `{data: value}`; a null is refused.

    An array is a row too, one whose fields are called by their indexes; it stays an array.
    """
    if any(value is None or value is UNDEFINED for value in values):
        raise LoadFailure("Cannot read properties of null (reading 'Symbol(vega_id)')")
    return [cast(Row, value) if isinstance(value, (dict, list)) else {"data": value} for value in values]


def value_of_json(value: object) -> Value:
    """A decoded JSON value with all numbers as floats."""
    if isinstance(value, dict):
        return {name: value_of_json(member) for name, member in value.items()}
    if isinstance(value, list):
        return [value_of_json(element) for element in value]
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else cast(Value, value)


# What the format makes of a document


def parsed_values(value: Value, format: Node | None, zone: Zone = UTC) -> list[Value]:
    """The elements of what a format finds in a value (a document, or its text), after its parsers; raises LoadFailure."""
    known = usable_format(format)
    if known.separator is not None:
        return _parsed(*_delimited(value, known), known, zone)
    document = _document(value)
    selected = _selected(document, known)
    if known.type == "topojson":
        return _parsed(_geographic(selected, known), None, known, zone)
    if selected is None or selected is UNDEFINED:
        raise LoadFailure("Cannot convert undefined or null to object")
    # Vega parses the elements of an array only: a document that is one object is taken as it is.
    return _parsed(selected, None, known, zone) if isinstance(selected, list) else [selected]


def usable_format(node: Node | None) -> Format:
    """The format, every part of which must be known by now; raises LoadFailure with the first thing that is wrong."""
    if node is None or not node.is_object:
        return Format()  # Vega looks for members, and finds none in a text or a number
    problems: list[Diagnostic] = []
    known = read_format(node, problems.append)
    if known is None:
        raise LoadFailure(problems[0].message() if problems else "a signal decides the format")
    return known


def _document(value: Value) -> Value:
    if isinstance(value, (dict, list)):
        return value
    try:
        return decode_numbers(to_text(value))
    except Unreadable as error:
        raise LoadFailure(str(error)) from error


def _selected(document: Value, format: Format) -> Value:
    if format.property is None:
        return document
    part = select(document, split_path(format.property))
    if not isinstance(part, Missing):
        return cast(Value, part)
    raise LoadFailure(f"Cannot read properties of undefined (reading '{part.step}')")


def _geographic(document: Value, format: Format) -> list[Value]:
    try:
        if format.feature:
            return [*features_of(document, format.feature)]
        return [*mesh_of(document, format.mesh or "", format.filter)]
    except MalformedTopology as error:
        raise LoadFailure(str(error)) from error


def _delimited(value: Value, format: Format) -> tuple[list[Value], list[str]]:
    """Rows of text by the names in the first line: short lines are filled up with empty cells, long ones cut."""
    lines = cells_of(with_header(to_text(value), format), format.separator or "")
    if not lines:
        return [], []
    header, width = lines[0] or [""], len(lines[0] or [""])
    return [dict(zip_longest(header, line[:width], fillvalue="")) for line in lines[1:]], header


# Parsers


def _parsed(values: list[Value], header: Sequence[str] | None, format: Format, zone: Zone) -> list[Value]:
    """The values with the columns that `parse` names parsed, and created where they are missing."""
    if not format.parse or not values:
        return values
    if not all(isinstance(value, dict) for value in values):
        raise LoadFailure("Cannot create a property on what is not an object")
    rows = cast("list[Row]", values)
    return [*_parsed_rows(rows, format, zone, header)]


def _parsed_rows(rows: list[Row], format: Format, zone: Zone, header: Sequence[str] | None = None) -> list[Row]:
    if not format.parse or not rows:
        return rows
    how = format.parse if isinstance(format.parse, Mapping) else _inferred(rows, header or list(rows[0]), zone)
    try:
        parsers = [(name, parser_of(name, kind, zone)) for name, kind in how.items()]
    except IllegalParser as error:
        raise LoadFailure(str(error)) from error
    return [{**row, **{name: parser(row.get(name, UNDEFINED)) for name, parser in parsers}} for row in rows]


def _inferred(rows: list[Row], columns: Iterable[str], zone: Zone) -> dict[str, str]:
    """`parse: "auto"` looks at the header of delimited text, and at the keys of the first row of JSON."""
    return {name: inferred_parser((row.get(name, UNDEFINED) for row in rows), zone) for name in columns}


# Columnar files


def _columnar_format(file: DataFile, format: Node | None) -> Format | None:
    """The format when the file is Arrow or Parquet: the spec says so, or says nothing and the file begins like one."""
    try:
        known = usable_format(format)
    except LoadFailure:
        return None
    if known.type in ("arrow", "parquet"):
        return known
    from sheliak.loading.columnar import ARROW_MAGIC, PARQUET_MAGIC

    return known if not known.declared and file.bytes_at(0, 8).startswith((ARROW_MAGIC, PARQUET_MAGIC)) else None


def _rows_of_columns(path: Path) -> list[Row]:
    from sheliak.loading.columnar_rows import read_rows

    return read_rows(path)
