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
    match plan:
        case Scan():
            found[plan] = found.get(plan, frozenset()) | (needed & {field.column for field in plan.schema.fields})
        case Keep(upstream, test):
            _read(upstream, needed | columns_of(test), found)
        case Project(upstream, outputs):
            _read(upstream, _in(output.value for output in outputs if output.column in needed), found)
        case Unfold(upstream, items):
            _read(upstream, needed | columns_of(items), found)
        case Group(upstream, keys, summaries):
            made = [operand for one in summaries if one.column in needed for operand in one.summary.operands]
            _read(upstream, _in((*(key.value for key in keys), *made)), found)
        case Window(upstream, partition, sort, surveyed):
            made = [operand for one in surveyed if one.column in needed for operand in one.around.operands]
            _read(upstream, needed | _in((*partition, *(key.value for key in sort), *made)), found)
        case Join(upstream, other, keys, _, copied):
            _read(upstream, needed | _in(mine for mine, _ in keys), found)
            taken = [value for value, made in copied if made.column in needed]
            _read(other, _in((*(theirs for _, theirs in keys), *taken)), found)
        case Cross(upstream):
            _read(upstream, frozenset(field.column for field in upstream.schema.fields), found)
        case Union(parts, schema):
            for upstream, values in parts:
                used = [value for field, value in zip(schema.fields, values, strict=True) if field.column in needed]
                _read(upstream, _in(used), found)
        case Sort(upstream, keys):
            _read(upstream, needed | _in(key.value for key in keys), found)
        case Fresh(upstream) | Sample(upstream):
            _read(upstream, needed, found)
        case PerGroup():
            passed = needed if plan.aligned else frozenset[int]()
            _read(plan.upstream, passed | _in((*plan.keys, *plan.inputs.values())), found)
        case Generate():
            pass
        case _:
            assert_never(plan)
