"""What a notebook gets of a chart, by the method it asks."""

import json
from collections.abc import Iterator

import altair as alt
import pandas as pd
import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

import sheliak
from altair_charts.gallery import CARS, GALLERY
from altair_charts.pictures import picture_changed

BARS = alt.Chart(CARS).mark_bar().encode(x="Origin", y="mean(Miles)")
MEGABYTE = 1_000_000


@pytest.fixture
def enabled(interpreted: SparkSession) -> Iterator[SparkSession]:
    sheliak.altair.enable(interpreted)
    yield interpreted
    sheliak.altair.disable()


def shown(chart: alt.TopLevelMixin) -> dict[str, object]:
    bundle = chart._repr_mimebundle_()
    found = bundle[0] if isinstance(bundle, tuple) else bundle
    assert isinstance(found, dict)
    return found


def vega_of(chart: alt.TopLevelMixin) -> dict[str, object]:
    with alt.renderers.enable("mimetype"):
        spec = shown(chart)["application/vnd.vega.v6+json"]
    assert isinstance(spec, dict)
    return spec


def test_the_chart_is_that_of_altair_alone(enabled: SparkSession) -> None:
    for name in ("bar_counts", "line", "faceted_by_channel", "selection_of_an_interval", "concatenated"):
        chart = GALLERY[name]()
        assert picture_changed(chart, vega_of(chart)) is None


@pytest.mark.parametrize(
    ("renderer", "kind", "beginning"),
    [
        ("default", "text/html", "\n<style>"),
        ("colab", "text/html", "\n<style>"),
        ("jupyter", "text/html", "\n<style>"),
        ("svg", "image/svg+xml", "<svg"),
        ("png", "image/png", b"\x89PNG"),
    ],
)
def test_the_renderer_that_the_author_chose(enabled: SparkSession, renderer: str, kind: str, beginning: str | bytes) -> None:
    with alt.renderers.enable(renderer):
        bundle = shown(BARS)
    assert bundle[kind][: len(beginning)] == beginning  # type: ignore[index]


def test_options_of_the_page(enabled: SparkSession) -> None:
    with alt.renderers.set_embed_options(actions=False, renderer="svg"):
        page = str(shown(BARS)["text/html"])
    assert '"mode": "vega"' in page
    assert '"actions": false' in page
    assert "vega@6" in page


def test_json(enabled: SparkSession) -> None:
    with alt.renderers.enable("json"):
        spec = shown(BARS)["application/json"]
    assert json.loads(json.dumps(spec))["data"][0]["values"]  # type: ignore[index]


def test_a_mistake_is_told_in_the_place_of_the_chart(enabled: SparkSession) -> None:
    bundle = shown(alt.Chart(CARS).mark_bar().encode(x="Orgin", y="count()"))
    assert str(bundle["text/plain"]).startswith("error[unknown-field]: dataset `data` has no field `Orgin`\n --> <Chart>:4:12")
    page = str(bundle["text/html"])
    assert page.startswith('<pre class="sheliak-report"')
    assert "x='</span>" in page or "x='Orgin'" in page
    assert "vega" not in page


def test_a_warning_stands_before_the_chart(enabled: SparkSession, capsys: pytest.CaptureFixture[str]) -> None:
    frame = pd.DataFrame({"a": ["1", "2"], "b": [1, 2]})
    chart = alt.Chart(frame).transform_calculate(z="datum.a + 1").mark_point().encode(x="z:Q", y="b")
    assert vega_of(chart)["marks"]
    assert capsys.readouterr().err.startswith("warning[numeric-text-concatenation]: `datum.a` holds numbers as text")


def test_too_many_rows(interpreted: SparkSession) -> None:
    sheliak.altair.enable(interpreted, row_limit=10)
    try:
        said = shown(alt.Chart(CARS).mark_point().encode(x="Miles", y="Horsepower"))["text/plain"]
    finally:
        sheliak.altair.disable()
    assert said == (
        "error: the chart has more than 10 rows to draw\n"
        "help: aggregate, bin, sample or filter in the chart, or raise the limit with sheliak.altair.enable(row_limit=...)"
    )


def test_what_altair_refuses_is_shown_by_altair(enabled: SparkSession, capsys: pytest.CaptureFixture[str]) -> None:
    chart = alt.Chart(CARS).transform_calculate(half="datum.Miles / 2").mark_bar().encode(x="half")
    assert shown(chart) == {}
    assert "Unable to determine data type" in "".join(capsys.readouterr())


def test_a_chart_without_a_frame_is_checked_and_left_alone(enabled: SparkSession) -> None:
    rows = alt.Data(values=[{"a": 1}])
    with alt.renderers.enable("mimetype"):
        assert shown(alt.Chart(rows).mark_bar().encode(x="a:Q"))["application/vnd.vegalite.v6.json"]
    assert "has no field `b`" in str(shown(alt.Chart(rows).mark_bar().encode(x="b:Q"))["text/plain"])


def test_disabled_again(interpreted: SparkSession) -> None:
    before = alt.TopLevelMixin._repr_mimebundle_
    sheliak.altair.enable(interpreted)
    sheliak.altair.enable(interpreted, row_limit=3)
    assert alt.TopLevelMixin._repr_mimebundle_ is not before
    sheliak.altair.disable()
    assert alt.TopLevelMixin._repr_mimebundle_ is before
    sheliak.altair.disable()
    assert (alt.data_transformers.active, alt.renderers.active) == ("default", "default")


def test_settings_of_altair_stay(enabled: SparkSession) -> None:
    with alt.data_transformers.enable("default", max_rows=10):
        shown(BARS)
        assert (alt.data_transformers.active, alt.data_transformers.options) == ("default", {"max_rows": 10})
    assert "sheliak" not in alt.data_transformers.names()


def test_a_chart_over_many_rows_sends_little_to_the_notebook(spark: SparkSession) -> None:
    """Ten million rows are `benchmarks/altair_bytes.py`; the bytes do not depend on how many there are."""
    many = spark.range(200_000).select(
        (F.col("id") % 997).cast("double").alias("distance"),
        F.concat(F.lit("town "), F.col("id") % 40).alias("town"),
        F.timestamp_seconds(F.col("id") * 60).alias("at"),
    )
    trips = sheliak.data(many)
    bars = alt.Chart(trips).mark_bar().encode(alt.X("distance", bin=True), y="count()", color="town")
    line = alt.Chart(trips).mark_line().encode(x="yearmonthdate(at)", y="mean(distance)")
    sheliak.altair.enable()
    try:
        assert sum(len(str(part)) for part in shown(bars | line).values()) < MEGABYTE // 10
        assert "the chart has more than 100,000 rows to draw" in str(shown(bars.encode(x="distance:Q", y="at")))
    finally:
        sheliak.altair.disable()
