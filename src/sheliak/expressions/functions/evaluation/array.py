"""Arrays and, where a function takes both, text. Many take anything that can be indexed, and give NaN or undefined for the rest."""

from __future__ import annotations

from math import ceil, isfinite, isnan, nan
from typing import Final

from sheliak.expressions.arithmetic import largest, rounded_down, smallest
from sheliak.expressions.environment import reader_of
from sheliak.expressions.functions.evaluation.meaning import Meanings, declared
from sheliak.expressions.properties import item_of, property_of
from sheliak.expressions.sorting import sorted_by
from sheliak.expressions.texts import joined, units_of
from sheliak.expressions.values import (
    UNDEFINED,
    EvaluationError,
    Undefined,
    Value,
    add,
    array_text,
    compare,
    less_or_equal,
    less_than,
    strict_equal,
    to_boolean,
    to_int32,
    to_integer,
    to_number,
    to_text,
)
from sheliak.expressions.zones import UTC, Zone

MEANINGS: Meanings = {}
pure, local = declared(MEANINGS, "nothing"), declared(MEANINGS, "zone")

LONGEST: Final = 10_000_000
"""More elements, or characters of text, are not made: a spec is not trusted with the machine's memory."""


def first_of(array: Value) -> Value:
    """array[0]"""
    return item_of(array, 0.0, UTC)


@pure("peek")
def last_of(array: Value) -> Value:
    """array[array.length - 1]"""
    return item_of(array, to_number(property_of(array, "length")) - 1, UTC)


@pure("length")
def length_of(sequence: Value) -> Value:
    return property_of(sequence, "length")


@pure("span")
def span(array: Value) -> Value:
    if not to_boolean(array):
        return 0.0
    difference = to_number(last_of(array)) - to_number(first_of(array))
    return difference if to_boolean(difference) else 0.0


@local("extent")
def extent(zone: Zone, array: Value) -> Value:
    """The least and the greatest by `<`; null, undefined and a leading NaN are left out."""
    if not to_boolean(array) or not to_boolean(length := property_of(array, "length")):
        return [UNDEFINED, UNDEFINED]
    elements = _elements(array, to_number(length))
    first = next((at for at, element in enumerate(elements[:-1]) if _is_valid(element)), len(elements) - 1)
    low = high = elements[first]
    for element in elements[first:-1]:
        if element is not None and not isinstance(element, Undefined):
            low = element if less_than(element, low, zone) else low
            high = element if less_than(high, element, zone) else high
    return [low, high]


def _is_valid(value: Value) -> bool:
    return value is not None and not isinstance(value, Undefined) and not (isinstance(value, float) and isnan(value))


def _elements(array: Value, length: float) -> list[Value]:
    """What the indexes from 0 to the length find, the length itself included: Vega looks there when it finds nothing before."""
    if isinstance(array, list):
        return [*array, UNDEFINED]
    if length > LONGEST:
        raise EvaluationError(f"a length of more than {LONGEST} is not read")
    return [item_of(array, float(index), UTC) for index in range((ceil(length) if length > 0 else 0) + 1)]


@local("clampRange")
def clamp_range(zone: Zone, ends: Value, low: Value, high: Value) -> Value:
    """The range moved into [low, high] with its span kept; [low, high] itself when the span is too wide."""
    start, stop = first_of(ends), item_of(ends, 1.0, UTC)
    if less_than(stop, start, zone):
        start, stop = stop, start
    width = to_number(stop) - to_number(start)
    if width >= to_number(high) - to_number(low):
        return [low, high]
    moved = smallest(largest(to_number(start), to_number(low)), to_number(high) - width)
    return [moved, moved + width]


@local("flush")
def flush(zone: Zone, ends: Value, value: Value, threshold: Value, left: Value, right: Value, center: Value) -> Value:
    """`left` or `right` when the value is that near to an end of the range, else `center`."""
    if not to_boolean(threshold) and threshold != 0 or isinstance(threshold, bool) and not threshold:
        return center
    near = to_number(threshold)
    start, stop = first_of(ends), last_of(ends)
    if isinstance(stop, Undefined):
        return center
    if less_than(stop, start, zone):
        start, stop = stop, start
    to_start, to_stop = abs(to_number(value) - to_number(start)), abs(to_number(stop) - to_number(value))
    if to_start < to_stop and to_start <= near:
        return left
    return right if to_stop <= near else center


@local("inrange")
def inrange(zone: Zone, value: Value, ends: Value, left: Value, right: Value) -> Value:
    """Whether a value lies between the ends, which belong to the range unless `left` or `right` says otherwise."""
    start, stop = first_of(ends), last_of(ends)
    if less_than(stop, start, zone):
        start, stop = stop, start
    above = less_or_equal if isinstance(left, Undefined) or to_boolean(left) else less_than
    below = less_or_equal if isinstance(right, Undefined) or to_boolean(right) else less_than
    return above(start, value, zone) and below(value, stop, zone)


@local("lerp")
def lerp(zone: Zone, array: Value, fraction: Value) -> Value:
    """Between the first and the last element."""
    low, high, share = first_of(array), last_of(array), to_number(fraction)
    if isinstance(high, Undefined) or not to_boolean(share):
        return low
    return high if share == 1 else add(low, share * (to_number(high) - to_number(low)), zone)


@local("interpolateLinear")
def interpolate_linear(zone: Zone, array: Value, fraction: Value) -> Value:
    """Between the two neighbours of a position, the elements being evenly spaced from 0 to 1."""
    if not isinstance(array, list) or not array:
        return UNDEFINED
    share = to_number(fraction)
    if len(array) == 1 or not share > 0:
        return array[0]
    if share >= 1:
        return array[-1]
    position = share * (len(array) - 1)
    index = int(rounded_down(position))
    rest = position - index
    if not rest:
        return array[index]
    return add(array[index], rest * (to_number(array[index + 1]) - to_number(array[index])), zone)


@pure("sequence")
def sequence(*arguments: Value) -> Value:
    """start, start + step, ... below stop; with one argument from 0 to it."""
    numbers = [to_number(argument) for argument in arguments[:3]]
    if len(numbers) < 2:
        start, stop, step = 0.0, (numbers or [nan])[0], 1.0
    else:
        start, stop, step = numbers if len(numbers) == 3 else (*numbers, 1.0)
    count = _count(start, stop, step)
    if count > LONGEST:
        raise EvaluationError(f"a sequence of {count} numbers is not made: the limit is {LONGEST}")
    return [start + index * step for index in range(count)]


def _count(start: float, stop: float, step: float) -> int:
    if not step or not isfinite(distance := (stop - start) / step):
        return 0
    # JavaScript takes the count by 32 bits, and refuses what is negative then.
    count = to_int32(float(max(0, ceil(distance))))
    if count < 0:
        raise EvaluationError("Invalid array length")
    return count


@local("pluck")
def pluck(zone: Zone, data: Value, name: Value) -> Value:
    """What an access path reads from a value, or from each element of an array."""
    if name is None or isinstance(name, Undefined):
        raise EvaluationError(f"Cannot read properties of {to_text(name)} (reading 'length')")
    if isinstance(name, list):
        raise EvaluationError("an array is no access path")  # Vega would take it for the first letters of its text
    # Vega reads a path by its length, and what is no text has none: an empty path, which reads the value itself.
    read = reader_of(name if isinstance(name, str) else "")
    return [read(element) for element in data] if isinstance(data, list) else read(data)


# Arrays only


def _array(value: Value, function: str) -> list[Value]:
    if isinstance(value, list):
        return value
    raise EvaluationError(f"Cannot read properties of null (reading '{function}')")


def _sequence(value: Value, function: str) -> list[Value] | str:
    if isinstance(value, (list, str)):
        return value
    raise EvaluationError(f"Cannot read properties of null (reading '{function}')")


@local("join")
def join(zone: Zone, array: Value, separator: Value) -> Value:
    return array_text(_array(array, "join"), "," if isinstance(separator, Undefined) else to_text(separator, zone), zone)


@pure("reverse")
def reverse(array: Value) -> Value:
    return _array(array, "slice")[::-1]


@local("sort")
def sort(zone: Zone, array: Value) -> Value:
    """In Vega's order; JavaScript itself puts undefined last."""

    def order(a: Value, b: Value) -> int:
        return compare(a, b, zone)

    elements = _array(array, "slice")
    ordered = sorted_by([element for element in elements if not isinstance(element, Undefined)], order)
    return [*ordered, *[UNDEFINED] * (len(elements) - len(ordered))]


# Arrays and text


@pure("slice")
def slice_of(value: Value, start: Value, end: Value) -> Value:
    whole = _sequence(value, "slice")
    units = units_of(whole) if isinstance(whole, str) else whole
    low = _position(to_integer(start), len(units))
    high = len(units) if isinstance(end, Undefined) else _position(to_integer(end), len(units))
    part = units[low : max(low, high)]
    return joined(part) if isinstance(part, str) else part


def _position(index: float, count: int) -> int:
    """A position from the start, or from the end if negative, within the sequence."""
    return int(max(count + index, 0)) if index < 0 else int(min(index, count))


@local("indexof")
def index_of(zone: Zone, value: Value, sought: Value, start: Value) -> Value:
    whole = _sequence(value, "indexOf")
    if isinstance(whole, str):
        units = units_of(whole)
        return float(units.find(units_of(to_text(sought, zone)), int(min(max(to_integer(start), 0), len(units)))))
    first = _position(to_integer(start), len(whole))
    return next((float(at) for at in range(first, len(whole)) if strict_equal(whole[at], sought)), -1.0)


@local("lastindexof")
def last_index_of(zone: Zone, *arguments: Value) -> Value:
    value, sought, start = (*arguments, UNDEFINED, UNDEFINED, UNDEFINED)[:3]
    whole = _sequence(value, "lastIndexOf")
    if isinstance(whole, str):
        units, part = units_of(whole), units_of(to_text(sought, zone))
        last = len(units) if to_number(start) != to_number(start) else int(min(max(to_integer(start), 0), len(units)))
        return float(units.rfind(part, 0, last + len(part)))
    last = len(whole) - 1 if len(arguments) < 3 else _last_position(to_integer(start), len(whole))
    return next((float(at) for at in range(last, -1, -1) if strict_equal(whole[at], sought)), -1.0)


def _last_position(index: float, count: int) -> int:
    return int(max(count + index, -1)) if index < 0 else int(min(index, count - 1))
