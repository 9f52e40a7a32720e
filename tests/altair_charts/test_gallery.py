"""A chart looks the same with and without us, whatever it is made of."""

import json

import pytest
from pyspark.sql import SparkSession

import sheliak
from altair_charts.gallery import GALLERY
from altair_charts.pictures import picture_changed


@pytest.mark.parametrize("name", GALLERY)
def test_the_picture_is_that_of_altair_alone(name: str, interpreted: SparkSession) -> None:
    chart = GALLERY[name]()
    with sheliak.run(chart, spark=interpreted) as result:
        assert picture_changed(chart, result.spec) is None
        assert len(json.dumps(result.spec)) < 200_000


@pytest.mark.parametrize("name", GALLERY)
def test_a_chart_without_mistakes_has_no_findings(name: str) -> None:
    assert [finding.message for finding in sheliak.check(GALLERY[name]()).diagnostics] == []


@pytest.mark.parametrize(
    "name", ["bar_sorted", "boxplot_with_outliers", "text_on_bars", "layered_axes", "rect_heatmap", "concatenated"]
)
def test_the_rows_that_are_drawn_count_not_those_they_are_made_of(name: str, interpreted: SparkSession) -> None:
    """A sorted axis takes its order from all rows: only the order leaves Spark."""
    chart = GALLERY[name]()
    with sheliak.run(chart, spark=interpreted, row_limit=11 if name == "bar_sorted" else 45) as result:
        assert picture_changed(chart, result.spec) is None
