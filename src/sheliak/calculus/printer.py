"""Types, expressions, specs, values and traces as they are written."""

from __future__ import annotations

from sheliak.calculus.type_syntax import ArrayType, EmptyArrayType, Primitive, RecordType, Type


def type_text(T: Type, room: int = 2_000) -> str:
    """A type as it is written. Repeated `cross` doubles a type, so what does not fit into `room` characters becomes …"""
    if room <= 0:
        return "…"
    match T:
        case Primitive():
            return T.value
        case ArrayType(element):
            return f"[{type_text(element, room - 2)}]"
        case EmptyArrayType():
            return "[]"
        case RecordType(fields):
            parts: list[str] = []
            for f, field_type in fields.items():
                parts.append(f"{name_text(f)}: {type_text(field_type, room - len(f) - 2)}")
                room -= len(parts[-1]) + 2
            return "{" + ", ".join(parts) + "}"


def name_text(name: str) -> str:
    """A name as it is written: bare if it can be, else quoted."""
    return name if name.isidentifier() and name.isascii() else string_text(name)


def string_text(s: str) -> str:
    """A string literal: every character that would not print as itself is escaped."""
    escapes = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    return '"' + "".join(escapes.get(c) or (c if c.isprintable() else _escaped(c)) for c in s) + '"'


def _escaped(c: str) -> str:
    return f"\\u{{{ord(c):x}}}" if ord(c) > 0xFFFF else f"\\u{ord(c):04x}"
