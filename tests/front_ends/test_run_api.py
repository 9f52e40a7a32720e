"""`sheliak.run` and `sheliak.plan`: charts run in Python, on a session of the caller's."""

import json
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pytest
from pyspark.sql import DataFrame, SparkSession

import sheliak
from sheliak.engines.failures import RowLimit, RunFailure
from sheliak.running.opening import SpecErrors
from sheliak.running.result import Result

ROOT = Path(__file__).resolve().parent.parent.parent
BOOKS = ROOT / "examples" / "books.vg.json"

TRIPS = {
    "signals": [{"name": "least", "value": 2}],
    "data": [
        {"name": "trips", "transform": [{"type": "filter", "expr": "datum.km >= least"}]},
        {
            "name": "totals",
            "source": "trips",
            "transform": [
                {"type": "aggregate", "groupby": ["city"], "ops": ["sum", "max"], "fields": ["km", "at"], "as": ["km", "last"]},
                {"type": "formula", "as": "day", "expr": "datetime(datum.last)"},
                {"type": "collect", "sort": {"field": "city"}},
            ],
        },
    ],
    "marks": [
        {"type": "rect", "from": {"data": "totals"}, "encode": {"enter": {"x": {"field": "km"}, "tooltip": {"field": "city"}}}}
    ],
}


@pytest.fixture
def trips(interpreted: SparkSession) -> DataFrame:
    noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    cities, lengths = ["Ghent", "Aalst", "Ghent", None], [1.0, 2.0, 3.0, 4.0]
    return interpreted.createDataFrame(pa.table({"city": cities, "km": lengths, "at": [noon] * 4}))


@pytest.fixture
def result(trips: DataFrame, interpreted: SparkSession) -> Iterator[Result]:
    with sheliak.run(TRIPS, data={"trips": trips}, spark=interpreted) as made:
        yield made


def test_datasets_are_arrow_tables(result: Result) -> None:
    totals = result.datasets["totals"]
    assert totals.select(["city", "km"]).to_pylist() == [
        {"city": None, "km": 4.0},
        {"city": "Aalst", "km": 2.0},
        {"city": "Ghent", "km": 3.0},
    ]
    assert str(totals.schema.field("day").type) == "timestamp[ms, tz=UTC]"
    assert list(result.datasets) == ["trips", "totals"]
    with pytest.raises(KeyError):
        result.datasets["nowhere"]


def test_the_spec_holds_what_is_drawn(result: Result) -> None:
    assert [dataset["name"] for dataset in result.spec["data"]] == ["totals"]
    assert [row["km"] for row in result.spec["data"][0]["values"]] == [4, 2, 3]
    json.dumps(result.spec, allow_nan=False)


def test_other_values_of_signals(result: Result) -> None:
    later = result.update({"least": 4})
    assert later.datasets["totals"].column("km").to_pylist() == [4.0]
    assert (later.signals["least"], result.signals["least"]) == (4, 2)
    with pytest.raises(RunFailure, match="the spec has no signal `most`"):
        result.update({"most": 4})


def test_a_chart_is_saved_by_its_name(result: Result, tmp_path: Path) -> None:
    result.save(tmp_path / "trips.vg.json")
    assert json.loads((tmp_path / "trips.vg.json").read_text()) == result.spec
    result.save(tmp_path / "trips.svg")
    assert (tmp_path / "trips.svg").read_text().startswith("<svg")
    with pytest.raises(RunFailure, match="does not say how to write a chart"):
        result.save(tmp_path / "trips.gif")


def test_a_notebook_shows_the_chart(result: Result) -> None:
    shown = result._repr_mimebundle_()
    assert shown["application/vnd.vega.v6+json"] == shown["application/vnd.vega.v5+json"] == result.spec
    html = result._repr_html_()
    assert html is not None
    assert html.startswith('<img alt="chart" src="data:image/svg+xml;base64,')


def test_the_plan_says_what_is_read(trips: DataFrame, interpreted: SparkSession, result: Result) -> None:
    assert "trips  1 scan, 2 of 3 columns: city, km" in str(sheliak.plan(TRIPS, {"trips": trips}, interpreted))
    assert "→ renderer: " in str(result.plan)
    assert result.plan.to_dict()["scans"] == 1


def test_the_settings_of_a_borrowed_session_stay_as_they_were(trips: DataFrame, interpreted: SparkSession) -> None:
    interpreted.conf.set("spark.sql.session.timeZone", "Asia/Tokyo")
    interpreted.conf.set("spark.sql.caseSensitive", "false")
    try:
        with sheliak.run(TRIPS, data={"trips": trips}, spark=interpreted) as made:
            assert made.datasets["totals"].num_rows == 3
        assert interpreted.conf.get("spark.sql.session.timeZone") == "Asia/Tokyo"
        assert interpreted.conf.get("spark.sql.caseSensitive") == "false"
    finally:
        interpreted.conf.set("spark.sql.session.timeZone", "UTC")
        interpreted.conf.set("spark.sql.caseSensitive", "true")


def test_a_spec_is_checked_against_the_frame(trips: DataFrame, interpreted: SparkSession) -> None:
    with pytest.raises(SpecErrors, match="has no field `km`") as raised:
        sheliak.run(TRIPS, {"trips": trips.drop("km")}, interpreted)
    assert len(raised.value.outcome.findings) >= 1


def test_rows_arrow_and_files_are_data_too(interpreted: SparkSession, tmp_path: Path) -> None:
    rows = [{"city": "Ghent", "km": 5, "at": 0}, {"city": "Ghent", "km": 1, "at": 0}]
    (tmp_path / "trips.json").write_text(json.dumps(rows))
    for given in (rows, pa.Table.from_pylist(rows), tmp_path / "trips.json"):
        with sheliak.run(TRIPS, {"trips": given}, interpreted) as made:
            assert made.datasets["totals"].column("km").to_pylist() == [5.0]


def test_too_many_rows_are_refused(trips: DataFrame, interpreted: SparkSession) -> None:
    with (
        sheliak.run(TRIPS, {"trips": trips}, interpreted, row_limit=2) as made,
        pytest.raises(RowLimit, match="dataset `totals`"),
    ):
        _ = made.spec


def test_a_vega_lite_chart_is_given_its_data_by_name(interpreted: SparkSession) -> None:
    chart = {"data": {"name": "t"}, "mark": "bar", "encoding": {"x": {"field": "k"}, "y": {"aggregate": "count"}}}
    with sheliak.run(chart, {"t": [{"k": "a"}, {"k": "b"}, {"k": "a"}]}, interpreted) as made:
        assert sorted(made.spec["data"][-1]["values"], key=str) == [{"k": "a", "__count": 2}, {"k": "b", "__count": 1}]


def test_without_a_session_one_is_started_and_ended_with_the_process() -> None:
    program = f"import sheliak; print(sheliak.run({str(BOOKS)!r}).datasets['aggs'].num_rows)"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=240, check=True)
    assert (ended.stdout, ended.stderr) == ("4\n", "")
