"""Order on columns: keys whose ascending order is Vega's order of sorting, and which are never NULL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sheliak.engines.spark.columns import is_nan, number, utf16
from sheliak.engines.spark.lazy_functions import F
from sheliak.plan.column_types import NEVER, ColumnType, Plain

if TYPE_CHECKING:
    from pyspark.sql import Column


def ascending_keys(value: Column, of: ColumnType, *, descending: bool = False) -> list[Column]:
    """Missing values first, then NaN, then the values; turned round if descending."""
    assert isinstance(of, Plain), of
    keys = [] if of.missing is NEVER else [(value.isNull() if descending else value.isNotNull()).cast("int")]
    if of.kind == "text":
        return [*keys, _text_key(value, descending)]
    if of.kind == "boolean":
        truth = F.coalesce(value, F.lit(False))
        return [*keys, (~truth if descending else truth).cast("int")]
    there = F.coalesce(F.nanvl(value, number(0.0)), number(0.0))
    valid = is_nan(value) if descending else ~is_nan(value)
    return [*keys, valid.cast("int"), -there if descending else there]


def sort_keys(value: Column, of: ColumnType, *, descending: bool = False) -> list[Column]:
    """The same order for a sort, which may have keys that are NULL and directions of its own: fewer columns to write down and to compare."""
    assert isinstance(of, Plain), of
    if of.kind not in ("number", "date"):
        return ascending_keys(value, of, descending=descending)
    if descending:
        return [*([] if of.missing is NEVER else [value.isNull()]), is_nan(value), value.desc()]
    return [*([] if of.missing is NEVER else [value.isNotNull()]), ~is_nan(value), value]


def _text_key(text: Column, descending: bool) -> Column:
    coded = utf16(F.coalesce(text, F.lit("")))
    if not descending:
        return coded
    # Each digit turned to its complement; a text goes behind the texts that begin with it.
    return F.concat(F.translate(F.hex(coded), "0123456789ABCDEF", "FEDCBA9876543210"), F.lit("G"))
