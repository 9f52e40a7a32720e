"""Changes of identified rows, what several of them amount to, and where a row comes from.

A row is identified by its trace, which stays while its fields change:

    3, "a"                    a row of a source, by the id that was given with it
    (R, R)                    a pair, by its two members
    fold(R, 0)                a row made of another one, by that row and a number
    aggregate("x")            a group, by its key; of several rows made of a group, quantile("x", 0)
    t: R                      a row of one of several upstream datasets
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias, assert_never

from sheliak.changes.sameness import same
from sheliak.expressions.values import Row


class Pair(NamedTuple):
    """Two members, made by `cross`."""

    left: Trace
    right: Trace


class Piece(NamedTuple):
    """One of the rows that a transform makes of another row."""

    transform: str
    origin: Trace
    number: int


class Group(NamedTuple):
    """A group's row, or one of several; a transform that makes its rows of all rows has one group."""

    transform: str
    key: Hashable
    number: int | None = None


class Branch(NamedTuple):
    """A row of one of several upstream datasets; a dataset may be named more than once."""

    dataset: str
    number: int
    origin: Trace


Trace: TypeAlias = "int | float | str | Pair | Piece | Group | Branch"


@dataclass(frozen=True, slots=True)
class Add:
    """A row that was not there."""

    trace: Trace
    row: Row


@dataclass(frozen=True, slots=True)
class Update:
    """Other fields for a row that stays."""

    trace: Trace
    old: Row
    new: Row


@dataclass(frozen=True, slots=True)
class Remove:
    """A row that was there."""

    trace: Trace
    row: Row


@dataclass(frozen=True, slots=True)
class Error:
    """The change that cannot be: where, of which row (None where it is of no row in particular), and why."""

    vertex: str
    trace: Trace | None
    reason: str


Change: TypeAlias = Add | Update | Remove
Changeset: TypeAlias = "tuple[Change, ...]"


@dataclass(eq=False)
class Rejected(Exception):
    """A changeset that was not applied: nothing has changed."""

    error: Error

    def __str__(self) -> str:
        shown = "" if self.error.trace is None else f"{trace_text(self.error.trace)}: "
        return f"{self.error.vertex}: {shown}{self.error.reason}"


@dataclass(frozen=True, slots=True)
class Counts:
    """How many changes of each kind."""

    add: int = 0
    update: int = 0
    remove: int = 0


def counts_of(changes: Iterable[Change]) -> Counts:
    found = {Add: 0, Update: 0, Remove: 0}
    for change in changes:
        found[type(change)] += 1
    return Counts(found[Add], found[Update], found[Remove])


def before_and_after(change: Change) -> tuple[Row | None, Row | None]:
    """The row as it was and as it is; None where it is not there."""
    match change:
        case Add(_, row):
            return None, row
        case Update(_, old, new):
            return old, new
        case Remove(_, row):
            return row, None
        case _:
            assert_never(change)


def change_between(trace: Trace, old: Row | None, new: Row | None) -> Change | None:
    """What leads from one row to the other; None when they are the same."""
    if old is None:
        return None if new is None else Add(trace, new)
    if new is None:
        return Remove(trace, old)
    return None if same(old, new) else Update(trace, old, new)


def net(changes: Iterable[Change]) -> Changeset:
    """At most one change for each row, with the effect of all: what was there before them, and what is there after."""
    first: dict[Trace, Row | None] = {}
    last: dict[Trace, Row | None] = {}
    for change in changes:
        old, new = before_and_after(change)
        first.setdefault(change.trace, old)
        last.pop(change.trace, None)
        last[change.trace] = new
    found = (change_between(trace, first[trace], new) for trace, new in last.items())
    return tuple([change for change in found if change is not None])


# Traces


def trace_text(trace: Trace) -> str:
    """A trace as it is shown."""
    match trace:
        case Pair(left, right):
            return f"({trace_text(left)}, {trace_text(right)})"
        case Piece(transform, origin, number):
            return f"{transform}({trace_text(origin)}, {number})"
        case Group(transform, key, None):
            return f"{transform}({_key_text(key)})"
        case Group(transform, key, number):
            return f"{transform}({_key_text(key)}{', ' if key != () else ''}{number})"
        case Branch(dataset, number, origin):
            return f"{dataset}{f'#{number}' if number else ''}: {trace_text(origin)}"
        case _:
            return json.dumps(trace, ensure_ascii=False)


def _key_text(key: Hashable) -> str:
    if isinstance(key, tuple):
        return ", ".join(map(_key_text, key))
    return json.dumps(key, ensure_ascii=False) if isinstance(key, (str, int, float)) else str(key)


def origins_of(trace: Trace) -> Iterator[Trace]:
    """The traces that a trace names itself."""
    match trace:
        case Pair(left, right):
            yield from (left, right)
        case Piece(_, origin, _) | Branch(_, _, origin):
            yield origin
        case _:
            yield from ()
