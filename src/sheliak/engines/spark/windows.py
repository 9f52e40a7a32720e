"""Columns computed from the rows around a row, as Spark's window functions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, floor
from typing import TYPE_CHECKING

from sheliak.engines.spark.expressions import Lowering, column_name, prepared
from sheliak.engines.spark.lazy_functions import F
from sheliak.engines.spark.ordering import ascending_keys, sort_keys
from sheliak.engines.spark.summaries import framed_column
from sheliak.plan.expressions import Apply, Constant, PlanExpression, Read
from sheliak.plan.operators import Around, Frame, Plan, Summary, Window

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, WindowSpec


_MOST_FIRST = 100_000
"""More first rows than this are found by a window: Spark would hold them at once."""


class Specs:
    """The window specifications of one operator."""

    def __init__(self, plan: Window, lowering: Lowering, tie: str) -> None:
        from pyspark.sql import Window as SparkWindow

        self.window = SparkWindow
        self.partition = [lowering.column(key) for key in plan.partition]
        self.keys: list[Column] = []
        for key in plan.sort:
            self.keys += ascending_keys(lowering.column(key.value), key.value.of, descending=key.descending)
        self.tie = F.col(tie)

    def whole(self, *keys: Column) -> WindowSpec:
        """All rows of the partition; with keys, those of them that have the same."""
        return self.window.partitionBy(*(self.partition or [F.lit(0)]), *keys)

    def by_keys(self) -> WindowSpec:
        """Rows that tie are one."""
        return self.whole().orderBy(*(self.keys or [self.tie]))

    def in_order(self) -> WindowSpec:
        return self.whole().orderBy(*self.keys, self.tie)

    def peers(self) -> WindowSpec:
        return self.whole(*(self.keys or [self.tie]))

    def of(self, frame: Frame) -> WindowSpec:
        """The frame's rows; with peers only the bounds that Spark's ranges can say: none, or the row itself."""
        if frame.start is None and frame.end is None:
            return self.whole()
        start = self.window.unboundedPreceding if frame.start is None else frame.start
        end = self.window.unboundedFollowing if frame.end is None else frame.end
        return self.by_keys().rangeBetween(start, end) if frame.peers else self.in_order().rowsBetween(start, end)


def window_columns(frame: DataFrame, plan: Window, tie: str) -> tuple[DataFrame, list[Column]]:
    """The frame made ready, and the columns of the operator."""
    parts = [*plan.partition, *(key.value for key in plan.sort)]
    for made in plan.surveyed:
        parts += made.around.operands
    frame, lowering = prepared(frame, parts)
    specs = Specs(plan, lowering, tie)
    columns = [_column(made.around, made.frame, specs, lowering).alias(column_name(made.column)) for made in plan.surveyed]
    return frame, columns


@dataclass(frozen=True, slots=True)
class FirstRows:
    """The first rows in the order of a window over all rows, which numbers them."""

    window: Window
    most: int

    @property
    def number(self) -> int:
        """The column of their numbers."""
        return self.window.surveyed[0].column


def first_rows(window: Plan, test: PlanExpression) -> FirstRows | None:
    """What a test keeps, where that is the first rows in the order of a window; None elsewhere."""
    if not isinstance(window, Window) or window.partition or len(window.surveyed) != 1 or not isinstance(test, Apply):
        return None
    (made,) = window.surveyed
    if isinstance(made.around, Summary) or made.around.function != "row_number" or len(test.operands) != 2:
        return None
    rank, bound = test.operands
    if not isinstance(rank, Read) or rank.column != made.column or not isinstance(bound, Constant):
        return None
    if not isinstance(bound.value, (int, float)) or not 0 < bound.value < _MOST_FIRST:
        return None
    match test.operation:
        case "number.less_or_equal":
            return FirstRows(window, floor(bound.value))
        case "number.less":
            return FirstRows(window, ceil(bound.value) - 1)
        case "number.equal" if bound.value == 1:
            return FirstRows(window, 1)
        case _:
            return None


def only_first(frame: DataFrame, first: FirstRows, tie: str) -> tuple[DataFrame, Callable[[], Column]]:
    """The frame with the first rows alone, and what makes the column of their numbers."""
    frame, lowering = prepared(frame, [key.value for key in first.window.sort])
    keys: list[Column] = []
    for key in first.window.sort:
        keys += sort_keys(lowering.column(key.value), key.value.of, descending=key.descending)

    def number() -> Column:
        # Spark may leave out a limit that it knows to be needless, and then they lie in several partitions: they are counted in their order.
        in_order = Specs(first.window, lowering, tie).in_order()
        return F.row_number().over(in_order).cast("double").alias(column_name(first.number))

    return frame.orderBy(*keys, tie).limit(first.most), number


def _column(around: Summary | Around, frame: Frame, specs: Specs, lowering: Lowering) -> Column:
    if isinstance(around, Summary):
        return framed_column(around, lowering, lambda aggregate: aggregate.over(specs.of(frame)))
    given = [lowering.column(operand) for operand in around.operands]
    match around.function:
        case "row_number":
            return F.row_number().over(specs.in_order()).cast("double")
        case "rank":
            return F.rank().over(specs.by_keys()).cast("double")
        case "dense_rank":
            return F.dense_rank().over(specs.by_keys()).cast("double")
        case "size":
            return F.count(F.lit(1)).over(specs.whole()).cast("double")
        case "last_peer":
            reach = specs.by_keys().rangeBetween(specs.window.unboundedPreceding, specs.window.currentRow)
            return F.count(F.lit(1)).over(reach).cast("double")
        case _:
            return _fetched(around, given[0], frame, specs)


def _fetched(around: Around, value: Column, frame: Frame, specs: Specs) -> Column:
    """A value of another row of the partition or the frame; NULL where there is none."""
    window = specs.window
    match around.function:
        case "previous":
            return F.lag(value, int(around.options[0])).over(specs.in_order())
        case "next":
            return F.lead(value, int(around.options[0])).over(specs.in_order())
        case "prev_present":
            return F.last(value, ignorenulls=True).over(
                specs.in_order().rowsBetween(window.unboundedPreceding, window.currentRow)
            )
        case "next_present":
            return F.first(value, ignorenulls=True).over(
                specs.in_order().rowsBetween(window.currentRow, window.unboundedFollowing)
            )
        case "peer_first":
            return F.min_by(value, specs.tie).over(specs.peers())
        case "peer_last":
            return F.max_by(value, specs.tie).over(specs.peers())
        case "nth":
            whole = specs.in_order().rowsBetween(window.unboundedPreceding, window.unboundedFollowing)
            return F.nth_value(value, int(around.options[0])).over(whole)
        case "frame_first":
            return F.first(value).over(_rows(specs, frame))
        case "frame_last":
            return F.last(value).over(_rows(specs, frame))
        case "frame_nth":
            return F.nth_value(value, int(around.options[0])).over(_rows(specs, frame))
        case _:
            raise AssertionError(around.function)


def _rows(specs: Specs, frame: Frame) -> WindowSpec:
    start = specs.window.unboundedPreceding if frame.start is None else frame.start
    end = specs.window.unboundedFollowing if frame.end is None else frame.end
    return specs.in_order().rowsBetween(start, end)
