"""What a run answers, and what it writes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sheliak.engines.protocol import lines_of, report_of, write_result
from sheliak.engines.reference import run_reference
from sheliak.expressions.values import UNDEFINED, Date, Row
from sheliak.loading import DataFolders

COUNT = {"type": "aggregate"}
WORDS = {"type": "wordcloud", "text": {"field": "a"}}


def test_a_dataset_is_run_up_to_the_transform_that_belongs_to_the_renderer() -> None:
    data = [
        {"name": "t", "values": [{"a": 1}], "transform": [COUNT, WORDS, COUNT]},
        {"name": "u", "source": "t", "transform": [COUNT]},
    ]
    report = report_of(run_reference({"data": data}))
    reason = "`wordcloud` runs in the renderer"
    steps = [("aggregate", "driver", None), ("wordcloud", "renderer", reason), ("aggregate", "renderer", reason)]
    assert report["datasets"] == {
        "t": {
            "engine": "renderer",
            "reason": reason,
            "transforms": [dict(zip(("type", "engine", "reason"), s, strict=True)) for s in steps],
        },
        "u": {
            "engine": "renderer",
            "reason": reason,
            "transforms": [{"type": "aggregate", "engine": "renderer", "reason": reason}],
        },
    }


def test_an_error_is_the_reason_of_all_that_comes_later() -> None:
    broken = {"type": "formula", "as": "z", "expr": "datum.q.r"}
    data = [{"name": "t", "values": [1]}, {"name": "u", "values": [1], "transform": [broken]}, {"name": "v", "values": [1]}]
    result = run_reference({"data": data})
    assert result.errors == ("Cannot read properties of undefined (reading 'r')",)
    assert result.rows == {"t": [{"data": 1.0}]}
    assert result.datasets["v"].reason == f"the run stops before it: {result.errors[0]}"


def test_stacks_by_rows_that_hold_themselves_stop_the_run() -> None:
    """Such a row has no JSON, by which stacks are told apart; two rows may hold the same one."""
    within = {"type": "window", "ops": ["argmax"], "fields": ["d"], "as": ["most"]}
    stack = {"type": "stack", "field": "d", "groupby": ["most"]}
    values = [{"d": 1, "o": {"a": 1}}, {"d": 3, "o": {"a": 1}}]
    circular = run_reference({"data": [{"name": "t", "values": values, "transform": [within, stack]}]})
    assert circular.errors == ("Converting circular structure to JSON",)
    plain = run_reference({"data": [{"name": "t", "values": values, "transform": [{**stack, "groupby": ["o"]}]}]})
    assert [row["y1"] for row in plain.rows["t"]] == [1.0, 4.0]


def test_interactive_signals_are_listed() -> None:
    signals = [{"name": "a", "value": 1, "bind": {"input": "range"}}, {"name": "b", "value": 2}, {"name": "c", "on": []}]
    result = run_reference({"signals": signals})
    assert result.interactive == ("a", "c")
    assert result.signals["a"] == 1.0


def test_signals_and_rows_may_be_given() -> None:
    spec = {
        "signals": [{"name": "least", "value": 1}, {"name": "twice", "update": "least * 2"}],
        "data": [{"name": "t", "url": "nowhere.csv", "transform": [{"type": "filter", "expr": "datum.a > twice"}]}],
    }
    result = run_reference(spec, signals={"least": 2.0}, data={"t": [{"a": 3.0}, {"a": 5.0}]})
    assert result.rows == {"t": [{"a": 5.0}]}


def test_a_chart_that_is_fitted_keeps_its_size_to_itself() -> None:
    made = {"type": "sequence", "start": 0, "stop": {"signal": "width"}}
    result = run_reference({"width": 3, "autosize": "fit", "data": [{"name": "t", "transform": [made]}]})
    assert result.datasets["t"].reason == "`width` is fitted to the chart when it is drawn"


def test_a_url_that_is_not_at_hand(tmp_path: Path) -> None:
    (tmp_path / "inside").mkdir()
    (tmp_path / "secret.json").write_text("[1]")
    urls = {"remote": "https://example.org/a.json", "missing": "none.json", "outside": "../secret.json"}
    data = [{"name": name, "url": url} for name, url in urls.items()]
    result = run_reference({"data": data}, DataFolders(tmp_path / "inside"))
    assert result.rows == {"missing": []}
    assert result.warnings == ("Loading failed none.json: there is no such file",)
    reason = result.datasets["remote"].reason
    assert reason == "`https://example.org/a.json` is not at hand; `--allow-host example.org` lets it be fetched"
    assert result.datasets["outside"].reason == "`../secret.json` is not read: it is outside of the folders that may be read"


def test_columnar_files(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    from datetime import UTC, datetime

    day = datetime(2020, 1, 1, tzinfo=UTC)
    table = arrow.table({"n": [1, None], "d": [day, None], "l": [["x"], []], "o": [{"p": 1}, None]})
    parquet.write_table(table, tmp_path / "t.parquet")
    with arrow.OSFile(str(tmp_path / "t.arrow"), "wb") as sink, arrow.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    data = [
        {"name": "p", "url": "t.parquet"},
        {"name": "a", "url": "t.arrow", "format": {"type": "arrow", "parse": {"n": "string"}}},
    ]
    rows = run_reference({"data": data}, DataFolders(tmp_path)).rows
    first = {"n": 1.0, "d": Date(1577836800000.0), "l": ["x"], "o": {"p": 1.0}}
    assert rows["p"] == [first, {"n": None, "d": None, "l": [], "o": None}]
    assert [row["n"] for row in rows["a"]] == ["1", None]


def test_rows_are_written_a_line_each(tmp_path: Path) -> None:
    result = run_reference(
        {
            "data": [
                {"name": "t", "values": [{"a": 1, "é": "x\ny"}]},
                {"name": "../u", "values": [1]},
                {"name": "v/w", "values": [1]},
            ]
        }
    )
    write_result(result, tmp_path / "out" / "spec")
    assert sorted(path.name for path in (tmp_path / "out" / "spec").iterdir()) == ["run.json", "t.jsonl"]
    assert (tmp_path / "out" / "spec" / "t.jsonl").read_text(encoding="utf-8") == '{"a":1,"é":"x\\ny"}\n'
    told = json.loads((tmp_path / "out" / "spec" / "run.json").read_text(encoding="utf-8"))
    assert told["datasets"]["t"] == {"engine": "driver", "reason": None, "transforms": []}
    assert list((tmp_path / "out").iterdir()) == [tmp_path / "out" / "spec"]


def test_values_that_json_cannot_hold_are_encoded() -> None:
    row: Row = {"n": float("nan"), "u": UNDEFINED, "d": Date(5.0), "z": -0.0}
    assert list(lines_of([row])) == ['{"n":{"$num":"NaN"},"u":{"$undefined":true},"d":{"$date":5},"z":{"$num":"-0"}}']


def test_datasets_that_the_renderer_writes_into() -> None:
    entry = {"unit": "", "fields": [{"field": "a", "type": "E"}], "values": [1]}
    link = {"type": "force", "forces": [{"force": "link", "links": "links"}]}
    group = {"type": "group", "signals": [{"name": "g", "update": "modify('grown', {a: 1})"}]}
    tested = {"type": "rect", "encode": {"update": {"x": {"signal": "vlSelectionTest('store', datum)"}}}}
    spec = {
        "data": [
            {"name": "store", "values": [entry]},
            {"name": "links", "values": [{"source": 0, "target": 0}]},
            {"name": "nodes", "values": [1], "transform": [link]},
            {"name": "grown"},
            {"name": "numbered", "values": [{"a": 1}]},
            {"name": "crossed", "source": "numbered", "transform": [{"type": "crossfilter", "fields": ["a"], "query": [[0, 1]]}]},
            {"name": "untouched", "values": [1]},
        ],
        "marks": [tested, group],
    }
    result = run_reference(spec)
    assert result.rows == {"untouched": [{"data": 1.0}]}
    assert {name: dataset.reason for name, dataset in result.datasets.items() if dataset.reason is not None} == {
        "store": "marks that test the selection write into its rows",
        "links": "a force simulation writes into its rows",
        "nodes": "`force` runs in the renderer",
        "grown": "a signal of a group changes it",
        "numbered": "`crossfilter` writes into its rows",
        "crossed": "`crossfilter` runs in the renderer",
    }
