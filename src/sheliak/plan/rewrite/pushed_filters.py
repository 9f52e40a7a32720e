"""Filters as near to the source as they can be: before what does not change the columns that they test, or the order that they keep."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sheliak.plan.expressions import columns_of
from sheliak.plan.operators import Fresh, Keep, Plan, Project, Sort
from sheliak.plan.rewrite.rebuilding import Rebuilding
from sheliak.plan.stopping import stops


def pushed_filters(plans: Sequence[Plan]) -> list[Plan]:
    """The plans with every filter as far down as it goes."""
    return list(map(Rebuilding(_pushed), plans))


def _pushed(plan: Plan) -> Plan:
    if not isinstance(plan, Keep) or not isinstance(plan.upstream, Project | Sort | Fresh) or not _may_pass(plan):
        return plan
    below = plan.upstream
    return replace(below, upstream=_pushed(Keep(below.upstream, plan.test)))


def _may_pass(plan: Keep) -> bool:
    """What is tested stands below too, and nothing in between stops the run for a row that the test leaves out."""
    below = plan.upstream
    if not isinstance(below, Project):
        return True
    given = {field.column for field in below.upstream.schema.fields}
    return columns_of(plan.test) <= given and not any(stops(output.value) for output in below.outputs)
