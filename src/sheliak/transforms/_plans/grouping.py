"""Plans of transforms that put rows into groups: aggregate, joinaggregate, pivot."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from sheliak.expressions.values import UNDEFINED, Row, Value, key_text, to_boolean, to_number
from sheliak.plan.building import fields_only, union, with_fields
from sheliak.plan.expressions import PlanExpression
from sheliak.plan.keys import Grouping, grouped_by_text
from sheliak.plan.measures import Measuring, measure
from sheliak.plan.operators import WHOLE, Group, Plan, Summary, Surveyed, Window
from sheliak.plan.planning import Planning
from sheliak.plan.unplannable import Unplannable
from sheliak.transforms._contract import FieldRef, Transform
from sheliak.transforms._grouping import Groups
from sheliak.transforms._operations.asked import measured_by, operations_of, output_names
from sheliak.transforms._operations.declaration import AGGREGATES
from sheliak.transforms._planning import KernelRunning, read_field, read_fields, start
from sheliak.transforms._running import RunError, getters, key_name, name_of


@dataclass(frozen=True, slots=True)
class Asked:
    """One entry of the parallel lists `ops`, `fields`, `as` and `aggregate_params`."""

    operation: str
    field: FieldRef | None
    name: str
    parameter: float | None


def asked_of(transform: Transform, fields: Sequence[FieldRef | None]) -> list[Asked]:
    """What `aggregate` and `joinaggregate` ask of a group: one field for each operation; without any, a count."""
    parameters = transform.parameters()
    given = parameters.elements("ops")
    operations = operations_of(["count"] if given is None else given, AGGREGATES)
    if len(operations) != len(fields):
        raise RunError("Unmatched number of fields and aggregate ops.")
    names = output_names(operations, fields, parameters.elements("as") or [])
    decays = parameters.elements("aggregate_params") or []
    asked = [
        Asked(operation.name, given_field, name, _decay(decays, index))
        for index, (operation, given_field, name) in enumerate(zip(operations, fields, names, strict=True))
    ]
    return [_as_vega_computes(one, asked) for one in asked]


def _decay(given: Sequence[Value], index: int) -> float | None:
    value = given[index] if index < len(given) else None
    return to_number(value) if to_boolean(value) else None


def _as_vega_computes(one: Asked, asked: Sequence[Asked]) -> Asked:
    """`exponentialb` knows the decay only of an `exponential` over the same field."""
    if one.operation != "exponentialb":
        return one
    twins = [other for other in asked if other.operation == "exponential" and _same_field(one, other)]
    return Asked(one.operation, one.field, one.name, twins[-1].parameter if twins else None)


def _same_field(one: Asked, other: Asked) -> bool:
    return name_of(one.field) == name_of(other.field)


@dataclass(slots=True)
class Measures:
    """The fields under measure: fields of one name share one accessor, the first."""

    row: Mapping[str, PlanExpression]
    planning: Planning
    read: dict[str | None, PlanExpression] = field(default_factory=dict)

    def outputs(self, asked: Sequence[Asked], plan: Plan, summarize: Summarizing) -> dict[str, PlanExpression]:
        """The fields that the operations write, in the order in which Vega writes them: a later one of a name wins."""
        scope = start(plan, self.planning)
        counts = {one.name: summarize.count() for one in asked if one.operation == "count"}
        others: dict[str | None, list[Asked]] = {}
        for one in asked:
            if one.operation != "count":
                if one.field is None:
                    raise RunError("Null aggregate field specified.")
                others.setdefault(name_of(one.field), []).append(one)
                self.read.setdefault(name_of(one.field), read_field(one.field, scope))
        made = dict(counts)
        for name, group in others.items():
            for one in sorted(group, key=lambda one: AGGREGATES[one.operation].rank):
                made[one.name] = self.measured(one, self.read[name], summarize)
        return made

    def measured(self, one: Asked, value: PlanExpression, summarize: Summarizing) -> PlanExpression:
        return measure(one.operation, Measuring(value, self.row, summarize, self.planning), one.parameter)


class Summarizing:
    """Makes summaries columns of a group; the same summary of the same operands is made once."""

    def __init__(self, made: Grouping) -> None:
        self.made = made
        self.known: dict[tuple[object, ...], PlanExpression] = {}

    def __call__(self, summary: Summary) -> PlanExpression:
        key = (summary.function, *map(id, summary.operands), summary.options)
        if key not in self.known:
            self.known[key] = self.made.summarized(summary)
        return self.known[key]

    def count(self) -> PlanExpression:
        from sheliak.plan.column_types import NUMBER

        return self(Summary("count", (), NUMBER))


def plan_aggregate(
    transform: Transform,
    groupby: Sequence[FieldRef],
    key: FieldRef | None,
    fields: Sequence[FieldRef | None],
    upstream: Plan,
    planning: Planning,
    *,
    cross: bool = False,
) -> Plan:
    """One row per group: its keys, then what its operations come to. With `cross` the combinations of keys that have no group follow."""
    scope = start(upstream, planning)
    keys = read_fields(groupby, scope)
    made = grouped_by_text([read_field(key, scope)] if key is not None else keys, "|", planning)
    shown = [made.first(value) for value in keys] if key is not None else made.shown
    named = dict(zip(map(key_name, groupby), shown, strict=True))
    outputs = Measures(upstream.schema.reads(), planning).outputs(asked_of(transform, fields), upstream, Summarizing(made))
    group = Group(upstream, tuple(made.keys), tuple(made.summaries))
    groups = fields_only(group, {**named, **outputs}, planning)
    if not cross or len(groupby) < 2:
        return groups
    if any(one is not None and one.is_expression for one in (*groupby, *fields)):
        raise Unplannable("combinations of keys are made of fields, not of expressions")
    # An operation may write where a key stood; the combinations are those of the keys.
    told_by = None if key is None else _another_name(named)
    asked = named if told_by is None else {**named, told_by: made.first(read_field(key, scope))}
    known = planning.ask(fields_only(Group(upstream, tuple(made.keys), tuple(made.summaries)), asked, planning))
    empty = _empty_groups(transform, groupby, fields, known, told_by, planning)
    return union([groups, planning.rows("", empty)], planning) if empty else groups


def _another_name(names: Collection[str]) -> str:
    name = "key"
    while name in names:
        name += "'"
    return name


def _empty_groups(
    transform: Transform,
    groupby: Sequence[FieldRef],
    fields: Sequence[FieldRef | None],
    known: Sequence[Row],
    key: str | None,
    planning: Planning,
) -> list[Row]:
    """A row for each combination of the keys of known groups that has no group: what operations come to over no rows at all."""
    running = KernelRunning(planning.zone)
    names = [key_name(field) for field in groupby]
    groups = Groups(names, getters(groupby, running), None, measured_by(transform, fields, AGGREGATES, running), running)
    for row in known:
        told = [row.get(name, UNDEFINED) for name in ([key] if key is not None else names)]
        groups.begin("|".join(key_text(value, planning.zone) for value in told), row)
    groups.cross()
    return groups.rows()[len(known) :]


def plan_joinaggregate(
    transform: Transform,
    groupby: Sequence[FieldRef],
    key: FieldRef | None,
    fields: Sequence[FieldRef | None],
    upstream: Plan,
    planning: Planning,
) -> Plan:
    """Every row with what its group comes to, and with the group's keys, which are those of the group's first row."""
    asked = asked_of(transform, fields)
    if any(one.operation in ("values", "argmin", "argmax") for one in asked):
        raise Unplannable("the rows that `values`, `argmin` and `argmax` hold would hold themselves")
    scope = start(upstream, planning)
    keys = read_fields(groupby, scope)
    made = grouped_by_text([read_field(key, scope)] if key is not None else keys, "|", planning)
    partition = tuple(one.value for one in made.keys)
    shown = [made.first(value) for value in keys]
    outputs = Measures(upstream.schema.reads(), planning).outputs(asked, upstream, Summarizing(made))
    surveyed = tuple(Surveyed(one.column, one.summary, WHOLE) for one in made.summaries)
    window = Window(upstream, partition, (), surveyed, by_order=True)
    named = dict(zip(map(key_name, groupby), shown, strict=True))
    return with_fields(window, {**named, **outputs}, planning)
