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
    """b, true or false."""

    value: bool


@dataclass(frozen=True, slots=True)
class Num(Node):
    """i, a double."""

    value: float


@dataclass(frozen=True, slots=True)
class Str(Node):
    """s."""

    value: str


# Path access  p ::= datum | p.f


@dataclass(frozen=True, slots=True)
class Datum(Node):
    """datum, the tuple at hand."""


@dataclass(frozen=True, slots=True)
class Field(Node):
    """p.f; a name that is no identifier is written p['f']."""

    path: Path
    name: str


# Simple expressions  a ::= v | p | a + a | a - a | a × a | a / a | builtin(e, …)


@dataclass(frozen=True, slots=True)
class Arith(Node):
    """a ⊕ a."""

    operator: ArithOperator
    left: Simple
    right: Simple


@dataclass(frozen=True, slots=True)
class Builtin(Node):
    """builtin(e, …), typed by Σ."""

    name: str
    arguments: tuple[Expr, ...]


# General expressions  e ::= a | [e, …] | {f: e, …}


@dataclass(frozen=True, slots=True)
class Arr(Node):
    """[e, …]."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Obj(Node):
    """{f: e, …}."""

    fields: tuple[tuple[str, Expr], ...]


# Aggregation operators  op ::= sum p as f | avg p as f | count as f


@dataclass(frozen=True, slots=True)
class Sum(Node):
    """sum p as f."""

    path: Path
    output: str


@dataclass(frozen=True, slots=True)
class Avg(Node):
    """avg p as f."""

    path: Path
    output: str


@dataclass(frozen=True, slots=True)
class Count(Node):
    """count as f."""

    output: str


# Transforms  t ::= agg(p, …, op, …) | cross(f, f) | formula(e, f) | filter(e)


@dataclass(frozen=True, slots=True)
class Agg(Node):
    """agg(p, …, op, …): one tuple per group, with the keys and the outputs."""

    keys: tuple[Path, ...]
    operators: tuple[Operator, ...]

    # Every look-up of a trace hashes its transform: cheap here, and lawful, since equal transforms agree on it.
    def __hash__(self) -> int:
        return len(self.keys)


@dataclass(frozen=True, slots=True)
class Cross(Node):
    """cross(f, f): every pair of tuples."""

    left: str
    right: str


@dataclass(frozen=True, slots=True)
class Formula(Node):
    """formula(e, f): one more field."""

    expression: Expr
    output: str

    def __hash__(self) -> int:
        return hash(self.output)


@dataclass(frozen=True, slots=True)
class Filter(Node):
    """filter(e): the tuples for which e is truthy."""

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
