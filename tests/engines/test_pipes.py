"""Spark begins before the rows are there: they come through a pipe, whatever happens on the way."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession

import sheliak
from sheliak.changes.change import Add, Rejected
from sheliak.engines.spark.begun import Begun
from sheliak.engines.spark.live.restricted import Restricted
from sheliak.engines.spark.live.source_table import SourceTable
from sheliak.engines.spark.pipes import can_wait, filled, is_pipe, let_go, make_pipe
from sheliak.plan.operators import Project
from sheliak.running.live import Live

SPEC = {
    "data": [
        {"name": "t", "values": [{"g": "a", "x": 1}, {"g": "b", "x": 20}, {"g": "a", "x": 30}]},
        {"name": "few", "source": "t", "transform": [{"type": "filter", "expr": "datum.x > 5"}]},
        {
            "name": "totals",
            "source": "few",
            "transform": [{"type": "aggregate", "groupby": ["g"], "ops": ["sum"], "fields": ["x"]}],
        },
    ],
}
ONE_CORE = Path(__file__).parent / "one_core.py"


@pytest.fixture
def pipe(tmp_path: Path) -> str:
    path = tmp_path / "rows"
    path.touch()
    make_pipe(str(path))
    return str(path)


def _read_later(path: str, found: list[bytes]) -> threading.Thread:
    reader = threading.Thread(target=lambda: found.append(Path(path).read_bytes()), daemon=True)
    reader.start()
    return reader


def test_what_is_given_to_a_pipe_is_read_whole(pipe: str) -> None:
    found: list[bytes] = []
    content = os.urandom(300_000)
    reader = _read_later(pipe, found)
    while not filled(pipe, content):
        time.sleep(0.001)
    reader.join(10)
    assert found == [content]


def test_nothing_is_given_where_nobody_reads(pipe: str) -> None:
    assert not filled(pipe, b"rows")


def test_a_reader_that_goes_away_is_no_failure_of_the_pipe(pipe: str) -> None:
    handle = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    leaving = threading.Timer(0.2, os.close, [handle])
    leaving.start()
    assert filled(pipe, bytes(1_000_000))
    leaving.join()


@pytest.fixture
def live(interpreted: SparkSession) -> Live:
    assert can_wait(interpreted)
    return sheliak.open(SPEC, spark=interpreted)


def _plans(live: Live) -> list[Restricted]:
    return list(live._live._now.standing._restricted.values())


def _added(live: Live, id: int, x: object = 100) -> float | None:
    live.apply([{"data": "t", "id": id, "add": {"g": "b", "x": x}}])
    assert all(plan.waiting is None and plan.content is None for plan in _plans(live))
    return next((row["sum_x"] for row in live.rows("totals") if row["g"] == "b"), None)  # type: ignore[return-value]


def test_a_plan_that_waits_is_ended_when_the_pulse_cannot_be(live: Live) -> None:
    with live:
        assert _added(live, 10) == 120
        assert any(plan.pipe is not None for plan in _plans(live))
        with pytest.raises(Rejected):
            live.apply([{"data": "t", "id": 99, "remove": True}])
        assert all(plan.waiting is None for plan in _plans(live))
        assert _added(live, 11) == 220


def test_a_plan_that_waits_is_ended_when_rows_do_not_fit_it(live: Live) -> None:
    with live:
        assert _added(live, 10) == 120
        assert _added(live, 11, "7") == 127
        assert _added(live, 12) == 227


def test_a_plan_that_waits_is_ended_when_somebody_loses_patience(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with live:
        assert _added(live, 10) == 120
        with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
            patched.setattr(SourceTable, "admitted", interrupted)
            live.apply([{"data": "t", "id": 11, "add": {"g": "b", "x": 100}}])
        assert all(plan.waiting is None for plan in _plans(live))
        assert _added(live, 11) == 220


def test_a_plan_that_waits_is_ended_when_its_rows_cannot_be_written(live: Live) -> None:
    with live:
        assert _added(live, 10) == 120
        with pytest.raises(Rejected, match="half of a character"):
            live.apply([{"data": "t", "id": 11, "add": {"g": "\ud83d", "x": 50}}])
        assert _added(live, 11) == 220


@pytest.mark.parametrize("comes_late", [False, True])
def test_a_reader_that_was_given_up_gets_nothing_of_the_next(pipe: str, comes_late: bool) -> None:
    found: list[bytes] = []
    if not comes_late:
        reader = _read_later(pipe, found)
        time.sleep(0.2)
    let_go(pipe, b"none")
    if comes_late:
        reader = _read_later(pipe, found)
    reader.join(10)
    assert found == [b"none"]
    assert is_pipe(pipe) is not comes_late


def test_a_run_that_cannot_be_waited_for_is_not_in_the_way_of_the_next(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupted(Begun):
        def __init__(self, frame: DataFrame) -> None:
            super().__init__(frame)
            raise KeyboardInterrupt

    with live:
        assert _added(live, 10) == 120
        with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
            patched.setattr("sheliak.engines.spark.live.restricted.Begun", Interrupted)
            live.apply([{"data": "t", "id": 11, "add": {"g": "b", "x": 100}}])
        assert _added(live, 11) == 220
        assert _added(live, 12) == 320


def test_a_run_that_was_cancelled_is_not_in_the_way_of_the_next(live: Live, interpreted: SparkSession) -> None:
    with live:
        assert _added(live, 10) == 120
        (plan,) = [plan for plan in _plans(live) if plan.pipe is not None][:1]
        for waits in (0.0, 0.5):
            assert plan.start()
            time.sleep(waits)
            interpreted.sparkContext.cancelAllJobs()
            plan.finished()
            assert plan.pipe is None or plan.running is None
            assert _added(live, 11 + int(2 * waits)) == 220 + 200 * waits


def test_a_pipe_that_was_tidied_away_is_made_anew(live: Live) -> None:
    with live:
        assert _added(live, 10) == 120
        for plan in _plans(live):
            if plan.pipe is not None:
                os.remove(plan.pipe)
        assert _added(live, 11) == 220


def test_a_source_that_a_plan_reads_twice_is_no_pipe(interpreted: SparkSession) -> None:
    twice = {"name": "twice", "source": ["t", "few"], "transform": [{"type": "formula", "as": "y", "expr": "datum.x + 1"}]}
    with sheliak.open({"data": [*SPEC["data"][:2], twice]}, spark=interpreted) as live:
        for id in (10, 11):
            told = live.apply([{"data": "t", "id": id, "add": {"g": "c", "x": 40}}])
            assert [change.trace for change in told["twice"]] == [f"0: {id}", f"1: {id}"]
        (over_both,) = [plan for plan in _plans(live) if isinstance(plan.plan, Project)]
        assert over_both.paths
        assert over_both.pipe is None


def test_texts_of_plans_that_a_session_cuts_are_not_asked(interpreted: SparkSession) -> None:
    spec = {
        "data": [
            {"name": "t", "values": [{"g": "a"}, {"g": "b"}]},
            {"name": "names", "values": [{"g": "a", "name": "Anna"}, {"g": "b", "name": "Bert"}]},
            {
                "name": "named",
                "source": "t",
                "transform": [{"type": "lookup", "from": "names", "key": "g", "fields": ["g"], "values": ["name"]}],
            },
        ]
    }
    interpreted.conf.set("spark.sql.maxPlanStringLength", "10")
    try:
        with sheliak.open(spec, spark=interpreted) as live:
            told = []
            for number, name in enumerate(("Axel", "Alma")):
                live.apply([{"data": "names", "id": 1, "update": {"g": "a", "name": name}}])
                told += live.apply([{"data": "t", "id": 9 + number, "add": {"g": "a"}}])["named"]
    finally:
        interpreted.conf.unset("spark.sql.maxPlanStringLength")
    assert [change.row["name"] for change in told if isinstance(change, Add)] == ["Axel", "Alma"]


def test_a_plan_that_waits_is_not_in_the_way_of_others_on_one_core() -> None:
    done = subprocess.run([sys.executable, str(ONE_CORE)], capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.split() == ["same"] * 4
