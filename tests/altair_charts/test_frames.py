"""Data of every kind under a chart: frames of Spark, tables, files, pandas, polars, Arrow; what is inferred, what is shown."""

import json
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import altair as alt
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import sheliak
from altair_charts.gallery import CARS, STOCKS
from altair_charts.pictures import picture_changed
from sheliak.altair.references import NotOnSpark
from sheliak.engines.failures import RowLimit, RunFailure
from sheliak.running.opening import SpecErrors

PLAIN = CARS.assign(Year=CARS["Year"].dt.tz_localize("UTC"))


def bars(data: object) -> alt.Chart:
    return alt.Chart(data).mark_bar().encode(alt.X("Miles", bin=True), y="count()", color="Origin", tooltip="max(Year)")


@pytest.fixture
def frame(interpreted: SparkSession) -> DataFrame:
    return interpreted.createDataFrame(pa.Table.from_pandas(PLAIN, preserve_index=False))


@pytest.fixture
def table(frame: DataFrame) -> Iterator[str]:
    frame.createOrReplaceTempView("cars")
    yield "cars"
    frame.sparkSession.catalog.dropTempView("cars")


def same_as_pandas(chart: alt.TopLevelMixin, session: SparkSession) -> bool:
    with sheliak.run(chart, spark=session) as result:
        return picture_changed(bars(PLAIN), result.spec) is None


def test_a_frame_of_spark(frame: DataFrame, interpreted: SparkSession) -> None:
    assert same_as_pandas(bars(sheliak.data(frame)), interpreted)


def test_a_frame_of_spark_as_it_is(frame: DataFrame, interpreted: SparkSession) -> None:
    """Altair does not accept it; we do."""
    assert same_as_pandas(bars(frame), interpreted)


def test_a_frame_of_spark_that_is_looked_up(frame: DataFrame, interpreted: SparkSession) -> None:
    towns = interpreted.createDataFrame(pa.table({"Origin": ["Japan", "USA"], "code": ["j", "u"]}))

    def chart(cars: object, codes: object) -> alt.TopLevelMixin:
        looked_up = alt.Chart(cars).transform_lookup("Origin", from_=alt.LookupData(codes, "Origin", ["code"]))
        return bars(cars) | looked_up.mark_bar().encode(x="code:N", y="count()")

    with sheliak.run(chart(frame, sheliak.data(towns)), spark=interpreted) as result:
        assert picture_changed(chart(PLAIN, towns.toPandas()), result.spec) is None


def test_a_table_by_its_name(table: str, interpreted: SparkSession) -> None:
    assert same_as_pandas(bars(sheliak.data(table, interpreted)), interpreted)
    assert same_as_pandas(bars(sheliak.data(f"table:{table}", interpreted)), interpreted)


def test_a_table_in_the_place_of_a_url(table: str, interpreted: SparkSession) -> None:
    chart = alt.Chart(f"table:{table}").mark_bar()
    typed = chart.encode(alt.X("Miles:Q", bin=True), y="count()", color="Origin:N", tooltip="max(Year):T")
    assert same_as_pandas(typed, interpreted)


def test_a_file(interpreted: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "cars.parquet"
    pa.parquet.write_table(pa.Table.from_pandas(PLAIN, preserve_index=False), path)
    assert same_as_pandas(bars(sheliak.data(path, interpreted)), interpreted)


def test_polars_and_arrow(interpreted: SparkSession) -> None:
    assert same_as_pandas(bars(pl.from_pandas(PLAIN)), interpreted)
    assert same_as_pandas(bars(pa.Table.from_pandas(PLAIN, preserve_index=False)), interpreted)


def test_the_session_of_a_frame_is_used_without_being_named(frame: DataFrame) -> None:
    with sheliak.run(bars(sheliak.data(frame))) as result:
        assert len(result.spec["data"]) > 0


def test_types_are_inferred_from_the_schema(frame: DataFrame) -> None:
    data = sheliak.data(frame)
    chart = alt.Chart(data).mark_point().encode(x="Year", y="Miles", color="Origin", shape="Diesel", size="Cylinders")
    with pytest.raises(NotOnSpark, match=r"sheliak\.altair\.enable\(\)"):
        chart.to_dict()
    report = json.loads(sheliak.check(chart)._outcome.report.checked.document.source.text)
    types = {name: channel["type"] for name, channel in report["encoding"].items()}
    assert types == {"x": "temporal", "y": "quantitative", "color": "nominal", "shape": "nominal", "size": "quantitative"}


def test_altair_alone_does_not_draw_an_empty_chart(frame: DataFrame, tmp_path: Path) -> None:
    chart = bars(sheliak.data(frame))
    with pytest.raises(NotOnSpark, match=r"sheliak\.run\(chart\)\.save\('chart\.html'\)"):
        chart.save(tmp_path / "chart.html")
    with sheliak.run(chart) as result:
        result.save(tmp_path / "chart.svg")
    assert (tmp_path / "chart.svg").read_text().startswith("<svg")
    assert bars(CARS).to_dict()["mark"] == {"type": "bar"}


def test_a_misspelt_column_of_a_table(table: str, interpreted: SparkSession) -> None:
    chart = alt.Chart(sheliak.data(table, interpreted)).mark_bar().encode(x="Mile", y="count()")
    with pytest.raises(SpecErrors, match="<Chart>:4:12: dataset `cars` has no field `Mile`; nothing was run"):
        sheliak.run(chart, spark=interpreted)


def test_what_cannot_be_read(interpreted: SparkSession) -> None:
    with pytest.raises(RunFailure, match="the table `nowhere` cannot be read"):
        sheliak.data("nowhere", interpreted)
    with pytest.raises(RunFailure, match="there is no file `data/nowhere.parquet`"):
        sheliak.data("data/nowhere.parquet", interpreted)
    with pytest.raises(RunFailure, match="is no data that a chart can be given"):
        sheliak.data(3, interpreted)


def test_more_rows_than_altair_allows(interpreted: SparkSession) -> None:
    frame = pd.DataFrame({"x": np.arange(6000) % 100, "y": 1.0})
    chart = alt.Chart(frame).mark_bar().encode(x="x:O", y="sum(y)")
    with pytest.raises(alt.MaxRowsError):
        chart.to_dict()
    with sheliak.run(chart, spark=interpreted) as result:
        assert picture_changed(chart, result.spec) is None


def test_more_rows_than_may_be_drawn(interpreted: SparkSession) -> None:
    chart = alt.Chart(CARS).mark_point().encode(x="Miles", y="Horsepower")
    with sheliak.run(chart, spark=interpreted, row_limit=20) as result, pytest.raises(RowLimit, match="more than 20 rows"):
        _ = result.spec


ODD = pd.DataFrame(
    {
        "label": pd.Categorical(["b", "a", None, "b"], ordered=True),
        "number": [1.5, np.inf, np.nan, -np.inf],
        "whole": pd.array([1, None, 3, 4], dtype="Int64"),
        "flag": pd.array([True, None, False, True], dtype="boolean"),
        "mixed": [1, "two", None, 3.5],
        "text": pd.array(["u", "v", None, "w"], dtype="string"),
    },
    index=pd.Index([10, 20, 30, 40], name="key"),
)


@pytest.mark.parametrize("field", ["label", "number:O", "whole", "flag:N", "mixed:N", "text"])
def test_odd_columns_of_pandas(field: str, interpreted: SparkSession) -> None:
    frame = ODD if field.startswith("mixed") else ODD.drop(columns="mixed")
    chart = alt.Chart(frame).mark_bar().encode(x=field, y="count()")
    with sheliak.run(chart, spark=interpreted) as result:
        assert picture_changed(chart, result.spec) is None


def test_an_index_is_no_column() -> None:
    assert not sheliak.check(alt.Chart(ODD.drop(columns="mixed")).mark_bar().encode(x="key:Q")).ok


def test_columns_that_are_numbered(interpreted: SparkSession) -> None:
    chart = alt.Chart(pd.DataFrame([[1, 2], [3, 4]])).mark_point().encode(x="0:Q", y="1:Q")
    with sheliak.run(chart, spark=interpreted) as result:
        assert picture_changed(chart, result.spec) is None


# Time

HOURS = pd.DataFrame(
    {
        # The clocks of New York go forward on 8 March 2020 at 2, and back on 1 November at 2.
        "local": pd.to_datetime(["2020-03-08 01:30", "2020-03-08 02:30", "2020-03-08 03:30", "2020-11-01 01:30", None]),
        "instant": pd.to_datetime(
            ["2020-03-08 06:30", "2020-03-08 07:30", "2020-03-08 08:30", "2020-11-01 05:30", "2020-11-01 06:30"], utc=True
        ),
        "n": [1.0, 2, 3, 4, 5],
    }
)
ZONES = ["America/New_York", "Asia/Kolkata"]
CLOCKS = {
    "as_times": alt.Chart(HOURS).mark_point().encode(x="local", y="n", tooltip=["instant", "hours(local)"]),
    "by_hour": alt.Chart(HOURS).mark_bar().encode(x="hours(local):O", y="sum(n)", color="monthdate(instant):O"),
    "as_words": alt.Chart(HOURS).mark_bar().encode(x="n", y="local:N", text="instant:N"),
    "in_expressions": alt.Chart(HOURS)
    .mark_bar()
    .encode(x="month(local):T", y="sum(late):Q")
    .transform_calculate(late="hours(datum.local) > 1 ? 1 : 2"),
}


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("name", CLOCKS)
def test_the_clock_of_those_who_look_at_it(name: str, zone: str, interpreted: SparkSession) -> None:
    with sheliak.run(CLOCKS[name], spark=interpreted, timezone=zone) as result:
        assert picture_changed(CLOCKS[name], result.spec, zone) is None


@pytest.mark.parametrize("zone", ZONES)
def test_times_of_polars(zone: str, interpreted: SparkSession) -> None:
    days = pl.DataFrame({"day": [date(2020, 1, 1), date(2020, 7, 1)], "at": [datetime(2020, 1, 1, 5), datetime(2020, 7, 1, 5)]})
    chart = alt.Chart(days).mark_point().encode(x="day", y="at")
    with sheliak.run(chart, spark=interpreted, timezone=zone) as result:
        assert picture_changed(chart, result.spec, zone) is None


@pytest.mark.parametrize("zone", ZONES)
def test_times_of_spark(zone: str, interpreted: SparkSession) -> None:
    """An instant stays one; a day and a time without a zone are local, as they are in pandas."""
    rows = {
        "instant": [datetime(2020, 3, 8, 7, 30, tzinfo=UTC)],
        "local": [datetime(2020, 3, 8, 2, 30)],
        "day": [date(2020, 3, 8)],
    }
    frame = interpreted.createDataFrame(pa.table(rows)).withColumn("local", F.col("local").cast("timestamp_ntz"))
    data = sheliak.data(frame)
    made = alt.Chart(data).mark_point().encode(x="instant", y="local", tooltip="day")
    pandas = pd.DataFrame({name: pd.to_datetime(values) for name, values in rows.items()})
    with sheliak.run(made, spark=interpreted, timezone=zone) as result:
        same = alt.Chart(pandas).mark_point().encode(x="instant", y="local", tooltip="day")
        assert picture_changed(same, result.spec, zone) is None


def test_the_zone_of_a_borrowed_session_stays_as_it_was(interpreted: SparkSession) -> None:
    interpreted.conf.set("spark.sql.session.timeZone", "Asia/Kolkata")
    try:
        chart = alt.Chart(STOCKS).mark_line().encode(x="date", y="mean(price)")
        with sheliak.run(chart, spark=interpreted, timezone="America/New_York") as result:
            assert picture_changed(chart, result.spec, "America/New_York") is None
        assert interpreted.conf.get("spark.sql.session.timeZone") == "Asia/Kolkata"
    finally:
        interpreted.conf.set("spark.sql.session.timeZone", "UTC")
