"""Datasets on Spark that follow changes: what is told, what is kept, and what cannot be."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pyspark.sql import SparkSession

import sheliak
from engines.comparing import difference_of_rows
from sheliak.changes.change import Add, Rejected, Remove, Update
from sheliak.changes.lines import MalformedChange, read_pulses
from sheliak.engines.failures import RunFailure
from sheliak.engines.reference.engine import run_reference
from sheliak.engines.reference.inputs import Surroundings
from sheliak.engines.spark.live.step import LiveSpark, open_live
from sheliak.engines.spark.live.store import Draft, Store, open_store
from sheliak.expressions.zones import zone_of
from sheliak.loading.folders import DataFolders
from sheliak.running.live import Live
from sheliak.source.tree import Node

TOTALS = {
    "signals": [{"name": "least", "value": 10}],
    "data": [
        {"name": "t", "values": [{"g": "a", "x": 1}, {"g": "b", "x": 20}, {"g": "a", "x": 30}]},
        {
            "name": "totals",
            "source": "t",
            "transform": [
                {"type": "filter", "expr": "datum.x > least"},
                {"type": "formula", "as": "y", "expr": "2 * datum.x + 1"},
                {"type": "aggregate", "groupby": ["g"], "ops": ["count", "sum"], "fields": [None, "y"], "as": ["n", "y"]},
            ],
        },
    ],
}


@pytest.fixture
def live(interpreted: SparkSession) -> Live:
    return sheliak.open(TOTALS, spark=interpreted)


def test_a_pulse_tells_what_it_does_to_every_dataset(live: Live) -> None:
    with live:
        told = live.apply(
            [
                {"data": "t", "id": 1, "update": {"g": "a", "x": 11}},
                {"data": "t", "id": 2, "remove": True},
                {"data": "t", "id": "new", "add": {"g": "c", "x": 12}},
            ]
        )
        assert {change.trace: change for change in told["totals"]} == {
            'group("b")': Remove('group("b")', {"g": "b", "n": 1.0, "y": 41.0}),
            'group("a")': Update('group("a")', {"g": "a", "n": 1.0, "y": 61.0}, {"g": "a", "n": 2.0, "y": 84.0}),
            'group("c")': Add('group("c")', {"g": "c", "n": 1.0, "y": 25.0}),
        }
        assert {change.trace for change in told["t"]} == {1, 2, "new"}
        assert live.datasets["totals"].to_pylist() == [{"g": "a", "n": 2.0, "y": 84.0}, {"g": "c", "n": 1.0, "y": 25.0}]
        assert live.inputs == ["t"]
        assert list(live.datasets) == ["t", "totals"]


def test_numbers_of_numpy_are_numbers(live: Live) -> None:
    with live:
        added = {"g": "c", "x": np.float32(12.5), "n": np.int64(3)}
        told = live.apply([{"data": "t", "id": np.int64(9), "add": added}, {"data": "t", "id": np.int64(2), "remove": True}])
        assert [change.trace for change in told["t"]] == [2, 9]
        assert live.rows("t")[-1] == {"g": "c", "x": 12.5, "n": 3}
        with pytest.raises(TypeError, match="no value of a chart has the type complex"):
            live.apply([{"data": "t", "id": 10, "add": {"g": 1j}}])


def test_a_step_that_cannot_be_written_leaves_the_groups_as_they_were(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(draft: Draft) -> None:
        raise RunFailure("the disk is full")

    pulse = [{"data": "t", "id": 11, "add": {"g": "a", "x": 100}}, {"data": "t", "id": 2, "remove": True}]
    with live:
        live.apply([{"data": "t", "id": 10, "add": {"g": "a", "x": 50}}, {"data": "t", "id": 1, "update": {"g": "b", "x": 40}}])
        with monkeypatch.context() as patched, pytest.raises(RunFailure, match="the disk is full"):
            patched.setattr(Draft, "commit", refuse)
            live.apply(pulse)
        assert {str(row["g"]): (row["n"], row["y"]) for row in live.rows("totals")} == {"a": (2, 162), "b": (2, 122)}
        told = live.apply(pulse)
        assert {change.trace: change for change in told["totals"]} == {
            'group("a")': Update('group("a")', {"g": "a", "n": 2.0, "y": 162.0}, {"g": "a", "n": 3.0, "y": 363.0}),
            'group("b")': Update('group("b")', {"g": "b", "n": 2.0, "y": 122.0}, {"g": "b", "n": 1.0, "y": 81.0}),
        }
        # A group that all rows have left begins anew, with the place of its new first row.
        live.apply([{"data": "t", "id": 1, "remove": True}])
        live.apply([{"data": "t", "id": 12, "add": {"g": "b", "x": 60}}])
        assert live.rows("totals") == [{"g": "a", "n": 3, "y": 363}, {"g": "b", "n": 1, "y": 121}]


def test_the_order_of_what_is_told_does_not_hang_on_the_step_before(live: Live) -> None:
    both = [{"data": "t", "id": 10, "add": {"g": "b", "x": 50}}, {"data": "t", "id": 11, "add": {"g": "a", "x": 60}}]
    again = [{**one, "id": id} for one, id in zip(both, (20, 21), strict=True)]
    with live:
        before = [change.trace for change in live.apply(both)["totals"]]
        last = "a" if before[1] == 'group("a")' else "b"
        live.apply([{"data": "t", "id": 30, "add": {"g": last, "x": 70}}])
        assert [change.trace for change in live.apply(again)["totals"]] == before


def test_rows_in_pairs_are_told_by_identity(interpreted: SparkSession) -> None:
    spec = {
        "data": [
            {"name": "t", "values": [{"x": 1}, {"x": 1}], "transform": [{"type": "cross"}]},
            {"name": "others", "source": "t", "transform": [{"type": "filter", "expr": "datum.a !== datum.b"}]},
            {"name": "counted", "source": "others", "transform": [{"type": "aggregate"}]},
        ]
    }
    with sheliak.open(spec, spark=interpreted) as live:
        assert [row["count"] for row in live.rows("counted")] == [2]
        told = live.apply([{"data": "t", "id": 3, "add": {"x": 1}}])
        assert [row["count"] for row in live.rows("counted")] == [6]
        assert len(live.rows("others")) == 6
        assert len([change for change in told["others"] if isinstance(change, Add)]) == 4


def test_a_pulse_that_amounts_to_nothing_tells_nothing(live: Live) -> None:
    with live:
        lines = '{"data": "t", "id": 9, "add": {"g": "z", "x": 99}}\n{"data": "t", "id": 9, "remove": true}\n'
        assert live.apply(lines) == {}


def test_a_row_that_leaves_and_comes_back_goes_to_the_end_and_is_told_once(live: Live) -> None:
    with live:
        told = live.apply([("t", Remove(1, {})), ("t", Add(1, {"g": "a", "x": 2.0}))])
        assert told == {"t": (Update(1, {"g": "a", "x": 1.0}, {"g": "a", "x": 2.0}),)}
        assert [row["x"] for row in live.rows("t")] == [20, 30, 2]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"data": "t", "id": 1, "add": {}}, "t: 1: add of a row that is there already (line 1)"),
        ({"data": "t", "id": 7, "remove": True}, "t: 7: remove of a row that is not there (line 1)"),
        ({"data": "totals", "id": 7, "add": {}}, "totals: 7: `totals` is computed from another dataset; changes go to `t`"),
        ({"data": "u", "id": 7, "add": {}}, "u: 7: `u` is no dataset of the spec; changes go to `t`"),
    ],
)
def test_a_pulse_that_cannot_be_changes_nothing(live: Live, change: dict[str, object], reason: str) -> None:
    with live:
        before = live.rows("totals")
        with pytest.raises(Rejected) as rejected:
            live.apply([change, {"data": "t", "id": 50, "add": {"g": "a", "x": 50}}])
        assert str(rejected.value) == reason
        assert live.rows("totals") == before
        assert live.apply([{"data": "t", "id": 50, "add": {"g": "a", "x": 50}}])["totals"]


def test_what_is_no_change_is_told_before_anything_happens(live: Live) -> None:
    with live:
        for wrong in ({"data": "t", "id": 1}, {"data": "t", "id": True, "remove": True}, {"data": "t", "id": 1, "add": 3}):
            with pytest.raises(MalformedChange):
                live.apply([wrong])


def test_rows_that_stop_the_run_are_rejected(interpreted: SparkSession) -> None:
    spec = {
        "data": [{"name": "t", "values": [{"a": {"b": 1}}], "transform": [{"type": "formula", "as": "c", "expr": "datum.a.b"}]}]
    }
    with sheliak.open(spec, spark=interpreted, check=False) as live:
        with pytest.raises(Rejected):
            live.apply([{"data": "t", "id": 2, "add": {"a": None}}])
        assert live.rows("t") == [{"a": {"b": 1}, "c": 1}]


def test_half_of_a_character_is_rejected_and_the_next_pulse_goes_on(live: Live) -> None:
    with live:
        with pytest.raises(Rejected, match="half of a character"):
            live.apply([{"data": "t", "id": 9, "add": {"g": "\ud83d", "x": 50}}])
        assert live.apply([{"data": "t", "id": 9, "add": {"g": "c", "x": 50}}])["totals"] == (
            Add('group("c")', {"g": "c", "n": 1.0, "y": 101.0}),
        )


def test_datasets_with_one_plan_are_told_alike(interpreted: SparkSession) -> None:
    doubled = {"name": "u", "source": "t", "transform": [{"type": "formula", "as": "y", "expr": "2 * datum.x"}]}
    spec = {"data": [{"name": "t", "values": [{"x": 1}]}, doubled, {"name": "v", "source": "u"}, {"name": "w", "source": "u"}]}
    with sheliak.open(spec, spark=interpreted) as live:
        told = live.apply([{"data": "t", "id": 2, "add": {"x": 4}}])
        assert [[change.row for change in told[name] if isinstance(change, Add)] for name in "uvw"] == 3 * [
            [{"x": 4.0, "y": 8.0}]
        ]


def test_signals_get_values_and_keep_them(live: Live) -> None:
    with live:
        assert live.update({"least": 25})["totals"] == (Remove('group("b")', {"g": "b", "n": 1.0, "y": 41.0}),)
        assert live.apply([{"data": "t", "id": 5, "add": {"g": "b", "x": 24}}]).keys() == {"t"}
        assert live.signals["least"] == 25
        with pytest.raises(RunFailure, match="the spec has no signal `most`"):
            live.update({"most": 1})


def test_rows_of_other_types_than_before(live: Live) -> None:
    with live:
        told = live.apply([{"data": "t", "id": 4, "add": {"g": 7, "x": "40", "more": [1]}}])
        assert told["totals"] == (Add("group(7)", {"g": 7, "n": 1.0, "y": 81.0}),) or told["totals"][0].trace == 'group("7")'
        assert live.rows("t")[-1] == {"g": 7, "x": "40", "more": [1]}


def _opened(spec: dict[str, object], session: SparkSession, folder: Path) -> tuple[LiveSpark, Store]:
    store = open_store(folder, "test", durable=False)
    around = Surroundings(DataFolders(None), zone_of("UTC"), 42, 0.0)
    return open_live(Node(spec), around, {}, session, store), store


def test_a_store_is_enough_to_go_on(interpreted: SparkSession, tmp_path: Path) -> None:
    live, store = _opened(TOTALS, interpreted, tmp_path)
    (pulse,) = read_pulses('{"data": "t", "id": 8, "add": {"g": "c", "x": 12}}')
    live.step([pulse], 0)
    live.update({"least": 11}, 1)
    live.close()
    store.close()
    without_rows = {**TOTALS, "data": [{"name": "t", "values": []}, TOTALS["data"][1]]}
    live, store = _opened(without_rows, interpreted, tmp_path)
    assert store.batch == 1
    assert [row["g"] for row in live.rows("totals")] == ["b", "a", "c"]
    assert live.signals["least"] == 11
    (pulse,) = read_pulses('{"data": "t", "id": 8, "remove": true}')
    assert live.step([pulse], 2).changes["totals"] == (Remove('group("c")', {"g": "c", "n": 1.0, "y": 25.0}),)
    live.close()
    store.close()


KEYS: dict[str, object] = {
    "data": [
        {"name": "t", "values": [{"k": 1, "x": 1}, {"k": "odd", "x": 2}, {"k": 1, "x": 4}]},
        {
            "name": "counts",
            "source": "t",
            "transform": [
                {"type": "aggregate", "groupby": ["k"], "ops": ["count", "max"], "fields": [None, "x"], "as": ["n", "x"]}
            ],
        },
        {"name": "curves", "source": "t", "transform": [{"type": "quantile", "field": "x", "groupby": ["k"], "probs": [0.5]}]},
    ],
}


def test_groups_are_the_same_when_the_only_text_among_their_keys_is_gone(interpreted: SparkSession, tmp_path: Path) -> None:
    live, store = _opened(KEYS, interpreted, tmp_path)
    before = {name: live.traced(name).traces[0] for name in ("counts", "curves")}
    (gone,) = read_pulses('{"data": "t", "id": 2, "remove": true}')
    live.step([gone], 0)
    assert {name: live.traced(name).traces for name in before} == {name: [trace] for name, trace in before.items()}
    live.close()
    store.close()
    live, store = _opened(KEYS, interpreted, tmp_path)
    assert {name: live.traced(name).traces for name in before} == {name: [trace] for name, trace in before.items()}
    (more,) = read_pulses('{"data": "t", "id": 9, "add": {"k": 1, "x": 8}}')
    told = live.step([more], 1).changes
    assert {name: [change.trace for change in told[name]] for name in before} == {name: [trace] for name, trace in before.items()}
    assert live.rows("counts") == [{"k": 1.0, "n": 3.0, "x": 8.0}]
    live.close()
    store.close()


def test_pulses_of_a_batch_are_rejected_one_by_one(interpreted: SparkSession, tmp_path: Path) -> None:
    live, store = _opened(TOTALS, interpreted, tmp_path)
    good = '{"data": "t", "id": %d, "add": {"g": "c", "x": 12}}'
    pulses = read_pulses("\n".join([good % 8, '{"commit":true}', good % 8, '{"commit":true}', good % 9]))
    stepped = live.step(pulses, 0)
    assert [(index, error.trace) for index, error in stepped.rejected] == [(1, 8)]
    assert len(stepped.changes["t"]) == 2
    live.close()
    store.close()


LARGE: dict[str, object] = {
    "data": [
        {"name": "t", "url": "t.parquet", "format": {"type": "parquet"}},
        {
            "name": "totals",
            "source": "t",
            "transform": [
                {"type": "filter", "expr": "datum.x > 3"},
                {"type": "aggregate", "groupby": ["g"], "ops": ["count", "sum", "max"], "fields": [None, "x", "x"]},
            ],
        },
        {
            "name": "ranks",
            "source": "t",
            "transform": [{"type": "window", "groupby": ["g"], "ops": ["rank"], "sort": {"field": "x"}, "as": ["r"]}],
        },
        {"name": "medians", "source": "t", "transform": [{"type": "aggregate", "ops": ["median"], "fields": ["x"]}]},
    ],
}


def test_a_source_with_many_rows_is_read_where_it_lies(interpreted: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sheliak.engines.spark.live.starting.MANY_ROWS", 50)
    rows = [{"g": "abc"[number % 3], "x": float(number % 11)} for number in range(200)]
    frame = interpreted.createDataFrame(rows, "g string, x double").coalesce(1)
    now: dict[object, dict[str, object]] = dict(enumerate(rows, start=1))
    with sheliak.open(LARGE, data={"t": frame}, spark=interpreted, check=False) as live:
        pulses: list[list[dict[str, object]]] = [
            [{"data": "t", "id": 5, "update": {"g": "d", "x": 99.0}}, {"data": "t", "id": 200, "remove": True}],
            [{"data": "t", "id": "n", "add": {"g": "d", "x": 7.0}}, {"data": "t", "id": 5, "remove": True}],
            [{"data": "t", "id": 5, "add": {"g": 8, "x": None}}],
        ]
        for pulse in pulses:
            live.apply(pulse)
            for line in pulse:
                if "remove" in line:
                    del now[line["id"]]
                else:
                    now[line["id"]] = line.get("add") or line["update"]  # type: ignore[assignment]
            meant = run_reference(LARGE, data={"t": [dict(row) for row in now.values()]})  # type: ignore[misc]
            for name in ("t", "totals", "ranks", "medians"):
                assert difference_of_rows(live.rows(name), meant.rows[name]) == ""


def test_many_rows_are_the_same_rows_when_a_store_is_opened_again(
    interpreted: SparkSession, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("sheliak.engines.spark.live.starting.MANY_ROWS", 50)
    rows = [{"g": float(number % 3), "x": float(number % 11)} for number in range(200)]
    frame = interpreted.createDataFrame(rows, "g double, x double").coalesce(1)
    around = Surroundings(DataFolders(None), zone_of("UTC"), 42, 0.0)
    pulses = read_pulses(
        """{"data": "t", "id": "odd", "add": {"g": "odd", "x": 7}}
        {"commit": true}
        {"data": "t", "id": "odd", "remove": true}
        {"commit": true}
        {"data": "t", "id": 4, "update": {"g": 2, "x": 5}}"""
    )
    traces: list[dict[str, list[object]]] = []
    for batch, pulse in enumerate(pulses):
        store = open_store(tmp_path, "test", durable=False)
        live = open_live(Node(LARGE), around, {"t": frame} if batch == 0 else {}, interpreted, store)
        live.step([pulse], batch)
        traces.append({name: [*live.traced(name).traces] for name in ("totals", "ranks", "medians")})
        last = {name: live.rows(name) for name in traces[-1]}
        live.close()
        store.close()
    assert [set(one["totals"]) for one in traces[1:]] == [{'group("0")', 'group("1")', 'group("2")'}] * 2
    assert set(traces[0]["totals"]) - set(traces[1]["totals"]) == {'group("odd")'}
    meant = run_reference(LARGE, data={"t": [*rows[:3], {"g": 2.0, "x": 5.0}, *rows[4:]]})  # type: ignore[list-item]
    for name, found in last.items():
        assert difference_of_rows(found, meant.rows[name]) == ""


def test_the_forms_follow_from_the_plan(interpreted: SparkSession, tmp_path: Path) -> None:
    spec: dict[str, object] = {
        "data": [
            {"name": "t", "values": [{"g": "a", "x": 1}, {"g": "b", "x": 2}]},
            {"name": "rows", "source": "t", "transform": [{"type": "formula", "as": "y", "expr": "datum.x + 1"}]},
            {"name": "sums", "source": "t", "transform": [{"type": "aggregate", "groupby": ["g"]}]},
            {
                "name": "medians",
                "source": "t",
                "transform": [{"type": "aggregate", "groupby": ["g"], "ops": ["median"], "fields": ["x"]}],
            },
            {"name": "bins", "source": "t", "transform": [{"type": "extent", "field": "x", "signal": "e"}]},
            {"name": "read", "source": "t", "transform": [{"type": "filter", "expr": "datum.x < e[1]"}]},
        ]
    }
    live, store = _opened(spec, interpreted, tmp_path)
    assert {name: live.form(name) for name in live.datasets} == {
        "t": "row",
        "rows": "row",
        "sums": "group",
        "medians": "key",
        "bins": "row",
        "read": "whole",
    }
    (pulse,) = read_pulses('{"data": "t", "id": 3, "add": {"g": "b", "x": 9}}')
    stepped = live.step([pulse], 0)
    assert stepped.changes["read"] == (Add(2, {"g": "b", "x": 2.0}),)
    assert stepped.changes["medians"] == (Update('group("b")', {"g": "b", "median_x": 2.0}, {"g": "b", "median_x": 5.5}),)
    live.close()
    store.close()
