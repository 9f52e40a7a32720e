"""Tests of a value's kind, conversions, and the functions that hand a value on: control flow and the log."""

from __future__ import annotations

from sheliak.expressions.functions.results import (
    last_argument,
    merged,
    second_or_third,
    to_boolean,
    to_date,
    to_number,
    to_text,
)
from sheliak.expressions.functions.signature import signature
from sheliak.types.shapes import BOOLEAN

_TESTS = ("Array", "Boolean", "Date", "Defined", "Number", "Object", "RegExp", "String", "Tuple", "Valid")

FUNCTIONS = (
    *(signature(f"is{kind}", "value", BOOLEAN) for kind in _TESTS),
    signature("toBoolean", "value", to_boolean),
    signature("toDate", "value", to_date),
    signature("toNumber", "value", to_number),
    signature("toString", "value", to_text),
    signature("if", "test then else", second_or_third, strict_arity=True),
    signature("merge", "objects*:object", merged),
    signature("debug", "values+", last_argument, "effect"),
    signature("info", "values+", last_argument, "effect"),
    signature("warn", "values+", last_argument, "effect"),
)
