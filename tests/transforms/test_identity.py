"""Rows keep the identity that Vega gives them: what breaks ties, which rows are copied, who sees what is written into them.

All expected rows were seen in Vega.
"""

from __future__ import annotations

from sheliak.engines.reference.engine import run_reference

FORMULA = {"type": "formula", "expr": "5", "as": "z"}
BY_N = {"type": "collect", "sort": {"field": "n"}}
DOWN_BY_M = {"type": "collect", "sort": {"field": "m", "order": "descending"}}
ROWS = [{"n": 1, "m": 1}, {"n": 1, "m": 2}, {"n": 0, "m": 3}]


def last_rows(*data: dict[str, object]) -> list[dict[str, object]]:
    result = run_reference({"data": [*data]}, now=0)
    assert result.errors == ()
    rows = list(result.datasets.values())[-1].rows
    assert rows is not None
    return [dict(row) for row in rows]


def test_a_pipeline_that_writes_gets_rows_of_its_own() -> None:
    derived = {"name": "b", "source": "a", "transform": [FORMULA]}
    assert last_rows({"name": "a", "values": [{"n": 1}]}, derived, {"name": "c", "source": "a"}) == [{"n": 1}]


def test_behind_a_sequence_the_other_datasets_rows_are_written_into() -> None:
    """Vega takes the rows behind a generating transform for new ones, and `sequence` keeps the old."""
    derived = {"name": "b", "source": "a", "transform": [{"type": "sequence", "start": 0, "stop": 1}, FORMULA]}
    assert last_rows({"name": "a", "values": [{"n": 1}]}, derived, {"name": "c", "source": "a"}) == [{"n": 1, "z": 5}]


def test_ties_of_shared_rows_are_broken_by_their_first_order() -> None:
    data = [{"name": "a", "values": ROWS, "transform": [DOWN_BY_M]}, {"name": "b", "source": "a", "transform": [BY_N]}]
    assert [row["m"] for row in last_rows(*data)] == [3, 1, 2]


def test_ties_of_copied_rows_are_broken_by_the_order_of_copying() -> None:
    data = [{"name": "a", "values": ROWS, "transform": [DOWN_BY_M]}, {"name": "b", "source": "a", "transform": [FORMULA, BY_N]}]
    assert [row["m"] for row in last_rows(*data)] == [3, 2, 1]


def test_rows_of_two_sources_are_told_apart_by_when_they_came() -> None:
    first, second = {"name": "a", "values": [{"m": 1}, {"m": 2}]}, {"name": "b", "values": [{"m": 3}]}
    assert [row["m"] for row in last_rows(first, second, {"name": "c", "source": ["b", "a"], "transform": [BY_N]})] == [1, 2, 3]


def test_a_copied_row_is_not_the_one_that_another_row_holds() -> None:
    holding = {"type": "joinaggregate", "ops": ["argmax"], "fields": ["n"], "as": ["best"]}
    same = {"type": "formula", "expr": "datum.best === datum", "as": "best"}
    data = {"name": "a", "values": [{"n": 1}, {"n": 2}], "transform": [holding]}
    copied = last_rows(data, {"name": "b", "source": "a", "transform": [same]})
    assert [row["best"] for row in copied] == [False, False]
    own = last_rows({**data, "transform": [holding, same]})
    assert [row["best"] for row in own] == [False, True]
