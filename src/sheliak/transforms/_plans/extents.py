"""The least and the greatest number of a field, which plans of other transforms depend on."""

from __future__ import annotations

from math import inf, isfinite

from sheliak.expressions.values import UNDEFINED as UNDEFINED_VALUE
from sheliak.expressions.values import EvaluationError, Row, Value
from sheliak.plan.building import fields_only
from sheliak.plan.column_types import BOOLEAN, NUMBER, UNDEFINED, Plain
from sheliak.plan.expressions import Apply, PlanExpression
from sheliak.plan.measures import valid_number
from sheliak.plan.operators import Group, Plan, Summarized, Summary
from sheliak.plan.planning import Planning
from sheliak.plan.unplannable import Unplannable

_NUMBER = Plain("number", UNDEFINED)


def publish_extent(value: PlanExpression, upstream: Plan, planning: Planning) -> None:
    """[least, greatest] of what reads as a number; both undefined where there is none, or one is infinite."""
    plan = extent_plan(value, upstream, planning)

    def published() -> Value:
        low, high = _ends(planning.ask(plan))
        return [low, high] if isfinite(low) and isfinite(high) else [UNDEFINED_VALUE, UNDEFINED_VALUE]

    planning.publish_later(published)


def extent_of(value: PlanExpression, upstream: Plan, planning: Planning) -> tuple[float, float]:
    """The least and the greatest of what reads as a number; infinite where there is none."""
    return _ends(planning.ask(extent_plan(value, upstream, planning)))


def _ends(rows: list[Row]) -> tuple[float, float]:
    low, high = rows[0].get("low", inf), rows[0].get("high", -inf)
    assert isinstance(low, float) and isinstance(high, float)
    return low, high


def ends_of_field(value: PlanExpression, upstream: Plan, planning: Planning) -> tuple[float, float] | None:
    """The least and the greatest value of a field as Vega compares them, as numbers; None of no rows at all.

    Vega reads on behind the last row where none has a value, which ends the run.
    """
    if not isinstance(value.of, Plain) or value.of.kind not in ("number", "date"):
        raise Unplannable("the extent of values that are not numbers or dates hangs on their order")
    number = Apply("date.number", (value,), _NUMBER) if value.of.kind == "date" else Apply("known", (value,), _NUMBER)
    valid = Apply("number.valid", (number,), _NUMBER)
    wanted: dict[str, Summary] = {
        "low": Summary("min", (valid,), _NUMBER),
        "high": Summary("max", (valid,), _NUMBER),
        "rows": Summary("count", (), NUMBER),
        "invalid": Summary("count_true", (Apply("number.is_nan", (number,), BOOLEAN),), NUMBER),
    }
    made = {name: Summarized(planning.column(), summary) for name, summary in wanted.items()}
    group = Group(upstream, (), tuple(made.values()), always=True)
    (row,) = planning.ask(fields_only(group, {name: one.read() for name, one in made.items()}, planning))
    if value.of.kind == "date" and row["invalid"]:
        raise Unplannable("the extent of invalid dates hangs on their order")
    if "low" not in row and row["rows"]:
        raise EvaluationError("Cannot read properties of undefined")
    return _ends([row]) if "low" in row else None


def extent_plan(value: PlanExpression, upstream: Plan, planning: Planning) -> Plan:
    """One row with the fields `low` and `high`, undefined where there is no number."""
    number = Apply("number.valid", (valid_number(value),), _NUMBER)
    made = [Summarized(planning.column(), Summary(end, (number,), _NUMBER)) for end in ("min", "max")]
    group = Group(upstream, (), tuple(made), always=True)
    return fields_only(group, {"low": made[0].read(), "high": made[1].read()}, planning)
