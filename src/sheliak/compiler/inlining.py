"""Rows inside of a spec: JSON for what JSON can say, and formulas that restore the rest (dates, NaN, the infinities)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import copysign, isfinite, isnan
from types import NoneType

from sheliak.expressions.values import UNDEFINED, Date, Instance, Json, Row, Value

_LARGEST_WHOLE = 1e15


class NotInlinable(Exception):
    """A value that neither JSON nor a formula over it can say."""


@dataclass(frozen=True, slots=True)
class Inlined:
    """The rows as JSON, and the transforms that make them what they were."""

    values: list[dict[str, Json]]
    restoring: list[dict[str, Json]]


@dataclass(slots=True)
class _Column:
    """The kinds of values that a field holds."""

    kinds: set[str] = field(default_factory=set)

    @property
    def restores(self) -> bool:
        return bool(self.kinds & {"date", "invalid date", "odd number"})

    @property
    def form(self) -> str:
        """How the values that JSON lacks are written: as what no other value of the field is."""
        if not self.restores:
            return "plain"
        if "odd number" not in self.kinds and not self.kinds & {"number", "invalid date"}:
            return "milliseconds"
        if not self.kinds & {"text", "date", "invalid date"}:
            return "texts"
        if "object" in self.kinds:
            raise NotInlinable("a field holds objects beside values that JSON lacks")
        return "objects"


def inlined(rows: Sequence[Row]) -> Inlined:
    """The rows as values of a spec. Raises NotInlinable."""
    names = list(rows[0]) if rows else []
    alike = all(len(row) == len(names) and all(name in row for name in names) for row in rows)
    names = names if alike else list(dict.fromkeys(name for row in rows for name in row))
    given = {name: [row[name] for row in rows] if alike else [row.get(name, UNDEFINED) for row in rows] for name in names}
    columns = {name: _Column(_kinds(values)) for name, values in given.items()}
    forms = {name: column.form for name, column in columns.items()}
    written = [_all_written(values, columns[name].kinds, forms[name]) for name, values in given.items()]
    if any("undefined" in column.kinds for column in columns.values()):
        values: list[dict[str, Json]] = [
            {name: value for name, value in zip(names, row, strict=True) if value is not _ABSENT}
            for row in zip(*written, strict=True)
        ]
    else:
        values = [dict(zip(names, row, strict=True)) for row in zip(*written, strict=True)]
    return Inlined(values or [{} for _ in rows], [_formula(name, form) for name, form in forms.items() if form != "plain"])


_ABSENT: Json = {}
"""Stands for undefined until the row is made."""
_AS_THEY_ARE = frozenset({"constant", "text"})


def _kinds(values: list[Value]) -> set[str]:
    """The kinds of values in a column; most columns are told from the types alone."""
    types = set(map(type, values))
    if types <= {str, bool, NoneType}:
        return ({"text"} if str in types else set()) | ({"constant"} if types - {str} else set())
    if types == {float}:
        return {"number"} if all(map(isfinite, values)) else set(map(_kind, values))  # type: ignore[arg-type]
    return set(map(_kind, values))


def _all_written(values: list[Value], kinds: set[str], form: str) -> Sequence[Json]:
    if kinds <= _AS_THEY_ARE:
        return values  # type: ignore[return-value]
    return [_ABSENT if value is UNDEFINED else _written(value, form) for value in values]


def _kind(value: Value) -> str:
    match value:
        case bool() | None:
            return "constant"
        case float() | int():
            return "number" if isfinite(value) else "odd number"
        case str():
            return "text"
        case Date(ms):
            return "date" if isfinite(ms) else "invalid date"
        case list() | dict() if not isinstance(value, Instance):
            _require_plain(value)
            return "object"
        case _ if value is UNDEFINED:
            return "undefined"
        case _:
            raise NotInlinable(f"a field holds a {type(value).__name__.lower()}")


def _require_plain(value: Value) -> None:
    """Formulas reach fields of a row only: below them everything must be JSON."""
    members: Iterable[Value] = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for member in members:
        if _kind(member) not in ("constant", "number", "text", "object", "undefined"):
            raise NotInlinable("values that JSON lacks lie below a field")
        if member is UNDEFINED and isinstance(value, list):
            raise NotInlinable("a list has undefined elements")


def _written(value: Value, form: str) -> Json:
    if type(value) is float and isfinite(value):
        return plain_number(value)
    match value:
        case bool() | None | str():
            return value
        case float() | int():
            return plain_number(value) if isfinite(value) else _odd(value, form)
        case Date(ms):
            return plain_number(ms) if form == "milliseconds" else {"$date": plain_number(ms) if isfinite(ms) else "NaN"}
        case dict():
            return {name: _written(member, form) for name, member in value.items() if member is not UNDEFINED}
        case list():
            return [_written(member, form) for member in value]
        case _:
            raise NotInlinable(f"a field holds a {type(value).__name__.lower()}")


def plain_number(value: float) -> int | float:
    """Whole numbers without a fraction; -0 keeps its sign."""
    if not value.is_integer() or abs(value) >= _LARGEST_WHOLE:
        return value
    return int(value) if value or copysign(1.0, value) > 0 else value


def _odd(value: float, form: str) -> Json:
    text = "NaN" if isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return text if form == "texts" else {"$number": text}


def _formula(name: str, form: str) -> dict[str, Json]:
    value = f"datum[{json.dumps(name)}]"
    match form:
        case "milliseconds":
            restored = f"isNumber({value}) ? datetime({value}) : {value}"
        case "texts":
            restored = f"isString({value}) ? toNumber({value}) : {value}"
        case _:
            number = f'toNumber({value}["$number"])'
            date = f'datetime(toNumber({value}["$date"]))'
            restored = f'isObject({value}) ? (isDefined({value}["$date"]) ? {date} : {number}) : {value}'
    return {"type": "formula", "as": name, "expr": restored}


# Signals


def signal_of(name: str, value: Value) -> dict[str, Json]:
    """A signal that has a value from the start. Raises NotInlinable."""
    if value is UNDEFINED:
        return {"name": name}
    try:
        if _kind(value) in ("constant", "number", "text", "object"):
            return {"name": name, "value": _written(value, "plain")}
    except NotInlinable:
        pass
    return {"name": name, "init": _expression(value)}


def _expression(value: Value) -> str:
    """An expression whose value this is."""
    match value:
        case bool() | None | str():
            return json.dumps(value)
        case float() | int():
            if isfinite(value):
                return json.dumps(plain_number(value))
            return "NaN" if isnan(value) else "(1/0)" if value > 0 else "(-1/0)"
        case Date(ms):
            return f"datetime({_expression(ms)})"
        case list():
            return f"[{', '.join(map(_expression, value))}]"
        case dict() if not isinstance(value, Instance):
            return f"{{{', '.join(f'{json.dumps(name)}: {_expression(member)}' for name, member in value.items())}}}"
        case _ if value is UNDEFINED:
            return "[][0]"
        case _:
            raise NotInlinable(f"the signal holds a {type(value).__name__.lower()}")
