"""A µVega specification as a Vega spec of the same meaning.

An input is a dataset whose record a schema states, or whose rows do. `agg` is `aggregate` with `sum`, `mean` and `count`; the other
transforms have their own names. `contains(s, t)`, which Vega lacks, is written `indexof(s, t) >= 0`.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import assert_never

from sheliak.calculus import type_syntax as figure
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
    Spec,
    Str,
    Sum,
    Transform,
)
from sheliak.types.shapes import BOOLEAN, NUMBER, STRING, UNKNOWN, Array, Lineage, Record, Type

JsonObject = dict[str, object]
_SPECIAL = re.compile(r"[\\.\[\]'\"]")
_OPERATORS = {"+": "+", "-": "-", "×": "*", "/": "/"}
_PRIMITIVES: dict[figure.Type, Type] = {figure.BOOLEAN: BOOLEAN, figure.NUMBER: NUMBER, figure.STRING: STRING}


class NotInVega(Exception):
    """Vega has no way to write this, or gives it another name."""


def written_dataset(d: Data) -> JsonObject:
    return {"name": d.name, "source": d.source, "transform": [written_transform(t) for t in d.transforms]}


def written_transform(t: Transform) -> JsonObject:
    match t:
        case Filter(e):
            return {"type": "filter", "expr": written(e)}
        case Formula(e, f):
            return {"type": "formula", "expr": written(e), "as": f}
        case Cross(a, b):
            return {"type": "cross", "as": [a, b]}
        case Agg(keys, operators):
            return {"type": "aggregate", "groupby": [key_text(p) for p in keys], **_measures(operators)}
        case _:
            assert_never(t)


def _measures(operators: tuple[Operator, ...]) -> JsonObject:
    """Lists that are there: without `ops` Vega counts."""
    ops, fields = [], []
    for operator in operators:
        match operator:
            case Sum(p) | Avg(p):
                ops.append("sum" if isinstance(operator, Sum) else "mean")
                fields.append({"expr": "datum"} if isinstance(p, Datum) else path_text(p))
            case Count():
                ops.append("count")
                fields.append(None)
            case _:
                assert_never(operator)
    return {"ops": ops, "fields": fields, "as": [operator.output for operator in operators]}


def key_text(p: Path) -> str:
    """A group key; Vega calls a nested one by its text as it is written, escapes included, and has no name for `datum`."""
    names = list(names_of(p))
    if not names or (len(names) > 1 and any(map(_SPECIAL.search, names))):
        raise NotInVega
    return path_text(p)


def path_text(p: Path) -> str:
    """A path as field parameters are written."""
    return ".".join(_SPECIAL.sub(r"\\\g<0>", name) for name in names_of(p))


def names_of(p: Path) -> Iterator[str]:
    if isinstance(p, Field):
        yield from names_of(p.path)
        yield p.name


def written(e: Expr) -> str:
    """The expression as Vega writes it."""
    match e:
        case Bool(value):
            return "true" if value else "false"
        case Num(value):
            return _number_text(value)
        case Str(value):
            return json.dumps(value)
        case Datum():
            return "datum"
        case Field(path, name):
            return f"{written(path)}[{json.dumps(name)}]"
        case Arith(operator, left, right):
            return f"({written(left)} {_OPERATORS[operator]} {written(right)})"
        case Builtin("contains", arguments):
            return f"(indexof({', '.join(map(written, arguments))}) >= 0)"
        case Builtin(name, arguments):
            return f"{name}({', '.join(map(written, arguments))})"
        case Arr(items):
            return f"[{', '.join(map(written, items))}]"
        case Obj(fields):
            return "{" + ", ".join(f"{json.dumps(name)}: {written(value)}" for name, value in fields) + "}"
        case _:
            assert_never(e)


def _number_text(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    size = "1e999" if math.isinf(value) else repr(abs(value))
    return f"(-{size})" if math.copysign(1, value) < 0 else size


def grown(of: figure.Type) -> Type:
    """The paper's type in the grown type language."""
    match of:
        case figure.Primitive():
            return _PRIMITIVES[of]
        case figure.ArrayType(element):
            return Array(grown(element))
        case figure.EmptyArrayType():
            return Array(UNKNOWN)
        case figure.RecordType():
            return grown_record(of)
        case _:
            assert_never(of)


def grown_record(of: figure.RecordType, dataset: str | None = None) -> Record:
    lineage = Lineage("schema", dataset=dataset) if dataset is not None else None
    return Record({name: grown(member) for name, member in of.fields.items()}, lineage=lineage)


def written_spec(spec: Spec) -> JsonObject:
    """The datasets of a specification, without its inputs."""
    return {"data": [written_dataset(d) for d in spec]}
