"""Text and regular expressions. Everything is converted to text first; positions count UTF-16 units."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from math import ceil, isnan, nan
from typing import Final
from urllib.parse import quote

from sheliak.expressions.arithmetic import largest
from sheliak.expressions.functions.evaluation.array import LONGEST, slice_of
from sheliak.expressions.functions.evaluation.meaning import Meanings, declared
from sheliak.expressions.functions.evaluation.replacing import replaced, split_by, tested
from sheliak.expressions.numerals import SPACES
from sheliak.expressions.patterns import matcher_of
from sheliak.expressions.properties import property_of
from sheliak.expressions.texts import joined, length_of, units_of
from sheliak.expressions.values import (
    EvaluationError,
    RegExp,
    Undefined,
    Value,
    add,
    less_or_equal,
    to_boolean,
    to_int32,
    to_integer,
    to_number,
    to_text,
    to_uint32,
)
from sheliak.expressions.zones import Zone

MEANINGS: Meanings = {}
local = declared(MEANINGS, "zone")


@local("upper")
def upper(zone: Zone, value: Value) -> Value:
    return to_text(value, zone).upper()


@local("lower")
def lower(zone: Zone, value: Value) -> Value:
    return to_text(value, zone).lower()


@local("trim")
def trim(zone: Zone, value: Value) -> Value:
    return to_text(value, zone).strip(SPACES)


@local("substring")
def substring(zone: Zone, value: Value, start: Value, end: Value) -> Value:
    """Between two positions, in whichever order."""
    units = units_of(to_text(value, zone))
    last = float(len(units)) if isinstance(end, Undefined) else to_integer(end)
    low, high = sorted([int(min(max(position, 0), len(units))) for position in (to_integer(start), last)])
    return joined(units[low:high])


@local("pad")
def pad(zone: Zone, value: Value, length: Value, character: Value, align: Value) -> Value:
    text = to_text(value, zone)
    filler = to_text(character, zone) if to_boolean(character) else " "
    missing = to_number(length) - length_of(text)
    if isnan(missing) or missing <= 0:
        return text
    if missing > LONGEST:
        raise EvaluationError(f"a text of more than {LONGEST} characters is not made")
    if align == "left":
        return joined(filler * int(missing) + text)
    if align == "center":
        return joined(filler * int(missing / 2) + text + filler * ceil(missing / 2))
    return joined(text + filler * int(missing))


@local("truncate")
def truncate(zone: Zone, value: Value, length: Value, align: Value, ellipsis: Value) -> Value:
    """Text that is too long loses its end, start or middle to the ellipsis, which counts too."""
    mark: Value = "…" if ellipsis is None or isinstance(ellipsis, Undefined) else ellipsis
    text = to_text(value, zone)
    count = float(length_of(text))
    kept = largest(0.0, to_number(length) - to_number(property_of(mark, "length")))
    if less_or_equal(count, length, zone):
        return text
    if align == "left":
        return add(mark, _slice(text, count - kept, count), zone)
    if align == "center":
        start = add(_slice(text, 0.0, _up(kept / 2)), mark, zone)
        return add(start, _slice(text, count - to_int32(kept / 2), count), zone)
    return add(_slice(text, 0.0, kept), mark, zone)


def _slice(text: str, start: float, end: float) -> Value:
    return slice_of(text, start, end)


def _up(number: float) -> float:
    return float(ceil(number)) if abs(number) < 1e300 else number


# Numbers in text

_FLOAT: Final = re.compile(r"[+-]?(?:Infinity|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)")


@local("parseFloat")
def parse_float(zone: Zone, value: Value) -> Value:
    """The number that a text begins with."""
    found = _FLOAT.match(to_text(value, zone).lstrip(SPACES))
    return float(found[0]) if found else nan


@local("parseInt")
def parse_int(zone: Zone, value: Value, radix: Value) -> Value:
    """The whole number that a text begins with, to the given base; `0x` means 16."""
    text = to_text(value, zone).lstrip(SPACES)
    sign, digits = (text[0], text[1:]) if text[:1] in ("+", "-") else ("", text)
    base = to_int32(radix)
    if base in (0, 16) and digits[:2] in ("0x", "0X"):
        base, digits = 16, digits[2:]
    base = base or 10
    if not 2 <= base <= 36:
        return nan
    known = "0123456789abcdefghijklmnopqrstuvwxyz"[:base]
    found = re.match(f"[{known}{known.upper()}]*", digits)
    if not found or not found[0]:
        return nan
    try:
        number = float(int(found[0], base))
    except (OverflowError, ValueError):  # ValueError: Python reads no more than some thousand digits
        number = float("inf")
    return -number if sign == "-" else number


# Encodings

_SPACES_OF_BASE64: Final = str.maketrans("", "", " \t\n\f\r")


def _input(values: tuple[Value, ...], zone: Zone) -> str:
    """Unlike all others, these two do not take nothing for undefined."""
    if not values:
        raise EvaluationError('The "input" argument must be specified')
    return to_text(values[0], zone)


@local("btoa")
def to_base64(zone: Zone, *values: Value) -> Value:
    try:
        return b64encode(_input(values, zone).encode("latin-1")).decode("ascii")
    except UnicodeEncodeError:
        raise EvaluationError("Invalid character") from None


@local("atob")
def from_base64(zone: Zone, *values: Value) -> Value:
    digits = _input(values, zone).translate(_SPACES_OF_BASE64)
    if len(digits) % 4 == 0:
        digits = digits.removesuffix("=").removesuffix("=") if digits.endswith("==") else digits.removesuffix("=")
    if not re.fullmatch(r"[A-Za-z0-9+/]*", digits):
        raise EvaluationError("Invalid character")
    if len(digits) % 4 == 1:
        raise EvaluationError("The string to be decoded is not correctly encoded.")
    return b64decode(digits + "=" * (-len(digits) % 4)).decode("latin-1")


@local("encodeURIComponent")
def uri_component(zone: Zone, value: Value) -> Value:
    try:
        return quote(to_text(value, zone), safe="-_.!~*'()")
    except UnicodeEncodeError:
        raise EvaluationError("URI malformed") from None


# Regular expressions


@local("regexp")
def regexp(zone: Zone, pattern: Value, flags: Value) -> Value:
    return _regexp(zone, pattern, flags)


def _regexp(zone: Zone, pattern: Value, flags: Value) -> RegExp:
    """RegExp(pattern, flags): a regular expression without new flags is itself."""
    if isinstance(pattern, RegExp) and isinstance(flags, Undefined):
        return pattern
    text = pattern.pattern if isinstance(pattern, RegExp) else "" if isinstance(pattern, Undefined) else to_text(pattern, zone)
    made = RegExp(text, "" if isinstance(flags, Undefined) else to_text(flags, zone))
    matcher_of(made.pattern, made.flags)
    return made


@local("test")
def test(zone: Zone, pattern: Value, value: Value) -> Value:
    return tested(pattern if isinstance(pattern, RegExp) else RegExp(_source(pattern, zone)), to_text(value, zone))


def _source(pattern: Value, zone: Zone) -> str:
    return "" if isinstance(pattern, Undefined) else to_text(pattern, zone)


@local("replace")
def replace(zone: Zone, value: Value, pattern: Value, replacement: Value) -> Value:
    if not isinstance(pattern, (str, RegExp)):
        raise EvaluationError("Please pass a string or RegExp argument to replace.")
    return replaced(to_text(value, zone), pattern, to_text(replacement, zone))


@local("split")
def split(zone: Zone, value: Value, separator: Value, limit: Value) -> Value:
    text = to_text(value, zone)
    most = 2**32 - 1 if isinstance(limit, Undefined) else to_uint32(limit)
    if not most:
        return []
    if isinstance(separator, Undefined):
        return [text]
    if isinstance(separator, RegExp):
        return split_by(text, separator)[:most]
    return _parts(text, to_text(separator, zone))[:most]


def _parts(text: str, separator: str) -> list[Value]:
    units = units_of(text)
    if not separator:
        return list(units)
    return [joined(part) for part in units.split(units_of(separator))]
