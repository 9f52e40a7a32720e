"""Which columns of its sources a plan reads, and how often it scans them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from sheliak.plan.expressions import PlanExpression, columns_of
from sheliak.plan.operators import (
    Cross,
    Fresh,
    Generate,
    Group,
    Join,
    Keep,
    PerGroup,
    Plan,
    Project,
    Sample,
    Scan,
    Sort,
    Unfold,
    Union,
    Window,
    upstreams,
)

Columns = frozenset[int]


def columns_read(plan: Plan) -> dict[Scan, Columns]:
    """The columns of every scan below a plan that some field of the plan depends on."""
    found: dict[Scan, Columns] = {}
    _read(plan, frozenset(field.column for field in plan.schema.fields), found)
    return found


def scans_of(plan: Plan) -> list[Scan]:
    """The scans below a plan, one for each time its rows are asked for."""
    if isinstance(plan, Scan):
        return [plan]
    return [scan for upstream in upstreams(plan) for scan in scans_of(upstream)]


def _in(expressions: Iterable[PlanExpression]) -> Columns:
    return frozenset(column for expression in expressions for column in columns_of(expression))


def _read(plan: Plan, needed: Columns, found: dict[Scan, Columns]) -> None:
    """Adds what is read below a plan of which some columns are needed."""
    if isinstance(plan, Scan):
        found[plan] = found.get(plan, frozenset()) | (needed & {field.column for field in plan.schema.fields})
    for upstream, wanted in zip(upstreams(plan), needed_below(plan, needed), strict=True):
        _read(upstream, wanted, found)


def needed_below(plan: Plan, needed: Columns) -> list[Columns]:
    """What a plan, of which some columns are needed, needs of each plan below."""
    match plan:
        case Scan() | Generate():
            return []
        case Keep(_, test):
            return [needed | columns_of(test)]
        case Project(_, outputs):
            return [_in(output.value for output in outputs if output.column in needed)]
        case Unfold(_, items):
            return [needed | columns_of(items)]
        case Group(_, keys, summaries):
            made = [operand for one in summaries if one.column in needed for operand in one.summary.operands]
            return [_in((*(key.value for key in keys), *made))]
        case Window(_, partition, sort, surveyed):
            made = [operand for one in surveyed if one.column in needed for operand in one.around.operands]
            return [needed | _in((*partition, *(key.value for key in sort), *made))]
        case Join(_, _, keys, _, copied):
            taken = [value for value, made in copied if made.column in needed]
            return [needed | _in(mine for mine, _ in keys), _in((*(theirs for _, theirs in keys), *taken))]
        case Cross(upstream):
            return [frozenset(field.column for field in upstream.schema.fields)]
        case Union(parts, schema):
            return [
                _in(value for field, value in zip(schema.fields, values, strict=True) if field.column in needed)
                for _, values in parts
            ]
        case Sort(_, keys):
            return [needed | _in(key.value for key in keys)]
        case Fresh() | Sample():
            return [needed]
        case PerGroup():
            passed = needed if plan.aligned else frozenset[int]()
            return [passed | _in((*plan.keys, *plan.inputs.values()))]
        case _:
            assert_never(plan)
