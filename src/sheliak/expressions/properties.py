"""Reading a property: `object.name`, `object[key]`, `key in object`.

A name that all values of a kind have from JavaScript itself (`datum.toString`, `text.trim`) reads as a function that cannot be called.
"""

from __future__ import annotations

from typing import Final

from sheliak.expressions.texts import units_of
from sheliak.expressions.values import (
    UNDEFINED,
    Date,
    EvaluationError,
    Function,
    Instance,
    RegExp,
    Undefined,
    Value,
    is_object,
    to_text,
)
from sheliak.expressions.zones import Zone

_OF_OBJECT: Final = """
    constructor=Object __defineGetter__ __defineSetter__ hasOwnProperty __lookupGetter__ __lookupSetter__ isPrototypeOf
    propertyIsEnumerable toString valueOf toLocaleString
"""
_OF_TEXT: Final = """
    constructor=String anchor at big blink bold charAt charCodeAt codePointAt concat endsWith fontcolor fontsize fixed includes
    indexOf isWellFormed italics lastIndexOf link localeCompare match matchAll normalize padEnd padStart repeat replace replaceAll
    search slice small split strike sub substr substring sup startsWith toWellFormed trim trimStart trimLeft=trimStart trimEnd
    trimRight=trimEnd toLocaleLowerCase toLocaleUpperCase toLowerCase toUpperCase
"""
_OF_NUMBER: Final = "constructor=Number toExponential toFixed toPrecision"
_OF_BOOLEAN: Final = "constructor=Boolean"
_OF_ARRAY: Final = """
    constructor=Array at concat copyWithin fill find findIndex findLast findLastIndex lastIndexOf pop push reverse shift unshift
    slice sort splice includes indexOf join keys entries values forEach filter flat flatMap map every some reduce reduceRight
    toReversed toSorted toSpliced with
"""
_OF_DATE: Final = """
    constructor=Date toDateString toTimeString toISOString toUTCString toGMTString=toUTCString getDate setDate getDay getFullYear
    setFullYear getHours setHours getMilliseconds setMilliseconds getMinutes setMinutes getMonth setMonth getSeconds setSeconds
    getTime setTime getTimezoneOffset getUTCDate setUTCDate getUTCDay getUTCFullYear setUTCFullYear getUTCHours setUTCHours
    getUTCMilliseconds setUTCMilliseconds getUTCMinutes setUTCMinutes getUTCMonth setUTCMonth getUTCSeconds setUTCSeconds getYear
    setYear toJSON toLocaleDateString toLocaleTimeString
"""
_OF_REGEXP: Final = "constructor=RegExp exec compile test"
_OF_FUNCTION: Final = "constructor=Function apply bind call"
_FLAGS: Final = {
    "dotAll": "s",
    "global": "g",
    "hasIndices": "d",
    "ignoreCase": "i",
    "multiline": "m",
    "sticky": "y",
    "unicode": "u",
    "unicodeSets": "v",
}


def property_of(value: Value, name: str) -> Value:
    """value.name; raises EvaluationError below null and undefined."""
    if isinstance(value, dict):
        if name in value:
            return value[name]
    elif value is None or isinstance(value, Undefined):
        raise EvaluationError(f"Cannot read properties of {to_text(value)} (reading '{name}')")
    elif not isinstance((own := _own(value, name)), Undefined):
        return own
    return _methods(type(value)).get(name, UNDEFINED)


def item_of(value: Value, key: Value, zone: Zone) -> Value:
    """value[key]; a whole number finds its element without a detour over text."""
    if type(key) is float and isinstance(value, list) and 0 <= key < len(value) and key.is_integer():
        return value[int(key)]
    return property_of(value, to_text(key, zone))


def has_property(value: Value, name: str) -> bool:
    """`name in value`, which only objects answer."""
    if isinstance(value, list):
        index = _index(name)
        own = name == "length" or (index is not None and index < len(value))
    elif isinstance(value, dict):
        own = name in value
    elif is_object(value):
        own = not isinstance(_own(value, name), Undefined)
    else:
        raise EvaluationError(f"Cannot use 'in' operator to search for '{name}' in {to_text(value)}")
    return own or name in _methods(type(value)) or name == "__proto__"


def _own(value: Value, name: str) -> Value:
    """A property that the value itself has, and not its kind; undefined where there is none."""
    if isinstance(value, (list, str)):
        return _of_sequence(value, name)
    if isinstance(value, RegExp):
        return _of_regexp(value, name)
    return value.name if isinstance(value, Function) and name == "name" else UNDEFINED


def _of_sequence(sequence: list[Value] | str, name: str) -> Value:
    if isinstance(sequence, str):
        sequence = units_of(sequence)
    if name == "length":
        return float(len(sequence))
    index = _index(name)
    return sequence[index] if index is not None and index < len(sequence) else UNDEFINED


def _index(name: str) -> int | None:
    """The array index that a property's name is: digits without a leading zero."""
    return int(name) if name.isascii() and name.isdigit() and (name[0] != "0" or name == "0") and len(name) < 16 else None


def _of_regexp(regexp: RegExp, name: str) -> Value:
    if name in _FLAGS:
        return _FLAGS[name] in regexp.flags
    if name == "lastIndex":
        return regexp.last_index
    if name == "flags":
        return "".join(sorted(regexp.flags))
    if name != "source":
        return UNDEFINED
    from sheliak.expressions.patterns import source_of

    return source_of(regexp.pattern)


_KNOWN: dict[type, dict[str, Value]] = {}
_NAMES: Final[dict[type, str]] = {
    str: _OF_TEXT,
    float: _OF_NUMBER,
    bool: _OF_BOOLEAN,
    list: _OF_ARRAY,
    Date: _OF_DATE,
    RegExp: _OF_REGEXP,
    Function: _OF_FUNCTION,
}


def _methods(kind: type) -> dict[str, Value]:
    """The functions that every value of a kind has."""
    if kind not in _KNOWN:
        own = kind.methods if issubclass(kind, Instance) else _NAMES.get(kind, "")
        pairs = [name.partition("=") for name in f"{_OF_OBJECT} {own}".split()]
        _KNOWN[kind] = {name: Function(other or name) for name, _, other in pairs}
    return _KNOWN[kind]
