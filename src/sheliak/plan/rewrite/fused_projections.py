"""Two projections, one over the other, as one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sheliak.plan.expressions import PlanExpression, Read
from sheliak.plan.operators import Plan, Project
from sheliak.plan.rewrite.rebuilding import Rebuilding, reads_replaced


def fused_projections(plans: Sequence[Plan]) -> list[Plan]:
    """The plans without projections of projections."""
    return list(map(Rebuilding(_fused), plans))


def _fused(plan: Plan) -> Plan:
    if not isinstance(plan, Project) or not isinstance(plan.upstream, Project):
        return plan
    below = plan.upstream
    substituted = reads_replaced(made_by(below))
    outputs = tuple(replace(output, value=substituted(output.value)) for output in plan.outputs)
    return Project(below.upstream, outputs)


def made_by(project: Project) -> dict[int, PlanExpression]:
    """The columns that a projection computes; one that is passed on stays itself."""
    return {
        output.column: output.value
        for output in project.outputs
        if not (isinstance(output.value, Read) and output.value.column == output.column)
    }
