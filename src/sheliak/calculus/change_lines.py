"""Changes as lines of JSON.

    {"data": NAME, "id": ID, "add": {...}}        a new tuple
    {"data": NAME, "id": ID, "update": {...}}     the whole new tuple
    {"data": NAME, "id": ID, "remove": true}
    {"commit": true}                              ends a pulse

An id is a number or a string. NaN and the infinities, for which JSON has no word, are {"$num": "NaN"} and so on.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from sheliak.calculus.changes import Add, Change, DataTuple, Remove, Trace, Update, Value
from sheliak.calculus.positioned_json import Json, JsonObject, JsonProblem, NumberText, read_json
from sheliak.calculus.printer import trace_text, type_text
from sheliak.calculus.type_syntax import NUMBER, ArrayType, EmptyArrayType, Primitive, RecordType, Type

Pulse: TypeAlias = tuple[tuple[str, Change], ...]

_FORM: Final = 'a line is {"data": ..., "id": ..., "add" or "update": {...}}, {..., "remove": true} or {"commit": true}'
_KINDS: Final = ("add", "update", "remove")
_NO_JSON: Final = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


@dataclass(eq=False)
class ChangeProblem(Exception):
    """What is wrong, and where: offsets in a line, counted from 0."""

    code: str
    message: str
    start: int
    end: int
    line: int = 0

    @property
    def is_unreadable(self) -> bool:
        """Whether it is the form that is wrong, and not the meaning."""
        return self.code == "malformed-change"


def read_changes(text: str, inputs: Mapping[str, Type], computed: frozenset[str], check_types: bool = True) -> list[Pulse]:
    """The pulses, an open one at the end included; or the first problem, before anything has run."""
    reader = _Reader(inputs, computed, check_types)
    pulses: list[Pulse] = []
    pulse: list[tuple[str, Change]] = []
    for number, line in enumerate(text.split("\n")):
        if not line.strip():
            continue
        try:
            change = reader.line(line, number)
        except JsonProblem as problem:
            raise ChangeProblem("malformed-change", problem.message, problem.offset, problem.offset + 1, number) from None
        except ChangeProblem as problem:
            problem.line = number
            raise
        if change is not None:
            pulse.append(change)
        else:
            pulses.append(tuple(pulse))
            pulse = []
    return [*pulses, tuple(pulse)] if pulse else pulses


class _Reader:
    """Knows which tuples each input has, and since which line."""

    def __init__(self, inputs: Mapping[str, Type], computed: frozenset[str], check_types: bool) -> None:
        self.inputs = inputs
        self.computed = computed
        self.check_types = check_types
        self.tuples: dict[str, dict[Trace, tuple[DataTuple, int]]] = {name: {} for name in inputs}

    def line(self, line: str, number: int) -> tuple[str, Change] | None:
        """The change of the line; None for a commit."""
        json = read_json(line)
        if not isinstance(json.value, JsonObject):
            raise _malformed(_FORM, json)
        members = json.value.members
        if "commit" in members:
            if members["commit"][1].value is not True or len(members) > 1:
                raise _malformed('a commit is {"commit": true} and nothing else', json)
            return None
        kind = self.kind(json, members)
        name = self.name(members["data"][1])
        return name, self.change(kind, name, _id(members["id"][1]), members[kind][1], members["id"][1], number)

    def kind(self, json: Json, members: dict[str, tuple[int, Json]]) -> str:
        for key, (at, _) in members.items():
            if key not in ("data", "id", *_KINDS):
                raise ChangeProblem("malformed-change", f'the key "{key}" has no meaning here; {_FORM}', at, at + len(key) + 2)
        kinds = [kind for kind in _KINDS if kind in members]
        if len(kinds) != 1 or not {"data", "id"} <= members.keys():
            raise _malformed(_FORM, json)
        return kinds[0]

    def name(self, json: Json) -> str:
        name = json.value
        if not isinstance(name, str):
            raise _malformed("the name of a dataset is a string", json)
        if name in self.inputs:
            return name
        inputs = ", ".join(f"`{known}`" for known in self.inputs)
        what = "is computed: changes go to an input" if name in self.computed else "is no input"
        raise ChangeProblem("unknown-dataset", f"`{name}` {what}; the inputs are {inputs}", json.start, json.end)

    def change(self, kind: str, name: str, trace: Trace, argument: Json, id: Json, number: int) -> Change:
        tuples = self.tuples[name]
        if kind == "add" and trace in tuples:
            since = tuples[trace][1] + 1
            message = f"a tuple {trace_text(trace)} is in `{name}` already, since line {since}"
            raise ChangeProblem("repeated-tuple", message, id.start, id.end)
        if kind != "add" and trace not in tuples:
            raise ChangeProblem("unknown-tuple", f"there is no tuple {trace_text(trace)} in `{name}` to {kind}", id.start, id.end)
        if kind == "remove":
            if argument.value is not True:
                raise _malformed('a remove is {..., "remove": true}', argument)
            return Remove(tuples.pop(trace)[0])
        new = DataTuple(self.fields(name, argument), trace)
        old, since = tuples.get(trace, (new, number))
        tuples[trace] = (new, since)
        return Add(new) if kind == "add" else Update(old, new)

    def fields(self, name: str, json: Json) -> dict[str, Value]:
        fields = _value(json, self.inputs[name] if self.check_types else None)
        if not isinstance(fields, dict):
            raise _malformed("a tuple is a JSON object", json)
        return fields


def _malformed(message: str, json: Json) -> ChangeProblem:
    return ChangeProblem("malformed-change", message, json.start, json.end)


def _id(json: Json) -> Trace:
    match json.value:
        case str(name):
            return name
        case NumberText(text) if text.lstrip("-").isdigit() and len(text) < 300:
            return int(text)  # exactly: 2^53 and 2^53 + 1 are two ids
        case NumberText():
            return _double(json, json.value.text)
        case _:
            raise _malformed("an id is a number or a string", json)


def _double(json: Json, text: str) -> float:
    if math.isinf(float(text)):
        raise _malformed("this number is too large for a double", json)
    return float(text)


def _value(json: Json, T: Type | None) -> Value:
    """⊢ v : T, or the place where it fails; without T any value will do."""
    match json.value:
        case None:
            raise ChangeProblem("ill-typed-tuple", "null is not a value of the calculus", json.start, json.end)
        case bool(b):
            return _typed(json, b, T, Primitive.BOOLEAN)
        case NumberText(text):
            return _typed(json, _double(json, text), T, Primitive.NUMBER)
        case JsonObject(members) if T in (None, NUMBER) and members.keys() == {"$num"}:
            return _named_number(members["$num"][1])
        case str(s):
            return _typed(json, s, T, Primitive.STRING)
        case JsonObject():
            return _record(json, json.value, T)
        case list(items):
            if isinstance(T, EmptyArrayType) and not items:
                return ()
            if T is not None and not isinstance(T, ArrayType):
                raise _ill_typed(json, "an array", T)
            return tuple([_value(item, T and T.element) for item in items])


def _typed(json: Json, v: Value, T: Type | None, found: Primitive) -> Value:
    if T is not None and T is not found:
        raise _ill_typed(json, f"a {found.value}", T)
    return v


def _ill_typed(json: Json, found: str, T: Type) -> ChangeProblem:
    return ChangeProblem("ill-typed-tuple", f"here is {found}; the type asks for {type_text(T, 200)}", json.start, json.end)


def _named_number(json: Json) -> float:
    if not isinstance(json.value, str) or json.value not in _NO_JSON:
        raise _malformed(f'"$num" is one of {", ".join(_NO_JSON)}', json)
    return _NO_JSON[json.value]


def _record(json: Json, record: JsonObject, T: Type | None) -> Value:
    if T is None:
        return {f: _value(member, None) for f, (_, member) in record.members.items()}
    if not isinstance(T, RecordType):
        raise _ill_typed(json, "an object", T)
    for f, (at, _) in record.members.items():
        if f not in T.fields:
            fields = ", ".join(f"`{known}`" for known in T.fields) or "none"
            raise ChangeProblem(
                "ill-typed-tuple", f"there is no field `{f}` in the type; the fields are {fields}", at, at + len(f) + 2
            )
    for f in T.fields:
        if f not in record.members:
            raise ChangeProblem("ill-typed-tuple", f"the field `{f}` is missing", json.start, json.end)
    return {f: _value(record.members[f][1], T.fields[f]) for f in T.fields}
