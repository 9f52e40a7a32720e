"""Rows as programs that know no JavaScript read them: JSON as JSON.stringify would write it, and CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from math import isfinite

from sheliak.expressions.values import UNDEFINED, Date, Json, Row, Value, to_text
from sheliak.expressions.zones import UTC

_LARGEST_WHOLE = 1e15


def field_names(rows: Iterable[Row]) -> list[str]:
    """The fields of the rows, in the order in which they first occur."""
    names: dict[str, None] = {}
    for row in rows:
        if row.keys() != names.keys():
            names.update(dict.fromkeys(row))
    return list(names)


def plain(value: Value) -> Json:
    """A value as JSON: dates as ISO 8601 in UTC; what JSON lacks (NaN, the infinities, an invalid date) is null."""
    match value:
        case None | bool() | str():
            return value
        case float() | int():
            return number(value) if isfinite(value) else None
        case Date(ms):
            return iso_text(ms)
        case list():
            return [plain(item) for item in value]
        case dict():
            return {name: plain(item) for name, item in value.items() if item is not UNDEFINED}
        case _:
            return None


def number(value: float) -> int | float:
    """A whole number without its `.0`."""
    return int(value) if value == int(value) and abs(value) < _LARGEST_WHOLE else value


def iso_text(ms: float) -> str | None:
    """`2020-01-31T23:59:00.000Z`, as JavaScript writes it; None for an invalid date."""
    if not isfinite(ms):
        return None
    at = UTC.calendar(int(ms))
    year = f"{at.year:04d}" if 0 <= at.year <= 9999 else f"{'-' if at.year < 0 else '+'}{abs(at.year):06d}"
    return f"{year}-{at.month + 1:02d}-{at.day:02d}T{at.hours:02d}:{at.minutes:02d}:{at.seconds:02d}.{int(ms) % 1000:03d}Z"


def json_lines(rows: Iterable[Row]) -> Iterator[str]:
    """One row a line."""
    return (json_text(plain(row)) for row in rows)


def json_array(rows: Iterable[Row]) -> str:
    """All rows in one array, one row a line."""
    return "[" + ",".join(f"\n{line}" for line in json_lines(rows)) + "\n]\n"


def json_text(value: object) -> str:
    """Compact JSON."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    # A lone surrogate has no bytes of its own.
    return text if _has_bytes(text) else json.dumps(value, separators=(",", ":"))


def _has_bytes(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def csv_text(rows: Sequence[Row]) -> str:
    """Comma-separated values: a line of names, nothing for null and undefined, dates as ISO 8601, lists and objects as JSON."""
    names = field_names(rows)
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    writer.writerows([cell(row.get(name, UNDEFINED)) for name in names] for row in rows)
    return out.getvalue()


def cell(value: Value) -> str:
    """A value as the text of one cell."""
    match value:
        case Date(ms):
            return iso_text(ms) or ""
        case list() | dict():
            return json_text(plain(value))
        case _:
            return "" if value is None or value is UNDEFINED else to_text(value)
