"""The numbers that rows were given when Vega took them in, where they leave Spark and come to it.

They break the ties of every later sort (decision 0002). Rows that a plan put in another order keep them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from sheliak.dataflow.definitions import DatasetDefinition, Definitions
from sheliak.engines.spark.arrow_values import CUT
from sheliak.engines.spark.lower import Lower
from sheliak.engines.spark.results import arrivals_of_plan
from sheliak.expressions.values import Row, Value
from sheliak.plan.building import fields_only, is_reordered, union
from sheliak.plan.column_types import has_identity
from sheliak.plan.operators import PerGroup, Plan, Sort, SortKey
from sheliak.plan.rewrite.pruned_columns import in_reading_order
from sheliak.plan.unplannable import Unplannable
from sheliak.transforms._running import IdentifiedRow, ingest, makes_rows, writes_into_its_input

if TYPE_CHECKING:
    from sheliak.compiler.planning import ChartPlanning

_PLACE = "\0place"
"""No field of a file has this name."""
_KEEPING = frozenset({"collect", "extent", "filter"})
"""Transforms whose rows are those they were given."""


def identified(rows: Sequence[Row], plan: Plan, lower: Lower) -> list[Row]:
    """The rows of a plan, taken in by the driver in the order in which they arrived; those that were keep their numbers.

    They are copies: what is written into them does not show in the rows of the plan.
    """
    if are_identified(rows):
        return kept_as_they_are(rows)
    if not is_reordered(plan):
        return [ingest(row) for row in rows]
    arrivals = arrivals_of_plan(plan, lower)
    made: dict[int, Row] = {index: ingest(rows[index]) for index in sorted(range(len(rows)), key=arrivals.__getitem__)}
    return [made[index] for index in range(len(rows))]


def are_identified(rows: Sequence[Row]) -> bool:
    """All were taken in by the driver."""
    return all(isinstance(row, IdentifiedRow) for row in rows)


def kept_as_they_are(rows: Sequence[Row]) -> list[Row]:
    """Copies of rows, with their numbers, which show nothing of what is written into the rows later."""
    return [row.copied() if isinstance(row, IdentifiedRow) else dict(row) for row in rows]


def plan_of_rows(name: str, rows: list[Row], planning: ChartPlanning) -> Plan:
    """A scan of rows that the driver holds; sorted, where they lie in another order than they were taken in.

    Raises Unplannable for text that ends or begins within a character.
    """
    if any(_is_cut(value) for row in rows for value in row.values()):
        raise Unplannable(CUT)
    numbers = [row.number for row in rows if isinstance(row, IdentifiedRow)]
    if len(numbers) < len(rows) or all(one < other for one, other in pairwise(numbers)):
        return planning.rows(name, rows)
    order = sorted(range(len(rows)), key=numbers.__getitem__)
    scan = planning.rows(name, [{**rows[index], _PLACE: float(index)} for index in order])
    fields = scan.schema.reads()
    place = fields.pop(_PLACE)
    return fields_only(Sort(scan, (SortKey(place),)), fields, planning)


def _is_cut(value: Value) -> bool:
    """The value holds a half of a character, which UTF-8 has no bytes for."""
    match value:
        case str():
            return not value.isascii() and any("\ud800" <= sign <= "\udfff" for sign in value)
        case list():
            return any(map(_is_cut, value))
        case dict() if not isinstance(value, IdentifiedRow):
            return any(map(_is_cut, value.values()))
        case _:
            # A row within a row, which may hold itself, is written in a way that knows halves.
            return False


def united(plans: list[Plan], planning: ChartPlanning) -> Plan:
    """The rows of several plans, one plan after another. Raises Unplannable where rows would stand twice that a chart tells from copies."""
    twice = [plan for index, plan in enumerate(plans) if any(plan is other for other in plans[:index])]
    if any(map(_must_stay_one, twice)):
        raise Unplannable("its rows stand twice in the dataset")
    return union(plans, planning)


def _must_stay_one(plan: Plan) -> bool:
    """Objects and dates are compared by identity, which a copy lacks; and a kernel would be run twice."""
    is_kernel = any(isinstance(below, PerGroup) for below in in_reading_order([plan]))
    return is_kernel or any(has_identity(field.of) for field in plan.schema.fields)


def turns_of(names: Sequence[str], definitions: Definitions) -> tuple[int, ...]:
    """In which turn the rows of each dataset were taken in: that of the dataset whose rows they are.

    All rows of the spec are taken in before those of files, and both before rows that transforms make or copy.
    """
    order = [definition.name for definition in definitions.datasets]
    origins = [definitions.by_dataset[_origin(name, definitions)] for name in names]
    return tuple(_phase(origin) * len(order) + order.index(origin.name) for origin in origins)


def _phase(definition: DatasetDefinition) -> int:
    if definition.origin == "source" or any(step.cls is not None and makes_rows(step.cls) for step in definition.transforms):
        return 2
    return 1 if definition.origin == "url" else 0


def _origin(name: str, definitions: Definitions) -> str:
    definition = definitions.by_dataset[name]
    keeps = not writes_into_its_input(definition.classes) and all(step.type in _KEEPING for step in definition.transforms)
    if definition.origin != "source" or len(definition.upstream) != 1 or not keeps:
        return name
    return _origin(definition.upstream[0], definitions)
