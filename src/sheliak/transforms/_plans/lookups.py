"""The plan of `lookup`."""

from __future__ import annotations

from collections.abc import Sequence

from sheliak.expressions.values import Value
from sheliak.plan.building import with_fields
from sheliak.plan.choice import choose
from sheliak.plan.coercion import text_of
from sheliak.plan.column_types import BOOLEAN, NEVER, UNDEFINED, ColumnType, Plain, missing_of, with_missing
from sheliak.plan.expressions import Apply, PlanExpression, constant
from sheliak.plan.operators import Field, Join, Plan
from sheliak.plan.planning import Planning
from sheliak.plan.unplannable import Unplannable
from sheliak.transforms._contract import FieldRef
from sheliak.transforms._planning import read_field, read_fields, start
from sheliak.transforms._running import RunError, key_name


def plan_lookup(
    upstream: Plan,
    source: str,
    key: FieldRef,
    fields: Sequence[FieldRef],
    values: Sequence[FieldRef] | None,
    names: list[str] | None,
    default: Value,
    planning: Planning,
) -> Plan:
    """Each row with the values of the row that it finds; of rows with one key the last is found."""
    other = planning.dataset(source)
    theirs = start(other, planning)
    copied = [theirs.datum()] if values is None else read_fields(values, theirs)
    outputs = _names(fields, values, names)
    mine = read_fields(fields, start(upstream, planning))
    plan: Plan = upstream
    for index, field in enumerate(mine):
        wanted = outputs[index * len(copied) : (index + 1) * len(copied)]
        plan = _joined(plan, other, field, read_field(key, theirs), copied, wanted, default, planning)
    return plan


def _names(fields: Sequence[FieldRef], values: Sequence[FieldRef] | None, names: list[str] | None) -> list[str]:
    if values is None:
        if names is None:
            raise RunError("Missing output field names.")
        return [*names, *["undefined"] * len(fields)][: len(fields)]
    if names is None and len(fields) > 1:
        raise RunError('Multi-field lookup requires explicit "as" parameter.')
    if names is not None and len(names) != len(fields) * len(values):
        raise RunError('The "as" parameter has too few output field names.')
    return [key_name(value) for value in values] if names is None else names


def _joined(
    plan: Plan,
    other: Plan,
    mine: PlanExpression,
    theirs: PlanExpression,
    copied: Sequence[PlanExpression],
    names: Sequence[str],
    default: Value,
    planning: Planning,
) -> Plan:
    found = Field("", planning.column(), BOOLEAN)
    made = [(value, Field("", planning.column(), with_missing(value.of, UNDEFINED))) for value in copied]
    join = Join(plan, other, (_compared(mine, theirs, planning),), found, tuple(made))
    added = {name: _or_default(found.read(), value.of, field, default) for name, (value, field) in zip(names, made, strict=True)}
    return with_fields(join, added, planning)


def _or_default(found: PlanExpression, of: ColumnType, field: Field, default: Value) -> PlanExpression:
    value = Apply("known", (Field("", field.column, of).read(),), of)
    return choose(found, value, constant(default))


def _compared(mine: PlanExpression, theirs: PlanExpression, planning: Planning) -> tuple[PlanExpression, PlanExpression]:
    """Two columns that are equal where the texts of the keys are; numbers, and text that is always there, compare as they are."""
    match mine.of, theirs.of:
        case Plain("number" | "boolean" as kind, missing), Plain(other, other_missing) if kind == other:
            if missing is other_missing or NEVER in (missing, other_missing):
                return mine, theirs
        case _:
            pass
    if isinstance(mine.of, Plain) and isinstance(theirs.of, Plain) and "date" in (mine.of.kind, theirs.of.kind):
        return _dates(mine, theirs, planning)
    return text_of(mine, planning.zone), text_of(theirs, planning.zone)


def _dates(mine: PlanExpression, theirs: PlanExpression, planning: Planning) -> tuple[PlanExpression, PlanExpression]:
    """Dates have one text for each second."""
    if mine.of == theirs.of and missing_of(mine.of) is missing_of(theirs.of):
        seconds = [Apply("date.second", (one,), Plain("number", UNDEFINED)) for one in (mine, theirs)]
        return seconds[0], seconds[1]
    if planning.zone.rules is not None:
        raise Unplannable("it compares dates with other values by their text")
    return text_of(mine, planning.zone), text_of(theirs, planning.zone)
