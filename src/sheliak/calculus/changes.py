"""Fig. 9: traces, values, data tuples and data changes, and when two values are the same."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, Self, TypeAlias, TypeVar

from sheliak.calculus.syntax import Agg, Formula

K = TypeVar("K")
V = TypeVar("V")

# Values  v ::= b | n | s | [v, …] | {f: v, …}: Python's bool, float, str, tuple and (never changed in place) dict.
Value: TypeAlias = "bool | float | str | tuple[Value, ...] | Record"
Record: TypeAlias = Mapping[str, Value]
Identity: TypeAlias = Hashable


def identity(v: Value) -> Identity:
    """Equal exactly for values that no expression can tell apart: NaN is itself, 0 and −0 differ, 1 is not true.

    Erratum E9: with IEEE equality a tuple that holds NaN is stuck, and 0 = −0 lets through a change of a tuple that was
    never there, whose 1/x is another one. Group keys use the same notion.
    """
    match v:
        case bool():
            return ("boolean", v)
        case float() | int():
            return v if v and not math.isnan(v) else ("number", repr(v))
        case str():
            return v
        case tuple():
            return ("[", *map(identity, v))
        case _:
            return ("{", frozenset((f, identity(w)) for f, w in v.items()))


def identical(v: Value, w: Value) -> bool:
    """identity(v) = identity(w), without building the two."""
    if v is w:
        return True
    if isinstance(v, float):
        return isinstance(w, float) and (
            math.copysign(1, v) == math.copysign(1, w) if v == w else math.isnan(v) and math.isnan(w)
        )
    if isinstance(v, dict):
        if not isinstance(w, dict) or v.keys() != w.keys():
            return False
        for f, x in v.items():
            if x is not w[f] and not identical(x, w[f]):
                return False
        return True
    if isinstance(v, tuple):
        return isinstance(w, tuple) and len(v) == len(w) and all(map(identical, v, w))
    return type(v) is type(w) and v == w


# Traces  R ::= n | (R, R) | f_e(R) | agg(k). Named tuples, since every step hashes some: Python does that in C.


class Pair(NamedTuple):
    """(R₁, R₂), made by cross."""

    left: Trace
    right: Trace


class Extended(NamedTuple):
    """f_e(R), made by formula."""

    formula: Formula
    origin: Trace


class Grouped(NamedTuple):
    """agg(k), made by agg. Erratum E5: printed is agg(R) of the tuple that founded the group; that one may move away."""

    agg: Agg
    key: Identity


Trace: TypeAlias = int | float | str | Pair | Extended | Grouped


@dataclass(frozen=True, slots=True, eq=False)
class DataTuple:
    """{f: v, …, μ: R}. Its equality is identity of values."""

    fields: Record
    trace: Trace

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DataTuple) and self.trace == other.trace and identical(self.fields, other.fields)

    def __hash__(self) -> int:
        return hash(self.trace)


@dataclass(frozen=True, slots=True)
class Add:
    """add(d): the tuple has been created."""

    tuple: DataTuple


@dataclass(frozen=True, slots=True)
class Update:
    """Replaces `old` by `new`, which has the same trace."""

    old: DataTuple
    new: DataTuple


@dataclass(frozen=True, slots=True)
class Remove:
    """remove(d): the tuple has been removed."""

    tuple: DataTuple


@dataclass(frozen=True, slots=True)
class Error:
    """error: an expression could not be evaluated, or a group was not there."""


Change: TypeAlias = Add | Update | Remove | Error
Changes: TypeAlias = tuple[Change, ...]
ERROR: Changes = (Error(),)


class FiniteMap(dict[K, V]):
    """A finite map of the paper: never changed in place."""

    def plus(self, k: K, v: V) -> Self:
        """f + (k, v)."""
        result = type(self)(self)
        result[k] = v
        return result

    def minus(self, k: K) -> Self:
        """f − (k, f(k))."""
        result = type(self)(self)
        del result[k]
        return result
