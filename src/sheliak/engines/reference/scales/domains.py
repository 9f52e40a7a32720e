"""Domains computed from datasets: the extent of a field, its distinct values in some order, or all of its values."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cmp_to_key
from math import inf, isfinite
from typing import Protocol

from sheliak.expressions.field_paths import FieldPathError, split_path
from sheliak.expressions.values import UNDEFINED, EvaluationError, Row, Value, compare, key_text, to_number
from sheliak.source.tree import Node
from sheliak.transforms._reading import read_transform
from sheliak.transforms._running import Getter, Running, path_getter

_SEVERAL = {"min": "min", "max": "max", "count": "sum"}


class DomainData(Protocol):
    """Where the rows of datasets are found."""

    def output(self, name: str) -> list[Row]:
        """The rows of a dataset."""

    def running(self) -> Running: ...


Reading = tuple[list[Row], str]
"""Rows, and the path of the field to read from them."""


def readings(reference: dict[str, object], data: DomainData) -> list[Reading]:
    """What a domain reads: one field of a dataset, or several of one or more; a list of values counts as a dataset of its own."""
    fields, name = reference.get("fields"), reference.get("data")
    if not isinstance(fields, list):
        return [(data.output(str(name)), str(reference.get("field")))]
    return [_reading(field, name, data) for field in fields]


def _reading(field: object, name: object, data: DomainData) -> Reading:
    if isinstance(field, list):
        return [{"data": value} for value in field], "data"
    if isinstance(field, dict):
        return data.output(str(field.get("data"))), str(field.get("field"))
    return data.output(str(name)), str(field)


def getter_of(path: str) -> Getter:
    try:
        return path_getter(split_path(path))
    except FieldPathError as problem:
        raise EvaluationError(str(problem)) from None


# Numbers


def extent_of(sources: Iterable[Reading]) -> list[Value]:
    """The smallest and the largest number; undefined when there is none, or one is infinite."""
    extents = [_extent(rows, path) for rows, path in sources]
    if len(extents) == 1:
        return extents[0]
    # Nothing is less than undefined: a field without numbers does not count. With none at all the ends are infinite.
    lows = [low for low, _ in extents if isinstance(low, float)]
    highs = [high for _, high in extents if isinstance(high, float)]
    return [min(lows, default=inf), max(highs, default=-inf)]


def _extent(rows: list[Row], path: str) -> list[Value]:
    get = getter_of(path)
    low, high = inf, -inf
    for row in rows:
        value = get(row)
        if value is None or value is UNDEFINED or value == "":
            continue
        number = to_number(value)
        low, high = (min(low, number)), (max(high, number))
    return [low, high] if isfinite(low) and isfinite(high) else [UNDEFINED, UNDEFINED]


def values_of(sources: Iterable[Reading]) -> list[Value]:
    """All values, one field after the other."""
    return [getter_of(path)(row) for rows, path in sources for row in rows]


# Distinct values


def distinct_of(sources: list[Reading], sort: object, data: DomainData) -> list[Value]:
    """Each value once, told apart by its text, as it first occurs; or sorted by itself, its count or an aggregate."""
    order = _order(sort)
    if order is None:
        return _first_seen(sources)
    counted = [_counted(rows, path, order, data) for rows, path in sources]
    groups = counted[0] if len(counted) == 1 else _combined(counted, order, data)
    name = aggregate_name(order.get("op"), order.get("field"))
    sign = -1 if order.get("order") == "descending" else 1
    zone = data.running().zone

    def by_name(a: Row, b: Row) -> int:
        return sign * compare(a.get(name, UNDEFINED), b.get(name, UNDEFINED), zone)

    return [group.get("key", UNDEFINED) for group in sorted(groups, key=cmp_to_key(by_name))]


def _first_seen(sources: list[Reading]) -> list[Value]:
    found: dict[str, Value] = {}
    for rows, path in sources:
        get = getter_of(path)
        for row in rows:
            value = get(row)
            found.setdefault(key_text(value), value)
    return list(found.values())


def _order(sort: object) -> dict[str, object] | None:
    """`true` and an object without field and op sort by the value itself."""
    if not sort:
        return None
    given = dict(sort) if isinstance(sort, dict) else {}
    if not given.get("field") and not given.get("op"):
        given["field"] = "key"
    elif not given.get("field") and given.get("op") != "count":
        raise EvaluationError(f"No field provided for sort aggregate op: {given.get('op')}")
    return given


def _counted(rows: list[Row], path: str, order: dict[str, object], data: DomainData) -> list[Row]:
    """One row per value: `key`, `count`, and the aggregate to sort by."""
    operation, field = order.get("op"), order.get("field")
    further = bool(operation and field)
    spec = {
        "type": "aggregate",
        "groupby": [{"field": path, "as": "key"}],
        "ops": ["count", *([operation] if further else [])],
        "fields": [None, *([field] if further else [])],
        "as": ["count", *([aggregate_name(operation, field)] if further else [])],
    }
    return read_transform(Node(spec)).rows(rows, data.running())


def _combined(counted: list[list[Row]], order: dict[str, object], data: DomainData) -> list[Row]:
    """The values of several fields; their counts are added, of their aggregates the least or the greatest taken."""
    operation = order.get("op") or "count"
    if operation not in _SEVERAL:
        raise EvaluationError(f"Multiple domain scales can not be sorted using {operation}")
    name = aggregate_name(operation, order["field"]) if order.get("field") else "count"
    ops, fields = [_SEVERAL[str(operation)]], [name]
    spec = {"type": "aggregate", "groupby": ["key"], "ops": ops, "fields": fields, "as": [name]}
    return read_transform(Node(spec)).rows([row for rows in counted for row in rows], data.running())


def aggregate_name(operation: object, field: object) -> str:
    """The field that Vega sorts by; in a path everything but letters, digits and underscores becomes an underscore."""
    path = re.sub(r"\W+", "_", str(field), flags=re.ASCII).strip("_") if field else ""
    return f"{operation or ''}{'_' if operation and field else ''}{path}"
