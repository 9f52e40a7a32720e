"""Fig. 4: the syntax of µVega."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias


class Span(NamedTuple):
    """The characters [start, end) of the source text."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Node:
    """Knows where it was written, if it was; equality ignores that."""

    span: Span | None = field(default=None, kw_only=True, compare=False, repr=False)


# Primitive values  v ::= b | i | s


@dataclass(frozen=True, slots=True)
class Bool(Node):
    value: bool


@dataclass(frozen=True, slots=True)
class Num(Node):
    value: float


@dataclass(frozen=True, slots=True)
class Str(Node):
    value: str


# Path access  p ::= datum | p.f


@dataclass(frozen=True, slots=True)
class Datum(Node):
    pass


@dataclass(frozen=True, slots=True)
class Field(Node):
    path: Path
    name: str


# Simple expressions  a ::= v | p | a + a | a - a | a × a | a / a | builtin(e, …)


@dataclass(frozen=True, slots=True)
class Arith(Node):
    operator: ArithOperator
    left: Simple
    right: Simple


@dataclass(frozen=True, slots=True)
class Builtin(Node):
    name: str
    arguments: tuple[Expr, ...]


# General expressions  e ::= a | [e, …] | {f: e, …}


@dataclass(frozen=True, slots=True)
class Arr(Node):
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Obj(Node):
    fields: tuple[tuple[str, Expr], ...]


# Aggregation operators  op ::= sum p as f | avg p as f | count as f


@dataclass(frozen=True, slots=True)
class Sum(Node):
    path: Path
    output: str


@dataclass(frozen=True, slots=True)
class Avg(Node):
    path: Path
    output: str


@dataclass(frozen=True, slots=True)
class Count(Node):
    output: str


# Transforms  t ::= agg(p, …, op, …) | cross(f, f) | formula(e, f) | filter(e)


@dataclass(frozen=True, slots=True)
class Agg(Node):
    keys: tuple[Path, ...]
    operators: tuple[Operator, ...]

    # Every look-up of a trace hashes its transform: cheap here, and lawful, since equal transforms agree on it.
    def __hash__(self) -> int:
        return len(self.keys)


@dataclass(frozen=True, slots=True)
class Cross(Node):
    left: str
    right: str


@dataclass(frozen=True, slots=True)
class Formula(Node):
    expression: Expr
    output: str

    def __hash__(self) -> int:
        return hash(self.output)


@dataclass(frozen=True, slots=True)
class Filter(Node):
    expression: Expr


@dataclass(frozen=True, slots=True)
class Data(Node):
    """Dataset definitions d. Erratum E1: the figure puts n_out first, the examples n_in; the names say which is which."""

    source: str
    name: str
    transforms: tuple[Transform, ...]
    source_span: Span | None = field(default=None, kw_only=True, compare=False, repr=False)
    name_span: Span | None = field(default=None, kw_only=True, compare=False, repr=False)


ArithOperator: TypeAlias = Literal["+", "-", "×", "/"]
Path: TypeAlias = Datum | Field
Simple: TypeAlias = Bool | Num | Str | Path | Arith | Builtin
Expr: TypeAlias = Simple | Arr | Obj
Operator: TypeAlias = Sum | Avg | Count
Transform: TypeAlias = Agg | Cross | Formula | Filter
Spec: TypeAlias = tuple[Data, ...]
