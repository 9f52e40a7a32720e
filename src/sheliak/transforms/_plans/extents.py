"""The least and the greatest number of a field, which plans of other transforms depend on."""

from __future__ import annotations

from math import inf, isfinite

from sheliak.expressions.values import UNDEFINED as UNDEFINED_VALUE
from sheliak.expressions.values import Value
from sheliak.plan.building import fields_only
from sheliak.plan.column_types import UNDEFINED, Plain
from sheliak.plan.expressions import Apply, PlanExpression
from sheliak.plan.measures import valid_number
from sheliak.plan.operators import Group, Plan, Summarized, Summary
from sheliak.plan.planning import Planning

_NUMBER = Plain("number", UNDEFINED)


def publish_extent(value: PlanExpression, upstream: Plan, planning: Planning) -> None:
    """[least, greatest] of what reads as a number; both undefined where there is none, or one is infinite."""

    def published() -> Value:
        low, high = extent_of(value, upstream, planning)
        return [low, high] if isfinite(low) and isfinite(high) else [UNDEFINED_VALUE, UNDEFINED_VALUE]

    planning.publish_later(published)


def extent_of(value: PlanExpression, upstream: Plan, planning: Planning) -> tuple[float, float]:
    """The least and the greatest of what reads as a number; infinite where there is none."""
    (row,) = planning.ask(extent_plan(value, upstream, planning))
    low, high = row.get("low", inf), row.get("high", -inf)
    assert isinstance(low, float) and isinstance(high, float)
    return low, high


def extent_plan(value: PlanExpression, upstream: Plan, planning: Planning) -> Plan:
    """One row with the fields `low` and `high`, undefined where there is no number."""
    number = Apply("number.valid", (valid_number(value),), _NUMBER)
    made = [Summarized(planning.column(), Summary(end, (number,), _NUMBER)) for end in ("min", "max")]
    group = Group(upstream, (), tuple(made), always=True)
    return fields_only(group, {"low": made[0].read(), "high": made[1].read()}, planning)
