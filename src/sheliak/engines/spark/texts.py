"""Text functions on columns. Positions count UTF-16 units; Spark counts characters, which differs above U+FFFF."""

from __future__ import annotations

import re
from collections.abc import Callable
from math import nan
from typing import TYPE_CHECKING

from sheliak.engines.spark.columns import number, trimmed, utf16
from sheliak.engines.spark.lazy_functions import F

if TYPE_CHECKING:
    from pyspark.sql import Column

_FLOAT = "^[+-]?(?:Infinity|(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"


HALF = "text is cut between the halves of a character"
"""What ends a run on Spark that goes on in Vega: the run in Python, which has such texts, is the one that counts."""


def length(s: Column) -> Column:
    return (F.octet_length(utf16(s)) / 2).cast("double")


def units(s: Column, start: Column, end: Column) -> Column:
    """Units from start to before end; a pair that is cut through ends the run, for no column holds half of a character."""
    plain = s.substr(start.cast("int") + 1, (end - start).cast("int"))
    astral = F.octet_length(utf16(s)) != 2 * F.length(s)
    return F.when(astral, _astral_units(s, start, end)).otherwise(plain)


def _astral_units(s: Column, start: Column, end: Column) -> Column:
    coded = utf16(s)
    cut = _unit(coded, start).between("DC00", "DFFF") | _unit(coded, end - 1.0).between("D800", "DBFF")
    wanted = F.greatest(end - start, number(0.0))
    whole = F.decode(coded.substr((start * 2.0).cast("int") + 1, (wanted * 2.0).cast("int")), "UTF-16BE")
    return F.when(cut & (end > start), F.raise_error(F.lit(HALF))).otherwise(whole)


def _unit(coded: Column, index: Column) -> Column:
    return F.when(index >= 0.0, F.hex(coded.substr((index * 2.0).cast("int") + 1, F.lit(2)))).otherwise("")


def unit_at(s: Column, index: Column) -> Column:
    there = (index >= 0.0) & (index < length(s)) & (index == F.floor(index))
    return F.when(there, units(s, index, index + 1.0))


def _place(s: Column, part: Column) -> Column:
    """The place of a part, counted in characters from 1; 0 if it is not there."""
    return F.position(part, s)


def first_index(s: Column, part: Column) -> Column:
    before = s.substr(F.lit(1), _place(s, part) - 1)
    return F.when(_place(s, part) == 0, -1.0).otherwise(length(before))


def last_index(s: Column, part: Column) -> Column:
    turned = _place(F.reverse(s), F.reverse(part))
    before = s.substr(F.lit(1), F.length(s) - turned + 1 - F.length(part))
    return F.when(part == "", length(s)).when(turned == 0, -1.0).otherwise(length(before))


def split(s: Column, separator: str) -> Column:
    return F.split(s, re.sub(r"([\\^$.|?*+()\[\]{}-])", r"\\\1", separator), -1)


def parse_float(s: Column) -> Column:
    start = F.regexp_extract(trimmed(s), _FLOAT, 0)
    infinite = F.when(start.startswith("-"), number(float("-inf"))).otherwise(number(float("inf")))
    return F.when(start == "", number(nan)).when(start.endswith("Infinity"), infinite).otherwise(start.try_cast("double"))


def parse_int(s: Column, decimal: bool) -> Column:
    text = trimmed(s)
    digits = F.regexp_extract(text, "^[+-]?[0-9]+", 0)
    plain = F.when(digits == "", number(nan)).otherwise(digits.try_cast("double"))
    if decimal:
        return plain
    sign = F.when(text.startswith("-"), -1.0).otherwise(1.0)
    hexadecimal = F.regexp_extract(text, "^[+-]?0[xX]([0-9a-fA-F]{1,16})", 1)
    value = F.conv(hexadecimal, 16, 10).try_cast("double") * sign
    return F.when(text.rlike("^[+-]?0[xX]"), F.coalesce(F.when(hexadecimal != "", value), number(nan))).otherwise(plain)


def repeated(s: Column, count: Column) -> Column:
    return F.repeat(s, F.greatest(F.nanvl(count, number(0.0)), number(0.0)).cast("int"))


def to_url(s: Column) -> Column:
    """encodeURIComponent: like the encoding of forms, but for a few characters."""
    coded = F.url_encode(s)
    for written, meant in (("\\+", "%20"), ("%21", "!"), ("%27", "'"), ("%28", "("), ("%29", ")"), ("%7E", "~")):
        coded = F.regexp_replace(coded, written, meant)
    return coded


def replaced_first(s: Column, pattern: str, written: str) -> Column:
    # Spark replaces every match; one that begins with the text has only one.
    start = "(?i)" if pattern.startswith("(?i)") else ""
    return F.regexp_replace(s, f"{start}^((?s:.*?))(?:{pattern.removeprefix('(?i)')})", f"$1{written}")


def array_index(s: Column) -> Column:
    """A text that JavaScript takes for the index of an array, as a number; NULL for all others."""
    value = F.when(s.rlike("^(?:0|[1-9][0-9]{0,9})$"), s.try_cast("double"))
    return F.when(value < 4294967295.0, value)


def filled_up(s: Column, width: int, fill: str) -> Column:
    """Text with as many characters on its left that it is that wide; wider text stays."""
    return F.when(F.length(s) < width, F.lpad(s, width, fill)).otherwise(s)


def nth(index: Column, *names: str) -> Column:
    """One of some texts, by a whole number that is the index of one."""
    return F.get(F.array(*(F.lit(name) for name in names)), index.try_cast("int"))


def number_at(s: Column, start: int, length: int, default: float) -> Column:
    """The digits at a place, or a default where there are none."""
    return F.coalesce(F.substring(s, start, length).try_cast("double"), number(default))


def milliseconds(s: Column) -> Column:
    """The digits behind the last point, up to three."""
    digits = F.regexp_extract(s, "[.]([0-9]{1,3})", 1)
    return F.coalesce(F.rpad(digits, 3, "0").try_cast("double"), number(0.0))


OPERATIONS: dict[str, Callable[..., Column]] = {
    "text.number_at": number_at,
    "text.milliseconds": milliseconds,
    "text.filled_up": filled_up,
    "text.nth": nth,
    "text.length": length,
    "text.units": units,
    "text.at": unit_at,
    "text.upper": lambda s: F.upper(s),
    "text.lower": lambda s: F.lower(s),
    "text.trim": trimmed,
    "text.index_of": first_index,
    "text.last_index_of": last_index,
    "text.split": split,
    "text.parse_float": parse_float,
    "text.parse_int": parse_int,
    "text.repeat": repeated,
    "text.matches": lambda s, pattern: F.regexp_extract_all(s, F.lit(pattern), F.lit(0)),
    "text.replace": lambda s, pattern, written: F.regexp_replace(s, pattern, written),
    "text.replace_first": replaced_first,
    "text.matching": lambda s, pattern: s.rlike(pattern),
    "text.array_index": array_index,
    # Spark begins a new line after 76 characters.
    "text.to_base64": lambda s: F.translate(F.base64(F.encode(s, "ISO-8859-1")), "\r\n", ""),
    "text.to_url": to_url,
}
