"""Groups over a projection: their keys and summaries computed from what the projection reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sheliak.plan.operators import Group, Plan, Project
from sheliak.plan.rewrite.fused_projections import made_by
from sheliak.plan.rewrite.rebuilding import Rebuilding, reads_replaced


def fused_groups(plans: Sequence[Plan]) -> list[Plan]:
    """The plans without projections below groups."""
    return list(map(Rebuilding(_fused), plans))


def _fused(plan: Plan) -> Plan:
    if not isinstance(plan, Group) or not isinstance(plan.upstream, Project):
        return plan
    substituted = reads_replaced(made_by(plan.upstream))
    keys = tuple(replace(key, value=substituted(key.value)) for key in plan.keys)
    summaries = tuple(
        replace(one, summary=replace(one.summary, operands=tuple(map(substituted, one.summary.operands))))
        for one in plan.summaries
    )
    return replace(plan, upstream=plan.upstream.upstream, keys=keys, summaries=summaries)
