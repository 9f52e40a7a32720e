"""Where an expression of a spec becomes an expression of a plan: what `datum` is, and what does not depend on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from sheliak.expressions.evaluate import EvaluationError, evaluate
from sheliak.expressions.functions import FUNCTIONS
from sheliak.expressions.nodes import Call, Expression, Identifier, Member, children
from sheliak.expressions.values import Value
from sheliak.expressions.zones import Zone
from sheliak.plan.coercion import NOTHING
from sheliak.plan.column_types import UNDEFINED, Record
from sheliak.plan.expressions import Apply, Constant, PlanExpression, constant
from sheliak.plan.planning import Planning
from sheliak.plan.unplannable import Unplannable

if TYPE_CHECKING:
    from sheliak.plan.operators import Plan

INHERITED = frozenset(
    {
        *("constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString", "valueOf"),
        *("__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__", "__proto__"),
    }
)
"""What every object of JavaScript answers to, whether it has a field of that name or not."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The fields of the datum as expressions of the plan, and the surroundings."""

    fields: Mapping[str, PlanExpression]
    planning: Planning
    upstream: Plan | None = None
    """The rows that are read, where they can be asked."""

    @property
    def zone(self) -> Zone:
        return self.planning.zone

    def field(self, name: str) -> PlanExpression:
        """`datum.name`: undefined where there is no such field."""
        if name in self.fields:
            return self.fields[name]
        if name in INHERITED:
            raise Unplannable(f"it reads `{name}`, which is a function of every object")
        return NOTHING[UNDEFINED]

    def datum(self) -> PlanExpression:
        """The whole row as a value."""
        of = Record(tuple((name, field.of) for name, field in self.fields.items()))
        return Apply("record", tuple(self.fields.values()), of)

    def value(self, node: Expression) -> Value:
        """The value of an expression that does not depend on the row."""
        try:
            return evaluate(node, self.planning.environment)
        except EvaluationError as problem:
            raise Unplannable(f"it cannot be evaluated: {problem}") from problem

    def folded(self, node: Expression) -> Constant:
        return constant(self.value(node))


def is_constant(node: Expression) -> bool:
    """It has one value for all rows."""
    if isinstance(node, Identifier):
        return node.name not in ("datum", "event", "item", "parent")
    if isinstance(node, Call):
        signature = FUNCTIONS.get(node.name or "")
        if signature is None or signature.purity in ("random", "effect", "event"):
            return False
        return all(is_constant(argument) for argument in node.arguments)
    if isinstance(node, Member) and not node.computed:
        return is_constant(node.object)
    return all(is_constant(child) for child in children(node))


ColumnFunction: TypeAlias = Callable[[list[PlanExpression], Scope], PlanExpression]
"""A function of Vega's over columns."""
