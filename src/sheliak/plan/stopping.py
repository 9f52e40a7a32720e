"""What stops a run: an expression that reads below a missing value, a kernel whose meaning ends it. Vega runs every step for every row,
read or not; so what may stop a run is computed though nothing reads it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeGuard

from sheliak.plan.column_types import BOOLEAN
from sheliak.plan.expressions import Apply, PlanExpression, parts_of
from sheliak.plan.operators import (
    Group,
    Join,
    Keep,
    PerGroup,
    Plan,
    Project,
    Sort,
    Unfold,
    Window,
    upstreams,
)


def stops(e: PlanExpression) -> bool:
    """An expression that may stop the run."""
    return any(map(_is_required, parts_of(e)))


def _is_required(part: PlanExpression) -> TypeGuard[Apply]:
    return isinstance(part, Apply) and part.operation == "required"


def may_stop(plan: Plan) -> bool:
    """A plan of which some rows may stop the run."""
    return any(isinstance(one, PerGroup) or any(map(stops, _expressions(one))) for one in _operators([plan]))


def reasons_of_stops(plan: Plan, below: Iterable[Plan]) -> set[str]:
    """What the operators of a plan may stop the run with, those of the plans below it left out."""
    others = {id(one) for one in _operators(below)}
    expressions = (e for one in _operators([plan]) if id(one) not in others for e in _expressions(one))
    return {str(part.options[0]) for e in expressions for part in parts_of(e) if _is_required(part)}


def _operators(plans: Iterable[Plan]) -> Iterator[Plan]:
    """All that plans are made of, each once."""
    seen: set[int] = set()
    pending = list(plans)
    while pending:
        one = pending.pop()
        if id(one) not in seen:
            seen.add(id(one))
            yield one
            pending += upstreams(one)


def stopping(plan: Plan, *values: PlanExpression) -> Plan:
    """The rows of a plan, and what may stop the run computed for each: a filter that lets every row pass."""
    computed = tuple(filter(stops, values))
    return Keep(plan, Apply("computed", computed, BOOLEAN)) if computed else plan


def _expressions(plan: Plan) -> Iterable[PlanExpression]:
    """What an operator computes; a union only converts, and a conversion never stops."""
    match plan:
        case Keep(_, test):
            return (test,)
        case Project(_, outputs):
            return (output.value for output in outputs)
        case Unfold(_, items):
            return (items,)
        case Group(_, keys, summaries):
            return (*(key.value for key in keys), *(part for made in summaries for part in made.summary.operands))
        case Window():
            return _of_window(plan)
        case Join(_, _, keys, _, copied):
            return (*(side for key in keys for side in key), *(value for value, _ in copied))
        case Sort(_, keys):
            return (key.value for key in keys)
        case _:
            return ()


def _of_window(plan: Window) -> Iterator[PlanExpression]:
    yield from plan.partition
    yield from (key.value for key in plan.sort)
    yield from (part for made in plan.surveyed for part in made.around.operands)
