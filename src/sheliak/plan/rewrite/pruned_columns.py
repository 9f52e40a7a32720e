"""Columns that nothing reads are not computed, and not read from the source."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from sheliak.plan.columns_read import Columns, needed_below
from sheliak.plan.operators import Group, Join, Plan, Project, Scan, Schema, Union, Window, upstreams
from sheliak.plan.rewrite.rebuilding import with_upstreams


def pruned_columns(plans: Sequence[Plan]) -> list[Plan]:
    """The plans with all of their own columns, and below them only what those need."""
    needed = needed_columns(plans)
    done: dict[int, Plan] = {}
    for plan in reversed(in_reading_order(plans)):
        done[id(plan)] = _pruned(plan, [done[id(below)] for below in upstreams(plan)], needed)
    return [done[id(plan)] for plan in plans]


def needed_columns(
    plans: Sequence[Plan], below: Callable[[Plan, Columns], Sequence[Columns]] = needed_below
) -> dict[int, Columns]:
    """The columns that something reads of each of the plans and of those below, by identity."""
    needed: dict[int, Columns] = {}
    for plan in plans:
        needed[id(plan)] = needed.get(id(plan), frozenset()) | {field.column for field in plan.schema.fields}
    for plan in in_reading_order(plans):
        for one, wanted in zip(upstreams(plan), below(plan, needed[id(plan)]), strict=True):
            needed[id(one)] = needed.get(id(one), frozenset()) | wanted
    return needed


def in_reading_order(plans: Iterable[Plan]) -> list[Plan]:
    """All plans, each before those that it reads from."""
    seen: set[int] = set()
    finished: list[Plan] = []

    def visit(plan: Plan) -> None:
        if id(plan) not in seen:
            seen.add(id(plan))
            for below in upstreams(plan):
                visit(below)
            finished.append(plan)

    for plan in plans:
        visit(plan)
    return finished[::-1]


def _pruned(plan: Plan, below: Sequence[Plan], all_needed: Mapping[int, Columns]) -> Plan:
    needed = all_needed[id(plan)]
    plan = with_upstreams(plan, below)
    match plan:
        case Scan(source, schema):
            # Rows of the driver are handed to Spark once, whole: another choice of columns would hand them over again.
            kept = tuple(field for field in schema.fields if field.column in needed or source.place is None)
            return plan if len(kept) == len(schema.fields) else Scan(source, Schema(kept, schema.unnamed))
        case Project(upstream, outputs):
            made = tuple(output for output in outputs if output.column in needed)
            return plan if len(made) == len(outputs) else Project(upstream, made)
        case Group(_, _, summaries):
            summed = tuple(one for one in summaries if one.column in needed)
            return plan if len(summed) == len(summaries) else replace(plan, summaries=summed)
        case Window(upstream, _, _, surveyed):
            seen = tuple(one for one in surveyed if one.column in needed)
            return upstream if not seen else plan if len(seen) == len(surveyed) else replace(plan, surveyed=seen)
        case Join(_, _, _, _, copied):
            taken = tuple((value, made) for value, made in copied if made.column in needed)
            return plan if len(taken) == len(copied) else replace(plan, copied=taken)
        case Union():
            return _pruned_union(plan, needed)
        case _:
            return plan


def _pruned_union(plan: Union, needed: Columns) -> Plan:
    kept = [index for index, field in enumerate(plan.schema.fields) if field.column in needed]
    if len(kept) == len(plan.schema.fields):
        return plan
    parts = tuple((part, tuple(values[index] for index in kept)) for part, values in plan.parts)
    return Union(parts, Schema(tuple(plan.schema.fields[index] for index in kept), plan.schema.unnamed), plan.turns)
