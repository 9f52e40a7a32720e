"""Charts with unrelated keys over one large table: one pass, in which rows are looked up by numbers, and the same rows."""

from __future__ import annotations

from datetime import UTC as UNIVERSAL
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet
from pyspark.sql import SparkSession

from engines.large_tables import Charts, opened_over, spec_of, watched_plans
from engines.table_charts import rows_of
from sheliak.dataflow.graph import Vertex
from sheliak.engines.reference.engine import run_reference
from sheliak.engines.spark.one_pass import one_pass
from sheliak.engines.spark.pipeline import Pipeline
from sheliak.engines.spark.reading.statistics import spans_of
from sheliak.expressions.values import Row, encode
from sheliak.plan.column_types import Plain
from sheliak.plan.expressions import Read
from sheliak.plan.operators import Output, Scan, Schema, Source
from sheliak.plan.rewrite.numbered_cells import Digit, NumberedCells
from sheliak.plan.rewrite.shared_cells import Cells

COUNT: dict[str, object] = {"type": "aggregate", "ops": ["count"], "fields": [None], "as": ["n"]}
MEAN: dict[str, object] = {"type": "aggregate", "ops": ["mean", "count"], "fields": ["delay", None], "as": ["mean", "n"]}
CHARTS: Charts = {
    "delays": [{"type": "bin", "field": "delay", "extent": [-10, 100], "step": 5}, {**COUNT, "groupby": ["bin0"]}],
    "distances": [{"type": "bin", "field": "distance", "extent": [0, 3000], "step": 100}, {**MEAN, "groupby": ["bin0"]}],
    "hours": [{"type": "formula", "expr": "utchours(datum.date)", "as": "hour"}, {**COUNT, "groupby": ["hour"]}],
    "weekdays": [{"type": "formula", "expr": "utcday(datum.date)", "as": "day"}, {**MEAN, "groupby": ["day"]}],
    "days": [
        {"type": "timeunit", "field": "date", "units": ["year", "month", "date"], "timezone": "utc"},
        {**COUNT, "groupby": ["unit0"]},
    ],
    "landings": [
        {"type": "timeunit", "field": "landed", "units": ["year", "month", "date"], "timezone": "utc"},
        {**COUNT, "groupby": ["unit0"]},
    ],
    "carriers": [{**MEAN, "groupby": ["carrier"]}],
    "origins": [
        {**MEAN, "groupby": ["origin"]},
        {"type": "window", "sort": {"field": "mean", "order": "descending"}, "ops": ["rank"], "fields": [None], "as": ["rank"]},
        {"type": "filter", "expr": "datum.rank <= 10"},
    ],
    "late": [
        {"type": "filter", "expr": "datum.delay > 0 && datum.cancelled"},
        {**COUNT, "groupby": ["carrier"]},
        {"type": "stack", "field": "n", "sort": {"field": "carrier"}},
    ],
    "cancelled": [{**COUNT, "groupby": ["cancelled"]}],
}
APART: Charts = {
    "texts": [{"type": "formula", "expr": "upper(datum.carrier) + '!'", "as": "u"}, {**COUNT, "groupby": ["u"]}],
    "medians": [{"type": "aggregate", "groupby": ["carrier"], "ops": ["median"], "fields": ["distance"], "as": ["m"]}],
}


def made_up() -> pa.Table:
    random = Random("one pass")
    start = datetime(2024, 2, 20, tzinfo=UNIVERSAL)
    rows = 5000
    return pa.table(
        {
            "delay": [random.choice([None, float("nan"), random.uniform(-30, 130)]) for _ in range(rows)],
            "distance": [random.uniform(0, 3000) for _ in range(rows)],
            "carrier": [random.choice(["AA", "DL", "UA", "WN"]) for _ in range(rows)],
            "origin": pa.array(
                [random.choice([None, *(f"A{number}" for number in range(40))]) for _ in range(rows)], pa.string()
            ),
            "date": pa.array([start + timedelta(minutes=index * 7) for index in range(rows)], pa.timestamp("us", "UTC")),
            "landed": pa.array(
                [None if index % 50 == 9 else start + timedelta(minutes=index * 8) for index in range(rows)],
                pa.timestamp("us", "UTC"),
            ),
            "cancelled": pa.array([random.choice([True, False, None]) for _ in range(rows)], pa.bool_()),
        }
    )


@pytest.fixture(scope="module")
def flights(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Row]]:
    path, table = tmp_path_factory.mktemp("one-pass") / "flights.parquet", made_up()
    parquet.write_table(table, path, row_group_size=700)
    return path, rows_of(table)


@pytest.fixture
def plans(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is asked of Spark."""
    return watched_plans(monkeypatch)


def only(*names: str) -> Charts:
    return {name: CHARTS[name] for name in names}


def rows_at_once(pipeline: Pipeline, charts: Charts) -> dict[str, list[object]]:
    vertices = {name: Vertex("dataset", name) for name in charts}
    found = pipeline.run.fetched({vertex: pipeline.run.plans[vertex] for vertex in vertices.values()}, "they are compared")
    return {name: told(found[vertex]) for name, vertex in vertices.items()}


def told(rows: list[Row]) -> list[object]:
    """Rows as they are written, means to the last digits that both engines have."""
    return [encode({name: round(value, 9) if isinstance(value, float) else value for name, value in row.items()}) for row in rows]


def meant(rows: list[Row], charts: Charts) -> dict[str, list[object]]:
    found = run_reference(spec_of(charts), data={"t": rows}).datasets
    return {name: told(found[name].rows) for name in charts}


def test_ten_charts_with_unrelated_keys_take_one_pass(
    spark: SparkSession, flights: tuple[Path, list[Row]], plans: list[str]
) -> None:
    with opened_over(flights[0], spark, CHARTS) as pipeline:
        assert rows_at_once(pipeline, CHARTS) == meant(flights[1], CHARTS)
    (plan,) = plans
    assert plan.count("FileScan") == 1 and plan.count("Exchange") == 1 and "Expand" in plan


def test_the_weekday_follows_from_the_day_and_is_no_key_beside_it(
    spark: SparkSession, flights: tuple[Path, list[Row]], plans: list[str]
) -> None:
    charts = only("days", "weekdays", "distances", "origins", "delays")
    with opened_over(flights[0], spark, charts) as pipeline:
        assert rows_at_once(pipeline, charts) == meant(flights[1], charts)
    (plan,) = plans
    assert "pmod" not in plan and "isnan(c0" not in plan.split("Expand")[0]


def test_what_is_no_part_of_the_pass_is_in_the_same_job(
    spark: SparkSession, flights: tuple[Path, list[Row]], plans: list[str]
) -> None:
    charts = {**CHARTS, **APART}
    with opened_over(flights[0], spark, charts) as pipeline:
        assert rows_at_once(pipeline, charts) == meant(flights[1], charts)
    assert len(plans) == 1 + len(APART)
    assert sum("Expand" in plan for plan in plans) == 1


def test_rows_with_other_keys_than_those_known_are_counted_all_the_same(
    spark: SparkSession, flights: tuple[Path, list[Row]], plans: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file may state less than it holds: then the pass says nothing, and Spark groups by the keys."""
    charts = only("days", "distances", "hours", "origins", "delays")
    monkeypatch.setattr("sheliak.engines.spark.tables.Table.span", lambda table, column: (1.7e12, 1.7e12 + 1e9))
    with opened_over(flights[0], spark, charts) as pipeline:
        assert rows_at_once(pipeline, charts) == meant(flights[1], charts)
    assert "Expand" in plans[0]
    assert len(plans) == 1 + len(charts)


def test_one_pass_is_not_made_of_what_is_one_anyway(
    spark: SparkSession, flights: tuple[Path, list[Row]], plans: list[str]
) -> None:
    charts = only("hours", "weekdays", "cancelled")
    with opened_over(flights[0], spark, charts) as pipeline:
        assert rows_at_once(pipeline, charts) == meant(flights[1], charts)
    assert "Expand" not in "".join(plans)


STACKED: Charts = {
    "stack": [
        {**COUNT, "groupby": ["carrier", "cancelled"]},
        {"type": "stack", "groupby": ["carrier"], "field": "n", "sort": {"field": "n", "order": "descending"}},
    ],
    "shares": [{**COUNT, "groupby": ["origin"]}, {"type": "stack", "field": "n", "offset": "normalize"}],
    "ranks": [
        {**MEAN, "groupby": ["origin", "carrier"]},
        {"type": "window", "groupby": ["carrier"], "sort": {"field": "mean"}, "ops": ["dense_rank", "row_number"]},
        {"type": "filter", "expr": "datum.dense_rank <= 3"},
    ],
}


@pytest.mark.parametrize("chart", STACKED)
def test_a_chart_that_looks_around_few_groups_brings_these(
    spark: SparkSession, flights: tuple[Path, list[Row]], plans: list[str], chart: str
) -> None:
    """Spark would bring the groups together once more, to sort them."""
    charts = {chart: STACKED[chart]}
    with opened_over(flights[0], spark, charts) as pipeline:
        assert rows_at_once(pipeline, charts) == meant(flights[1], charts)
    (plan,) = plans
    assert "Window" not in plan and plan.count("Exchange") == 1


def test_of_how_many_groups_nothing_is_known_spark_looks_around(
    spark: SparkSession, flights: tuple[Path, list[Row]], plans: list[str]
) -> None:
    charts: Charts = {"ranks": [{**COUNT, "groupby": ["delay"]}, {"type": "window", "sort": {"field": "n"}, "ops": ["rank"]}]}
    with opened_over(flights[0], spark, charts) as pipeline:
        assert len(rows_at_once(pipeline, charts)["ranks"]) == len(meant(flights[1], charts)["ranks"])
    (plan,) = plans
    assert "Window" in plan


@pytest.mark.parametrize(
    ("of", "around"),
    [
        (pa.timestamp("us", "UTC"), (1_708_387_200_000, 1_708_387_260_001)),
        (pa.timestamp("ns"), (1_708_387_200_000, 1_708_387_260_001)),
        (pa.timestamp("ms"), (1_708_387_200_000, 1_708_387_260_000)),
        (pa.date32(), (1_708_387_200_000, 1_708_387_200_000)),
    ],
    ids=str,
)
def test_a_file_says_between_which_dates_it_is(tmp_path: Path, of: pa.DataType, around: tuple[float, float]) -> None:
    first = datetime(2024, 2, 20)
    dates = pa.array([first, None, first + timedelta(minutes=1, microseconds=1)], pa.timestamp("us"))
    cast = (
        dates.cast(of, safe=False) if not pa.types.is_timestamp(of) or of.tz is None else dates.cast(pa.timestamp("us")).cast(of)
    )
    parquet.write_table(pa.table({"d": cast, "n": [1.0, 2.0, 3.0]}), tmp_path / "d.parquet")
    assert spans_of(parquet.read_metadata(tmp_path / "d.parquet")) == {"d": around}


def test_of_dates_that_writers_count_in_other_ways_it_says_nothing(tmp_path: Path) -> None:
    parquet.write_table(pa.table({"d": pa.array([datetime(1850, 1, 1), datetime(2024, 1, 1)])}), tmp_path / "d.parquet")
    assert spans_of(parquet.read_metadata(tmp_path / "d.parquet")) == {}


def test_sets_in_which_two_combinations_have_one_number_are_not_put_together() -> None:
    def keyed(mark: int) -> NumberedCells:
        base = Output("", 1, Read(1, Plain("number")))
        made = Cells(Scan(Source("t"), Schema(())), lambda: 2)
        return NumberedCells(made, made.plan(), (Digit(base, None, 0, 0, (0, 1, 2), (0, 1, 2)),), mark)

    lower: Any = None
    assert one_pass([keyed(0), keyed(4)], lower) is not None
    assert one_pass([keyed(0), keyed(1)], lower) is None
