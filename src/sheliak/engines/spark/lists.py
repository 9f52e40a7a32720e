"""Lists and records on columns. The fields of a struct are called f0, f1, …; their names are the plan's."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sheliak.engines.spark.columns import is_nan, number, utf16
from sheliak.engines.spark.lazy_functions import F

if TYPE_CHECKING:
    from pyspark.sql import Column


def at(items: Column, index: Column) -> Column:
    there = (index >= 0.0) & (index < 2147483647.0) & (index == F.floor(index))
    return F.get(items, F.when(there, index).cast("int"))


def sliced(items: Column, start: Column, end: Column) -> Column:
    return F.slice(items, start.cast("int") + 1, (end - start).cast("int"))


def index_of_true(found: Column) -> Column:
    return (F.coalesce(F.array_position(found, True), F.lit(0)) - 1).cast("double")


def ordered(items: Column, kind: str) -> Column:
    """Missing values first, then NaN, then the values in order."""
    keys = F.transform(items, lambda item: F.struct(*sort_keys(item, kind), item.alias("item")))
    return F.transform(F.array_sort(keys), lambda key: key["item"])


def sort_keys(item: Column, kind: str) -> list[Column]:
    there = item.isNotNull().alias("k0")
    if kind == "text":
        return [there, utf16(item).alias("k1")]
    if kind == "boolean":
        return [there, item.alias("k1")]
    return [there, (~is_nan(item)).alias("k1"), item.alias("k2")]


def extent(items: Column, kind: str) -> Column:
    valid = F.filter(items, lambda item: item.isNotNull() if kind in ("text", "boolean") else item.isNotNull() & ~is_nan(item))
    return F.transform(
        F.array(F.lit(0), F.lit(-1)), lambda end: F.try_element_at(ordered(valid, kind), F.when(end == 0, 1).otherwise(-1))
    )


def exponential(items: Column, decay: float) -> Column:
    """Each value that is there added to the decayed rest of those before it."""
    there = F.filter(items, lambda item: item.isNotNull())
    return F.aggregate(there, number(0.0), lambda total, item: total * decay + item)


def zipped(*lists: Column) -> Column:
    """Records of the elements at each index of the longest list."""
    longest = F.greatest(*(F.size(items) for items in lists)) if len(lists) > 1 else F.size(lists[0])
    indexes = F.when(longest > 0, F.sequence(F.lit(0), longest - 1)).otherwise(F.array().cast("array<int>"))

    def record(index: Column) -> Column:
        return F.struct(*(F.get(items, index).alias(f"f{place}") for place, items in enumerate(lists)))

    return F.transform(indexes, record)


OPERATIONS: dict[str, Callable[..., Column]] = {
    "list": lambda *elements: F.array(*elements),
    "list.length": lambda items: F.size(items).cast("double"),
    "list.at": at,
    "list.slice": sliced,
    "list.reverse": lambda items: F.reverse(items),
    "list.join": lambda items, separator: F.array_join(items, separator),
    "list.blank": lambda items: F.transform(items, lambda item: F.lit("")),
    "list.index_of_true": index_of_true,
    "list.zip": zipped,
    "list.exponential": exponential,
    "list.sort": ordered,
    "list.extent": extent,
    "record": lambda *members: F.struct(*(member.alias(f"f{index}") for index, member in enumerate(members))),
    "record.field": lambda record, index: record[f"f{index}"],
}
