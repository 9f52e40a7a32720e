"""What `format.parse` makes of a column's type: Vega's parsers and its type inference, on types instead of values.

A parse type of `date` gives milliseconds, one with a pattern gives a Date. Both are `date` here: Vega's scales, formats and
time functions take either, and a spec that says `date` means a date. Text that a parser cannot read becomes NaN (or null
with a pattern); that is a matter of values, so the type does not show it.
"""

from __future__ import annotations

import re
from functools import cache

from sheliak.loading.formats import UNCERTAIN
from sheliak.source.declared import dataclass
from sheliak.types.operations import join, options_of, reads_as_date
from sheliak.types.shapes import BOOLEAN, DATE, NULL, NUMBER, NUMERIC_TEXT, STRING, TEXTS, UNKNOWN, WORDS, Type, Unknown

_HAS_DIGIT = re.compile(r"[0-9]").search
_BOOLEAN_TEXTS = frozenset({"true", "false"})
# Day before month: it looks like a date, and no JavaScript engine reads it as one.
_DAY_FIRST = r"\s*(?:1[3-9]|2[0-9]|3[01])[-/]\d{1,2}[-/]\d{2,4}\b"
# Forms that every JavaScript engine reads.
_SURE_DATE = (
    r"\s*(?:\d{4}-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01])(?:[T ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?Z?)?)?"
    r"|(?:0?[1-9]|1[0-2])/(?:0?[1-9]|[12]\d|3[01])/\d{4}"
    r"|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* (?:0?[1-9]|[12]\d|3[01]),? \d{4})\s*\Z"
)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was seen in one column, as far as any parser cares."""

    of: Type
    everywhere: bool = True
    """Every row has the column."""
    blank: bool = False
    """Some value is null or empty text."""
    valued: bool = True
    """Some value is neither."""
    inferred: str | None = None
    """The parser that `parse: "auto"` would choose, where that was asked."""


def parsed_type(seen: Evidence, how: str | None) -> Type:
    """The column's type after the parser called `how`; null, missing and empty values all become null."""
    word = how.partition(":")[0] if how is not None else "unknown"
    if word == UNCERTAIN:
        return UNKNOWN
    if word == "unknown":
        return seen.of
    blank = seen.blank or not seen.everywhere
    if blank and not seen.valued:
        return NULL
    of = _PARSED.get(word) or _string_type(seen.of)
    return join((of, NULL)) if blank else of


_PARSED = {"boolean": BOOLEAN, "number": NUMBER, "integer": NUMBER, "date": DATE, "utc": DATE}


def _string_type(of: Type) -> Type:
    """JavaScript's String(value): numbers become numeric text, everything else but text becomes words."""
    if isinstance(of, Unknown):
        return STRING
    options = [option for option in options_of(of) if option not in (NULL, STRING)] or [STRING]
    return join(option if option in TEXTS else NUMERIC_TEXT if option is NUMBER else WORDS for option in options)


def inferred_type(kinds: set[type], texts: set[str], of_texts: Type) -> str:
    """`parse: "auto"`: the first of boolean, number, date that fits every value, else string; `?` where the engine decides.

    `of_texts` is the type of the texts alone: of blank and numeric ones, which all read as numbers, or of others.
    Vega asks Date.parse, and what that accepts besides the common forms differs between browsers ("Sector 7" is a date in some).
    """
    if not kinds or kinds - {str, int, float, bool, type(None)}:
        return UNCERTAIN
    numeric = bool(kinds & {int, float})
    if not numeric and texts <= _BOOLEAN_TEXTS:
        return "boolean"
    if of_texts in (NUMERIC_TEXT, STRING):
        return "number"
    if bool in kinds or "" in texts or any(map(_never_a_date, texts)):
        return "string"
    return "date" if not numeric and all(map(_compiled(_SURE_DATE).match, texts)) else UNCERTAIN


def _never_a_date(text: str) -> bool:
    """No engine's Date.parse reads it: it has no digit, or puts the day before the month."""
    return not _HAS_DIGIT(text) or (_compiled(_DAY_FIRST).match(text) is not None and reads_as_date(text))


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compiled when first asked for: few specs use `auto`, and compiling costs more than reading a small file."""
    return re.compile(pattern)
