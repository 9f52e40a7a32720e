"""Keys of groups as whole numbers on columns, as bigints (plan.rewrite.whole_keys), those of texts among them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

from sheliak.engines.spark.columns import bin_number, number
from sheliak.engines.spark.dates import bigint_part
from sheliak.engines.spark.lazy_functions import F
from sheliak.plan.known_texts import Texts
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


def code_of_text(text: Column, texts: Texts) -> Column:
    """A text's code; that of a missing one is what Spark begins to hash with."""
    return F.xxhash64(text)


def text_of_code(code: Column, texts: Texts) -> Column:
    """The text that a code stands for."""
    # One literal of JSON, which Spark reads once: a literal for each text would take longer than the groups.
    named = F.from_json(F.lit(json.dumps(dict(zip(map(str, texts.codes), texts.values, strict=True)))), "map<string,string>")
    found = F.element_at(named, code.cast("string"))
    return F.coalesce(found, F.when(code != texts.missing, F.raise_error(F.lit(OTHER_TEXTS)).cast("string")))


OTHER_TEXTS = "the Parquet file holds other texts than its dictionaries name; write it anew, or with another program"

OPERATIONS: dict[str, Callable[..., Column]] = {
    "whole.floor": floored,
    "whole.bin": coded_bin,
    "whole.part": part,
    "whole.constant": lambda code: F.lit(code),
    "whole.missing": lambda: F.lit(None).cast("bigint"),
    "whole.value": value,
    "text.code": code_of_text,
    "text.of_code": text_of_code,
}
