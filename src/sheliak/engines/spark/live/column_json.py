"""The types of columns as JSON, as files of rows keep them."""

from __future__ import annotations

import json
from typing import assert_never

from sheliak.expressions.values import Json
from sheliak.plan.column_types import OPAQUE, ColumnType, Kind, List, Missing, Mixed, Nothing, Opaque, Plain, Record

_KINDS: dict[str, Kind] = {"number": "number", "boolean": "boolean", "text": "text", "date": "date"}


def json_of_type(of: ColumnType) -> Json:
    match of:
        case Plain(kind, missing):
            return {"plain": kind, "missing": missing.value}
        case Mixed(kinds):
            return {"mixed": [*sorted(map(str, kinds))]}
        case Record(fields, missing):
            return {"record": [[name, json_of_type(member)] for name, member in fields], "missing": missing.value}
        case List(element, missing):
            return {"list": json_of_type(element), "missing": missing.value}
        case Opaque():
            return {}
        case Nothing(missing):
            return {"nothing": missing.value}
        case _:
            assert_never(of)


def type_of_json(given: Json) -> ColumnType:
    """The type that `json_of_type` wrote."""
    match given:
        case {"plain": str(kind), "missing": missing}:
            return Plain(_KINDS[kind], Missing(missing))
        case {"mixed": list(kinds)}:
            return Mixed(frozenset(_KINDS[str(kind)] for kind in kinds))
        case {"record": list(fields), "missing": missing}:
            members = [(str(field[0]), type_of_json(field[1])) for field in fields if isinstance(field, list)]
            return Record(tuple(members), Missing(missing))
        case {"list": element, "missing": missing}:
            return List(type_of_json(element), Missing(missing))
        case {"nothing": missing}:
            return Nothing(Missing(missing))
        case _:
            return OPAQUE


def text_of_types(types: dict[str, ColumnType]) -> str:
    return json.dumps([[name, json_of_type(of)] for name, of in types.items()])


def types_of_text(text: str | bytes) -> dict[str, ColumnType]:
    return {str(name): type_of_json(of) for name, of in json.loads(text)}
