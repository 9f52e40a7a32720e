"""What a run writes, without running anything: rows in every form, pages, pictures, whole folders."""

import json
from math import inf, nan
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from sheliak.engines.failures import RunFailure
from sheliak.engines.protocol import DatasetRun, RunResult
from sheliak.engines.spark.job_failures import reason_of
from sheliak.expressions.values import UNDEFINED, Date, Row
from sheliak.running.arrow_tables import table_of
from sheliak.running.page import inside_script, page_of
from sheliak.running.pictures import picture_of
from sheliak.running.plain_rows import csv_text, iso_text, json_array
from sheliak.running.tables_text import first_rows
from sheliak.running.writing import CHARTS, require_writable, write_chart, write_folder, write_rows

ROWS: list[Row] = [
    {"kind": "novel", "words": 91200.0, "at": Date(1e12), "tags": ["a", "b"], "size": {"w": 1.0}},
    {"kind": 'a, "b"', "words": nan, "at": Date(nan), "tags": None, "size": {"w": 2.5, "h": "x"}},
    {"kind": None, "words": inf, "tags": []},
]
SPEC: dict[str, object] = {
    "$schema": "https://vega.github.io/schema/vega/v6.json",
    "description": "</script><!-- a chart",
    "width": 40,
    "height": 40,
    "data": [{"name": "t", "values": [{"a": "</script><script>alert(1)</script>"}]}],
    "marks": [{"type": "text", "from": {"data": "t"}, "encode": {"enter": {"text": {"field": "a"}}}}],
}


JOB_FAILURE = (
    "An error occurred while calling o1.collect.\n: org.apache.spark.SparkException: Job aborted due to stage failure: Task 0 in "
    "stage 1.0 failed 1 times, most recent failure: Lost task 0.0 in stage 1.0 (TID 2) (localhost executor driver): "
    "java.io.IOException: the disk is gone\n\tat a.b.C(D.java:1)\nCaused by: java.io.IOException: the disk is gone\n\t... 1 more"
)


def test_json_is_what_json_stringify_would_write() -> None:
    assert json.loads(json_array(ROWS)) == [
        {"kind": "novel", "words": 91200, "at": "2001-09-09T01:46:40.000Z", "tags": ["a", "b"], "size": {"w": 1}},
        {"kind": 'a, "b"', "words": None, "at": None, "tags": None, "size": {"w": 2.5, "h": "x"}},
        {"kind": None, "words": None, "tags": []},
    ]


def test_csv_has_nothing_for_what_is_missing() -> None:
    assert csv_text(ROWS).splitlines() == [
        "kind,words,at,tags,size",
        'novel,91200,2001-09-09T01:46:40.000Z,"[""a"",""b""]","{""w"":1}"',
        '"a, ""b""",NaN,,,"{""w"":2.5,""h"":""x""}"',
        ",Infinity,,[],",
    ]


@pytest.mark.parametrize(
    ("ms", "text"),
    [
        (0.0, "1970-01-01T00:00:00.000Z"),
        (-1.0, "1969-12-31T23:59:59.999Z"),
        (-6.3e13, "-000027-08-11T08:00:00.000Z"),
        (nan, None),
    ],
)
def test_dates_are_written_as_javascript_does(ms: float, text: str | None) -> None:
    assert iso_text(ms) == text


def test_arrow_columns_have_the_one_type_of_their_values() -> None:
    table = table_of(ROWS)
    assert dict(zip(table.column_names, map(str, table.schema.types), strict=True)) == {
        "kind": "string",
        "words": "double",
        "at": "timestamp[ms, tz=UTC]",
        "tags": "list<item: string>",
        "size": "struct<w: double, h: string>",
    }
    assert table.column("tags").to_pylist() == [["a", "b"], None, []]
    assert table.column("size").to_pylist() == [{"w": 1.0, "h": None}, {"w": 2.5, "h": "x"}, None]


def test_a_column_of_several_kinds_is_text() -> None:
    rows: list[Row] = [{"m": 1.0}, {"m": "one"}, {"m": [1.0]}, {"m": None}, {"m": UNDEFINED}]
    assert table_of(rows).column("m").to_pylist() == ["1", "one", "[1]", None, None]


def test_rows_in_columnar_files_can_be_read_again(tmp_path: Path) -> None:
    for name in ("rows.parquet", "rows.arrow"):
        write_rows(str(tmp_path / name), ROWS)
    with pa.ipc.open_file(tmp_path / "rows.arrow") as reader:
        assert str(reader.read_all().to_pylist()) == str(parquet.read_table(tmp_path / "rows.parquet").to_pylist())


def test_nothing_in_a_spec_ends_the_script_it_stands_in() -> None:
    assert "<" not in inside_script(json.dumps(SPEC))
    page = page_of(SPEC)
    assert page.lower().count("</script") == 2
    assert page.count("<!--") == 0
    assert json.loads(page.split('id="spec">')[1].split("</script>")[0]) == SPEC


def test_a_page_reaches_no_host_unless_one_is_allowed() -> None:
    assert "connect-src &#x27;none&#x27;" in page_of(SPEC)
    assert "connect-src https://example.org http://example.org" in page_of(SPEC, ["example.org"])
    assert "<script src" not in page_of(SPEC)


def test_pictures_are_drawn_apart() -> None:
    assert picture_of(SPEC, "svg").startswith(b"<svg")
    assert picture_of(SPEC, "png").startswith(b"\x89PNG")
    assert picture_of(SPEC, "pdf").startswith(b"%PDF")


def test_a_picture_shows_times_in_the_zone_of_the_run() -> None:
    text = {"signal": "'at ' + hours(0)"}
    clock = {"marks": [{"type": "text", "encode": {"enter": {"text": text}}}]}
    assert b"at 9" in picture_of(clock, "svg", timezone="Asia/Tokyo")


def test_a_picture_loads_nothing() -> None:
    with pytest.raises(RunFailure, match="still loads http://127.0.0.1:9/t.json when it is drawn") as raised:
        picture_of({**SPEC, "data": [{"name": "t", "url": "http://127.0.0.1:9/t.json"}]}, "svg")
    assert raised.value.help is not None


def test_what_vega_says_is_told_without_its_stack() -> None:
    with pytest.raises(RunFailure, match=r'^Vega cannot draw the chart: Undefined data set name: "t"$'):
        picture_of({**SPEC, "data": []}, "svg")


def test_a_chart_that_takes_too_long_is_given_up() -> None:
    with pytest.raises(RunFailure, match="within 0 seconds"):
        picture_of(SPEC, "svg", seconds=0.01)


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    target = tmp_path / "chart.svg"
    target.write_text("before")
    with pytest.raises(RunFailure):
        write_chart(str(target), {**SPEC, "data": []})
    assert [path.name for path in tmp_path.iterdir()] == ["chart.svg"]
    assert target.read_text() == "before"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("chart.gif", "does not say how to write a chart"),
        ("nowhere/chart.svg", "there is no folder"),
        ("folder.svg", "it is a folder"),
    ],
)
def test_a_target_is_looked_at_before_anything_runs(tmp_path: Path, name: str, message: str) -> None:
    (tmp_path / "folder.svg").mkdir()
    with pytest.raises(RunFailure, match=message):
        require_writable(str(tmp_path / name), CHARTS, "a chart")


def test_a_folder_takes_the_place_of_that_of_an_earlier_run(tmp_path: Path) -> None:
    for name in ("first", "second"):
        write_folder(tmp_path / "chart", RunResult({name: DatasetRun(name, "spark", rows=[{"a": 1.0}])}))
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["chart", "run.json", "second.jsonl"]


def test_a_folder_that_is_not_ours_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "chart").mkdir()
    (tmp_path / "chart" / "thesis.txt").write_text("ten years of work")
    with pytest.raises(RunFailure, match="not from an earlier run"):
        write_folder(tmp_path / "chart", RunResult({}))
    assert (tmp_path / "chart" / "thesis.txt").exists()


def test_the_first_rows_stand_below_each_other() -> None:
    assert list(first_rows([{"kind": "novel", "n": 3.0}, {"kind": "essays", "n": 20.0}, {"kind": "poem"}], count=2)) == [
        "kind    n",
        "novel   3",
        "essays  20",
        "and 1 more rows",
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            JOB_FAILURE,
            "the disk is gone",
        ),
        (
            "[TABLE_OR_VIEW_NOT_FOUND] The table or view `x` cannot be found. Verify the spelling. SQLSTATE: 42P01;\n'Relation [x]",
            "The table or view `x` cannot be found. Verify the spelling",
        ),
        ("", "no reason is given"),
    ],
)
def test_a_failure_of_spark_is_told_by_its_innermost_cause(text: str, reason: str) -> None:
    assert reason_of(text) == reason
