"""Keys of groups as whole numbers on columns, as bigints (plan.rewrite.whole_keys)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sheliak.engines.spark.columns import bin_number, number
from sheliak.engines.spark.dates import bigint_part
from sheliak.engines.spark.lazy_functions import F
from sheliak.plan.rewrite.whole_keys import CODES, MEANINGS

if TYPE_CHECKING:
    from pyspark.sql import Column


def _code(name: str) -> Column:
    return F.lit(CODES[name])


def floored(ms: Column, length: float) -> Column:
    """How many lengths fit."""
    return F.when(F.isnan(ms), _code("nan")).otherwise(F.floor(ms / length))


def coded_bin(x: Column, start: float, stop: float, step: float) -> Column:
    """The number of a number's bin, and codes outside of all bins."""
    place = bin_number(x, start, stop, step)
    return F.when(F.isnan(x), _code("nan")).when(x < start, _code("low")).when(x > stop, _code("high")).otherwise(place)


def part(ms: Column, operation: str) -> Column:
    """A part of a date."""
    return F.when(ms.isNotNull(), F.coalesce(bigint_part(operation)(ms), _code("nan")))


def value(code: Column, step: float, start: float) -> Column:
    """What a whole number stands for."""
    plain = code.cast("double") * step
    result = F.when(code > max(MEANINGS), plain if start == 0 else plain + start)
    for known, meaning in MEANINGS.items():
        result = result.when(code == known, number(meaning))
    return result


OPERATIONS: dict[str, Callable[..., Column]] = {
    "whole.floor": floored,
    "whole.bin": coded_bin,
    "whole.part": part,
    "whole.constant": lambda code: F.lit(code),
    "whole.missing": lambda: F.lit(None).cast("bigint"),
    "whole.value": value,
}
