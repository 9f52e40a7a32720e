"""Programs, types, values, traces and changes as they are written; `parse_program` reads the first two back."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import assert_never

from sheliak.calculus.changes import (
    Add,
    Change,
    DataTuple,
    Error,
    Extended,
    Grouped,
    Identity,
    Pair,
    Remove,
    Trace,
    Update,
    Value,
)
from sheliak.calculus.number_text import number_text
from sheliak.calculus.syntax import (
    Agg,
    Arith,
    Arr,
    Avg,
    Bool,
    Builtin,
    Count,
    Cross,
    Data,
    Datum,
    Expr,
    Field,
    Filter,
    Formula,
    Num,
    Obj,
    Operator,
    Path,
    Str,
    Sum,
    Transform,
)
from sheliak.calculus.type_syntax import ArrayType, EmptyArrayType, Primitive, RecordType, Type

_STRENGTH = {"+": 1, "-": 1, "×": 2, "/": 2}
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}

# Names and literals


def is_plain(name: str) -> bool:
    """Whether a name can stand without quotes."""
    return name.isascii() and name.isidentifier()


def name_text(name: str) -> str:
    """A name, in quotes if it needs them."""
    return name if is_plain(name) else string_text(name)


def string_text(s: str) -> str:
    """A string literal; what would not print as itself is escaped."""
    return '"' + "".join(_ESCAPES.get(c) or (c if c.isprintable() else f"\\u{{{ord(c):x}}}") for c in s) + '"'


def literal_text(x: float) -> str:
    """A number, −0 told from 0."""
    return "-0" if x == 0 and math.copysign(1, x) < 0 else number_text(x)


# Types


def type_text(T: Type, room: int = 4_000) -> str:
    """A type. Every `cross` doubles a type, so what has no room (in characters) is written …"""
    match T:
        case Primitive():
            return T.value
        case EmptyArrayType():
            return "[]"
        case _ if room <= 0:
            return "…"
        case ArrayType(element):
            return f"[{type_text(element, room - 2)}]"
        case RecordType(fields):
            parts: list[str] = []
            for f, T_f in fields.items():
                parts.append(f"{name_text(f)}: {type_text(T_f, room - len(f) - 2)}")
                room -= len(parts[-1]) + 2
            return "{" + ", ".join(parts) + "}"
        case _:
            assert_never(T)


# Expressions


def expression_text(e: Expr) -> str:
    """An expression, with the parentheses it needs."""
    match e:
        case Bool(value):
            return "true" if value else "false"
        case Num(value):
            return literal_text(value)
        case Str(value):
            return string_text(value)
        case Datum() | Field():
            return path_text(e)
        case Arith(op, left, right):
            strength = _STRENGTH[op]
            return f"{_operand(left, strength)} {op} {_operand(right, strength + 1)}"
        case Builtin(name, arguments):
            return f"{name}({_comma(map(expression_text, arguments))})"
        case Arr(items):
            return f"[{_comma(map(expression_text, items))}]"
        case Obj(fields):
            return "{" + _comma(f"{name_text(f)}: {expression_text(value)}" for f, value in fields) + "}"
        case _:
            assert_never(e)


def _operand(e: Expr, strength: int) -> str:
    text = expression_text(e)
    return f"({text})" if isinstance(e, Arith) and _STRENGTH[e.operator] < strength else text


def path_text(p: Path) -> str:
    """A path."""
    match p:
        case Datum():
            return "datum"
        case Field(inner, f):
            return path_text(inner) + (f".{f}" if is_plain(f) else f"[{string_text(f)}]")
        case _:
            assert_never(p)


def _comma(parts: Iterable[str]) -> str:
    return ", ".join(parts)


# Operators, transforms, definitions


def operator_text(op: Operator) -> str:
    """An aggregation operator."""
    match op:
        case Sum(p, f):
            return f"sum {path_text(p)} as {name_text(f)}"
        case Avg(p, f):
            return f"avg {path_text(p)} as {name_text(f)}"
        case Count(f):
            return f"count as {name_text(f)}"
        case _:
            assert_never(op)


def transform_text(t: Transform) -> str:
    """A transform."""
    match t:
        case Agg(keys, operators):
            return f"agg({_comma([*map(path_text, keys), *map(operator_text, operators)])})"
        case Cross(left, right):
            return f"cross({name_text(left)}, {name_text(right)})"
        case Formula(e, f):
            return f"formula({expression_text(e)}, {name_text(f)})"
        case Filter(e):
            return f"filter({expression_text(e)})"
        case _:
            assert_never(t)


def data_text(d: Data) -> str:
    """A dataset definition."""
    return f"data({_comma([name_text(d.source), name_text(d.name), *map(transform_text, d.transforms)])})"


def input_text(name: str, T: Type) -> str:
    """An input definition, its type in full."""
    return f"input({name_text(name)}, {type_text(T, 1 << 30)})"


def program_text(inputs: Iterable[tuple[str, Type]], spec: Iterable[Data]) -> str:
    """A program, one definition a line."""
    return "".join(f"{line}\n" for line in [*(input_text(name, T) for name, T in inputs), *map(data_text, spec)])


# Values, traces, changes


def value_text(v: Value) -> str:
    """A value."""
    match v:
        case bool():
            return "true" if v else "false"
        case float() | int():
            return literal_text(v)
        case str():
            return string_text(v)
        case tuple():
            return f"[{_comma(map(value_text, v))}]"
        case _:
            return "{" + _comma(f"{name_text(f)}: {value_text(w)}" for f, w in v.items()) + "}"


def trace_text(R: Trace) -> str:
    """n, (R₁, R₂), f(R) or agg(k); the expression of a formula is left out."""
    match R:
        case Pair(left, right):
            return f"({trace_text(left)}, {trace_text(right)})"
        case Extended(formula, origin):
            return f"{name_text(formula.output)}({trace_text(origin)})"
        case Grouped(_, key):
            return f"agg({_comma(map(_identity_text, key))})" if isinstance(key, tuple) else f"agg({_identity_text(key)})"
        case str():
            return string_text(R)
        case int():
            return str(R)
        case float():
            return literal_text(R)
        case _:
            assert_never(R)


def _identity_text(k: Identity) -> str:
    match k:
        case ("boolean", bool(value)):
            return value_text(value)
        case ("number", str(digits)):
            return literal_text(float(digits))
        case ("[", *items):
            return f"[{_comma(map(_identity_text, items))}]"
        case ("{", frozenset(fields)):
            return (
                "{"
                + _comma(f"{name_text(f)}: {_identity_text(value)}" for f, value in sorted(fields, key=lambda field: field[0]))
                + "}"
            )
        case str() | float():
            return value_text(k)
        case _:
            return repr(k)


def tuple_text(v: DataTuple) -> str:
    """A data tuple: its trace and its fields."""
    return f"{trace_text(v.trace)} {value_text(v.fields)}"


def change_text(u: Change) -> str:
    """A change."""
    match u:
        case Add(v):
            return f"add {tuple_text(v)}"
        case Update(v, v_new):
            return f"update {tuple_text(v)} to {value_text(v_new.fields)}"
        case Remove(v):
            return f"remove {tuple_text(v)}"
        case Error():
            return "error"
        case _:
            assert_never(u)
