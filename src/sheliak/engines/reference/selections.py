"""Vega-Lite's selections: tests and summaries of the dataset in which a selection is stored.

An entry of the store is `{unit, fields: [{field, type}], values}`, or `{unit, _vgsid_}` for a selection of single rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import isnan
from typing import Protocol, TypeAlias

from sheliak.expressions.field_paths import split_path
from sheliak.expressions.properties import property_of
from sheliak.expressions.values import (
    UNDEFINED,
    Date,
    EvaluationError,
    Function,
    Row,
    Value,
    less_or_equal,
    less_than,
    strict_equal,
    to_boolean,
    to_number,
    to_text,
)

_IDENTITY = "_vgsid_"
_GETTER = Function("getter")


class Stores(Protocol):
    """Where the stores are found."""

    def dataset(self, name: str) -> list[Row] | None: ...


SelectionFunction: TypeAlias = Callable[..., Value]


def _entries(stores: Stores, name: Value) -> list[Row]:
    rows = stores.dataset(to_text(name))
    if rows is None:
        raise EvaluationError("Cannot read properties of null (reading 'length')")
    return rows


# Tests


def selection_test(stores: Stores, name: Value, datum: Value = UNDEFINED, op: Value = UNDEFINED, *_: Value) -> Value:
    """vlSelectionTest: some entry takes the datum; with `intersect`, for every unit some entry of it does."""
    entries = _entries(stores, name)
    if op != "intersect":
        matched = next((True for entry in entries if _matches(datum, entry)), None)
        return matched if matched is not None else (False if entries else 0.0)
    return _intersects(datum, entries) if entries else 0.0


def _intersects(datum: Value, entries: list[Row]) -> bool:
    units: dict[str, list[Row]] = {}
    for entry in entries:
        units.setdefault(to_text(property_of(entry, "unit")), []).append(entry)
    return all(any(_matches(datum, entry) for entry in group) for group in units.values())


def _matches(datum: Value, entry: Row) -> bool:
    fields, values = property_of(entry, "fields"), property_of(entry, "values")
    for index, definition in enumerate(_list(fields)):
        # Vega keeps what it compiled in the entry itself, where it is seen with the rows of the store.
        if isinstance(definition, dict):
            definition["getter"] = _GETTER
        if not _fits(_read(datum, definition), _plain_value(values, index), property_of(definition, "type")):
            return False
    return True


def _list(value: Value) -> list[Value]:
    return value if isinstance(value, list) else []


def _read(datum: Value, definition: Value) -> Value:
    value = datum
    for name in split_path(to_text(property_of(definition, "field"))):
        value = property_of(value, name)
    return value.ms if isinstance(value, Date) else value


def _plain_value(values: Value, index: int) -> Value:
    """The value of an entry at an index; its dates become numbers, in the store itself."""
    if not isinstance(values, list) or index >= len(values):
        return UNDEFINED
    value = values[index]
    if isinstance(value, Date):
        values[index] = value.ms
    elif isinstance(value, list) and value and isinstance(value[0], Date):
        values[index] = [to_number(element) for element in value]
    return values[index]


def _fits(value: Value, selected: Value, kind: Value) -> bool:
    """Whether a datum's value is among the selected ones, by the type of the selected field."""
    match kind:
        case "E":
            return _includes(selected, value) if isinstance(selected, list) else strict_equal(value, selected)
        case "R":
            return _in_range(value, selected, left=True, right=True)
        case "R-RE":
            return _in_range(value, selected, left=True, right=False)
        case "R-E":
            return _in_range(value, selected, left=False, right=False)
        case "R-LE":
            return _in_range(value, selected, left=False, right=True)
        case "E-LT":
            return not less_or_equal(selected, value)
        case "E-LTE":
            return not less_than(selected, value)
        case "E-GT":
            return not less_or_equal(value, selected)
        case "E-GTE":
            return not less_than(value, selected)
        case "E-VALID":
            return value is not None and not isnan(to_number(value))
        case "E-ONE":
            return any(strict_equal(element, value) for element in _list(selected))
        case _:
            return True


def _includes(values: list[Value], value: Value) -> bool:
    """Array.includes: as `===`, and NaN is found."""
    missing = isinstance(value, float) and isnan(value)
    return any(strict_equal(element, value) or (missing and isinstance(element, float) and isnan(element)) for element in values)


def _in_range(value: Value, ends: Value, *, left: bool, right: bool) -> bool:
    """Between the two ends of a range, in whichever order they stand."""
    low, high = property_of(ends, "0"), property_of(ends, "1")
    if less_than(high, low):
        low, high = high, low
    above = less_or_equal if left else less_than
    below = less_or_equal if right else less_than
    return above(low, value) and below(value, high)


def selection_id_test(stores: Stores, name: Value, datum: Value = UNDEFINED, op: Value = UNDEFINED, *_: Value) -> Value:
    """vlSelectionIdTest: the datum's own row is stored; with `intersect`, once for every unit. Stores are sorted by identity."""
    entries = _entries(stores, name)
    value = property_of(datum, _IDENTITY)
    if value is None or value is UNDEFINED:
        return False
    found = [entry for entry in entries if strict_equal(property_of(entry, _IDENTITY), value)]
    if not found or op != "intersect":
        return bool(found)
    units = {to_text(property_of(entry, "unit")) for entry in entries}
    return len(found) >= len(units)


# Summaries

Merge: TypeAlias = Callable[[list[Value], list[Value]], list[Value]]


def selection_resolve(
    stores: Stores, name: Value, op: Value = UNDEFINED, multi: Value = UNDEFINED, points: Value = UNDEFINED, *_: Value
) -> Value:
    """vlSelectionResolve: for every field the selected values or range; all entries of a unit are united, units combined."""
    by_field: dict[str, dict[str, list[Value]]] = {}
    kinds: dict[str, str] = {}
    tuples: dict[str, list[Value]] = {}
    for entry in _entries(stores, name):
        unit = to_text(property_of(entry, "unit"))
        chosen = _united(entry, unit, by_field, kinds)
        if to_boolean(multi):
            tuples.setdefault(unit, []).append(chosen)
    operation = op if to_boolean(op) else "union"
    resolved: Row = {field: _combined(units.values(), kinds[field], operation) for field, units in by_field.items()}
    if tuples:
        key = "vlPoint" if to_boolean(points) else "vlMulti"
        resolved[key] = _described(tuples, operation)
    return resolved


def _united(entry: Row, unit: str, by_field: dict[str, dict[str, list[Value]]], kinds: dict[str, str]) -> Row:
    """Adds one entry to the values of its fields; gives the entry as an object of fields and values."""
    fields, values = property_of(entry, "fields"), property_of(entry, "values")
    if not isinstance(fields, list) or not isinstance(values, list):
        identity = property_of(entry, _IDENTITY)
        kinds[_IDENTITY] = "E"
        by_field.setdefault(_IDENTITY, {}).setdefault(unit, []).append(identity)
        return {_IDENTITY: identity}
    for index, definition in enumerate(fields):
        field = to_text(property_of(definition, "field"))
        kinds[field] = to_text(property_of(definition, "type"))[:1]
        units = by_field.setdefault(field, {})
        value = values[index] if index < len(values) else UNDEFINED
        units[unit] = _merge(kinds[field], "union")(units.get(unit, []), _as_list(value))
    return {to_text(property_of(definition, "field")): value for definition, value in zip(fields, values, strict=False)}


def _combined(units: Iterable[list[Value]], kind: str, operation: Value) -> Value:
    first, *others = units
    for other in others:
        first = _merge(kind, to_text(operation))(first, other)
    return first


def _as_list(value: Value) -> list[Value]:
    if isinstance(value, list):
        return list(value)
    return [] if value is None or value is UNDEFINED else [value]


def _merge(kind: str, operation: str) -> Merge:
    try:
        return _MERGES[kind, operation]
    except KeyError:
        raise EvaluationError(f"ops[`{kind}_{operation}`] is not a function") from None


def _described(tuples: dict[str, list[Value]], operation: Value) -> Value:
    if operation == "union":
        return {"or": [entry for entries in tuples.values() for entry in entries]}
    return {"and": [{"or": entries} for entries in tuples.values()]}


def _union_of_values(base: list[Value], given: list[Value]) -> list[Value]:
    if not base:
        return given
    for value in given:
        if not _includes(base, value):
            base.append(value)
    return base


def _common_values(base: list[Value], given: list[Value]) -> list[Value]:
    return [value for value in base if _includes(given, value)] if base else given


def _ordered(ends: list[Value]) -> tuple[Value, Value]:
    low, high = (to_number(ends[index]) if index < len(ends) else UNDEFINED for index in (0, 1))
    return (ends[1], ends[0]) if less_than(high, low) else (low, high)


def _span_of_ranges(base: list[Value], given: list[Value]) -> list[Value]:
    low, high = _ordered(given)
    if not base:
        return [low, high]
    return [low if less_than(low, base[0]) else base[0], high if less_than(base[1], high) else base[1]]


def _common_range(base: list[Value], given: list[Value]) -> list[Value]:
    low, high = _ordered(given)
    if not base:
        return [low, high]
    if less_than(high, base[0]) or less_than(base[1], low):
        return []
    return [low if less_than(base[0], low) else base[0], high if less_than(high, base[1]) else base[1]]


_MERGES: dict[tuple[str, str], Merge] = {
    ("E", "union"): _union_of_values,
    ("E", "intersect"): _common_values,
    ("R", "union"): _span_of_ranges,
    ("R", "intersect"): _common_range,
}

SELECTION_FUNCTIONS: dict[str, SelectionFunction] = {
    "vlSelectionTest": selection_test,
    "vlSelectionIdTest": selection_id_test,
    "vlSelectionResolve": selection_resolve,
}
