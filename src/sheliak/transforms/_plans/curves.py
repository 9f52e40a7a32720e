"""Plans of transforms that make points of the rows of each group: quantile, kde, loess, regression, density, dotbin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sheliak.expressions.values import UNDEFINED as UNDEFINED_VALUE
from sheliak.expressions.values import Date, Value, to_number
from sheliak.plan.building import fields_only, is_reordered
from sheliak.plan.coercion import field_of
from sheliak.plan.column_types import NUMBER, UNDEFINED, ColumnType, List, Mixed, Nothing, Plain, is_primitive, unified_all
from sheliak.plan.expressions import Apply, PlanExpression, constant
from sheliak.plan.keys import grouped_by_text, identity
from sheliak.plan.measures import valid_number
from sheliak.plan.operators import Field, Group, PerGroup, Plan, Summary, Unfold
from sheliak.plan.planning import Planning
from sheliak.plan.scope import Scope
from sheliak.plan.unplannable import Unplannable
from sheliak.plan.vega_expressions import list_of, record_of
from sheliak.transforms._contract import FieldRef, Transform
from sheliak.transforms._numerics.arithmetic import number_range
from sheliak.transforms._planning import kernel_inputs, kernel_of, read_field, read_fields, start
from sheliak.transforms._plans.extents import ends_of_field
from sheliak.transforms._plans.numbering import run_unread
from sheliak.transforms._running import key_name

_NUMBER = Plain("number", UNDEFINED)
_COORDINATE = Mixed(frozenset({"number"}))
"""A coordinate that a kernel computes: a number, and undefined or null where there is nothing to compute it from."""


def plan_quantile(transform: Transform, field: FieldRef, groupby: Sequence[FieldRef], upstream: Plan, planning: Planning) -> Plan:
    """Group by group a row for each probability; undefined in a group without numbers."""
    parameters, scope = transform.parameters(), start(upstream, planning)
    step = parameters.number("step", 0.01)
    given = parameters.elements("probs")
    shares: list[Value] = [*number_range(step / 2, 1 - 1e-14, step)] if given is None else given
    if not shares or any(not 0.0 <= to_number(share) <= 1.0 for share in shares):
        raise Unplannable("a probability lies outside of 0 to 1")
    made = grouped_by_text(read_fields(groupby, scope), ",", planning)
    number = Apply("number.valid", (valid_number(read_field(field, scope)),), _NUMBER)
    found = made.summarized(Summary("percentiles", (number,), List(NUMBER, UNDEFINED), tuple(map(to_number, shares))))
    group = Group(upstream, tuple(made.keys), tuple(made.summaries), always=not transform.given("groupby"))
    points = [record_of({"p": constant(share), "v": _share(found, index)}) for index, share in enumerate(shares)]
    point = Field("", planning.column(), points[0].of)
    names = parameters.names("prob", "value")
    unfolded = Unfold(group, list_of(points), point)
    keys = dict(zip(map(key_name, groupby), made.shown, strict=True))
    coordinates = {names[0]: field_of(point.read(), 0), names[1]: field_of(point.read(), 1)}
    rows = fields_only(unfolded, {**keys, **coordinates}, planning)
    planning.publish_rows(rows)
    return rows


def _share(found: PlanExpression, index: int) -> PlanExpression:
    return Apply("list.at", (found, constant(float(index))), _NUMBER)


def plan_kde(
    transform: Transform, fields: Sequence[FieldRef], groupby: Sequence[FieldRef], upstream: Plan, planning: Planning
) -> Plan:
    """Group by group the points of the estimated density; groups that share an extent are told it."""
    parameters = transform.parameters()
    changed: dict[str, Value] = {}
    if parameters.value("resolve") == "shared" and parameters.ends("extent") is None:
        changed["extent"] = _whole_extent(fields[0], upstream, planning)
    names = parameters.names("value", "density")
    return _points(transform, fields, groupby, names, upstream, planning, changed)


def _whole_extent(field: FieldRef, upstream: Plan, planning: Planning) -> Value:
    """The ends of dates are dates, and so is the first point of a curve."""
    value = read_field(field, start(upstream, planning))
    ends = ends_of_field(value, upstream, planning)
    if ends is None:
        return [UNDEFINED_VALUE, UNDEFINED_VALUE]
    is_date = isinstance(value.of, Plain) and value.of.kind == "date"
    return [*map(Date, ends)] if is_date else [*ends]


def plan_loess(
    transform: Transform, fields: Sequence[FieldRef], groupby: Sequence[FieldRef], upstream: Plan, planning: Planning
) -> Plan:
    """Group by group the smoothed points."""
    names = transform.parameters().names(key_name(fields[0]), key_name(fields[1]))
    return _points(transform, fields, groupby, names, upstream, planning)


def plan_regression(
    transform: Transform, fields: Sequence[FieldRef], groupby: Sequence[FieldRef], upstream: Plan, planning: Planning
) -> Plan:
    """Group by group the fitted curve, or its coefficients."""
    parameters = transform.parameters()
    if not parameters.flag("params"):
        names = parameters.names(key_name(fields[0]), key_name(fields[1]))
        return _points(transform, fields, groupby, names, upstream, planning)
    keys = unified_all(value.of for value in read_fields(groupby, start(upstream, planning)))
    listed: ColumnType = List(keys) if transform.given("groupby") else Nothing(UNDEFINED)
    outputs = {"keys": listed, "coef": List(_COORDINATE), "rSquared": _COORDINATE}
    return _per_group(transform, fields, groupby, outputs, upstream, planning)


def _points(
    transform: Transform,
    fields: Sequence[FieldRef],
    groupby: Sequence[FieldRef],
    names: Sequence[str],
    upstream: Plan,
    planning: Planning,
    changed: Mapping[str, Value] | None = None,
) -> Plan:
    keys = read_fields(groupby, start(upstream, planning))
    outputs: dict[str, ColumnType] = {key_name(key): value.of for key, value in zip(groupby, keys, strict=True)}
    outputs |= dict.fromkeys(names, _COORDINATE)
    return _per_group(transform, fields, groupby, outputs, upstream, planning, changed)


def _per_group(
    transform: Transform,
    fields: Sequence[FieldRef],
    groupby: Sequence[FieldRef],
    outputs: Mapping[str, ColumnType],
    upstream: Plan,
    planning: Planning,
    changed: Mapping[str, Value] | None = None,
) -> Plan:
    """The transform's own meaning, run on the rows of each group."""
    scope = start(upstream, planning)
    _refuse_lists(fields, scope)
    inputs = kernel_inputs([*fields, *groupby], scope)
    keys = tuple(identity(read_fields(groupby, scope), ",", planning))
    made = tuple(Field(name, planning.column(), of) for name, of in outputs.items())
    kernel = kernel_of(transform, planning, changed)
    rows = PerGroup(upstream, keys, kernel, transform.type, inputs, made, always=not transform.given("groupby"))
    planning.publish_rows(rows)
    return rows


def _refuse_lists(fields: Sequence[FieldRef], scope: Scope) -> None:
    """Coordinates that are lists or objects come out of a kernel again where they are the ends of an extent."""
    if not all(is_primitive(value.of) for value in read_fields(fields, scope)):
        raise Unplannable("it takes a list or an object for a number")


def plan_density(transform: Transform, distribution: Transform | None, upstream: Plan, planning: Planning) -> Plan:
    """The points of the curve; an estimated one is computed from the values of a field."""
    from sheliak.transforms.density import Estimated

    names = transform.parameters().names("value", "density")
    if isinstance(distribution, Estimated):
        if distribution.given("from"):
            raise Unplannable("its values are those of another dataset")
        return _per_group(transform, [distribution.field], (), dict.fromkeys(names, _COORDINATE), upstream, planning)
    if distribution is None or distribution.type == "mixture":
        raise Unplannable("a mixture is made of several distributions")
    run_unread(upstream, planning)
    rows = planning.rows("density", kernel_of(transform, planning)([]))
    planning.publish_rows(rows)
    return rows


def plan_dotbin(transform: Transform, field: FieldRef, groupby: Sequence[FieldRef], upstream: Plan, planning: Planning) -> Plan:
    """The rows, each with the middle of its stack."""
    if is_reordered(upstream):
        raise Unplannable("among values that are no numbers, the order of sorted rows hangs on when they were taken in")
    scope, parameters = start(upstream, planning), transform.parameters()
    changed: dict[str, Value] = {}
    if not parameters.number("step", 0.0):
        low, high = ends_of_field(read_field(field, scope), upstream, planning) or (0.0, 0.0)
        if low == high:
            raise Unplannable("the field has no extent to take a step from")
        changed["step"] = (high - low) / 30
    _refuse_lists([field], scope)
    inputs = kernel_inputs([field, *groupby], scope)
    keys = tuple(identity(read_fields(groupby, scope), ",", planning))
    made = Field(parameters.name("bin"), planning.column(), _COORDINATE)
    rows = PerGroup(
        upstream,
        keys,
        kernel_of(transform, planning, changed),
        "dotbin",
        inputs,
        (made,),
        not transform.given("groupby"),
        aligned=True,
    )
    return fields_only(rows, {**upstream.schema.reads(), made.name: made.read()}, planning)
