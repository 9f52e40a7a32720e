"""Expressions of a plan: what is computed for a row, with every conversion written out and a type on every node.

    e ::= c | v | op(e, …) | e ? e : e | x | for each x in e: e

An expression is a graph: an operand that is used twice is one object, and an engine may compute it once. Operations never fail
on any value of their operands' types, except `required`, which stops the run as Vega does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from sheliak.expressions.values import Value
from sheliak.plan.column_types import ColumnType, Nothing, type_of_value
from sheliak.plan.known_texts import Texts

Option: TypeAlias = str | float | int | bool


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """The value of a column."""

    column: int
    of: ColumnType


@dataclass(frozen=True, slots=True, eq=False)
class Constant:
    """A value known when the plan is made."""

    value: Value
    of: ColumnType


@dataclass(frozen=True, slots=True, eq=False)
class Apply:
    """An operation over operands; `options` are known when the plan is made, and part of the operation."""

    operation: str
    operands: tuple[PlanExpression, ...]
    of: ColumnType
    options: tuple[Option | Texts, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Choose:
    """`test ? consequent : alternate`: the test is a boolean that is never missing, both results have the type of the whole."""

    test: PlanExpression
    consequent: PlanExpression
    alternate: PlanExpression
    of: ColumnType


@dataclass(frozen=True, slots=True, eq=False)
class Element:
    """The element that a `ForEach` around it is at."""

    of: ColumnType


@dataclass(frozen=True, slots=True, eq=False)
class ForEach:
    """`map`: the body's value for every element; `keep`: the elements for which the body is true; `any`: whether there is one."""

    what: Literal["map", "keep", "any"]
    over: PlanExpression
    element: Element
    body: PlanExpression
    of: ColumnType


PlanExpression: TypeAlias = Read | Constant | Apply | Choose | Element | ForEach


def constant(value: Value) -> Constant:
    """A value known when the plan is made."""
    return Constant(value, type_of_value(value))


def operands_of(expression: PlanExpression) -> tuple[PlanExpression, ...]:
    """The expressions directly inside."""
    match expression:
        case Apply(_, operands):
            return operands
        case Choose(test, consequent, alternate):
            return (test, consequent, alternate)
        case ForEach(_, over, _, body):
            return (over, body)
        case _:
            return ()


def parts_of(expression: PlanExpression) -> Iterator[PlanExpression]:
    """The expression and all inside it, each object once."""
    seen: set[int] = set()
    left = [expression]
    while left:
        part = left.pop()
        if id(part) not in seen:
            seen.add(id(part))
            yield part
            left.extend(operands_of(part))


def columns_of(expression: PlanExpression) -> frozenset[int]:
    """The columns that an expression reads."""
    return frozenset(part.column for part in parts_of(expression) if isinstance(part, Read))


def is_missing_always(expression: PlanExpression) -> bool:
    """Its type allows no value."""
    return isinstance(expression.of, Nothing)
