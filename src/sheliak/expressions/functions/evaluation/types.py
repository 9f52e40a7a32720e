"""Tests of a value's kind, conversions, merging, and the functions that only tell the log."""

from __future__ import annotations

from math import isnan

from sheliak.expressions.date_parsing import parse_date
from sheliak.expressions.environment import Environment
from sheliak.expressions.functions.evaluation.meaning import Meanings, declared
from sheliak.expressions.properties import property_of
from sheliak.expressions.texts import units_of
from sheliak.expressions.values import (
    UNDEFINED,
    Date,
    Instance,
    RegExp,
    Undefined,
    Value,
    is_object,
    to_boolean,
    to_number,
    to_text,
)
from sheliak.expressions.zones import Zone

MEANINGS: Meanings = {}
pure, local, surrounded = declared(MEANINGS, "nothing"), declared(MEANINGS, "zone"), declared(MEANINGS, "environment")


@pure("isArray")
def is_array(value: Value) -> Value:
    return isinstance(value, list)


@pure("isBoolean")
def is_boolean(value: Value) -> Value:
    return isinstance(value, bool)


@pure("isDate")
def is_date(value: Value) -> Value:
    return isinstance(value, Date)


@pure("isDefined")
def is_defined(value: Value) -> Value:
    return not isinstance(value, Undefined)


@pure("isNumber")
def is_number(value: Value) -> Value:
    return isinstance(value, float)


pure("isObject")(is_object)


@pure("isRegExp")
def is_regexp(value: Value) -> Value:
    return isinstance(value, RegExp)


@pure("isString")
def is_string(value: Value) -> Value:
    return isinstance(value, str)


@surrounded("isTuple")
def is_tuple(environment: Environment, value: Value) -> Value:
    return environment.is_tuple(value)


@pure("isValid")
def is_valid(value: Value) -> Value:
    return not _is_empty(value) and not (isinstance(value, float) and isnan(value))


def _is_empty(value: Value) -> bool:
    return value is None or isinstance(value, Undefined)


def _is_blank(value: Value) -> bool:
    """The conversions answer null to null, undefined and empty text."""
    return _is_empty(value) or value == ""


@pure("toBoolean")
def converted_to_boolean(value: Value) -> Value:
    if _is_blank(value):
        return None
    return to_boolean(value) and value not in ("false", "0")


@local("toDate")
def converted_to_date(zone: Zone, value: Value) -> Value:
    """Numbers and dates as they are, everything else by its text, as milliseconds."""
    if _is_blank(value):
        return None
    return value if isinstance(value, (float, Date)) else parse_date(to_text(value, zone), zone)


@pure("toNumber")
def converted_to_number(value: Value) -> Value:
    return None if _is_blank(value) else to_number(value)


@local("toString")
def converted_to_text(zone: Zone, value: Value) -> Value:
    return None if _is_blank(value) else to_text(value, zone)


@pure("merge")
def merge(*objects: Value) -> Value:
    """One object with the properties of all; a later one wins."""
    merged: dict[str, Value] = {}
    for value in objects:
        if isinstance(value, dict):
            merged.update(value)
            if isinstance(value, Instance):  # its functions are copied too
                merged.update({name: property_of(value, name) for name in value.enumerable()})
        elif isinstance(value, (list, str)):
            elements = units_of(value) if isinstance(value, str) else value
            merged.update({str(index): element for index, element in enumerate(elements)})
    return merged


def _logged(level: str) -> None:
    def log(environment: Environment, *values: Value) -> Value:
        environment.log(level, values)
        return values[-1] if values else UNDEFINED

    surrounded(level)(log)


_logged("warn")
_logged("info")
_logged("debug")
