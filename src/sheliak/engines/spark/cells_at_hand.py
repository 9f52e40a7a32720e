"""Plans over cells that have left Spark: their groups are made here, on Arrow's columns.

Cells are few. That eight charts are groups of the same cells costs eight plans in Spark, which take longer than the pass over the source; here
they are made in milliseconds. What is not simple enough, and what turned out to have many cells, stays with Spark.
"""

from __future__ import annotations

from collections.abc import Collection
from math import nan
from typing import TYPE_CHECKING

from sheliak.engines.spark.arrow_operations import Computing, Values, is_known
from sheliak.engines.spark.expressions import column_name
from sheliak.engines.spark.results import in_order
from sheliak.engines.spark.summaries import POSITION
from sheliak.engines.spark.windows_at_hand import columns_at_hand, is_simple_window
from sheliak.plan.column_types import Plain
from sheliak.plan.operators import Fresh, Group, Keep, Plan, Project, Scan, Summary, SummaryFunction, Window

if TYPE_CHECKING:
    import pyarrow as pa

_SUMMARIES: dict[SummaryFunction, str] = {
    "sum": "sum",
    "product": "product",
    "min": "min",
    "max": "max",
    "first": "first",
    "first_present": "first",
}
"""Summaries of cells by the names that Arrow has for them. (Numbers of which the least is asked are never NaN.)"""
_NO_KEY = "none"
"""The key of groups without one."""


def cells_below(plan: Plan) -> Scan | None:
    """The scan that a plan is made from, if all on the way can be computed here."""
    while not isinstance(plan, Scan):
        if not _is_simple(plan):
            return None
        assert isinstance(plan, Fresh | Keep | Project | Group | Window)
        plan = plan.upstream
    return plan


def group_below(plan: Plan, groups: Collection[int]) -> int | None:
    """Which of some groups, named by their identity, a plan is made from, if all above it can be computed here."""
    while id(plan) not in groups:
        if isinstance(plan, Scan) or not _is_simple(plan):
            return None
        assert isinstance(plan, Fresh | Keep | Project | Group | Window)
        plan = plan.upstream
    return id(plan)


def group_below_window(plan: Plan) -> Group | None:
    """The groups around which a plan looks, if all above them can be computed here."""
    looks_around = False
    while not isinstance(plan, Scan):
        if isinstance(plan, Group) and looks_around:
            return plan
        if not _is_simple(plan):
            return None
        assert isinstance(plan, Fresh | Keep | Project | Group | Window)
        looks_around = looks_around or isinstance(plan, Window)
        plan = plan.upstream
    return None


def _is_simple(plan: Plan) -> bool:
    match plan:
        case Fresh():
            return True
        case Keep(_, test):
            return is_known(test)
        case Project(_, outputs):
            return all(is_known(output.value) for output in outputs)
        case Group(_, keys, summaries, always):
            simple = all(is_known(key.value) for key in keys) and all(_is_simple_summary(made.summary) for made in summaries)
            return simple and not always
        case Window():
            return is_simple_window(plan)
        case _:
            return False


def _is_simple_summary(summary: Summary) -> bool:
    if summary.function not in _SUMMARIES or len(summary.operands) != 1 or summary.options:
        return False
    return isinstance(summary.of, Plain) and is_known(summary.operands[0])


def numbered(cells: pa.Table) -> pa.Table:
    """Cells in their order, and their numbers for positions, whatever Spark had for these."""
    import pyarrow as pa

    ordered = in_order(cells)
    numbers = pa.chunked_array([pa.array(range(ordered.num_rows), pa.int64())])
    return ordered.set_column(ordered.column_names.index(POSITION), POSITION, numbers)


def computed(plan: Plan, cells: pa.Table) -> pa.Table:
    """The rows of a plan over numbered cells, in their order, with their positions."""
    if isinstance(plan, Scan):
        return cells
    assert isinstance(plan, Fresh | Keep | Project | Group | Window)
    rows = computed(plan.upstream, cells)
    over = Computing({field.column: rows.column(column_name(field.column)) for field in plan.upstream.schema.fields})
    match plan:
        case Fresh():
            return rows
        case Keep(_, test):
            return rows.filter(_column(over(test), rows.num_rows))
        case Project(_, outputs):
            made = {column_name(output.column): _column(over(output.value), rows.num_rows) for output in outputs}
            return _table(made | {POSITION: rows.column(POSITION)})
        case Group():
            return _grouped(plan, rows, over)
        case Window():
            return _surveyed(plan, rows, over)


def _surveyed(plan: Window, rows: pa.Table, over: Computing) -> pa.Table:
    """The rows with what is computed from those around them."""
    made = columns_at_hand(plan, rows.num_rows, lambda e: _column(over(e), rows.num_rows))
    names = [*(column_name(field.column) for field in plan.upstream.schema.fields), POSITION]
    return _table({name: rows.column(name) for name in names} | {column_name(column): values for column, values in made.items()})


def _grouped(plan: Group, rows: pa.Table, over: Computing) -> pa.Table:
    """The groups, in the order of their first rows: they are made by one thread, which meets rows in their order."""
    import pyarrow as pa

    count = rows.num_rows
    keys = {column_name(key.column): _key(_column(over(key.value), count)) for key in plan.keys}
    parts = {column_name(made.column): _column(over(made.summary.operands[0]), count) for made in plan.summaries}
    given = _table({**keys, **parts, POSITION: rows.column(POSITION), _NO_KEY: _column(pa.scalar(0), count)})
    asked = [(column_name(made.column), made.summary.function) for made in plan.summaries]
    summaries = [(name, _SUMMARIES[function], _options(function)) for name, function in asked]
    groups = given.group_by(list(keys) or [_NO_KEY], use_threads=False).aggregate([*summaries, (POSITION, "min")])
    made = {name: groups.column(f"{name}_{_SUMMARIES[function]}") for name, function in asked}
    return _table({**{name: groups.column(name) for name in keys}, **made, POSITION: groups.column(f"{POSITION}_min")})


def _options(function: SummaryFunction) -> object:
    import pyarrow.compute as pc

    # The first of all rows may be missing; everything else passes over what is.
    return pc.ScalarAggregateOptions(skip_nulls=function != "first")


def _key(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """The two zeros are one key, and so is NaN, of which arithmetic makes two."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if column.type != pa.float64():
        return column
    return pc.if_else(pc.is_nan(column), pa.scalar(nan), pc.add(column, 0.0))


def _column(values: Values, count: int) -> pa.ChunkedArray:
    """Values as a column, also if there is one for all rows."""
    import pyarrow as pa

    return pa.chunked_array([pa.repeat(values, count)]) if isinstance(values, pa.Scalar) else values


def _table(columns: dict[str, pa.ChunkedArray]) -> pa.Table:
    import pyarrow as pa

    return pa.table(columns)
