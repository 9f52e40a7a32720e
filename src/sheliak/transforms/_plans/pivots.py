"""The plan of `pivot`: the names of its fields are values, so they are asked for first."""

from __future__ import annotations

from collections.abc import Sequence
from math import nan

from sheliak.expressions.sorting import sorted_by
from sheliak.expressions.values import UNDEFINED as UNDEFINED_VALUE
from sheliak.expressions.values import Value, compare, key_text
from sheliak.plan.building import fields_only
from sheliak.plan.choice import choose
from sheliak.plan.coercion import and_, not_
from sheliak.plan.column_types import Mixed, Plain
from sheliak.plan.comparison import same
from sheliak.plan.expressions import PlanExpression, constant
from sheliak.plan.functions.kinds import is_nan_value
from sheliak.plan.keys import grouped_by_text
from sheliak.plan.measures import Measuring, measure
from sheliak.plan.operators import Group, Plan
from sheliak.plan.planning import Planning
from sheliak.plan.unplannable import ByIdentity, Unplannable
from sheliak.transforms._contract import FieldRef
from sheliak.transforms._operations.asked import operations_of
from sheliak.transforms._operations.declaration import AGGREGATES
from sheliak.transforms._planning import read_field, read_fields, start
from sheliak.transforms._plans.grouping import Summarizing
from sheliak.transforms._running import key_name

_MOST_NAMES = 2000


def plan_pivot(
    upstream: Plan,
    groupby: Sequence[FieldRef],
    key: FieldRef | None,
    field: PlanExpression,
    value: PlanExpression,
    op: str,
    limit: float,
    planning: Planning,
) -> Plan:
    """A row per group, with a field for each text that the field's values have."""
    operations_of([op], AGGREGATES)
    scope = start(upstream, planning)
    keys = read_fields(groupby, scope)
    made = grouped_by_text([read_field(key, scope)] if key is not None else keys, "|", planning)
    shown = [made.first(one) for one in keys] if key is not None else made.shown
    summarize = Summarizing(made)
    named = dict(zip(map(key_name, groupby), shown, strict=True))
    for wanted in _values(field, upstream, limit, planning):
        # An empty text is no name: the operation's stands for it.
        name = key_text(wanted, planning.zone) or ("__count__" if op == "count" else op)
        named[name] = _filled(field, wanted, value, op, Measuring(value, scope.fields, summarize, planning))
    group = Group(upstream, tuple(made.keys), tuple(made.summaries))
    return fields_only(group, named, planning)


def _values(field: PlanExpression, upstream: Plan, limit: float, planning: Planning) -> list[Value]:
    """Each value of the field that has another text than those before, in Vega's order."""
    if not isinstance(field.of, Plain | Mixed) or "date" in (field.of.kinds if isinstance(field.of, Mixed) else {field.of.kind}):
        raise ByIdentity("a pivot over dates or objects takes each of them for another value")
    made = grouped_by_text([field], "|", planning)
    group = Group(upstream, tuple(made.keys), tuple(made.summaries))
    found = [row.get("value", UNDEFINED_VALUE) for row in planning.ask(fields_only(group, {"value": made.shown[0]}, planning))]
    present = [one for one in found if one is not UNDEFINED_VALUE]
    ordered = sorted_by(present, lambda a, b: compare(a, b, planning.zone))
    ordered += [one for one in found if one is UNDEFINED_VALUE]
    chosen = ordered[: int(limit)] if limit else ordered
    if len(chosen) > _MOST_NAMES:
        raise Unplannable(f"the pivot has {len(chosen)} fields")
    return chosen


def _filled(field: PlanExpression, wanted: Value, value: PlanExpression, op: str, m: Measuring) -> PlanExpression:
    """The operation over the rows whose field is the wanted value; all others count as NaN, which no operation takes in."""
    matches = same(field, constant(wanted))
    if op == "count":
        return m.count(and_(matches, not_(is_nan_value(value))))
    chosen = choose(matches, value, constant(nan))
    return measure(op, Measuring(chosen, m.row, m.summarize, m.planning))
