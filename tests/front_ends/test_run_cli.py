"""`sheliak run` through its entry point, on the one Spark of the run."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet
from pyspark.sql import SparkSession

from front_ends.commands import Ended, run_apart, run_here

ROOT = Path(__file__).resolve().parent.parent.parent
BOOKS = str(ROOT / "examples" / "books.vg.json")
BROKEN = str(ROOT / "examples" / "books-broken.vg.json")
# On a few rows a test would spend its time on Spark's compiler.
INTERPRETED = ("--conf", "spark.sql.codegen.wholeStage=false", "--conf", "spark.sql.codegen.factoryMode=NO_CODEGEN")

TRIPS = """{
  "$schema": "https://vega.github.io/schema/vega/v6.json",
  "signals": [{"name": "least", "value": 2}],
  "data": [
    {"name": "trips", "transform": [{"type": "filter", "expr": "datum.km >= least"}]},
    {"name": "totals", "source": "trips", "transform": [
      {"type": "aggregate", "groupby": ["city"], "ops": ["sum"], "fields": ["km"], "as": ["km"]},
      {"type": "collect", "sort": {"field": "city"}}]}
  ],
  "marks": [{"type": "rect", "from": {"data": "totals"}, "encode": {"enter": {"x": {"field": "km"}}}}]
}"""


@pytest.fixture
def trips(tmp_path: Path) -> Path:
    """A folder with a chart and the data it is given."""
    (tmp_path / "trips.vg.json").write_text(TRIPS)
    table = pa.table({"city": ["Ghent", "Aalst", "Ghent", None], "km": [1.0, 2.0, 3.0, 4.0], "note": ["a", "b", "c", "d"]})
    parquet.write_table(table, tmp_path / "trips.parquet")
    return tmp_path


Run = Callable[..., Ended]


@pytest.fixture
def run(spark: SparkSession, tmp_path: Path) -> Run:
    def call(*arguments: str, stdin: bytes = b"") -> Ended:
        return run_here(tmp_path, "run", *arguments, *INTERPRETED, stdin=stdin)

    return call


def test_without_a_target_the_datasets_are_listed(run: Run) -> None:
    assert run(BOOKS) == Ended(
        0,
        "dataset   rows  where   columns\n"
        "books        8  driver  title, classification, language, words\n"
        "aggs         4  spark   classification, book_count, avg_words\n"
        "hundreds     4  spark   classification, book_count, avg_words, avg_hundreds\n",
        "",
    )


def test_the_rows_of_one_dataset_are_shown(run: Run) -> None:
    assert run(BOOKS, "--dataset", "hundreds").out.splitlines() == [
        "classification  book_count  avg_words  avg_hundreds",
        "novel           3           96700      967",
        "essay           2           28200      282",
        "poetry          2           10900      109",
        "drama           1           21900      219",
    ]


def test_the_chart_that_is_written_holds_what_is_drawn(run: Run, tmp_path: Path) -> None:
    assert run(BOOKS, "-o", "small.vg.json") == Ended(0, "", "")
    small = json.loads((tmp_path / "small.vg.json").read_text())
    assert [dataset["name"] for dataset in small["data"]] == ["hundreds"]
    assert [row["avg_hundreds"] for row in small["data"][0]["values"]] == [967, 282, 109, 219]
    assert small["marks"] == json.loads(Path(BOOKS).read_text())["marks"]


def test_a_picture_and_a_page(run: Run, tmp_path: Path) -> None:
    assert run(BOOKS, "-o", "books.svg") == Ended(0, "", "")
    assert (tmp_path / "books.svg").read_text().startswith("<svg")
    assert run(BOOKS, "-o", "books.html") == Ended(0, "", "")
    assert '"avg_hundreds":967' in (tmp_path / "books.html").read_text()


def test_rows_go_into_files_of_every_kind(run: Run, tmp_path: Path) -> None:
    for name in ("rows.json", "rows.csv", "rows.parquet", "rows.arrow", "rows.jsonl"):
        assert run(BOOKS, "--dataset", "aggs", "-o", name) == Ended(0, "", "")
    rows = parquet.read_table(tmp_path / "rows.parquet").to_pylist()
    assert rows == json.loads((tmp_path / "rows.json").read_text())
    assert rows == [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text().splitlines()]
    assert (tmp_path / "rows.csv").read_text().splitlines()[1] == "novel,3,96700"


def test_data_are_given_for_a_dataset(run: Run, trips: Path) -> None:
    ended = run("trips.vg.json", "--data", "trips=trips.parquet", "--dataset", "totals", "-o", "totals.json")
    assert ended == Ended(0, "", "")
    assert json.loads((trips / "totals.json").read_text()) == [
        {"city": None, "km": 4},
        {"city": "Aalst", "km": 2},
        {"city": "Ghent", "km": 3},
    ]


def test_a_signal_has_the_value_it_is_given(run: Run, trips: Path) -> None:
    ended = run("trips.vg.json", "--data", "trips=trips.parquet", "--dataset", "totals", "--signal", "least=4")
    assert ended.out.splitlines() == ["city  km", "      4"]


def test_a_vega_lite_chart_is_compiled_first(run: Run, tmp_path: Path) -> None:
    chart = {
        "data": {"values": [{"kind": "a", "n": 1}, {"kind": "b", "n": 2}, {"kind": "a", "n": 5}]},
        "mark": "bar",
        "encoding": {"x": {"field": "kind"}, "y": {"aggregate": "sum", "field": "n"}},
    }
    assert run("-", "-o", "bars.vg.json", stdin=json.dumps(chart).encode()) == Ended(0, "", "")
    small = json.loads((tmp_path / "bars.vg.json").read_text())
    assert {row["kind"]: row["sum_n"] for row in small["data"][-1]["values"]} == {"a": 6, "b": 2}


def test_many_specs_leave_a_folder_each(run: Run, trips: Path) -> None:
    assert run("trips.vg.json", BOOKS, "--data", "trips=trips.parquet", "--datasets", "out") == Ended(0, "", "")
    told = json.loads((trips / "out" / "trips.vg" / "run.json").read_text())
    assert told["datasets"]["totals"] == {
        "engine": "spark",
        "reason": None,
        "transforms": [
            {"type": "aggregate", "engine": "spark", "reason": None},
            {"type": "collect", "engine": "spark", "reason": None},
        ],
    }
    assert (trips / "out" / "books.vg" / "aggs.jsonl").read_text().count("\n") == 4
    assert not [path for path in (trips / "out").iterdir() if path.name.startswith(".")]


def test_a_spec_that_fails_has_its_reason_in_its_folder_and_the_others_go_on(run: Run, trips: Path) -> None:
    (trips / "stops.vg.json").write_text('{"data": [{"name": "a", "source": "b"}]}')
    ended = run("stops.vg.json", BOOKS, "--datasets", "out", "--no-check")
    assert (ended.code, ended.out) == (1, "")
    assert ended.err.startswith("error: stops.vg.json: ")
    assert json.loads((trips / "out" / "stops.vg" / "run.json").read_text())["errors"]
    assert (trips / "out" / "books.vg" / "hundreds.jsonl").exists()


# What cannot be done


def test_a_spec_with_an_error_is_not_run(run: Run, tmp_path: Path) -> None:
    ended = run(BROKEN, "-o", "books.svg")
    assert (ended.code, ended.err) == (1, "")
    assert ended.out == run_here(tmp_path, "check", BROKEN).out
    assert list(tmp_path.iterdir()) == []


def test_the_check_knows_the_columns_that_are_given(run: Run, trips: Path) -> None:
    (trips / "wrong.vg.json").write_text(TRIPS.replace('"groupby": ["city"]', '"groupby": ["town"]'))
    ended = run("wrong.vg.json", "--data", "trips=trips.parquet", "-o", "wrong.svg")
    assert ended.code == 1
    assert "the fields here are `city`, `km`, `note`" in ended.out
    assert not (trips / "wrong.svg").exists()


REFUSED = [
    (("nowhere.vg.json",), "error: 'nowhere.vg.json' does not exist\n"),
    ((BOOKS, "--dataset", "total"), "error: the spec has no dataset `total`\nhelp: its datasets: books, aggs, hundreds\n"),
    ((BOOKS, "-o", "books.gif"), "error: 'books.gif' does not say how to write a chart: its name ends with none of "),
    ((BOOKS, "-o", "nowhere/books.svg"), "error: 'nowhere/books.svg' cannot be written: there is no folder 'nowhere'\n"),
    ((BOOKS, "--dataset", "aggs", "--row-limit", "3"), "error: dataset `aggs`: it has more than 3 rows, "),
    ((BOOKS, "-o", "books.svg", "--row-limit", "3"), "error: dataset `hundreds`: it has more than 3 rows, "),
    ((BOOKS, "--signal", "least=1"), "error: the spec has no signal `least`\n"),
    ((BOOKS, "--timezone", "Mars/Olympus"), "error: there is no time zone 'Mars/Olympus'\n"),
    ((BOOKS, "--data", "books=nowhere.parquet"), "error: dataset `books`: there is no file `nowhere.parquet`\n"),
    ((BOOKS, "--data", "books=table:nowhere"), "error: dataset `books`: the table `nowhere` cannot be read: "),
    ((BOOKS, "--remote", "spark.example.org"), "error: the address of a Spark Connect server is sc://HOST:PORT\n"),
]


@pytest.mark.parametrize(("arguments", "message"), REFUSED, ids=[" ".join(words[1:]) or "missing" for words, _ in REFUSED])
def test_what_cannot_be_done_is_said_and_nothing_is_written(
    run: Run, tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    ended = run(*arguments)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith(message)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "arguments",
    [
        (BOOKS, BROKEN),
        (BOOKS, "--datasets", "out", "-o", "x.svg"),
        (BOOKS, BOOKS, "--datasets", "out"),
        (BOOKS, "--master", "local[1]", "--remote", "sc://127.0.0.1"),
        (BOOKS, "--data", "books"),
        (BOOKS, "--signal", "least=two"),
        (BOOKS, "--conf", "spark"),
    ],
)
def test_bad_usage_ends_with_2(run: Run, arguments: tuple[str, ...]) -> None:
    ended = run(*arguments)
    assert (ended.code, ended.out) == (2, "")
    assert "\nerror: " in ended.err


def test_a_server_that_is_not_there_is_given_up_soon(run: Run) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    ended = run(BOOKS, "--remote", f"sc://127.0.0.1:{port}/;token=secret")
    assert ended == Ended(2, "", f"error: the Spark Connect server sc://127.0.0.1:{port} cannot be reached: connection refused\n")


def test_a_file_that_spark_cannot_read_is_told_without_a_java_stack(run: Run, trips: Path) -> None:
    (trips / "trips.parquet").write_bytes((trips / "trips.parquet").read_bytes()[:40] + b"x" * 400)
    ended = run("trips.vg.json", "--data", "trips=trips.parquet", "-o", "x.svg", "--no-check")
    assert ended.code == 2
    assert ended.err.startswith("error: dataset `trips`: `trips.parquet` cannot be loaded: ")
    assert "\tat " not in ended.err
    assert not (trips / "x.svg").exists()


def test_in_a_process_of_its_own_nothing_else_is_printed(tmp_path: Path) -> None:
    ended = run_apart(tmp_path, "run", BOOKS, "--dataset", "aggs", "-o", "rows.csv", timeout=240)
    assert ended == Ended(0, "", "")
    assert [path.name for path in tmp_path.iterdir()] == ["rows.csv"]


WITHOUT_JAVA = """
import sys
import sheliak.engines.spark.java as java
from sheliak.cli import main
java.java_of_package = lambda: None
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize("target", [("-o", "x.svg"), ("--datasets", "out")])
def test_without_java_one_message_says_what_is_missing(tmp_path: Path, target: tuple[str, str]) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "JAVA_HOME"} | {"PATH": "/nowhere"}
    command = [sys.executable, "-c", WITHOUT_JAVA, "run", BOOKS, *target]
    ended = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.startswith("error: Spark needs Java 17 or newer, and none was found ")
    assert ended.stderr.count("\n") == 1
    assert not list(tmp_path.glob("**/*.*"))
