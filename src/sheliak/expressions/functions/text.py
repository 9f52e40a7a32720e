"""Text and regular expressions. Where a function takes text it converts what it gets: upper(undefined) is "UNDEFINED"."""

from __future__ import annotations

from sheliak.expressions.functions.results import same_text
from sheliak.expressions.functions.signature import signature
from sheliak.types.shapes import BOOLEAN, NUMBER, STRING, UNKNOWN, Array

_OF_ONE = ("atob", "btoa", "encodeURIComponent")
_SAME = ("lower", "trim", "upper")

FUNCTIONS = (
    *(signature(name, "string:text", STRING) for name in _OF_ONE),
    *(signature(name, "string:text", same_text) for name in _SAME),
    signature("pad", "string:text length:number character?:string align?:string", STRING),
    signature("parseFloat", "string:text", NUMBER),
    signature("parseInt", "string:text radix?:number", NUMBER),
    signature("replace", "string:text pattern:regexp replacement:string", STRING),
    signature("split", "string:text separator:regexp limit?:number", Array(STRING)),
    signature("substring", "string:text start:number end?:number", STRING),
    signature("truncate", "string:text length:number align?:string ellipsis?:string", STRING),
    signature("regexp", "pattern:string flags?:string", UNKNOWN),
    signature("test", "regexp:regexp string:text", BOOLEAN),
)
