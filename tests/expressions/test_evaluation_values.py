"""JavaScript's values: conversions, comparisons, order, and their form as JSON."""

from __future__ import annotations

from functools import cmp_to_key
from math import copysign, inf, isnan, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sheliak.expressions.values import (
    UNDEFINED,
    Date,
    RegExp,
    Value,
    add,
    compare,
    decode,
    divided,
    encode,
    key_text,
    less_than,
    loose_equal,
    remainder,
    strict_equal,
    to_boolean,
    to_int32,
    to_number,
    to_text,
    type_of,
)
from sheliak.expressions.zones import zone_of

PLAIN = (
    st.none()
    | st.booleans()
    | st.floats()
    | st.text()
    | st.just(UNDEFINED)
    | st.builds(Date, st.integers(-(10**14), 10**14).map(float))
)
VALUES: st.SearchStrategy[Value] = st.recursive(
    PLAIN, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3), max_leaves=8
)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (UNDEFINED, "undefined"),
        (None, "null"),
        (True, "true"),
        (-0.0, "0"),
        (1e21, "1e+21"),
        (nan, "NaN"),
        ([], ""),
        ([None, UNDEFINED, [1.0]], ",,1"),
        ({"a": 1.0}, "[object Object]"),
        (RegExp("a/b", "ig"), r"/a\/b/gi"),
        (RegExp(""), "/(?:)/"),
        (Date(nan), "Invalid Date"),
        (Date(0.0), "Thu Jan 01 1970 00:00:00 GMT+0000 (Coordinated Universal Time)"),
        (Date(-1e14), "Thu Feb 15 -1199 14:13:20 GMT+0000 (Coordinated Universal Time)"),
    ],
)
def test_every_value_has_a_text(value: Value, text: str) -> None:
    assert to_text(value) == text


def test_dates_are_written_in_local_time_with_the_name_of_the_zone() -> None:
    winter, summer = Date(1577836800000.0), Date(1593561600000.0)
    assert to_text(winter, zone_of("America/New_York")) == "Tue Dec 31 2019 19:00:00 GMT-0500 (Eastern Standard Time)"
    assert to_text(summer, zone_of("Europe/Berlin")) == "Wed Jul 01 2020 02:00:00 GMT+0200 (Central European Summer Time)"


@pytest.mark.parametrize("value", [UNDEFINED, None, False, 0.0, -0.0, nan, ""])
def test_seven_values_are_false(value: Value) -> None:
    assert not to_boolean(value)


@pytest.mark.parametrize("value", [True, 1.0, inf, "0", "false", [], {}, Date(nan), RegExp("")])
def test_all_others_are_true(value: Value) -> None:
    assert to_boolean(value)


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (None, 0.0),
        (True, 1.0),
        ("", 0.0),
        (" 12 ", 12.0),
        ("0x10", 16.0),
        ([], 0.0),
        (["5"], 5.0),
        (Date(7.0), 7.0),
        ("-Infinity", -inf),
    ],
)
def test_conversion_to_a_number(value: Value, number: float) -> None:
    assert to_number(value) == number


@pytest.mark.parametrize("value", [UNDEFINED, "1px", "1_000", [1.0, 2.0], {}, Date(nan)])
def test_what_is_no_number(value: Value) -> None:
    assert isnan(to_number(value))


@given(VALUES)
def test_values_survive_their_json(value: Value) -> None:
    assert encode(decode(encode(value))) == encode(value)


def test_an_object_with_one_key_that_begins_with_a_dollar_is_escaped() -> None:
    assert encode({"$date": 1.0}) == {"$escape": {"$date": 1}}
    assert decode({"$escape": {"$date": 1}}) == {"$date": 1.0}


@given(VALUES, VALUES)
def test_strictly_equal_values_are_equal(a: Value, b: Value) -> None:
    assert not strict_equal(a, b) or loose_equal(a, b)


@given(VALUES, VALUES)
def test_equality_is_symmetric(a: Value, b: Value) -> None:
    assert loose_equal(a, b) == loose_equal(b, a)
    assert strict_equal(a, b) == strict_equal(b, a)


@given(VALUES, VALUES)
def test_order_is_antisymmetric(a: Value, b: Value) -> None:
    assert compare(a, b) == -compare(b, a)


@given(st.lists(st.none() | st.floats() | st.just(UNDEFINED)))
def test_nothing_comes_before_not_a_number_and_that_before_numbers(values: list[Value]) -> None:
    ordered = sorted(values, key=cmp_to_key(compare))
    ranks = [0 if value is None or value is UNDEFINED else 1 if isnan(to_number(value)) else 2 for value in ordered]
    assert ranks == sorted(ranks)


def test_text_is_ordered_by_its_units() -> None:
    smile, private = "\U0001f600", "\ue000"
    assert less_than(smile, private)
    assert smile > private, "by characters it is the other way round"


def test_surrogates_that_meet_become_one_character() -> None:
    assert add("\ud83d", "\ude00") == "😀"


@given(st.floats(), st.floats())
def test_remainder_has_the_sign_of_the_dividend(a: float, b: float) -> None:
    rest = remainder(a, b)
    assert isnan(rest) or copysign(1.0, rest) == copysign(1.0, a)


def test_division_never_raises() -> None:
    assert divided(1.0, -0.0) == -inf
    assert isnan(divided(0.0, 0.0))
    assert isnan(divided(nan, 0.0))


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_bits_wrap_around(number: float) -> None:
    assert -(2**31) <= to_int32(number) < 2**31
    assert (to_int32(number) - int(number)) % 2**32 == 0


def test_groups_tell_values_apart_by_text() -> None:
    assert key_text(1.0) == key_text("1")
    assert key_text(None) == key_text("null")
    assert key_text(Date(100.0)) == key_text(Date(900.0)), "dates to the second"


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (None, "object"),
        (UNDEFINED, "undefined"),
        ("", "string"),
        (0.0, "number"),
        (True, "boolean"),
        ([], "object"),
        (Date(0.0), "object"),
    ],
)
def test_typeof(value: Value, kind: str) -> None:
    assert type_of(value) == kind
