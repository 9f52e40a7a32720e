"""How rows are put into groups when a transform runs. Vega tells groups apart by a text, and not every transform by the same one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import isfinite, isnan, prod
from typing import TypeAlias

from sheliak.expressions.values import UNDEFINED, Date, EvaluationError, Row, Value, array_text, key_text
from sheliak.expressions.zones import Zone
from sheliak.plan.budget import DRIVER_BUDGET, spend
from sheliak.transforms._operations.cells import Cell, Measured
from sheliak.transforms._running import Getter, Running, ingest

KeyText: TypeAlias = Callable[[Row], str]


def joined_keys(keys: Sequence[Getter], zone: Zone) -> KeyText:
    """The text of `aggregate`, `joinaggregate`, `pivot` and `window`: the keys' texts with `|` between them."""
    if len(keys) == 1:
        (only,) = keys
        return lambda row: key_text(only(row), zone)
    return lambda row: "|".join([key_text(key(row), zone) for key in keys])


def parts_by_text(rows: Iterable[Row], keys: Sequence[Getter], zone: Zone) -> list[list[Row]]:
    """The groups of that text."""
    text = joined_keys(keys, zone) if keys else _one_group
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(text(row), []).append(row)
    return list(found.values())


@dataclass(slots=True)
class Part:
    """The rows of a group and the keys of its first row."""

    keys: list[Value]
    rows: list[Row]


def parts(rows: Iterable[Row], keys: Sequence[Getter] | None, zone: Zone) -> list[Part]:
    """The groups of `kde`, `quantile`, `loess`, `regression`, `dotbin` and `impute`: by the text of the list of keys, where null and
    undefined are as good as empty text. Without `groupby` there is one group, even of no rows at all."""
    if keys is None:
        return [Part([], list(rows))]
    found: dict[str, Part] = {}
    for row in rows:
        values = [key(row) for key in keys]
        text = array_text(values, ",", zone)
        if text not in found:
            found[text] = Part(values, [])
        found[text].rows.append(row)
    return list(found.values())


JsonKey: TypeAlias = "None | bool | float | str | tuple[JsonKey, ...]"


def json_key(value: Value, holders: frozenset[int] = frozenset()) -> JsonKey:
    """What tells values apart as JSON text does, for `stack`: 1 is not "1", but a date is its text and what is no number is null.

    A value that holds itself has no such text, which stops the run; `holders` are the objects that hold the value.
    """
    if isinstance(value, float):
        return value if isfinite(value) else None
    if value is None or isinstance(value, (bool, str)):
        return ("bool", value) if isinstance(value, bool) else value
    if isinstance(value, Date):
        return _json_date(value)
    if isinstance(value, list | dict) and id(value) in holders:
        raise EvaluationError("Converting circular structure to JSON")
    if isinstance(value, list):
        return ("list", *[json_key(element, holders | {id(value)}) for element in value])
    if isinstance(value, dict):
        inside = holders | {id(value)}
        members = [(name, json_key(member, inside)) for name, member in value.items() if member is not UNDEFINED]
        return ("object", *members)
    return None


def _json_date(date: Date) -> JsonKey:
    if isnan(date.ms):
        return None
    from sheliak.expressions.zones import calendar_of

    at = calendar_of(int(date.ms))
    year = f"{at.year:04d}" if 0 <= at.year <= 9999 else f"{'-' if at.year < 0 else '+'}{abs(at.year):06d}"
    day = f"{year}-{at.month + 1:02d}-{at.day:02d}"
    return f"{day}T{at.hours:02d}:{at.minutes:02d}:{at.seconds:02d}.{at.milliseconds:03d}Z"


def in_property_order(names: Iterable[str]) -> list[str]:
    """Names as JavaScript lists those of an object: whole numbers first, by size, then the others as they came."""
    numbers: list[str] = []
    others: list[str] = []
    for name in names:
        (numbers if _is_index(name) else others).append(name)
    return [*sorted(numbers, key=int), *others]


def _is_index(name: str) -> bool:
    return name.isascii() and name.isdigit() and (name == "0" or name[0] != "0") and int(name) < 2**32 - 1


class Groups:
    """The groups of an aggregation, in the order of their first rows: what each of them comes to is written into a row of its own."""

    def __init__(
        self, names: Sequence[str], keys: Sequence[Getter], key: Getter | None, measured: Measured, running: Running
    ) -> None:
        self.names = names
        self.keys = keys
        self.text = joined_keys(keys if key is None else [key], running.zone) if keys or key else _one_group
        self.measured = measured
        self.running = running
        self.cells: dict[str, tuple[Row, Cell]] = {}

    def add(self, rows: Iterable[Row]) -> None:
        for row in rows:
            self.cell(self.text(row), row)[1].add(row)

    def begin(self, text: str, keys: Row) -> None:
        """A group that was found elsewhere, with its keys under their names."""
        made: Row = {name: keys.get(name, UNDEFINED) for name in self.names}
        self.cells[text] = ingest(made), Cell(self.measured, self.running)

    def cell(self, text: str, row: Row) -> tuple[Row, Cell]:
        """The group of that text; a new one takes its keys from the row."""
        found = self.cells.get(text)
        if found is None:
            made: Row = {}
            for name, key in zip(self.names, self.keys, strict=True):
                made[name] = key(row)
            found = self.cells[text] = ingest(made), Cell(self.measured, self.running)
        return found

    def cross(self) -> None:
        """Adds an empty group for every combination of keys that has none."""
        values: list[dict[str, Value]] = [{} for _ in self.names]
        for text in in_property_order(self.cells):
            row = self.cells[text][0]
            for name, found in zip(self.names, values, strict=True):
                found[key_text(row[name], self.running.zone)] = row[name]
        spend(prod(map(len, values)), "every combination of its keys", DRIVER_BUDGET)
        self._combine("", {}, values)

    def _combine(self, base: str, row: Row, values: list[dict[str, Value]]) -> None:
        name = self.names[len(self.names) - len(values)]
        for text in in_property_order(values[0]):
            # An empty text in front leaves no mark: such a group is not found, and Vega makes it a second time.
            key = f"{base}|{text}" if base else text
            row[name] = values[0][text]
            if len(values) > 1:
                self._combine(key, row, values[1:])
            else:
                self.cell(key, row)

    def rows(self) -> list[Row]:
        """The groups' rows, with their results."""
        for row, cell in self.cells.values():
            cell.write(row)
        return [row for row, _ in self.cells.values()]

    def published(self) -> Value:
        """What Vega's signal holds: each group under its text."""
        return {text: {"key": text, "num": float(cell.count), "tuple": row} for text, (row, cell) in self.cells.items()}


def _one_group(row: Row) -> str:
    return ""
