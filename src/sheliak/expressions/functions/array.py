"""Arrays and, where a function takes both, text."""

from __future__ import annotations

from sheliak.expressions.functions.results import (
    NUMBERS,
    between_ends,
    clamped,
    element,
    fourth_to_sixth,
    interpolated,
    length_of,
    plucked,
    same,
    same_kind,
    two_of_element,
)
from sheliak.expressions.functions.signature import signature
from sheliak.types.shapes import BOOLEAN, NUMBER, STRING

FUNCTIONS = (
    signature("clampRange", "range:array min:number max:number", clamped),
    signature("extent", "array:sequence", two_of_element),
    signature("flush", "range:array value:number threshold:number left right center", fourth_to_sixth),
    signature("indexof", "seq:sequence value from?:number", NUMBER, throws=True),
    signature("inrange", "value range:array left?:boolean right?:boolean", BOOLEAN),
    signature("interpolateLinear", "array:array fraction:number", interpolated),
    signature("join", "array:array separator?:string", STRING, throws=True),
    signature("lastindexof", "seq:sequence value from?:number", NUMBER, throws=True),
    signature("length", "seq:sequence", length_of),
    signature("lerp", "array:array fraction:number", between_ends),
    signature("peek", "array:sequence", element),
    signature("pluck", "array field:field", plucked),
    signature("reverse", "array:array", same, throws=True),
    signature("sequence", "start:number stop?:number step?:number", NUMBERS),
    signature("slice", "seq:sequence start?:number end?:number", same_kind, throws=True),
    signature("sort", "array:array", same, throws=True),
    signature("span", "array:array", NUMBER),
)
