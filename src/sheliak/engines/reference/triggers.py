"""Triggers and the function `modify`: changes of datasets, gathered during a run, that take effect after it."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import isnan

from sheliak.dataflow.definitions import Trigger
from sheliak.engines.reference.environment import RunEnvironment, value_of_text
from sheliak.expressions.values import UNDEFINED, Date, EvaluationError, Row, Value, strict_equal, to_boolean
from sheliak.transforms._running import IdentifiedRow


@dataclass(slots=True)
class Changes:
    """What one dataset is to undergo."""

    removes_all: bool = False
    removed: list[Value] = field(default_factory=list)
    """Rows that are removed themselves."""
    patterns: list[Value] = field(default_factory=list)
    """Objects: every row that has their fields is removed."""
    inserted: list[Value] = field(default_factory=list)
    modified: list[tuple[Value, str, Value]] = field(default_factory=list)
    """Row, field and new value."""

    def add(self, rows: list[Row], insert: Value, remove: Value, toggle: Value, modify: Value, values: Value) -> bool:
        """Takes in what `modify` is told while the dataset's input holds these rows; false when there is nothing to do."""
        if not rows and not to_boolean(insert) and not to_boolean(toggle):
            return False
        if to_boolean(remove):
            self._remove(remove)
        if to_boolean(insert):
            self.inserted += listed(insert)
        if to_boolean(toggle):
            if any(has_fields(row, toggle) for row in rows):
                self.patterns.append(toggle)
            else:
                self.inserted += listed(toggle)
        if to_boolean(modify) and isinstance(values, dict):
            self.modified += [(modify, name, value) for name, value in values.items()]
        return True

    def _remove(self, remove: Value) -> None:
        if remove is True:
            self.removes_all = True
        elif isinstance(remove, list):
            self.removed += remove
        elif isinstance(remove, IdentifiedRow):
            self.removed.append(remove)
        else:
            self.patterns.append(remove)

    def applied(self, fresh: list[Row], seen: list[Row]) -> list[Row] | None:
        """The dataset's input after the changes; None when nothing changes.

        `seen` are the rows as the run left them, at the same positions as `fresh`, which no transform has written into.
        """
        kept = [not self._is_removed(row) for row in seen]
        known = {id(row): index for index, row in enumerate(seen)}
        added: list[Row] = []
        for row in self.inserted:
            if id(row) in known:
                kept[known[id(row)]] = True
            else:
                added.append(ingestible(row))
        changed: dict[int, Row] = {}
        for row, name, value in self.modified:
            index = known.get(id(row))
            if index is not None and kept[index]:
                changed.setdefault(index, {})[name] = value
        if all(kept) and not added and not changed:
            return None
        left = [index for index in range(len(fresh)) if kept[index]]
        return [{**fresh[index], **changed[index]} if index in changed else fresh[index] for index in left] + added

    def _is_removed(self, row: Row) -> bool:
        return self.removes_all or any(row is other for other in self.removed) or any(has_fields(row, p) for p in self.patterns)


def parts_of(trigger: Trigger, environment: RunEnvironment) -> list[Value] | None:
    """What a trigger tells `modify`: insert, remove, toggle, modify, values; None when its condition does not hold."""
    if not to_boolean(_part(trigger, "trigger", environment)):
        return None
    return [_part(trigger, name, environment) for name in ("insert", "remove", "toggle", "modify", "values")]


def _part(trigger: Trigger, name: str, environment: RunEnvironment) -> Value:
    text = trigger.part(name)
    return None if text is None else value_of_text(text, environment)


def listed(value: Value) -> list[Value]:
    """A lone value counts as a list of one."""
    return value if isinstance(value, list) else [value]


def ingestible(value: Value) -> Row:
    """A value as a row; null cannot be one."""
    if value is None or value is UNDEFINED:
        raise EvaluationError("Cannot read properties of null (reading 'Symbol(vega_id)')")
    return dict(value) if isinstance(value, dict) else {"data": value}


def has_fields(row: Value, pattern: Value) -> bool:
    """The row has every field of the pattern, with an equal value; a pattern without fields fits every row."""
    if not isinstance(pattern, dict):
        return True
    return all(
        _is_equal(value, row.get(name, UNDEFINED) if isinstance(row, dict) else UNDEFINED) for name, value in pattern.items()
    )


def _is_equal(a: Value, b: Value) -> bool:
    """NaN equals itself, lists and objects are compared by their parts; of dates Vega sees no parts."""
    if strict_equal(a, b) or (isinstance(a, float) and isinstance(b, float) and isnan(a) and isnan(b)):
        return True
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and all(map(_is_equal, a, b))
    if isinstance(a, (dict, Date)) and isinstance(b, (dict, list, Date)):
        return has_fields(b, a)
    return False
