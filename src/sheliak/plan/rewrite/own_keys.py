"""Groups that show the first value of what they are grouped by: that is the key itself.

Dates are grouped by their seconds, as their texts are, and show the date of the first row. Where all dates are whole seconds, as the
starts of days and hours are, a date tells groups apart as well, and no first row has to be found.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isnan

from sheliak.plan.expressions import Apply, Choose, Constant, PlanExpression, Read
from sheliak.plan.operators import Fresh, Group, Keep, Output, Plan, Project, Summarized
from sheliak.plan.rewrite.fused_projections import made_by
from sheliak.plan.rewrite.rebuilding import Rebuilding, Signatures


def own_keys(plans: Sequence[Plan]) -> list[Plan]:
    """The plans without first values that are keys."""
    return list(map(Rebuilding(_changed), plans))


def _changed(plan: Plan) -> Plan:
    if not isinstance(plan, Group):
        return plan
    computed = _computed_below(plan.upstream)
    keys = tuple(_whole(key, computed) for key in plan.keys)
    signature = Signatures()
    shown = {signature(key.value): key for key in keys}
    own: dict[int, PlanExpression] = {}
    for one in plan.summaries:
        key = shown.get(signature(one.summary.operands[0])) if is_first(one) else None
        if key is not None:
            own[one.column] = Read(key.column, one.summary.of)
    if not own:
        return plan
    left = tuple(one for one in plan.summaries if one.column not in own)
    outputs = (Output("", field.column, own.get(field.column, field.read())) for field in plan.schema.fields)
    return Project(replace(plan, keys=keys, summaries=left), tuple(outputs))


def is_first(made: Summarized) -> bool:
    """The value of the first row, whatever the row."""
    return made.summary.function == "first" and len(made.summary.operands) == 1


def _computed_below(plan: Plan) -> dict[int, PlanExpression]:
    """The columns that projections below compute."""
    found: dict[int, PlanExpression] = {}
    while isinstance(plan, Project | Keep | Fresh):
        found |= made_by(plan) if isinstance(plan, Project) else {}
        plan = plan.upstream
    return found


def _whole(key: Output, computed: Mapping[int, PlanExpression]) -> Output:
    """The key without its fraction of a second left out, where there is none."""
    match key.value:
        case Apply("date.second", (date,)) if is_whole_seconds(date, computed):
            return replace(key, value=date)
        case _:
            return key


def is_whole_seconds(e: PlanExpression, computed: Mapping[int, PlanExpression]) -> bool:
    """Every date is a whole second, not a date, or missing."""
    match e:
        case Read(column):
            return column in computed and is_whole_seconds(computed[column], computed)
        case Constant(value):
            return not isinstance(value, int | float) or isnan(value) or value % 1000 == 0
        case Choose(_, consequent, alternate):
            return is_whole_seconds(consequent, computed) and is_whole_seconds(alternate, computed)
        case Apply("number.date" | "date.number" | "known" | "date.clip" | "date.instant", (inner,)):
            # The clocks of all zones differ by whole seconds.
            return is_whole_seconds(inner, computed)
        case Apply("date.floor", _, _, (float(length),)):
            return length % 1000 == 0
        case Apply("calendar.time", (*_, milliseconds)):
            return isinstance(milliseconds, Constant) and milliseconds.value == 0
        case _:
            return False
