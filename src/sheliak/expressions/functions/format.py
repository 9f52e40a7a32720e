"""Values as text for a reader, and back."""

from __future__ import annotations

from sheliak.expressions.functions.results import formatted_time, parsed_time
from sheliak.expressions.functions.signature import signature
from sheliak.types.shapes import STRING, WORDS

_NAMES = ("dayFormat", "dayAbbrevFormat", "monthFormat", "monthAbbrevFormat")

FUNCTIONS = (
    *(signature(name, "index:number", WORDS, "locale") for name in _NAMES),
    signature("format", "value:formatted specifier:string", STRING, "locale"),
    # A time format turns what is not a date into a number first, so text is not parsed: it prints as "0NaN".
    signature("timeFormat", "value:instant specifier?:string", formatted_time, "locale,timezone"),
    signature("utcFormat", "value:instant specifier?:string", formatted_time, "locale"),
    signature("timeParse", "string:text specifier:string", parsed_time, "locale,timezone"),
    signature("utcParse", "string:text specifier:string", parsed_time, "locale"),
    signature("timeUnitSpecifier", "units specifiers?:object", STRING),
)
