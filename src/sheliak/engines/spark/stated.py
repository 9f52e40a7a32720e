"""Rows that the statistics of files state: the extents of whole columns."""

from __future__ import annotations

from sheliak.engines.spark.tables import Extent, Table
from sheliak.expressions.values import UNDEFINED, Row, Value
from sheliak.plan.expressions import Apply, PlanExpression, Read
from sheliak.plan.operators import Fresh, Group, Plan, Project, Scan, Summary

_SAME_EXTENT = frozenset({"number.valid", "known"})
"""Operations that leave out what an extent passes over anyway."""


def stated_rows(plan: Plan) -> list[Row] | None:
    """The one row of a plan that asks for least and greatest values of columns as they are; None where it must be computed."""
    if not isinstance(plan, Project) or not isinstance(plan.upstream, Group):
        return None
    group = plan.upstream
    scan = group.upstream
    while isinstance(scan, Fresh) or (isinstance(scan, Project) and all(isinstance(one.value, Read) for one in scan.outputs)):
        scan = scan.upstream
    if group.keys or not group.always or not isinstance(scan, Scan) or not isinstance(scan.source.place, Table):
        return None
    stated = {one.column: _stated(one.summary, scan.source.place) for one in group.summaries}
    wanted = {output.name: output.value for output in plan.outputs}
    if not all(isinstance(value, Read) and stated.get(value.column) is not None for value in wanted.values()):
        return None
    row: Row = {}
    for name, value in wanted.items():
        assert isinstance(value, Read)
        (found,) = stated[value.column] or (UNDEFINED,)
        if found is not UNDEFINED:
            row[name] = found
    return [row]


def _stated(summary: Summary, table: Table) -> tuple[Value] | None:
    """The value of a summary, in a tuple; None where nothing states it."""
    if summary.function not in ("min", "max") or len(summary.operands) != 1:
        return None
    column = _column(summary.operands[0])
    if column is None or column not in table.extents:
        return None
    ends: Extent = table.extents[column]
    return (UNDEFINED if ends is None else ends[summary.function == "max"],)


def _column(e: PlanExpression) -> int | None:
    while isinstance(e, Apply) and e.operation in _SAME_EXTENT:
        e = e.operands[0]
    return e.column if isinstance(e, Read) else None
