"""`sheliak trace` through its entry point."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from front_ends.commands import Ended, run_apart, run_here

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples"
SPEC = {
    "data": [
        {"name": "t", "values": [{"g": "x", "n": 1}, {"g": "y", "n": 2}, {"g": "x", "n": 3}]},
        {
            "name": "sums",
            "source": "t",
            "transform": [{"type": "aggregate", "groupby": ["g"], "ops": ["sum"], "fields": ["n"], "as": ["s"]}],
        },
    ]
}
CHANGES = """{"data": "t", "id": 4, "add": {"g": "z", "n": 5}}
{"data": "t", "id": 2, "remove": true}
{"commit": true}
{"data": "t", "id": 4, "update": {"g": "x", "n": 5}}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "chart.vg.json").write_text(json.dumps(SPEC), encoding="utf-8")
    (tmp_path / "new.jsonl").write_text(CHANGES, encoding="utf-8")
    return tmp_path


def traced(folder: Path, *arguments: str, stdin: bytes = b"") -> Ended:
    return run_here(folder, "trace", "chart.vg.json", *arguments, stdin=stdin)


def test_counts_per_pulse_and_vertex(folder: Path) -> None:
    ended = traced(folder, "--changes", "new.jsonl")
    assert (ended.code, ended.err) == (0, "")
    assert [" ".join(line.split()) for line in ended.out.splitlines()] == [
        "the rows that the spec starts with",
        "t receives 3 added sends 3 added",
        "sums[0] aggregate receives 3 added sends 2 added",
        "pulse 1",
        "t receives 1 added, 1 removed sends 1 added, 1 removed",
        "sums[0] aggregate receives 1 added, 1 removed sends 1 added, 1 removed",
        "pulse 2",
        "t receives 1 updated sends 1 updated",
        "sums[0] aggregate receives 1 updated sends 1 updated, 1 removed",
        "at the end",
        "t 3 rows",
        "sums 1 row",
    ]


def test_rows(folder: Path) -> None:
    out = traced(folder, "--changes", "new.jsonl", "--rows").out
    assert 'sends    update aggregate("x")  {"g": "x", "s": 4} to {"g": "x", "s": 9}' in out
    assert 'sends    remove aggregate("z")  {"g": "z", "s": 5}' in out
    assert 'receives add 4  {"g": "z", "n": 5}' in out


def test_why_a_row_is_there(folder: Path) -> None:
    lines = traced(folder, "--changes", "new.jsonl", "--why", 'aggregate("x")').out.splitlines()
    assert [" ".join(line.split()) for line in lines[lines.index('why aggregate("x") is in sums') :]] == [
        'why aggregate("x") is in sums',
        "sums[0] aggregate",
        'aggregate("x") {"g": "x", "s": 9} added at the start, updated in pulse 2',
        "t",
        '1 {"g": "x", "n": 1} added at the start',
        '3 {"g": "x", "n": 3} added at the start',
        '4 {"g": "x", "n": 5} added in pulse 1, updated in pulse 2',
    ]


def test_why_a_row_that_has_gone_or_never_was(folder: Path) -> None:
    gone = traced(folder, "--changes", "new.jsonl", "--why", 'aggregate("z")')
    assert (gone.code, gone.err) == (
        2,
        'error: no dataset has the row aggregate("z") any more; sums[0] aggregate: added in pulse 1, removed in pulse 2\n',
    )
    never = traced(folder, "--changes", "new.jsonl", "--why", "77")
    assert never.code == 2
    assert "no dataset has a row 77" in never.err


def test_json(folder: Path) -> None:
    ended = traced(folder, "--changes", "new.jsonl", "--rows", "--why", "3", "--output-format", "json")
    document = json.loads(ended.out)
    assert [pulse["pulse"] for pulse in document["pulses"]] == [0, 1, 2]
    last = document["pulses"][2]["vertices"][-1]
    assert (last["vertex"], last["received"], last["sent"], last["rows"]) == (
        "sums[0] aggregate",
        {"add": 0, "update": 1, "remove": 0},
        {"add": 0, "update": 1, "remove": 1},
        1,
    )
    assert {"remove": {"trace": 'aggregate("z")', "fields": {"g": "z", "s": 5}}} in last["sends"]
    assert document["datasets"] == {"t": {"rows": 3, "reason": None}, "sums": {"rows": 1, "reason": None}}
    assert [(why["dataset"], why["trace"]) for why in document["why"]] == [("t", 3)]


def test_a_pulse_that_cannot_be_is_told_and_the_next_one_runs(folder: Path) -> None:
    lines = b'{"data": "t", "id": 9, "remove": true}\n{"data": "t", "id": 5, "add": {}}\n{"commit": true}\n' + CHANGES.encode()
    ended = traced(folder, "--changes", "-", stdin=lines)
    assert ended.code == 1
    assert ended.err == "error: pulse 1 (lines 1 to 2) was not applied: t: 9: remove of a row that is not there (line 1)\n"
    assert "pulse 1\n  not applied\npulse 2\n" in ended.out
    told = json.loads(traced(folder, "--changes", "-", "--output-format", "json", stdin=lines).out)["pulses"][1]
    assert told["error"] == {"vertex": "t", "trace": 9, "reason": "remove of a row that is not there (line 1)"}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b'{"data": "t",\n', "error: <stdin>:1:14: this is no JSON"),
        (b'{"commit": true}\n{"data": "t", "id": 1, "drop": true}\n', 'error: <stdin>:2: the key "drop" has no meaning here'),
        (b"\xff\n", "error: '-' is not UTF-8: byte 1 fits no character"),
    ],
)
def test_changes_that_cannot_be_read(folder: Path, line: bytes, message: str) -> None:
    ended = traced(folder, "--changes", "-", stdin=line)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith(message)


def test_other_input_that_cannot_be_read(folder: Path) -> None:
    assert traced(folder, "--changes", "absent.jsonl").err == "error: 'absent.jsonl' cannot be read: no such file or directory\n"
    assert run_here(folder, "trace", "absent.json", "--changes", "new.jsonl").code == 2
    assert run_here(folder, "trace", "new.jsonl", "--changes", "new.jsonl").code == 2
    assert run_here(folder, "trace", "-", "--changes", "-").code == 2
    assert run_here(folder, "trace", "chart.vg.json").code == 2
    assert traced(folder, "--changes", "new.jsonl", "--timezone", "Mars").code == 2


def test_a_spec_that_vega_refuses(folder: Path) -> None:
    (folder / "chart.vg.json").write_text('{"data": [{"name": "a", "source": "b"}]}', encoding="utf-8")
    ended = traced(folder, "--changes", "new.jsonl")
    assert (ended.code, ended.out) == (1, "")
    assert 'Undefined data set name: "b"' in ended.err


def test_data_of_files(folder: Path) -> None:
    (folder / "chart.vg.json").write_text(
        '{"data": [{"name": "t", "url": "t.csv", "format": {"type": "csv"}}]}', encoding="utf-8"
    )
    (folder / "data").mkdir()
    (folder / "data" / "t.csv").write_text("g,n\nx,1\ny,2\n", encoding="utf-8")
    assert "t  receives 2 added" in traced(folder, "--changes", "new.jsonl", "--data-dir", "data").out


def test_the_example(tmp_path: Path) -> None:
    ended = run_apart(tmp_path, "trace", str(EXAMPLES / "books.vg.json"), "--changes", str(EXAMPLES / "books-new.jsonl"))
    assert (ended.code, ended.err) == (0, "")
    assert "pulse 4" in ended.out
