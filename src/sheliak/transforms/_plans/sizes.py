"""How many rows a plan has or makes, as far as that is known without running it."""

from __future__ import annotations

from math import ceil, isfinite

from sheliak.plan.building import fields_only
from sheliak.plan.operators import Plan, Scan
from sheliak.plan.planning import Planning
from sheliak.plan.unplannable import Unplannable

_MOST_GENERATED = 100_000_000


def is_empty(plan: Plan) -> bool:
    """It is known to have no rows."""
    return isinstance(plan, Scan) and plan.source.count == 0


def numbers_in_range(start: float, stop: float, step: float) -> int:
    """How many numbers lie from start to before stop."""
    span = (stop - start) / step
    if not isfinite(span):
        raise Unplannable("the numbers of the sequence cannot be counted")
    count = max(0, ceil(span))
    if count > _MOST_GENERATED:
        raise Unplannable(f"the sequence has {count} rows")
    return count


def named_columns(plan: Plan, planning: Planning) -> Plan:
    """The plan without columns that have no name, and with one column for each field."""
    fields = plan.schema.reads()
    columns = [field.column for field in plan.schema.fields]
    return plan if len(set(columns)) == len(fields) == len(columns) else fields_only(plan, fields, planning)
