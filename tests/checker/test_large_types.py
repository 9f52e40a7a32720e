"""Types stay small enough to be walked: what lies very deep, or too much of it, is unknown."""

from __future__ import annotations

from sheliak.types.bounds import MAX_LEVELS, MAX_PARTS, bounded, bounded_type
from sheliak.types.operations import type_of_value
from sheliak.types.render import render_record, render_type
from sheliak.types.shapes import NUMBER, STRING, UNKNOWN, Array, Record, Type


def nested(levels: int) -> Type:
    of: Type = NUMBER
    for _ in range(levels):
        of = Array(of)
    return of


def doubled(times: int) -> Record:
    record = Record({"x": NUMBER})
    for _ in range(times):
        record = Record({"a": record, "b": record})
    return record


def parts(of: Type) -> int:
    if isinstance(of, Record):
        return len(of.fields) + sum(map(parts, of.fields.values()))
    return 0


def test_an_ordinary_record_stays_the_very_same() -> None:
    record = Record({"a": NUMBER, "b": Record({"c": Array(STRING)}), "d": doubled(3)})
    assert bounded(record) is record


def test_a_wide_record_stays_as_it_is() -> None:
    record = Record({f"c{number}": NUMBER for number in range(2 * MAX_PARTS)})
    assert bounded(record) == record


def test_what_is_nested_very_deep_is_unknown() -> None:
    assert bounded_type(nested(MAX_LEVELS + 5)) == bounded_type(nested(MAX_LEVELS + 1)) != nested(MAX_LEVELS + 1)
    assert bounded_type(nested(MAX_LEVELS)) == nested(MAX_LEVELS)


def test_of_a_record_that_doubles_the_upper_levels_stay() -> None:
    record = bounded(doubled(60))
    assert parts(record) <= MAX_PARTS
    left = record.fields["a"]
    assert isinstance(left, Record)
    assert left.fields.keys() == {"a", "b"}


def test_a_union_with_something_too_deep_in_it_is_unknown_there() -> None:
    record = bounded(Record({"deep": nested(40), "flat": STRING}))
    assert record.fields["flat"] is STRING
    assert render_type(record.fields["deep"]).strip("[]") == "unknown"


def test_a_value_that_nests_as_deep_as_json_may_has_a_type() -> None:
    value: object = 1
    for _ in range(500):
        value = {"a": [value]}
    assert "unknown" in render_type(type_of_value(value), 100)


def test_a_record_inside_another_shows_fewer_fields() -> None:
    wide = Record({f"c{number}": NUMBER for number in range(20)})
    assert render_record(Record({"in": wide}), 6) == "{in: {c0: number, c1: number, c2: number, c3: number, …}}"
    assert render_record(doubled(4), 4) == "{a: {a: {…}, b: {…}}, b: {a: {…}, b: {…}}}"


def test_half_a_character_is_shown_escaped() -> None:
    assert render_record(Record({"\ud800": UNKNOWN})) == '{"\\ud800": unknown}'
