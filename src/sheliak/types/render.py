"""A type as a user reads it."""

from __future__ import annotations

import json
from typing import assert_never

from sheliak.types.shapes import Array, Literal, Record, Scalar, Type, Union, Unknown

_FEWER_INSIDE = 2
_NAMES = {"words": "string", "numeric text": "string (numeric)", "date text": "string (date)"}


def render_type(of: Type, limit: int = 12) -> str:
    """`{a: number, b?: string, …}`, `[number]`, `number | null`, `"x"`, `unknown`; at most `limit` fields of a record, fewer of
    one inside it."""
    match of:
        case Scalar(name):
            return _NAMES.get(name, name)
        case Literal(value):
            return _quoted(value)
        case Array(element):
            return f"[{render_type(element, limit)}]"
        case Record():
            return render_record(of, limit)
        case Union(options):
            return " | ".join(render_type(option, limit) for option in options)
        case Unknown():
            return "unknown"
        case _:
            assert_never(of)


def render_record(record: Record, limit: int = 12) -> str:
    """The fields in order; `?` marks the possibly missing, `…` the unseen or the ones past the limit."""
    parts = [
        f"{field_name(name)}{'?' if name in record.optional else ''}: {render_type(of, max(limit - _FEWER_INSIDE, 0))}"
        for name, of in list(record.fields.items())[:limit]
    ]
    if record.open or len(record.fields) > limit:
        parts.append("…")
    return "{" + ", ".join(parts) + "}"


def field_name(name: str) -> str:
    """A name as it would stand in a record: quoted only where it is not an identifier."""
    return name if name.isidentifier() else _quoted(name)


def _quoted(value: str | float | bool) -> str:
    """As JSON, with the halves of characters, which no file can hold, escaped."""
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "backslashreplace").decode("utf-8")


def type_as_json(of: Type) -> object:
    """The type as JSON: scalars and literals as text, records and arrays as objects."""
    match of:
        case Scalar(name):
            return name
        case Literal(value):
            return {"literal": value}
        case Array(element):
            return {"array": type_as_json(element)}
        case Record():
            fields = {
                name: {"type": type_as_json(member), "optional": name in record_optional}
                for record_optional in (of.optional,)
                for name, member in of.fields.items()
            }
            return {"fields": fields, "open": of.open}
        case Union(options):
            return {"union": [type_as_json(option) for option in options]}
        case Unknown():
            return "unknown"
        case _:
            assert_never(of)
