"""The plan of `impute`: what a group lacks is found group by group, once all keys are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sheliak.expressions.values import UNDEFINED as UNDEFINED_VALUE
from sheliak.expressions.values import Row, Value, key_text
from sheliak.plan.building import fields_only, union
from sheliak.plan.column_types import BOOLEAN, UNDEFINED, ColumnType, Mixed, type_of_value, type_of_values, unified, with_missing
from sheliak.plan.expressions import PlanExpression
from sheliak.plan.keys import grouped_by_text, identity
from sheliak.plan.operators import Field, Group, PerGroup, Plan
from sheliak.plan.planning import Planning
from sheliak.transforms._contract import FieldRef, Transform
from sheliak.transforms._planning import TransformKernel, kernel_inputs, kernel_of, read_field, read_fields, start
from sheliak.transforms._running import key_name


@dataclass(frozen=True, slots=True)
class AddedRows:
    """Of a transform that keeps its rows and adds some behind them: those that it adds."""

    kernel: TransformKernel

    def __call__(self, rows: list[Row]) -> list[Row]:
        return self.kernel(rows)[len(rows) :]


def plan_impute(
    transform: Transform, field: FieldRef, key: FieldRef, groupby: Sequence[FieldRef], upstream: Plan, planning: Planning
) -> Plan:
    """The rows, then for each group a row for every key that it lacks."""
    scope = start(upstream, planning)
    inputs = kernel_inputs([field, key, *groupby], scope)
    domain = _domain(transform, read_field(key, scope), upstream, planning)
    types = {
        "_impute": BOOLEAN,
        **{key_name(one): value.of for one, value in zip(groupby, read_fields(groupby, scope), strict=True)},
        key_name(key): type_of_values(domain),
        key_name(field): _imputed(transform, read_field(field, scope)),
    }
    outputs = tuple(Field(name, planning.column(), of) for name, of in types.items())
    kernel = AddedRows(kernel_of(transform, planning, {"keyvals": domain}))
    keys = tuple(identity(read_fields(groupby, scope), ",", planning))
    made = PerGroup(upstream, keys, kernel, "impute", inputs, outputs)
    planning.publish_rows(made)
    return union([upstream, made], planning)


def _domain(transform: Transform, key: PlanExpression, upstream: Plan, planning: Planning) -> list[Value]:
    """The keys that are listed, then those of the rows as they came."""
    made = grouped_by_text([key], "|", planning)
    group = Group(upstream, tuple(made.keys), tuple(made.summaries))
    rows = planning.ask(fields_only(group, {"key": made.shown[0]}, planning))
    listed = transform.parameters().elements("keyvals") or []
    texts = {key_text(value, planning.zone) for value in listed}
    found = [row.get("key", UNDEFINED_VALUE) for row in rows]
    return [*listed, *(value for value in found if key_text(value, planning.zone) not in texts)]


def _imputed(transform: Transform, field: PlanExpression) -> ColumnType:
    """The type of the value that a new row gets."""
    method, value = transform.parameters().value("method") or "value", transform.parameters().value("value")
    if method == "value":
        return type_of_value(0.0 if value is UNDEFINED_VALUE else value)
    number = Mixed(frozenset({"number"}))
    return number if method in ("mean", "median") else with_missing(unified(field.of, number), UNDEFINED)
