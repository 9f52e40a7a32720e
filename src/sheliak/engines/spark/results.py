"""The rows of a plan, out of Spark: through Arrow, in order, as JavaScript's values."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from sheliak.engines.spark.arrow_values import values_of
from sheliak.engines.spark.expressions import column_name
from sheliak.engines.spark.lower import Lower
from sheliak.engines.spark.summaries import ARRIVAL, POSITION
from sheliak.expressions.values import UNDEFINED, Row
from sheliak.plan.operators import Plan

if TYPE_CHECKING:
    import pyarrow as pa


def rows_of_plan(plan: Plan, lower: Lower, *, limit: int | None = None) -> list[Row]:
    """The rows in their order; with a limit, at most so many, and then in whichever order Spark finds them first."""
    frame = lower.frame(plan, position=True)
    return rows_of_table((frame if limit is None else frame.limit(limit)).toArrow(), plan)


def rows_of_table(table: pa.Table, plan: Plan) -> list[Row]:
    """The rows of a plan, which came with their positions."""
    table = in_order(table)
    columns = {name: values_of(table.column(column_name(value.column)), value.of) for name, value in fields_of(plan).items()}
    if not columns:
        return [{} for _ in range(table.num_rows)]
    return [
        {name: value for name, value in zip(columns, values, strict=True) if value is not UNDEFINED}
        for values in zip(*columns.values(), strict=True)
    ]


def arrivals_of_plan(plan: Plan, lower: Lower) -> list[Any]:
    """The numbers of the rows, in the order of the rows."""
    frame = lower.frame(plan, position=True, arrival=True).select(POSITION, ARRIVAL)
    return [_comparable(number) for number in in_order(frame.toArrow()).column(ARRIVAL).to_pylist()]


def fields_of(plan: Plan) -> dict[str, Any]:
    return {field.name: field for field in plan.schema.fields if field.column not in plan.schema.unnamed}


def in_order(table: pa.Table) -> pa.Table:
    """The rows in the order of their positions."""
    import pyarrow as pa
    import pyarrow.compute as pc

    positions = table.column(POSITION)
    if pa.types.is_integer(positions.type):
        return table.take(pc.sort_indices(table, [(POSITION, "ascending")]))
    places = positions.to_pylist()
    if any(isinstance(place, dict) for place in places):
        places = [_comparable(place) for place in places]
    if all(one <= other for one, other in pairwise(places)):
        return table
    order = sorted(range(len(places)), key=places.__getitem__)
    return table.take(pa.array(order, pa.int64()))


def _comparable(place: Any) -> Any:
    return tuple(_comparable(part) for part in place.values()) if isinstance(place, dict) else place
