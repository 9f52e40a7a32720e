"""Delimited text is cut as d3-dsv cuts it; the rows here are what Vega made of the texts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sheliak.loading.delimited import _cells_one_by_one, cells_of, table_of_text

RECORDED = [
    ("a,b\n1\n1,2,3\n\n4,5", [{"a": "1", "b": ""}, {"a": "1", "b": "2"}, {"a": "", "b": ""}, {"a": "4", "b": "5"}]),
    ('a,b\n"x"y,z\n"1""2",3', [{"a": "x", "b": ""}, {"a": '1"2', "b": "3"}]),
    ('a,b\n1,"xyz\n2,3', [{"a": "1", "b": "xyz\n2,3"}]),
    ('a,b\n1,"x\n2,3"\n', [{"a": "1", "b": "x\n2,3"}]),
    ("a,a\n1,2", [{"a": "2"}]),
    ("a,b\r1,2\r\n3,4\r\n", [{"a": "1", "b": "2"}, {"a": "3", "b": "4"}]),
    ('\ufeff"a",b\n1,2', [{'\ufeff"a"': "1", "b": "2"}]),
    ("", []),
    ("a,b", []),
]


def rows_of(text: str, separator: str = ",") -> list[dict[str, object]]:
    table = table_of_text(text, separator)
    values = [list(column.values()) for column in table.columns.values()]
    return [dict(zip(table.columns, row, strict=True)) for row in zip(*values, strict=True)]


@pytest.mark.parametrize(("text", "rows"), RECORDED)
def test_rows_are_those_of_vega(text: str, rows: list[dict[str, object]]) -> None:
    assert rows_of(text) == rows


def test_only_the_first_character_of_a_delimiter_counts() -> None:
    assert rows_of("a||b\n1||2", "||") == [{"a": "1", "": "", "b": "2"}]


def test_an_empty_delimiter_cuts_nothing() -> None:
    assert rows_of("a|b\n1|2", "") == [{"a|b": "1|2"}]


@given(st.text(alphabet='ab,;"\n\r', max_size=30), st.sampled_from([",", ";"]))
def test_the_quick_ways_cut_as_the_slow_one(text: str, separator: str) -> None:
    slow = _cells_one_by_one(text.removesuffix("\n").removesuffix("\r"), separator)
    quick = [row or [""] for row in cells_of(text, separator)] or [[""]]
    assert quick == slow


def test_a_very_long_cell_is_no_hindrance() -> None:
    assert rows_of('a,b\n"' + "x" * 200_000 + '",1')[0]["b"] == "1"
