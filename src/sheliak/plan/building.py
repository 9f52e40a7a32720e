"""How transforms put plans together: fields added, kept and dropped, under their names."""

from __future__ import annotations

from collections.abc import Mapping

from sheliak.plan.coercion import NOTHING, converted
from sheliak.plan.column_types import UNDEFINED, unified_all
from sheliak.plan.expressions import PlanExpression, Read
from sheliak.plan.operators import Field, Fresh, Generate, Output, Plan, Project, Sample, Schema, Sort, Union, upstreams
from sheliak.plan.operators import Group as GroupOperator
from sheliak.plan.planning import Planning
from sheliak.plan.scope import Scope


def scope_of(plan: Plan, planning: Planning) -> Scope:
    """Where the expressions of a transform are read: `datum` is a row of the plan."""
    return Scope(plan.schema.reads(), planning, plan)


def output(name: str, value: PlanExpression, planning: Planning) -> Output:
    """A field with a value; a column as it is stays that column."""
    return Output(name, value.column if isinstance(value, Read) else planning.column(), value)


def with_fields(plan: Plan, added: Mapping[str, PlanExpression], planning: Planning) -> Plan:
    """The rows with fields added; one of a name that is there takes its place."""
    return fields_only(plan, {**plan.schema.reads(), **added}, planning)


def fields_only(plan: Plan, fields: Mapping[str, PlanExpression], planning: Planning) -> Plan:
    """Rows of these fields."""
    return Project(plan, tuple(output(name, value, planning) for name, value in fields.items()))


def fresh(plan: Plan) -> Plan:
    """The rows taken in anew, where their numbers may not follow their order."""
    return Fresh(plan) if is_reordered(plan) else plan


def is_reordered(plan: Plan) -> bool:
    """The rows may lie in another order than that of their numbers."""
    match plan:
        case Sort() | Sample():
            return True
        case Fresh() | GroupOperator() | Generate():
            return False
        case Union(parts):
            return bool(plan.turns) or any(is_reordered(part) for part, _ in parts)
        case _:
            return any(is_reordered(below) for below in upstreams(plan)[:1])


def union(plans: list[Plan], planning: Planning) -> Plan:
    """The rows of several plans, one plan after another; a field that a row lacks is undefined in it."""
    if len(plans) == 1:
        return plans[0]
    absent = NOTHING[UNDEFINED]
    names = dict.fromkeys(name for plan in plans for name in plan.schema.reads())
    types = {name: unified_all(plan.schema.reads().get(name, absent).of for plan in plans) for name in names}
    schema = Schema(tuple(Field(name, planning.column(), of) for name, of in types.items()))
    parts = []
    for plan in plans:
        given = plan.schema.reads()
        values = tuple(converted(given.get(name, absent), of) for name, of in types.items())
        parts.append((plan, values))
    return Union(tuple(parts), schema)
