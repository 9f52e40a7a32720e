"""The summaries of groups and frames as Spark's aggregates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, nan
from typing import TYPE_CHECKING, TypeAlias

from sheliak.engines.spark.columns import utf16
from sheliak.engines.spark.expressions import Lowering
from sheliak.engines.spark.lazy_functions import F
from sheliak.engines.spark.ordering import ascending_keys
from sheliak.plan.expressions import Apply, PlanExpression
from sheliak.plan.operators import Summary

if TYPE_CHECKING:
    from pyspark.sql import Column

POSITION = "p"
"""The hidden column with the order of the rows."""
ARRIVAL = "i"
"""The hidden column with the numbers that rows were given when they were taken in."""


Over: TypeAlias = Callable[["Column"], "Column"]
"""Which rows an aggregate is of: those of the group, or those of a frame."""


def given_as(summary: Summary) -> tuple[PlanExpression, ...]:
    """What the column of a summary is computed from: Spark counts what is not missing without a test."""
    match summary.operands:
        case (Apply("not", (Apply("missing", (value,)),)),) if summary.function == "count_true":
            return (value,)
        case _:
            return summary.operands


def summary_column(summary: Summary, lowering: Lowering) -> Column:
    """A summary of a group."""
    return _summary(summary, lowering, lambda aggregate: aggregate, F.count_distinct)


def framed_column(summary: Summary, lowering: Lowering, over: Over) -> Column:
    """A summary of the rows of a frame."""
    # Spark counts what is different in groups alone.
    return _summary(summary, lowering, over, lambda value: F.size(over(F.collect_set(value))))


def _summary(summary: Summary, lowering: Lowering, over: Over, distinct: Callable[[Column], Column]) -> Column:
    given = [lowering.column(operand) for operand in given_as(summary)]
    match summary.function:
        case "count":
            return over(F.count(F.lit(1))).cast("double")
        case "count_true" if given_as(summary) != summary.operands:
            return over(F.count(given[0])).cast("double")
        case "count_true":
            return over(F.count_if(given[0])).cast("double")
        case "percentile":
            share = F.lit(summary.options[0])
            found = over(F.percentile(given[0], share))
            return _beside_infinity(found, share, _extremes(given[0], over))
        case "percentiles":
            shares = F.array(*(F.lit(share) for share in summary.options))
            extremes = _extremes(given[0], over)
            found = over(F.percentile(given[0], shares))
            return F.zip_with(found, shares, lambda q, share: _beside_infinity(q, share, extremes))
        case "any":
            return F.coalesce(over(F.bool_or(given[0])), F.lit(False))
        case "distinct":
            return distinct(given[0]).cast("double")
        case "list":
            return in_order(over(F.collect_list(F.struct(F.col(POSITION).alias("p"), given[0].alias("x")))))
        case "first_of_least" | "first_of_greatest":
            return over(_row_of_extreme(summary, given))
        case _:
            return over(_SIMPLE[summary.function](*given))


@dataclass(frozen=True, slots=True)
class Extremes:
    """How many numbers there are, and how many of them are infinite."""

    count: Column
    least: Column
    greatest: Column


def _extremes(number: Column, over: Over) -> Extremes:
    return Extremes(over(F.count(number)), over(F.count_if(number == F.lit(-inf))), over(F.count_if(number == F.lit(inf))))


def _beside_infinity(found: Column, share: Column, numbers: Extremes) -> Column:
    """A percentile as low + (high - low) * part of the way, which is NaN where the low number is infinite, or there is no way to a high one."""
    place = (numbers.count - 1) * share
    low, finite = F.floor(place), numbers.count - numbers.greatest
    none = (low < numbers.least) | (low >= finite) | ((low + 1 >= finite) & (low == place))
    inside = (share > 0.0) & (share < 1.0) & (numbers.count > 1)
    return F.when(inside & none, F.lit(nan)).otherwise(found)


def _first(value: Column, where: Column | None = None) -> Column:
    return F.min_by(value, F.col(POSITION) if where is None else F.when(where, F.col(POSITION)))


def _last(value: Column, where: Column | None = None) -> Column:
    return F.max_by(value, F.col(POSITION) if where is None else F.when(where, F.col(POSITION)))


_SIMPLE: dict[str, Callable[..., Column]] = {
    "sum": lambda x: F.sum(x),
    "product": lambda x: F.product(x),
    "mean": lambda x: F.avg(x),
    "variance": lambda x: F.var_samp(x),
    "variance_population": lambda x: F.var_pop(x),
    "min": lambda x: F.min(x),
    "max": lambda x: F.max(x),
    "min_text": lambda x: F.min_by(x, utf16(x)),
    "max_text": lambda x: F.max_by(x, utf16(x)),
    "first": _first,
    "last": _last,
    "first_present": lambda x: _first(x, x.isNotNull()),
}


def _row_of_extreme(summary: Summary, given: list[Column]) -> Column:
    keys = ascending_keys(given[1], summary.operands[1].of, descending=summary.function == "first_of_greatest")
    by = F.struct(*(key.alias(f"k{index}") for index, key in enumerate(keys)), F.col(POSITION).alias("p"))
    return F.min_by(given[0], F.when(given[1].isNotNull(), by))


def in_order(pairs: Column) -> Column:
    """The second members of a list of (position, value), in the order of the first."""
    # Positions are unique, so that values, which Spark may not be able to compare, are never looked at.
    ordered = F.array_sort(pairs, lambda a, b: F.when(a["p"] < b["p"], -1).when(a["p"] > b["p"], 1).otherwise(0))
    return F.transform(ordered, lambda pair: pair["x"])
