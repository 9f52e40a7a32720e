"""Scans of rows that are at hand: the values themselves say the types of the columns."""

from __future__ import annotations

from collections.abc import Callable

from sheliak.expressions.values import UNDEFINED, Row
from sheliak.plan.column_types import type_of_values
from sheliak.plan.operators import Field, Scan, Schema, Source


def scan_rows(name: str, rows: list[Row], column: Callable[[], int]) -> Scan:
    """A scan of rows; a field that only some have is undefined in the others."""
    names: dict[str, None] = {}
    for row in rows:
        if row.keys() != names.keys():
            names.update(dict.fromkeys(row))
    fields = [Field(field, column(), type_of_values(row.get(field, UNDEFINED) for row in rows)) for field in names]
    return Scan(Source(name, rows, count=len(rows)), Schema(tuple(fields)))
