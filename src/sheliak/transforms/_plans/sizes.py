"""How many rows a plan has or makes, as far as that is known without running it."""

from __future__ import annotations

from math import ceil, isfinite

from sheliak.plan.budget import ROW_BUDGET, spend
from sheliak.plan.building import fields_only
from sheliak.plan.coercion import TRUE
from sheliak.plan.operators import Plan, Scan
from sheliak.plan.planning import Planning
from sheliak.plan.unplannable import Unplannable
from sheliak.transforms._plans.numbering import count_of


def is_empty(plan: Plan) -> bool:
    """It is known to have no rows."""
    return isinstance(plan, Scan) and plan.source.count == 0


def numbers_in_range(start: float, stop: float, step: float) -> int:
    """How many numbers lie from start to before stop."""
    span = (stop - start) / step
    if not isfinite(span):
        raise Unplannable("the numbers of the sequence cannot be counted")
    return spend(max(0, ceil(span)), "the sequence", ROW_BUDGET)


def spend_pairs(upstream: Plan, planning: Planning) -> None:
    """Every row with every row: how many rows there are is counted before."""
    count = upstream.source.count if isinstance(upstream, Scan) else None
    if count is None:
        count = count_of(TRUE, upstream, planning)
    spend(count * count, f"every one of {count:,} rows with every one", ROW_BUDGET)


def named_columns(plan: Plan, planning: Planning) -> Plan:
    """The plan without columns that have no name, and with one column for each field."""
    fields = plan.schema.reads()
    columns = [field.column for field in plan.schema.fields]
    return plan if len(set(columns)) == len(fields) == len(columns) else fields_only(plan, fields, planning)
