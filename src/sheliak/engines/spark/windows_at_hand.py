"""Columns computed from the rows around a row, for rows that are at hand: ranks of groups, stacks of groups."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from itertools import accumulate
from math import isnan
from typing import TYPE_CHECKING, Any, TypeAlias

from sheliak.engines.spark.arrow_operations import is_known
from sheliak.engines.spark.lower import is_just_taken_in
from sheliak.plan.column_types import Plain
from sheliak.plan.expressions import PlanExpression
from sheliak.plan.operators import WHOLE, Frame, Summary, Surveyed, Window
from sheliak.transforms._ordering import ranks_of

if TYPE_CHECKING:
    import pyarrow as pa

Read: TypeAlias = Callable[[PlanExpression], "pa.ChunkedArray"]
_RANKS = frozenset({"row_number", "rank", "dense_rank", "size"})
_UP_TO = Frame(None, 0, peers=False)
_BEFORE = Frame(None, -1, peers=False)


def is_simple_window(plan: Window) -> bool:
    """Its columns can be computed here, of rows that lie in the order in which those that tie are taken."""
    keys = [*plan.partition, *(key.value for key in plan.sort)]
    in_order = plan.by_order or is_just_taken_in(plan.upstream)
    return in_order and all(isinstance(key.of, Plain) and is_known(key) for key in keys) and all(map(_is_simple, plan.surveyed))


def _is_simple(made: Surveyed) -> bool:
    if isinstance(made.around, Summary):
        return (
            made.around.function == "sum" and made.frame in (WHOLE, _UP_TO, _BEFORE) and all(map(is_known, made.around.operands))
        )
    return made.around.function in _RANKS


def columns_at_hand(plan: Window, count: int, read: Read) -> dict[int, pa.ChunkedArray]:
    """The columns of the operator over so many rows."""
    import pyarrow as pa

    # Without keys no two rows tie.
    sorted_by: list[Sequence[Any]] = [ranks_of(read(key.value).to_pylist()) or [] for key in plan.sort] or [range(count)]
    parts = _partitions(plan, count, sorted_by, read)
    found: dict[int, pa.ChunkedArray] = {}
    for made in plan.surveyed:
        given = read(made.around.operands[0]).to_pylist() if made.around.operands else []
        values: list[float | None] = [None] * count
        for rows in parts:
            keys = [tuple(ranks[row] for ranks in sorted_by) for row in rows]
            for row, value in zip(rows, _around(made, [given[row] for row in rows] if given else keys, keys), strict=True):
                values[row] = value
        found[made.column] = pa.chunked_array([pa.array(values, pa.float64())])
    return found


def _partitions(plan: Window, count: int, sorted_by: Sequence[Sequence[Any]], read: Read) -> list[list[int]]:
    """The rows of each partition, sorted; those that tie stay in their order, also where it is turned round."""
    order = list(range(count))
    for ranks, key in reversed([*zip(sorted_by, plan.sort, strict=False)]):
        order.sort(key=ranks.__getitem__, reverse=key.descending)
    columns = [_told_apart(read(key).to_pylist()) for key in plan.partition]
    found: dict[Hashable, list[int]] = {}
    for row in order:
        found.setdefault(tuple(column[row] for column in columns), []).append(row)
    return [*found.values()]


def _told_apart(values: list[Any]) -> list[Any]:
    """Keys as Spark tells them apart: NaN is one, and the two zeros are."""
    return ["NaN" if isinstance(value, float) and isnan(value) else value for value in values]


def _around(made: Surveyed, given: Sequence[Any], keys: Sequence[Hashable]) -> Sequence[float | None]:
    """The values of one partition, whose rows have these operands, and these keys to sort by."""
    if isinstance(made.around, Summary):
        return _sums(given, made.frame)
    starts = [index == 0 or key != keys[index - 1] for index, key in enumerate(keys)]
    match made.around.function:
        case "row_number":
            return [index + 1.0 for index in range(len(keys))]
        case "rank":
            return [*accumulate((index + 1.0 if starts[index] else 0.0 for index in range(len(keys))), max)]
        case "dense_rank":
            return [*accumulate(map(float, starts))]
        case _:
            return [float(len(keys))] * len(keys)


def _sums(given: Sequence[float | None], frame: Frame) -> Sequence[float | None]:
    """The sums of frames, in the order of the rows; missing where no row has a number."""
    up_to = list(accumulate(given, _added))
    if frame == WHOLE:
        return up_to[-1:] * len(up_to)
    return up_to if frame == _UP_TO else [None, *up_to[:-1]]


def _added(total: float | None, value: float | None) -> float | None:
    return total if value is None else value if total is None else total + value
