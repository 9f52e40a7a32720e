"""Changes, what several of them amount to, and traces as text."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sheliak.changes.change import (
    Add,
    Branch,
    Change,
    Group,
    Pair,
    Piece,
    Remove,
    Trace,
    Update,
    counts_of,
    net,
    trace_text,
)
from sheliak.changes.sameness import same
from sheliak.changes.table import difference, table_of
from sheliak.expressions.values import UNDEFINED, Date, Row, Value

ONE: Row = {"a": 1.0}
TWO: Row = {"a": 2.0}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ([], ()),
        ([Add(1, ONE), Update(1, ONE, TWO)], (Add(1, TWO),)),
        ([Add(1, ONE), Remove(1, ONE)], ()),
        ([Update(1, ONE, TWO), Update(1, TWO, ONE)], ()),
        ([Remove(1, ONE), Add(1, TWO)], (Update(1, ONE, TWO),)),
        ([Remove(1, ONE), Add(1, ONE)], ()),
        ([Update(1, ONE, TWO), Remove(1, TWO)], (Remove(1, ONE),)),
        ([Add(1, ONE), Add(2, TWO)], (Add(1, ONE), Add(2, TWO))),
    ],
)
def test_several_changes_of_a_row_amount_to_one(changes: list[Change], expected: tuple[Change, ...]) -> None:
    assert net(changes) == expected


def test_counts() -> None:
    counts = counts_of([Add(1, ONE), Add(2, ONE), Update(1, ONE, TWO), Remove(2, ONE)])
    assert (counts.add, counts.update, counts.remove) == (2, 1, 1)


@pytest.mark.parametrize(
    ("trace", "text"),
    [
        (3, "3"),
        ("a b", '"a b"'),
        (0.5, "0.5"),
        (Pair(1, "x"), '(1, "x")'),
        (Piece("fold", 3, 0), "fold(3, 0)"),
        (Group("aggregate", "novel"), 'aggregate("novel")'),
        (Group("aggregate", ()), "aggregate()"),
        (Group("quantile", "x", 2), 'quantile("x", 2)'),
        (Group("density", (), 2), "density(2)"),
        (Group("impute", ("x", "1")), 'impute("x", "1")'),
        (Branch("t", 0, 3), "t: 3"),
        (Branch("t", 1, Pair(1, 2)), "t#1: (1, 2)"),
    ],
)
def test_a_trace_as_text(trace: Trace, text: str) -> None:
    assert trace_text(trace) == text


@pytest.mark.parametrize(
    ("a", "b", "is_same"),
    [
        (math.nan, math.nan, True),
        (0.0, -0.0, False),
        (1.0, True, False),
        (None, UNDEFINED, False),
        (Date(5.0), Date(5.0), True),
        (Date(math.nan), Date(math.nan), True),
        (Date(5.0), 5.0, False),
        ([1.0, "a"], [1.0, "a"], True),
        ([1.0], [1.0, 2.0], False),
        ({"a": None}, {"a": UNDEFINED}, False),
        ({"a": 1.0}, {}, False),
        ({"a": {"b": [math.nan]}}, {"a": {"b": [math.nan]}}, True),
        ("1", 1.0, False),
    ],
)
def test_when_two_values_are_the_same(a: Value, b: Value, is_same: bool) -> None:
    assert same(a, b) is is_same
    assert same(b, a) is is_same


def test_rows_that_hold_themselves_can_be_compared() -> None:
    rows: list[Row] = [{"n": 1.0}, {"n": 1.0}, {"n": 2.0}]
    for row in rows:
        row["self"] = [row]
    assert same(rows[0], rows[1])
    assert not same(rows[0], rows[2])


VALUES = st.sampled_from([0.0, -0.0, 1.0, math.nan, "x", None, True])
ROWS = st.dictionaries(st.sampled_from("ab"), VALUES)
TABLES = st.dictionaries(st.integers(0, 5), ROWS).map(lambda rows: table_of(dict(rows)))


@given(TABLES, TABLES)
def test_the_difference_leads_from_one_table_to_the_other(before, after) -> None:  # type: ignore[no-untyped-def]
    rows = dict(before.rows)
    for change in difference(before, after):
        match change:
            case Add(trace, row):
                assert trace not in rows
                rows[trace] = row
            case Update(trace, old, new):
                assert rows[trace] is old
                rows[trace] = new
            case Remove(trace, row):
                assert rows.pop(trace) is row
    assert rows.keys() == after.rows.keys()
    assert all(same(rows[trace], row) for trace, row in after.rows.items())
