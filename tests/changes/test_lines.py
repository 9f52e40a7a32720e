"""Changes as lines of JSON: the calculus' format, with Vega's values."""

from __future__ import annotations

import json
import math

import pytest

from sheliak.calculus.change_lines import read_changes
from sheliak.calculus.type_syntax import NUMBER, RecordType
from sheliak.changes.change import Add, Group, Remove, Update
from sheliak.changes.lines import MalformedChange, line_text, lines_of, read_pulses
from sheliak.changes.sameness import same
from sheliak.expressions.values import UNDEFINED, Date, Row

TEXT = """{"data": "t", "id": 1, "add": {"a": 1}}
{"data": "t", "id": "x", "add": {"a": {"$num": "NaN"}}}
{"commit": true}

{"data": "t", "id": 1, "update": {"a": 2}}
{"data": "t", "id": "x", "remove": true}
"""


def test_pulses_end_with_a_commit_or_the_text() -> None:
    first, second = read_pulses(TEXT)
    assert [(line.number, line.dataset, line.kind, line.id) for line in first] == [(1, "t", "add", 1), (2, "t", "add", "x")]
    assert [(line.number, line.kind, line.id, line.row) for line in second] == [
        (5, "update", 1, {"a": 2.0}),
        (6, "remove", "x", None),
    ]


def test_the_calculus_reads_the_same_lines() -> None:
    theirs = read_changes(TEXT, {"t": RecordType({"a": NUMBER})}, frozenset())
    ours = read_pulses(TEXT)
    assert [[(name, type(u).__name__.lower()) for name, u in pulse] for pulse in theirs] == [
        [(line.dataset, line.kind) for line in pulse] for pulse in ours
    ]


def test_empty_pulses_are_pulses() -> None:
    assert read_pulses('{"commit": true}\n{"commit": true}\n') == [(), ()]


def test_values_that_json_cannot_hold() -> None:
    row: Row = {"n": math.nan, "z": -0.0, "d": Date(5.0), "u": UNDEFINED, "e": {"$num": "seven"}, "l": [math.inf]}
    ((line,),) = read_pulses(line_text("t", Add(1, row)))
    assert line.row is not None
    assert same(line.row, row)


def test_writing_and_reading_again() -> None:
    changes = [("t", Add(1, {"$a": 1.0})), ("t", Update("x", {}, {"b": None})), ("u", Remove(2.5, {}))]
    ((add, update, remove),) = read_pulses("\n".join(lines_of(changes)))
    assert (add.id, add.row) == (1, {"$a": 1.0})
    assert (update.id, update.row) == ("x", {"b": None})
    assert (remove.dataset, remove.id, remove.row) == ("u", 2.5, None)


def test_the_id_of_a_derived_row_is_its_trace() -> None:
    assert json.loads(line_text("totals", Remove(Group("aggregate", "x"), {})))["id"] == 'aggregate("x")'


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"data": "t"', "this is no JSON"),
        ("[1]", "a line is"),
        ('{"data": "t", "id": 1}', "a line is"),
        ('{"data": "t", "id": 1, "add": {}, "remove": true}', "a line is"),
        ('{"data": "t", "id": 1, "ad": {}}', 'the key "ad" has no meaning here'),
        ('{"data": 1, "id": 1, "add": {}}', "the name of a dataset is a string"),
        ('{"data": "t", "id": null, "add": {}}', "an id is a number or a string"),
        ('{"data": "t", "id": true, "add": {}}', "an id is a number or a string"),
        ('{"data": "t", "id": 1, "add": 5}', "a row is a JSON object"),
        ('{"data": "t", "id": 1, "add": {"$date": 5}}', "a row is a JSON object"),
        ('{"data": "t", "id": 1, "remove": false}', "a remove is"),
        ('{"data": "t", "id": 1, "id": 2, "remove": true}', 'the key "id" is there twice'),
        ('{"data": "t", "id": 1, "add": {"a": NaN}}', "NaN is no JSON"),
        ('{"data": "t", "id": 1, "add": {"a": 1e999}}', "too large for a double"),
        ('{"data": "t", "id": 1e999, "add": {}}', "too large for a double"),
        ('{"data": "t", "id": 1, "add": {"a": {"$num": "seven"}}}', '"$num" is one of'),
        ('{"data": "t", "id": 1, "add": {"a": {"$date": "today"}}}', '"$date" is a number'),
        ('{"commit": false}', "a commit is"),
        ('{"commit": true, "id": 1}', "a commit is"),
        ('{"data": "t", "id": 1, "add": {"a": ' + "[" * 100_000 + "]" * 100_000 + "}}", "nested too deeply"),
    ],
)
def test_a_line_that_is_no_change_is_told_with_its_number(line: str, message: str) -> None:
    with pytest.raises(MalformedChange) as caught:
        read_pulses(f'{{"commit": true}}\n\n{line}\n')
    assert message in str(caught.value)
    assert caught.value.line == 3
