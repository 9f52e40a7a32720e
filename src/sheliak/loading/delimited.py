"""Delimited text, cut into cells by the rules of d3-dsv, which Vega uses."""

from __future__ import annotations

import json
from collections.abc import Sequence

from sheliak.loading.columns import MAX_FIELDS, Column
from sheliak.loading.formats import Format
from sheliak.loading.table import Table

_EMPTY = Column(((),))


def cells_of(text: str, separator: str) -> list[list[str]]:
    """The lines of the text as cells. Only the first character of the separator counts; one newline at the end is dropped."""
    separator = separator[:1]
    text = text.removesuffix("\n").removesuffix("\r")
    if '"' not in text:
        return _cells_without_quotes(text, separator)
    import csv
    import io

    try:
        # The csv module agrees with d3 wherever it accepts the text strictly: no text after a closing quote, none left open.
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True))
        return rows + [[""]] if text.endswith(("\n", "\r")) else rows
    except (csv.Error, TypeError, ValueError):
        return _cells_one_by_one(text, separator)


def _cells_without_quotes(text: str, separator: str) -> list[list[str]]:
    if not text:
        return []
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    return [line.split(separator) for line in lines] if separator else [[line] for line in lines]


def _cells_one_by_one(text: str, separator: str) -> list[list[str]]:
    """For text that is quoted oddly: whatever follows a closing quote is skipped as if it were the separator."""
    rows: list[list[str]] = []
    row: list[str] = []
    position, ended = 0, False
    while not ended:
        cell, position, ending = _next_cell(text, position, separator)
        row.append(cell)
        ended = ending is None
        if ended or ending:
            rows.append(row)
            row = []
    return rows


def _next_cell(text: str, start: int, separator: str) -> tuple[str, int, bool | None]:
    """A cell, where the next begins, and whether a line ends between them (None: the text does)."""
    if text.startswith('"', start):
        end = _closing_quote(text, start + 1)
        cell, position = text[start + 1 : end].replace('""', '"'), end + 1
        if position >= len(text):
            return cell, position, None
        return cell, _after_break(text, position), text[position] in "\r\n"
    end = min((found for mark in ("\n", "\r", separator) if mark and (found := text.find(mark, start)) >= 0), default=-1)
    if end < 0:
        return text[start:], len(text), None
    return text[start:end], _after_break(text, end), text[end] in "\r\n"


def _closing_quote(text: str, start: int) -> int:
    """The next quote that is not one of a pair; the end of the text if none is."""
    while (found := text.find('"', start)) >= 0:
        if not text.startswith('"', found + 1):
            return found
        start = found + 2
    return len(text)


def _after_break(text: str, position: int) -> int:
    return position + (2 if text.startswith("\r\n", position) else 1)


def with_header(text: str, format: Format) -> str:
    """The text with the header line that `format.header` puts before it."""
    if format.header is None or format.separator is None:
        return text
    return format.separator.join(json.dumps(name, ensure_ascii=False) for name in format.header) + "\n" + text


def table_of_cells(header: Sequence[str], rows: list[list[str]]) -> Table:
    """One column of text per name of the header: short lines are filled up with empty cells, long ones cut; of two columns
    with one name the later wins."""
    header = header[: MAX_FIELDS + 1]
    width = len(header)
    if any(len(row) != width for row in rows):
        rows = [row[:width] + [""] * (width - len(row)) for row in rows]
    cells = [Column((column,)) for column in zip(*rows, strict=True)] if rows else [_EMPTY] * width
    return Table(dict(zip(header, cells, strict=True)), len(rows), tuple(header))


def table_of_text(text: str, separator: str) -> Table:
    """The first line names the columns, the others are rows."""
    rows = cells_of(text, separator)
    return table_of_cells(rows[0] or [""], rows[1:]) if rows else table_of_cells((), [])
