"""Expressions that may stop the run are computed though nothing reads them, and though a later filter leaves out their rows: a filter does it
that lets every row pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sheliak.plan.columns_read import Columns, needed_below
from sheliak.plan.expressions import PlanExpression
from sheliak.plan.operators import Group, Join, Plan, Project, Sort, Unfold, Window, upstreams
from sheliak.plan.rewrite.pruned_columns import in_reading_order, needed_columns
from sheliak.plan.rewrite.rebuilding import with_upstreams
from sheliak.plan.stopping import may_stop, stopping


def kept_stops(plans: Sequence[Plan]) -> list[Plan]:
    """The plans with a filter below every operator that would leave out what may stop the run."""
    if not any(map(may_stop, plans)):
        return list(plans)
    needed = needed_columns(plans, _surely_read)
    done: dict[int, Plan] = {}
    for plan in reversed(in_reading_order(plans)):
        below = [done[id(one)] for one in upstreams(plan)]
        kept = [*_computed_below(plan, needed[id(plan)])]
        if kept:
            below[0] = stopping(below[0], *kept)
        done[id(plan)] = with_upstreams(plan, below)
    return [done[id(plan)] for plan in plans]


def _computed_below(plan: Plan, needed: Columns) -> Iterator[PlanExpression]:
    """What an operator computes for columns that nothing reads, for an order that nobody may ask for, or for fewer rows than reach it.

    An engine puts later filters below an operator, where they leave out rows; not below a projection that may stop the run.
    """
    match plan:
        case Project(_, outputs):
            yield from (output.value for output in outputs if output.column not in needed)
        case Group(_, keys, summaries):
            yield from (key.value for key in keys)
            yield from (part for made in summaries for part in made.summary.operands)
        case Window(_, partition, sort, surveyed):
            yield from (*partition, *(key.value for key in sort))
            yield from (part for made in surveyed for part in made.around.operands)
        case Join(_, _, keys):
            yield from (mine for mine, _ in keys)
        case Unfold(_, items):
            yield items
        case Sort(_, keys):
            yield from (key.value for key in keys)
        case _:
            return


def _surely_read(plan: Plan, needed: Columns) -> Sequence[Columns]:
    """Of the elements of a list an engine may compute no more than what is read of them, which may be their number alone."""
    return [needed] if isinstance(plan, Unfold) else needed_below(plan, needed)
