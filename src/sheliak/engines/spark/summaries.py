"""The summaries of groups and frames as Spark's aggregates."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, nan
from typing import TYPE_CHECKING, TypeAlias

from sheliak.engines.spark.columns import utf16
from sheliak.engines.spark.expressions import Lowering
from sheliak.engines.spark.lazy_functions import F
from sheliak.engines.spark.ordering import ascending_keys
from sheliak.plan.operators import Summary

if TYPE_CHECKING:
    from pyspark.sql import Column

POSITION = "p"
"""The hidden column with the order of the rows."""
ARRIVAL = "i"
"""The hidden column with the numbers that rows were given when they were taken in."""


Finish: TypeAlias = Callable[["Column"], "Column"]


def summary_column(summary: Summary, lowering: Lowering) -> Column:
    """A summary of a group."""
    aggregate, finish = summary_parts(summary, lowering)
    return finish(aggregate)


def summary_parts(summary: Summary, lowering: Lowering, *, framed: bool = False) -> tuple[Column, Finish]:
    """The aggregate of a summary and what is made of its result: a window takes the aggregate alone."""
    given = [lowering.column(operand) for operand in summary.operands]
    match summary.function:
        case "count":
            return F.count(F.lit(1)), _as_number
        case "count_true":
            return F.count_if(given[0]), _as_number
        case "percentile" if framed:
            return F.percentile(given[0], F.lit(summary.options[0])), _as_it_is
        case "percentile":
            share = F.lit(summary.options[0])
            return _percentile(given[0], share), lambda found: _beside_infinity(found["q"], share, found)
        case "percentiles":
            shares = F.array(*(F.lit(share) for share in summary.options))
            return _percentile(given[0], shares), lambda found: F.zip_with(
                found["q"], shares, lambda q, share: _beside_infinity(q, share, found)
            )
        case "any":
            return F.bool_or(given[0]), lambda found: F.coalesce(found, F.lit(False))
        case "distinct" if framed:
            return F.collect_set(given[0]), lambda found: F.size(found).cast("double")
        case "distinct":
            return F.count_distinct(given[0]), _as_number
        case "list":
            return F.collect_list(F.struct(F.col(POSITION).alias("p"), given[0].alias("x"))), in_order
        case "first_of_least" | "first_of_greatest":
            return _row_of_extreme(summary, given), _as_it_is
        case _:
            return _SIMPLE[summary.function](*given), _as_it_is


def _percentile(number: Column, shares: Column) -> Column:
    """Percentiles, and how many numbers there are, how many of them infinite."""
    return F.struct(
        F.percentile(number, shares).alias("q"),
        F.count(number).alias("n"),
        F.count_if(number == F.lit(-inf)).alias("least"),
        F.count_if(number == F.lit(inf)).alias("greatest"),
    )


def _beside_infinity(found: Column, share: Column, numbers: Column) -> Column:
    """A percentile as low + (high - low) * part of the way, which is NaN where the low number is infinite, or there is no way to a high one."""
    place = (numbers["n"] - 1) * share
    low, finite = F.floor(place), numbers["n"] - numbers["greatest"]
    none = (low < numbers["least"]) | (low >= finite) | ((low + 1 >= finite) & (low == place))
    inside = (share > 0.0) & (share < 1.0) & (numbers["n"] > 1)
    return F.when(inside & none, F.lit(nan)).otherwise(found)


def _as_it_is(found: Column) -> Column:
    return found


def _as_number(found: Column) -> Column:
    return found.cast("double")


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
