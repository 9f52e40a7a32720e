"""Changes as lines of JSON, as the calculus has them.

    {"data": NAME, "id": ID, "add": {...}}        a new row
    {"data": NAME, "id": ID, "update": {...}}     the whole new row
    {"data": NAME, "id": ID, "remove": true}
    {"commit": true}                              ends a pulse

An id is a number or a string. What JSON cannot hold is written as everywhere: {"$num": "NaN"}, {"$date": ms}, {"$undefined": true}.
Here only the form is looked at; whether there is such a dataset and such a row is known where the changes go.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from math import isfinite
from numbers import Integral
from typing import Final, Literal, NamedTuple, TypeAlias

from sheliak.changes.change import Add, Change, Remove, Trace, Update, trace_text
from sheliak.expressions.values import Json, Row, Value, decode, encode

Kind: TypeAlias = Literal["add", "update", "remove"]
_KINDS: Final[tuple[Kind, ...]] = ("add", "update", "remove")
_FORM: Final = 'a line is {"data": ..., "id": ..., "add" or "update": {...}}, {..., "remove": true} or {"commit": true}'
_AS_THEY_ARE: Final = frozenset({float, str})
"""Types whose values are JavaScript's already."""
_NUMBERS: Final = frozenset({"NaN", "Infinity", "-Infinity", "-0"})


class Line(NamedTuple):
    """One change as it is written; `row` is None for a remove."""

    number: int
    dataset: str
    kind: Kind
    id: Trace
    row: Row | None


Pulse: TypeAlias = "tuple[Line, ...]"


class MalformedChange(Exception):
    """A line that is no change: which one, counted from 1, and where in it, if that is known."""

    def __init__(self, message: str, line: int, column: int | None = None) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


class _Problem(Exception):
    """What is wrong with a line."""


def read_pulses(text: str) -> list[Pulse]:
    """The pulses, an open one at the end included. Raises MalformedChange for the first line that is none."""
    pulses: list[Pulse] = []
    pulse: list[Line] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        found = _read_line(line, number)
        if found is not None:
            pulse.append(found)
        else:
            pulses.append(tuple(pulse))
            pulse = []
    return [*pulses, tuple(pulse)] if pulse else pulses


def _read_line(line: str, number: int) -> Line | None:
    try:
        return _line_of(json.loads(line, object_pairs_hook=_object, parse_constant=_no_constant), number)
    except json.JSONDecodeError as problem:
        raise MalformedChange(f"this is no JSON: {problem.msg}", number, problem.colno) from None
    except RecursionError:
        raise MalformedChange("this is nested too deeply", number) from None
    except (_Problem, ValueError, OverflowError) as problem:
        message = str(problem) if isinstance(problem, _Problem) else "this number is too large for a double"
        raise MalformedChange(message, number) from None


def _object(pairs: list[tuple[str, Json]]) -> Json:
    members = dict(pairs)
    if len(members) < len(pairs):
        repeated = next(name for index, (name, _) in enumerate(pairs) if name in dict(pairs[:index]))
        raise _Problem(f'the key "{repeated}" is there twice')
    return members


def _no_constant(text: str) -> Json:
    raise _Problem(f'{text} is no JSON: write {{"$num": "{text}"}}')


def _line_of(members: Json, number: int) -> Line | None:
    if not isinstance(members, dict):
        raise _Problem(_FORM)
    if "commit" in members:
        if members != {"commit": True}:
            raise _Problem('a commit is {"commit": true} and nothing else')
        return None
    kind, dataset = _kind(members), members["data"]
    if not isinstance(dataset, str):
        raise _Problem("the name of a dataset is a string")
    return Line(number, dataset, kind, _id(members["id"]), _row(kind, members[kind]))


def _kind(members: dict[str, Json]) -> Kind:
    for name in members:
        if name not in ("data", "id", *_KINDS):
            raise _Problem(f'the key "{name}" has no meaning here; {_FORM}')
    kinds = [kind for kind in _KINDS if kind in members]
    if len(kinds) != 1 or not {"data", "id"} <= members.keys():
        raise _Problem(_FORM)
    return kinds[0]


def _id(value: Json) -> Trace:
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise _Problem("an id is a number or a string")
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        raise OverflowError
    return value


def _row(kind: Kind, given: Json) -> Row | None:
    if kind == "remove":
        if given is not True:
            raise _Problem('a remove is {..., "remove": true}')
        return None
    _require_encoded(given)
    row = decode(given)
    if not isinstance(row, dict):
        raise _Problem("a row is a JSON object")
    return row


def _require_encoded(value: Json) -> None:
    """Values that JSON cannot hold are named rightly, and numbers are doubles."""
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        raise OverflowError
    if isinstance(value, list):
        for element in value:
            _require_encoded(element)
    elif isinstance(value, dict):
        name, inner = next(iter(value.items())) if len(value) == 1 else ("", None)
        _require_named(name, inner)
        for member in inner.values() if name == "$escape" and isinstance(inner, dict) else value.values():
            _require_encoded(member)


def _require_named(name: str, inner: Json) -> None:
    if name == "$num" and inner not in _NUMBERS:
        raise _Problem(f'"$num" is one of {", ".join(sorted(_NUMBERS))}')
    if name == "$date" and inner is not None and (isinstance(inner, bool) or not isinstance(inner, (int, float))):
        raise _Problem('"$date" is a number of milliseconds, or null for an invalid date')


def line_of_object(given: Mapping[str, object], number: int, value_of: Callable[[object], Value]) -> Line:
    """A change given as a dict with plain values; `value_of` makes them JavaScript's. Raises MalformedChange."""
    dataset, id = given.get("data"), given.get("id")
    kind: Kind = "add" if "add" in given else "update" if "update" in given else "remove"
    if len(given) != 3 or kind not in given or id is None or dataset is None:
        raise MalformedChange(_FORM.replace(' or {"commit": true}', ""), number)
    if not isinstance(dataset, str):
        raise MalformedChange("the name of a dataset is a string", number)
    if type(id) is not int:
        id = _id_given(id, number)
    row = given[kind]
    if kind == "remove":
        if row is not True:
            raise MalformedChange('a remove is {..., "remove": true}', number)
        return Line(number, dataset, "remove", id, None)
    if type(row) is not dict and not isinstance(row, Mapping):
        raise MalformedChange("a row is a dict", number)
    values = {
        name if type(name) is str else str(name): value if type(value) in _AS_THEY_ARE else value_of(value)
        for name, value in row.items()
    }
    return Line(number, dataset, kind, id, values)


def _id_given(id: object, number: int) -> Trace:
    if not isinstance(id, int) and isinstance(id, Integral):
        id = int(id)  # one of numpy's
    if isinstance(id, bool) or not isinstance(id, (str, int, float)) or (isinstance(id, float) and not isfinite(id)):
        raise MalformedChange("an id is a number or a string", number)
    return id


# Writing


def line_text(dataset: str, change: Change) -> str:
    """A change as a line; the id of a row that is no source's is its trace as text."""
    head: dict[str, Json] = {"data": dataset, "id": id_of(change.trace)}
    match change:
        case Add(_, row):
            head["add"] = encode(row)
        case Update(_, _, new):
            head["update"] = encode(new)
        case Remove():
            head["remove"] = True
    return json.dumps(head, ensure_ascii=False, separators=(",", ":"))


def lines_of(pulse: Iterable[tuple[str, Change]]) -> Iterator[str]:
    """A pulse with its end."""
    yield from (line_text(dataset, change) for dataset, change in pulse)
    yield '{"commit":true}'


def id_of(trace: Trace) -> Json:
    """The id of a source's row as it came; any other trace as text."""
    return trace if isinstance(trace, (int, float, str)) else trace_text(trace)
