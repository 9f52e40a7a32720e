"""A chart's data on Spark: what is sent to the renderer, for which values of signals, and how much of it."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from pyspark.sql import SparkSession

from sheliak.dataflow.graph import Vertex
from sheliak.engines.failures import RowLimit, RunFailure
from sheliak.engines.reference import run_reference
from sheliak.engines.reference.inputs import Surroundings
from sheliak.engines.spark import run as running
from sheliak.engines.spark.fetch import fetch
from sheliak.engines.spark.lower import Lower
from sheliak.engines.spark.pipeline import Pipeline, open_pipeline
from sheliak.expressions.values import Row
from sheliak.loading import DataFolders
from sheliak.plan.operators import Plan
from sheliak.source.tree import Node

Spec = dict[str, object]
SOURCE = Vertex("source", "shown")


@contextmanager
def opened(spark: SparkSession, spec: Spec, **options: object) -> Iterator[Pipeline]:
    pipeline = open_pipeline(Node(spec), spark, Surroundings(DataFolders(None)), **options)  # type: ignore[arg-type]
    try:
        yield pipeline
    finally:
        pipeline.close()


def datasets(spec: Spec) -> dict[str, Spec]:
    data = spec.get("data", [])
    assert isinstance(data, list)
    return {dataset["name"]: dataset for dataset in data}


def chart(*transforms: Spec, mark: Spec | None = None, **parts: object) -> Spec:
    return {
        "data": [
            {"name": "table", "values": [{"a": n, "b": n % 3, "other": "x"} for n in range(9)]},
            {"name": "shown", "source": "table", "transform": list(transforms)},
        ],
        "marks": [mark or {"type": "symbol", "from": {"data": "shown"}, "encode": {"update": {"x": {"field": "a"}}}}],
        **parts,
    }


LIVE = chart(
    {"type": "formula", "as": "c", "expr": "datum.a + datum.b"},
    {"type": "filter", "expr": "datum.c >= least"},
    signals=[{"name": "least", "value": 4, "bind": {"input": "range"}}],
)


def test_only_the_drawn_dataset_is_sent(interpreted: SparkSession) -> None:
    spec = chart({"type": "filter", "expr": "datum.a > 6"})
    with opened(interpreted, spec) as pipeline:
        made = datasets(pipeline.spec())
    # Of its columns nobody reads `other`; the letter b stands in too many texts to be sure.
    assert made == {"shown": {"name": "shown", "values": [{"a": 7, "b": 1}, {"a": 8, "b": 2}]}}


def test_a_chart_stays_interactive_while_it_is_small(interpreted: SparkSession) -> None:
    with opened(interpreted, LIVE) as pipeline:
        shown = datasets(pipeline.spec())["shown"]
        assert pipeline.frozen_signals == {}
    assert shown["transform"] == [{"type": "filter", "expr": "datum.c >= least"}]
    assert isinstance(shown["values"], list) and len(shown["values"]) == 9


def test_a_large_chart_is_computed_for_the_initial_values_and_says_so(interpreted: SparkSession) -> None:
    with opened(interpreted, LIVE, kept_rows=5) as pipeline:
        shown = datasets(pipeline.spec())["shown"]
        assert pipeline.frozen_signals == {"least": ("shown",)}
        later = pipeline.update({"least": 9.0})
        assert [row["c"] for row in datasets(later.spec())["shown"]["values"]] == [10]  # type: ignore[attr-defined]
        assert later.run.plans[SOURCE] is pipeline.run.plans[SOURCE]
    assert "transform" not in shown
    assert [row["c"] for row in shown["values"]] == [4, 5, 7, 6, 8, 10]  # type: ignore[attr-defined]


def test_an_interactive_chart_starts_with_the_given_values(interpreted: SparkSession) -> None:
    with opened(interpreted, LIVE) as pipeline:
        made = pipeline.update({"least": 9.0}).spec()
    assert made["signals"] == [{"name": "least", "value": 9, "bind": {"input": "range"}}]


def test_an_unknown_signal_is_refused(interpreted: SparkSession) -> None:
    with opened(interpreted, LIVE) as pipeline, pytest.raises(RunFailure, match="no signal `most`"):
        pipeline.update({"most": 1.0})


def test_the_row_limit_names_the_dataset(interpreted: SparkSession) -> None:
    spec = chart({"type": "filter", "expr": "datum.a >= 0"})
    with opened(interpreted, spec, row_limit=8) as pipeline:
        with pytest.raises(RowLimit, match="dataset `shown`: it has more than 8 rows"):
            pipeline.spec()
        with pytest.raises(RowLimit):
            pipeline.dataset("shown")


def test_scales_get_the_ends_of_a_field(interpreted: SparkSession) -> None:
    scales = [{"name": "x", "type": "linear", "domain": {"data": "all", "field": "a"}}]
    spec = chart({"type": "aggregate"}, scales=scales)
    data = spec["data"]
    assert isinstance(data, list)
    data.insert(1, {"name": "all", "source": "table", "transform": [{"type": "filter", "expr": "datum.a != 5"}]})
    with opened(interpreted, spec) as pipeline:
        assert datasets(pipeline.spec())["all"]["values"] == [{"a": 0}, {"a": 8}]


def test_published_signals_and_signals_of_datasets_keep_their_values(interpreted: SparkSession) -> None:
    spec = chart(
        {"type": "extent", "field": "a", "signal": "ends"},
        signals=[{"name": "count", "update": "length(data('shown'))"}],
        mark={"type": "text", "encode": {"update": {"text": {"signal": "ends[1] + count"}}}},
    )
    with opened(interpreted, spec) as pipeline:
        made = pipeline.spec()
    assert made["signals"] == [{"name": "count", "value": 9}, {"name": "ends", "value": [0, 8]}]
    assert "data" not in made


def test_dates_and_odd_numbers_survive(interpreted: SparkSession) -> None:
    spec = chart(
        {"type": "formula", "as": "d", "expr": "datetime(2020, datum.a)"},
        {"type": "formula", "as": "n", "expr": "datum.a > 4 ? NaN : datum.a"},
        mark={"type": "symbol", "from": {"data": "shown"}, "encode": {"update": {"tooltip": {"signal": "datum"}}}},
    )
    with opened(interpreted, spec) as pipeline:
        made = pipeline.spec()
    expected, found = run_reference(spec).datasets["shown"].rows, run_reference(made).datasets["shown"].rows
    assert str(found) == str(expected)


def test_a_dataset_that_does_not_exist_is_named(interpreted: SparkSession) -> None:
    with opened(interpreted, chart()) as pipeline, pytest.raises(RunFailure, match="no dataset `nothing`") as failure:
        pipeline.dataset("nothing")
    assert failure.value.help == "its datasets: table, shown"


def test_what_vega_refuses_is_refused(spark: SparkSession) -> None:
    with pytest.raises(RunFailure, match="Vega refuses the spec"):
        open_pipeline(Node(chart({"type": "nonsense"})), spark, Surroundings(DataFolders(None)))


def test_groups_of_all_datasets_are_brought_at_once(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{"a": n, "b": n % 3} for n in range(9)]
    counts = [{"name": f"by_{key}", "source": "t", "transform": [{"type": "aggregate", "groupby": [key]}]} for key in "ab"]
    spec: Spec = {"data": [{"name": "t", "values": rows}, *counts]}
    asked: list[int] = []

    def counted(plans: dict[str, Plan], lower: Lower, *, limit: int | None = None) -> dict[str, list[Row]]:
        asked.append(len(plans))
        return fetch(plans, lower, limit=limit)

    monkeypatch.setattr(running, "fetch", counted)
    with opened(spark, spec) as pipeline:
        found = pipeline.everything()
    assert asked == [2]
    assert found.rows == run_reference(spec).rows
