"""What Spark really runs for the charts of the benchmark: which columns are read, what is pushed to the files, how often they are read."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet
from pyspark.sql import DataFrame, SparkSession

from sheliak.dataflow.graph import Vertex
from sheliak.engines.reference.inputs import Surroundings
from sheliak.engines.spark import fetch as fetching
from sheliak.engines.spark.fetch import fetch, passes_over
from sheliak.engines.spark.given import frames_of
from sheliak.engines.spark.pipeline import Pipeline, open_pipeline
from sheliak.engines.spark.results import rows_of_plan
from sheliak.expressions.values import Row, Value
from sheliak.expressions.zones import UTC
from sheliak.loading.folders import DataFolders
from sheliak.plan.building import fields_only
from sheliak.plan.operators import Plan
from sheliak.plan.rewrite import rewritten
from sheliak.source.tree import Node

ROWS = 200_000
"""As many as it takes for charts to share a pass."""

COUNT: dict[str, object] = {"type": "aggregate", "ops": ["count"], "fields": [None], "as": ["n"]}
MEAN: dict[str, object] = {"type": "aggregate", "ops": ["mean"], "fields": ["delay"], "as": ["mean"]}
HOUR: dict[str, object] = {"type": "formula", "expr": "utchours(datum.date)", "as": "hour"}
CHARTS: dict[str, list[dict[str, object]]] = {
    "histogram": [
        {"type": "extent", "field": "delay", "signal": "delays"},
        {"type": "bin", "field": "delay", "extent": {"signal": "delays"}, "maxbins": 50},
        {**COUNT, "groupby": ["bin0"]},
    ],
    "mean": [{"type": "filter", "expr": "datum.distance > 500 && datum.delay > 0"}, {**MEAN, "groupby": ["carrier"]}],
    "daily": [
        {"type": "timeunit", "field": "date", "units": ["year", "month", "date"], "timezone": "utc"},
        {**COUNT, "groupby": ["unit0"]},
    ],
    "top": [
        {**MEAN, "groupby": ["origin"]},
        {
            "type": "window",
            "sort": {"field": "mean", "order": "descending"},
            "ops": ["row_number"],
            "fields": [None],
            "as": ["row"],
        },
        {"type": "filter", "expr": "datum.row <= 10"},
    ],
    "stack": [
        HOUR,
        {**COUNT, "groupby": ["hour", "carrier"]},
        {"type": "stack", "groupby": ["hour"], "field": "n", "sort": {"field": "carrier"}},
    ],
}
READ = {
    "histogram": {"delay"},
    "mean": {"delay", "distance", "carrier"},
    "daily": {"date"},
    "top": {"delay", "origin"},
    "stack": {"date", "carrier"},
}
DASHBOARD = {
    **CHARTS,
    "hours": [HOUR, {**COUNT, "groupby": ["hour"]}],
    "carriers": [{**MEAN, "groupby": ["carrier"]}],
    "far": [{"type": "filter", "expr": "datum.distance > 1000"}, {**COUNT, "groupby": ["carrier"]}],
}
EARLIER: dict[str, list[dict[str, object]]] = {
    "earlier": [
        HOUR,
        {**COUNT, "groupby": ["hour", "carrier"]},
        {"type": "window", "groupby": ["carrier"], "sort": {"field": "hour"}, "ops": ["lag"], "fields": ["n"], "as": ["before"]},
    ]
}
"""A chart that does with its groups what is done on Spark alone."""
BRUSHES: dict[str, dict[str, object]] = {
    name: {"type": "filter", "expr": f"datum.{name} >= {low} && datum.{name} < {high}"}
    for name, low, high in (("delay", 10, 60), ("distance", 400, 1210), ("hour", 6, 12))
}
DELAYS: dict[str, object] = {"type": "bin", "field": "delay", "extent": [-15, 240], "step": 5}
DISTANCES: dict[str, object] = {"type": "bin", "field": "distance", "extent": [0, 3000], "step": 100}
LINKED = {
    "all delays": [DELAYS, {**COUNT, "groupby": ["bin0", "bin1"]}],
    "delays": [HOUR, BRUSHES["distance"], BRUSHES["hour"], DELAYS, {**COUNT, "groupby": ["bin0", "bin1"]}],
    "distances": [HOUR, BRUSHES["delay"], BRUSHES["hour"], DISTANCES, {**COUNT, "groupby": ["bin0"]}],
    "hours within": [HOUR, BRUSHES["delay"], BRUSHES["distance"], {**COUNT, "groupby": ["hour"]}],
    "mean within": [HOUR, *BRUSHES.values(), {**MEAN, "groupby": ["hour"]}],
    "all": [HOUR, *BRUSHES.values(), {**COUNT, "groupby": []}],
}


@pytest.fixture(scope="module")
def flights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two files with the rows of made-up flights; every hundredth delay is null."""
    folder = tmp_path_factory.mktemp("flights") / "flights.parquet"
    folder.mkdir()
    for number in range(2):
        ids = range(number, ROWS, 2)
        table = pa.table(
            {
                "date": pa.array([1_400_000_000_000 + id * 7_200_000 for id in ids], pa.timestamp("ms", tz="UTC")),
                "delay": pa.array([None if id % 100 == 7 else float(id % 173 - 15) for id in ids], pa.float64()),
                "distance": pa.array([float(80 + id * 7 % 2600) for id in ids], pa.float64()),
                "carrier": [f"C{id * id % 15}" for id in ids],
                "origin": [f"A{id * 31 % 301}" for id in ids],
                "unread": [f"text {id}" for id in ids],
            }
        )
        parquet.write_table(table, folder / f"{number}.parquet", row_group_size=20_000)
    return folder


def open_dashboard(spark: SparkSession, flights: Path) -> Pipeline:
    charts = {**DASHBOARD, **EARLIER, **LINKED}
    data = [{"name": "flights"}, *({"name": name, "source": "flights", "transform": steps} for name, steps in charts.items())]
    frames = frames_of({"flights": str(flights)}, spark)
    return open_pipeline(Node({"data": data}), spark, Surroundings(DataFolders(None), UTC), frames=frames)


@pytest.fixture(scope="module")
def pipeline(spark: SparkSession, flights: Path) -> Iterator[Pipeline]:
    opened = open_dashboard(spark, flights)
    yield opened
    opened.close()


def plan_of(pipeline: Pipeline, chart: str) -> Plan:
    return pipeline.run.plans[Vertex("dataset", chart)]


def physical(frame: DataFrame) -> str:
    return str(frame._jdf.queryExecution().executedPlan().toString())  # type: ignore[operator]


def physical_of(pipeline: Pipeline, chart: str) -> str:
    (plan,) = rewritten([plan_of(pipeline, chart)])
    return physical(pipeline.run.lower.frame(plan, position=True))


@pytest.mark.parametrize("chart", CHARTS)
def test_one_scan_of_the_columns_that_the_chart_needs(pipeline: Pipeline, chart: str) -> None:
    text = physical_of(pipeline, chart)
    (schema,) = re.findall(r"FileScan parquet .*ReadSchema: struct<(.*?)>", text)
    assert set(re.findall(r"(\w+):", schema)) == READ[chart]


@pytest.mark.parametrize("chart", CHARTS)
def test_rows_are_summed_up_by_hashing_before_they_are_exchanged(pipeline: Pipeline, chart: str) -> None:
    text = physical_of(pipeline, chart)
    below = text[text.rindex("Exchange") :]
    assert "HashAggregate" in below and "partial_" in below
    assert "SortAggregate" not in text
    assert "Sort [" not in below


@pytest.mark.parametrize("chart", CHARTS)
def test_no_python_is_run_for_rows(pipeline: Pipeline, chart: str) -> None:
    assert not re.search("Python|InArrow|InPandas", physical_of(pipeline, chart))


def test_both_tests_of_a_filter_reach_the_reader_of_the_file(pipeline: Pipeline) -> None:
    (pushed,) = re.findall(r"PushedFilters: \[(.*?)\], ReadSchema", physical_of(pipeline, "mean"))
    assert "GreaterThan(distance,500.0)" in pushed
    assert "GreaterThan(delay,0.0)" in pushed


def test_the_extent_of_a_column_is_taken_from_the_statistics_of_the_files(
    spark: SparkSession, flights: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetching.Fetching, "tables", _refused)
    opened = open_dashboard(spark, flights)
    assert opened.run.signals["delays"] == [-15.0, 157.0]
    opened.close()


def _refused(fetching: object, plans: object) -> object:
    raise AssertionError("Spark was asked")


class Watched:
    """What is fetched: how many frames in each job, how often they read the files, and what Spark keeps for them."""

    def __init__(self, session: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
        self.frames: list[int] = []
        self.scans: list[int] = []
        self.kept: list[DataFrame] = []
        collected, of_frames = fetching.Fetching._collected, type(session.range(1))
        keep = of_frames.persist

        def watched(fetching: fetching.Fetching, frames: list[DataFrame]) -> list[pa.Table]:
            alone = [frame for frame in frames if "InMemoryTableScan" not in physical(frame)]
            self.frames.append(len(frames))
            self.scans.append(sum(physical(frame).count("FileScan") for frame in [*alone, *self.kept]))
            return collected(fetching, frames)

        def keeping(frame: DataFrame) -> DataFrame:
            self.kept.append(frame)
            return keep(frame)

        monkeypatch.setattr(fetching.Fetching, "_collected", watched)
        monkeypatch.setattr(of_frames, "persist", keeping)


def assert_answered(pipeline: Pipeline, charts: Iterable[str]) -> None:
    """All charts at once have the rows that each has alone."""
    plans = {chart: plan_of(pipeline, chart) for chart in charts}
    found = fetch(plans, pipeline.run.lower, limit=100_000)
    for chart, plan in plans.items():
        assert_same(found[chart], rows_of_plan(plan, pipeline.run.lower))


def test_a_dashboard_reads_its_source_less_often_than_it_has_charts(pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sets of cells come from one pass; the days, of which there are too many for so few rows, from one of their own, in the same job."""
    watched = Watched(pipeline.run.lower.session, monkeypatch)
    assert_answered(pipeline, DASHBOARD)
    assert (watched.frames, watched.scans) == ([2], [2])
    assert sum(passes_over([plan_of(pipeline, chart) for chart in DASHBOARD], pipeline.run.lower).values()) == 2
    assert not any(frame.is_cached for frame in watched.kept)


def test_charts_that_brush_each_other_are_computed_from_cells_at_hand(
    pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = Watched(pipeline.run.lower.session, monkeypatch)
    assert_answered(pipeline, LINKED)
    assert (watched.frames, watched.scans, watched.kept) == ([1], [1], [])


def test_cells_that_turn_out_to_be_many_stay_with_spark(pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "MOST_AT_HAND", 10)
    watched = Watched(pipeline.run.lower.session, monkeypatch)
    assert_answered(pipeline, LINKED)
    assert watched.frames == [1, len(LINKED)]
    assert len(watched.kept) == 1 and not watched.kept[0].is_cached


def test_cells_that_plans_of_spark_read_as_well_are_computed_once(pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch) -> None:
    watched = Watched(pipeline.run.lower.session, monkeypatch)
    assert_answered(pipeline, ["earlier", "hours", "carriers"])
    assert (watched.frames, watched.scans) == ([2], [1])


@pytest.mark.parametrize(("fewest", "scans"), [(10**6, 1), (0, 2)])
def test_charts_over_few_rows_are_computed_from_cells_at_hand(
    pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch, fewest: int, scans: int
) -> None:
    """Of the fewest rows, one set of cells serves all charts that can be computed here; a look at other rows stays with Spark, which keeps no cells for it."""
    monkeypatch.setattr(fetching, "FEW_ROWS", 10**6)
    monkeypatch.setattr(fetching, "FEWEST_ROWS", fewest)
    watched = Watched(pipeline.run.lower.session, monkeypatch)
    assert_answered(pipeline, ["histogram", "mean", "hours", "carriers"])
    assert (watched.scans, watched.kept) == ([scans], [])
    assert_answered(pipeline, ["hours", "carriers", "earlier"])
    assert (watched.frames[1:], watched.kept) == ([2], [])


def assert_same(some: list[Row], others: list[Row]) -> None:
    """The same rows in the same order, sums to the last digits."""
    assert len(some) == len(others)
    for one, other in zip(some, others, strict=True):
        assert one.keys() == other.keys()
        assert all(is_same(one[name], other[name]) for name in one), (one, other)


def is_same(one: Value, other: Value) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return one == pytest.approx(other, rel=1e-12)
    return one == other


def test_the_first_rows_of_a_window_are_taken_before_they_are_numbered(pipeline: Pipeline) -> None:
    plan = physical_of(pipeline, "top")
    assert "TakeOrderedAndProject(limit=10" in plan
    assert plan.index("Window") < plan.index("TakeOrderedAndProject(limit=10")
    found = {row["row"]: row["mean"] for row in rows_of_plan(plan_of(pipeline, "top"), pipeline.run.lower)}
    assert sorted(found) == [float(number) for number in range(1, 11)]
    means = [float(str(found[number])) for number in sorted(found)]
    assert means == sorted(means, reverse=True)


def test_the_first_rows_of_a_window_are_not_numbered_where_nobody_reads_the_numbers(pipeline: Pipeline) -> None:
    whole = plan_of(pipeline, "top")
    kept = {name: value for name, value in whole.schema.reads().items() if name != "row"}
    (plan,) = rewritten([fields_only(whole, kept, pipeline.run.planning)])
    lowered = physical(pipeline.run.lower.frame(plan, position=True))
    assert "TakeOrderedAndProject(limit=10" in lowered
    assert "Window" not in lowered
    numbered = {str(row["origin"]): row["mean"] for row in rows_of_plan(whole, pipeline.run.lower)}
    assert {str(row["origin"]): row["mean"] for row in rows_of_plan(plan, pipeline.run.lower)} == numbered


def test_no_more_rows_than_the_limit_and_one_leave_spark(pipeline: Pipeline) -> None:
    plans = {"daily": plan_of(pipeline, "daily"), "top": plan_of(pipeline, "top")}
    found = fetch(plans, pipeline.run.lower, limit=7)
    assert [len(rows) for rows in found.values()] == [8, 8]
