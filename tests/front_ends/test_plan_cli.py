"""`sheliak plan`: what runs where, and why, as text and as JSON."""

import json
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet
from pyspark.sql import SparkSession

from front_ends.commands import Ended, run_here

ROOT = Path(__file__).resolve().parent.parent.parent

CHART = {
    "$schema": "https://vega.github.io/schema/vega/v6.json",
    "signals": [
        {"name": "least", "value": 2, "bind": {"input": "range"}},
        {"name": "hover", "value": None, "on": [{"events": "rect:mouseover", "update": "datum"}]},
    ],
    "data": [
        {"name": "trips", "transform": [{"type": "filter", "expr": "datum.km >= least"}]},
        {
            "name": "totals",
            "source": "trips",
            "transform": [
                {"type": "extent", "field": "km", "signal": "ends"},
                {"type": "bin", "field": "km", "extent": {"signal": "ends"}},
                {"type": "aggregate", "groupby": ["bin0", "city"]},
                {"type": "stack", "groupby": ["bin0"], "field": "count"},
            ],
        },
        {"name": "cities", "source": "trips", "transform": [{"type": "project", "fields": ["city"]}]},
        {"name": "words", "source": "totals", "transform": [{"type": "wordcloud", "text": {"field": "city"}}]},
    ],
    "scales": [
        {"name": "x", "domain": {"data": "totals", "field": "bin0"}, "range": "width"},
        {"name": "color", "type": "ordinal", "domain": {"data": "cities", "field": "city"}, "range": "category"},
    ],
    "marks": [
        {"type": "rect", "from": {"data": "totals"}, "encode": {"update": {"y": {"field": "y0"}, "y2": {"field": "y1"}}}},
        {"type": "text", "from": {"data": "words"}, "encode": {"update": {"x": {"field": "x"}}}},
    ],
}

PLAN = """\
trips  spark
  filter  spark
  nothing of it reaches the renderer
totals  spark
  extent     spark
  bin        spark
  aggregate  spark
  stack      spark
  → renderer: rows of bin0, city, count, y0, y1
"""


@pytest.fixture
def chart(spark: SparkSession, tmp_path: Path) -> Path:
    """A folder with the chart and more trips than are sent for the sake of a slider."""
    (tmp_path / "trips.vg.json").write_text(json.dumps(CHART))
    rows = 25_000
    columns = {"city": [f"c{n % 5}" for n in range(rows)], "km": [float(n % 100) for n in range(rows)], "note": ["x"] * rows}
    parquet.write_table(pa.table(columns), tmp_path / "trips.parquet")
    return tmp_path


def plan(folder: Path, *arguments: str) -> Ended:
    return run_here(folder, "plan", "trips.vg.json", "--data", "trips=trips.parquet", *arguments)


def test_the_plan_as_text(chart: Path) -> None:
    ended = plan(chart)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith(PLAN)
    assert "\ncities  spark\n  project  spark\n  → renderer: distinct values of city\n" in ended.out
    assert "\n  wordcloud  renderer: " in ended.out
    assert "\nsources\n  trips  " in ended.out
    assert " 2 of 3 columns: city, km\n" in ended.out
    assert "\nsignals at their initial value\n  least  in totals" in ended.out
    assert ended.out.endswith("\nsignals that stay interactive\n  hover\n")
    assert "\x1b[" not in ended.out


def test_the_plan_as_json(chart: Path) -> None:
    told = json.loads(plan(chart, "--output-format", "json").out)
    assert [dataset["dataset"] for dataset in told["datasets"]] == ["trips", "totals", "cities", "words"]
    assert told["datasets"][2]["renderer"] == {"what": "distinct values", "fields": ["city"], "transforms": [], "rows": None}
    assert {signal["signal"]: signal["interactive"] for signal in told["signals"]} == {"hover": True, "least": False}
    assert told["sources"][0]["columns"] == ["city", "km"]
    assert told["scans"] == sum(source["scans"] for source in told["sources"])


def test_spark_s_own_plans_are_added_on_request(chart: Path) -> None:
    out = plan(chart, "--explain").out
    assert "\nSpark's plan of totals\n== Physical Plan ==" in out


def test_a_spec_with_an_error_has_no_plan(spark: SparkSession, tmp_path: Path) -> None:
    ended = run_here(tmp_path, "plan", str(ROOT / "examples" / "books-broken.vg.json"))
    assert (ended.code, ended.err) == (1, "")
    assert "error[unknown-field]" in ended.out


def test_few_rows_stay_interactive(chart: Path) -> None:
    table = parquet.read_table(chart / "trips.parquet").slice(0, 100)
    parquet.write_table(table, chart / "trips.parquet")
    out = plan(chart).out
    assert "  filter  renderer: a reader of the chart can change what it depends on, and the rows before it are few\n" in out
    assert out.endswith("\nsignals that stay interactive\n  hover, least\n")
