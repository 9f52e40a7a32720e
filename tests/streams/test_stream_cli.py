"""`sheliak stream` through its entry point, with the datasets as Spark keeps them."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.parquet as pq
import pytest

from front_ends.commands import SCRIPT, Ended, run_here
from streams.test_streaming import MALFORMED

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SPEC = {
    "data": [
        {"name": "t", "values": [{"g": "x", "n": 1}, {"g": "y", "n": 2}]},
        {
            "name": "sums",
            "source": "t",
            "transform": [{"type": "aggregate", "groupby": ["g"], "ops": ["sum"], "fields": ["n"], "as": ["s"]}],
        },
    ]
}
FOLDERS = ("--changes", "new", "--state", "state", "--out", "out")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "chart.vg.json").write_text(json.dumps(SPEC), encoding="utf-8")
    (tmp_path / "new").mkdir()
    return tmp_path


def put(folder: Path, name: str, *lines: object) -> None:
    text = "".join(json.dumps(line) + "\n" for line in [*lines, {"commit": True}])
    (folder / "new" / name).write_text(text, encoding="utf-8")


def streamed(folder: Path, *arguments: str) -> Ended:
    return run_here(folder, "stream", "chart.vg.json", *FOLDERS, *arguments)


def rows(folder: Path, dataset: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = pq.read_table(folder / "out" / "rows" / f"{dataset}.parquet").to_pylist()
    return found


def test_draining_a_folder(folder: Path, spark: SparkSession) -> None:
    put(folder, "a.jsonl", {"data": "t", "id": 3, "add": {"g": "x", "n": 5}})
    ended = streamed(folder, "--once", "-v")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.splitlines() == ["version 1: 1 change; t: 1 added; sums: 1 updated", "1 batch, 1 change"]
    assert rows(folder, "sums") == [{"g": "x", "s": 6.0}, {"g": "y", "s": 2.0}]
    put(folder, "b.jsonl", {"data": "t", "id": 1, "remove": True}, {"data": "t", "id": 3, "remove": True})
    put(folder, "c.jsonl", {"data": "t", "id": 77, "remove": True})
    ended = streamed(folder, "--once")
    assert (ended.code, ended.out) == (1, "1 batch, 3 changes, 1 set aside\n")
    assert ended.err.startswith("warning: c.jsonl, lines 1 to 2: not applied: t: 77: remove of a row that is not there")
    assert rows(folder, "sums") == [{"g": "y", "s": 2.0}]
    assert streamed(folder, "--once").out == "0 batches, 0 changes\n"


def test_malformed_files_do_not_stop_it(folder: Path, spark: SparkSession) -> None:
    """Each in a file of its own between good ones; rows with values of other kinds than before are no mistake."""
    for number, (text, _) in enumerate(MALFORMED.values()):
        (folder / "new" / f"{number:02}-bad.jsonl").write_bytes(text.encode("utf-8", "surrogateescape"))
        put(folder, f"{number:02}-good.jsonl", {"data": "t", "id": 100 + number, "add": {"g": "x", "n": 1}})
    put(folder, "odd.jsonl", {"data": "t", "id": "odd", "add": {"g": 5, "n": "7", "more": [1, None, {"a": {}}]}})
    ended = streamed(folder, "--once")
    assert ended.code == 1
    assert rows(folder, "sums") == [{"g": "x", "s": 1.0 + len(MALFORMED)}, {"g": "y", "s": 2.0}, {"g": "5", "s": 7.0}]
    found = {path.read_bytes(): path.with_suffix(".txt").read_text() for path in (folder / "out" / "rejected").glob("*.jsonl")}
    assert len(found) == len(ended.err.splitlines()) == len(MALFORMED)
    for name, (text, message) in MALFORMED.items():
        told = found[text.encode("utf-8", "surrogateescape")]
        assert re.search(message, told), (name, told)


def test_status(folder: Path, spark: SparkSession) -> None:
    put(folder, "a.jsonl", {"data": "t", "id": 3, "add": {"g": "z", "n": 5}})
    streamed(folder, "--once")
    put(folder, "late.jsonl", {"data": "t", "id": 4, "add": {"g": "z", "n": 5}})
    ended = run_here(folder, "stream", "--status", *FOLDERS)
    assert (ended.code, ended.err) == (0, "")
    first, changes, lag, state, output, *datasets = ended.out.splitlines()
    assert first.startswith("not running; 1 batch, the last at 20")
    assert changes == "changes    1 received, 0 pulses set aside"
    assert lag.startswith("lag        1 file not taken whole (67 bytes); ")
    assert state.startswith("state      ")
    assert output == "output     version 1 of 1"
    assert datasets == ["rows", "  t     3", "  sums  3"]
    status = json.loads(run_here(folder, "stream", "--status", "--state", "state", "--output-format", "json").out)
    assert (status["batches"], status["rows"], status["waiting"]) == (1, {"t": 3, "sums": 3}, None)


def test_of_large_datasets_only_the_log_is_written(folder: Path, spark: SparkSession) -> None:
    put(folder, "a.jsonl", {"data": "t", "id": 3, "add": {"g": "x", "n": 5}})
    ended = streamed(folder, "--once", "--row-limit", "2")
    assert (ended.code, ended.err) == (0, "")
    entries = json.loads((folder / "out" / "current.json").read_text(encoding="utf-8"))["datasets"]
    assert entries["t"] == {"reason": "it has more than 2 rows, and they are not written after every batch"}
    assert rows(folder, "sums") == [{"g": "x", "s": 6.0}, {"g": "y", "s": 2.0}]
    assert not (folder / "out" / "rows" / "t.parquet").exists()
    logs = sorted((folder / "out" / "changes" / "t").iterdir())
    assert [len(path.read_text(encoding="utf-8").splitlines()) for path in logs] == [3, 2]


def test_status_without_a_stream(folder: Path) -> None:
    ended = run_here(folder, "stream", "--status", "--state", "nowhere")
    assert (ended.code, ended.err) == (2, "error: 'nowhere' holds no stream\n")


def test_a_log_feeds_another_stream(folder: Path, spark: SparkSession) -> None:
    put(folder, "a.jsonl", {"data": "t", "id": 3, "add": {"g": "z", "n": 5}})
    streamed(folder, "--once")
    second = {
        "data": [
            {"name": "sums", "values": []},
            {"name": "most", "source": "sums", "transform": [{"type": "filter", "expr": "datum.s > 1"}]},
        ]
    }
    (folder / "second.vg.json").write_text(json.dumps(second), encoding="utf-8")
    given = ("--changes", "out/changes/sums", "--state", "state2", "--out", "out2", "--once")
    ended = run_here(folder, "stream", "second.vg.json", *given)
    assert (ended.code, ended.err) == (0, "")
    found = pq.read_table(folder / "out2" / "rows" / "most.parquet").to_pylist()
    assert found == [{"g": "y", "s": 2.0}, {"g": "z", "s": 5.0}]


def test_another_spec_does_not_go_on_from_the_state(folder: Path, spark: SparkSession) -> None:
    streamed(folder, "--once")
    (folder / "chart.vg.json").write_text(json.dumps(SPEC).replace("sum", "total"), encoding="utf-8")
    ended = streamed(folder, "--once", "--no-check")
    assert ended.code == 2
    assert "'state' holds the state of another spec" in ended.err


def test_a_spec_with_mistakes_is_not_run(folder: Path) -> None:
    (folder / "chart.vg.json").write_text(json.dumps(SPEC).replace('["n"]', '["m"]'), encoding="utf-8")
    ended = streamed(folder, "--once")
    assert ended.code == 1
    assert "unknown-field" in ended.out
    assert not (folder / "state").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--state", "s"), "a stream takes SPEC, --changes and --out"),
        (("chart.vg.json", "--state", "s", "--changes", "new"), "a stream takes SPEC, --changes and --out"),
        (("chart.vg.json", "--state", "s", "--changes", "nowhere", "--out", "o"), "'nowhere' is no folder"),
        (("gone.vg.json", "--state", "s", "--changes", "new", "--out", "o"), "'gone.vg.json' "),
    ],
)
def test_bad_usage(folder: Path, arguments: tuple[str, ...], message: str) -> None:
    ended = run_here(folder, "stream", *arguments)
    assert ended.code == 2
    assert message in ended.err


def test_an_interrupted_stream_ends_well_and_goes_on(folder: Path) -> None:
    """Files come while it runs; it is asked to end, and started again in a process of its own."""
    command = [SCRIPT, "stream", "chart.vg.json", *FOLDERS, "-v", "--interval", "0.1"]
    for turn, number in enumerate((signal.SIGINT, signal.SIGTERM)):
        process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert process.stdout is not None
        put(folder, f"{turn}.jsonl", {"data": "t", "id": f"n{turn}", "add": {"g": "x", "n": 10}})
        told = process.stdout.readline()
        process.send_signal(number)
        out, err = process.communicate(timeout=120)
        assert (process.returncode, err) == (0, "")
        assert (told, out) == (f"version {turn + 1}: 1 change; t: 1 added; sums: 1 updated\n", "1 batch, 1 change\n")
    assert rows(folder, "sums") == [{"g": "x", "s": 21.0}, {"g": "y", "s": 2.0}]


def test_a_flipped_bit_in_any_table_is_named(folder: Path, spark: SparkSession) -> None:
    """Or does not matter: never a wrong answer."""
    put(folder, "a.jsonl", {"data": "t", "id": 3, "add": {"g": "x", "n": 5}})
    streamed(folder, "--once")
    put(folder, "b.jsonl", {"data": "t", "id": 4, "add": {"g": "x", "n": 100}})
    named = 0
    for path in sorted((folder / "state" / "tables").iterdir()):
        copy = folder / f"copy of {path.name}"
        shutil.copytree(folder, copy, ignore=shutil.ignore_patterns("copy of *"))
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 16
        (copy / "state" / "tables" / path.name).write_bytes(content)
        ended = streamed(copy, "--once")
        if ended.code == 2:
            assert f"the state is damaged: 'state/tables/{path.name}'" in ended.err
            named += 1
        else:
            assert rows(copy, "sums") == [{"g": "x", "s": 106.0}, {"g": "y", "s": 2.0}]
    assert named > 0
