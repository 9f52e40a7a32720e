"""What `format.parse` makes of a column's type: Vega's parsers and its type inference, on types instead of values.

A parse type of `date` gives milliseconds, one with a pattern gives a Date. Both are `date` here: Vega's scales, formats and
time functions take either, and a spec that says `date` means a date. Text that a parser cannot read becomes NaN (or null
with a pattern); that is a matter of values, so the type does not show it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from sheliak.loading.columns import Column, type_of_column, type_of_texts
from sheliak.loading.formats import UNCERTAIN
from sheliak.types.operations import join, reads_as_date, reads_as_number
from sheliak.types.shapes import BOOLEAN, DATE, NULL, NUMBER, NUMERIC_TEXT, UNKNOWN, WORDS, Type

_DATE_TYPES = ("date", "utc")
_DIGIT = re.compile(r"[0-9]")
_BOOLEAN_TEXTS = frozenset({"true", "false"})
# Day before month: it looks like a date, and no JavaScript engine reads it as one.
_DAY_FIRST = re.compile(r"\s*(?:1[3-9]|2[0-9]|3[01])[-/]\d{1,2}[-/]\d{2,4}\b")
# Forms that every JavaScript engine reads.
_SURE_DATE = re.compile(
    r"\s*(?:\d{4}-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01])(?:[T ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?Z?)?)?"
    r"|(?:0?[1-9]|1[0-2])/(?:0?[1-9]|[12]\d|3[01])/\d{4}"
    r"|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* (?:0?[1-9]|[12]\d|3[01]),? \d{4})\s*\Z"
)


def parsed_type(column: Column, how: str) -> Type:
    """The column's type after the parser called `how`; null, missing and empty values all become null."""
    word = how.partition(":")[0]
    if word == UNCERTAIN:
        return UNKNOWN
    if word == "unknown":
        return type_of_column(column, 1)
    blank = not column.everywhere or column.has(None) or column.has("")
    if blank and not _has_value(column):
        return NULL
    return join((_value_type(column, word), NULL)) if blank else _value_type(column, word)


def _has_value(column: Column) -> bool:
    return any(value is not None and value != "" for value in column.values())


def _value_type(column: Column, word: str) -> Type:
    if word in ("number", "integer"):
        return NUMBER
    if word == "boolean":
        return BOOLEAN
    return DATE if word in _DATE_TYPES else join(_string_options(column))


def _string_options(column: Column) -> Iterable[Type]:
    """JavaScript's String(value): numbers become numeric text, everything else but text becomes words."""
    kinds = column.kinds()
    if str in kinds and (texts := column.texts() - {""}):
        yield type_of_texts(texts)
    if int in kinds or float in kinds:
        yield NUMERIC_TEXT
    if kinds - {str, int, float, type(None)}:
        yield WORDS


def inferred_type(column: Column) -> str:
    """`parse: "auto"`: the first of boolean, number, date that fits every value, else string; `?` where the engine decides.

    Vega asks Date.parse, and what that accepts besides the common forms differs between browsers ("Sector 7" is a date in some).
    """
    kinds = column.kinds()
    if not kinds or kinds - {str, int, float, bool, type(None)}:
        return UNCERTAIN
    texts = column.texts()
    numeric = bool(kinds & {int, float})
    if not numeric and texts <= _BOOLEAN_TEXTS:
        return "boolean"
    if all(map(reads_as_number, texts)):
        return "number"
    if bool in kinds or "" in texts or any(map(_never_a_date, texts)):
        return "string"
    return "date" if not numeric and all(map(_SURE_DATE.match, texts)) else UNCERTAIN


def _never_a_date(text: str) -> bool:
    """No engine's Date.parse reads it: it has no digit, or puts the day before the month."""
    return _DIGIT.search(text) is None or (_DAY_FIRST.match(text) is not None and reads_as_date(text))
