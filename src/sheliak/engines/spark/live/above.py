"""What stands above a group, where it is simple: a few operations, computed at once for the groups that changed.

Most of what aggregates come to is a column as it is, or one that is missing under a condition. Anything else is computed on Spark.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isnan, nan, sqrt
from typing import Any, TypeAlias

from sheliak.engines.spark.arrow_values import plain_value, value_of_plain
from sheliak.engines.spark.expressions import column_name
from sheliak.expressions.values import UNDEFINED, Row
from sheliak.plan.column_types import Mixed, Opaque
from sheliak.plan.expressions import Apply, Choose, Constant, PlanExpression, Read
from sheliak.plan.operators import Fresh, Group, Plan, Project, Sort

Record: TypeAlias = "Mapping[str, Any]"
"""The columns of a group, as Spark has them."""
Computed: TypeAlias = "Callable[[Record], Any]"


def rows_above(plan: Plan, group: Group) -> Callable[[Record], Row] | None:
    """The row that a plan makes of each group; None where Spark has to say it."""
    while isinstance(plan, Sort | Fresh):
        plan = plan.upstream
    if not isinstance(plan, Project) or plan.upstream is not group:
        return None
    fields = [(output.name, output.value.of, _computed(output.value)) for output in plan.outputs]
    if any(value is None for _, _, value in fields):
        return None

    def row(record: Record) -> Row:
        found = ((name, value_of_plain(value(record), of)) for name, of, value in fields if value is not None)
        return {name: value for name, value in found if value is not UNDEFINED}

    return row


def _computed(e: PlanExpression) -> Computed | None:
    """An expression as a function of a group; None where it holds anything that is not known here."""
    match e:
        case Read(column, of) if not isinstance(of, Mixed | Opaque):
            name = column_name(column)
            return lambda record: record[name]
        case Constant(value, of) if not isinstance(of, Mixed | Opaque):
            plain = plain_value(value, of)
            return lambda record: plain
        case Choose(test, consequent, alternate):
            return _choice(_computed(test), _computed(consequent), _computed(alternate))
        case Apply(operation, operands, of) if operation in _OPERATIONS and not isinstance(of, Mixed | Opaque):
            given = [_computed(operand) for operand in operands]
            return None if None in given else _applied(_OPERATIONS[operation], [one for one in given if one is not None])
        case _:
            return None


def _choice(test: Computed | None, consequent: Computed | None, alternate: Computed | None) -> Computed | None:
    if test is None or consequent is None or alternate is None:
        return None
    return lambda record: consequent(record) if test(record) else alternate(record)


def _applied(operation: Callable[..., Any], given: list[Computed]) -> Computed:
    return lambda record: operation(*(one(record) for one in given))


def _less(a: float | None, b: float | None) -> bool:
    """As numbers are compared in JavaScript: a comparison with NaN, or with nothing, does not hold."""
    return a is not None and b is not None and a < b


def _root(a: float | None) -> float | None:
    return a if a is None or isnan(a) else nan if a < 0 else sqrt(a)


_OPERATIONS: Mapping[str, Callable[..., Any]] = {
    "known": lambda x: x,
    "fill": lambda x, value: value if x is None else x,
    "missing": lambda x: x is None,
    "number.less": _less,
    "number.sqrt": _root,
    "not": lambda b: not b,
    "and": lambda a, b: a and b,
    "or": lambda a, b: a or b,
}
