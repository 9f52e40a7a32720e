"""A step that stops the run stops it on Spark too, whatever later steps leave out: Vega runs every step for every row.

The table lies in a file with a row for each row group, so that a filter that reached the file would leave out the row that stops the run.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from engines.table_charts import TableTrial, differences_over_table, rows_of
from engines.trials import NOW
from engines.variations import Variation
from sheliak.engines.failures import RunFailure
from sheliak.engines.reference.engine import run_reference
from sheliak.engines.reference.inputs import Surroundings
from sheliak.engines.spark.counting import counted
from sheliak.engines.spark.given import frames_of
from sheliak.engines.spark.pipeline import Pipeline, open_pipeline
from sheliak.loading import DataFolders
from sheliak.source.tree import Node

Transform = dict[str, object]

TABLE = pa.table(
    {
        "k": ["aa", None, "bbb", "10"],
        "g": ["x", "y", "x", "x"],
        "r": [{"p": 1.0, "q": ["a"]}, None, {"p": 2.0, "q": ["b", "c"]}, {"p": 3.0, "q": ["d"]}],
        "n": [1.0, 2.0, 3.0, 4.0],
    }
)


def filtered(test: str) -> Transform:
    return {"type": "filter", "expr": test}


ELSEWHERE = filtered("datum.g == 'x'")
"""Leaves out the row that stops the run, by a column that has nothing to do with it."""
STOPPING: dict[str, list[Transform]] = {
    "a filter before what its test rules out": [filtered("length(datum.k) > 1"), filtered("isValid(datum.k)")],
    "a filter before a comparison with the same column": [filtered("length(datum.k) > 1"), filtered("datum.k == 10")],
    "a filter with the guard behind": [filtered("length(datum.k) > 1 && isValid(datum.k)")],
    "a formula before a filter": [{"type": "formula", "expr": "length(datum.k)", "as": "l"}, filtered("isValid(datum.k)")],
    "a formula that the filter reads": [
        {"type": "formula", "expr": "length(datum.k)", "as": "l"},
        filtered("isValid(datum.k) && datum.l > 1"),
    ],
    "aggregate": [{"type": "aggregate", "groupby": ["g"], "ops": ["sum"], "fields": ["r.p"], "as": ["s"]}, ELSEWHERE],
    "aggregate, a key": [{"type": "aggregate", "groupby": ["r.p", "g"]}, ELSEWHERE],
    "window": [{"type": "window", "groupby": ["g"], "sort": {"field": "n"}, "ops": ["sum"], "fields": ["r.p"]}, ELSEWHERE],
    "joinaggregate": [{"type": "joinaggregate", "groupby": ["g"], "ops": ["sum"], "fields": ["r.p"]}, ELSEWHERE],
    "stack": [{"type": "stack", "groupby": ["g"], "field": "r.p"}, ELSEWHERE],
    "flatten": [{"type": "flatten", "fields": ["r.q"], "as": ["e"]}, ELSEWHERE],
    "fold": [{"type": "fold", "fields": ["r.p", "n"]}, ELSEWHERE],
    "bin": [{"type": "bin", "field": "r.p", "extent": [0, 4]}, ELSEWHERE],
    "collect": [{"type": "collect", "sort": {"field": "r.p"}}, ELSEWHERE],
    "lookup": [{"type": "lookup", "from": "o", "key": "a", "fields": ["r.p"], "values": ["b"]}, ELSEWHERE],
    "project": [{"type": "project", "fields": ["r.p", "g"], "as": ["p", "g"]}, ELSEWHERE],
    "timeunit": [{"type": "timeunit", "field": "r.p", "units": ["year"]}, ELSEWHERE],
    "countpattern": [{"type": "countpattern", "field": "k", "pattern": "a"}],
}
GUARDED: dict[str, list[Transform]] = {
    "a filter with the guard before": [filtered("isValid(datum.k) && length(datum.k) > 1")],
    "a filter behind another": [filtered("isValid(datum.k)"), filtered("length(datum.k) > 1")],
    "a comparison that nothing passes for missing values": [filtered("datum.k > 1 && length(datum.k) > 1")],
    "a formula behind a filter": [filtered("datum.g == 'x'"), {"type": "formula", "expr": "length(datum.k)", "as": "l"}],
}


def trial(transforms: list[Transform]) -> TableTrial:
    spec = {
        "data": [
            {"name": "t"},
            {"name": "o", "values": [{"a": 1, "b": 2}]},
            {"name": "shown", "source": "t", "transform": transforms},
        ]
    }
    return TableTrial(spec, TABLE, "UTC", 1, 1, Variation(ansi=True, generated=False), is_small=True)


def with_and_without_groups(cases: dict[str, list[Transform]]) -> list[object]:
    grouped = {f"{name}, grouped": [*steps, {"type": "aggregate", "groupby": ["g"]}] for name, steps in cases.items()}
    return [pytest.param(steps, id=name) for name, steps in (cases | grouped).items()]


@pytest.mark.parametrize("transforms", with_and_without_groups(STOPPING))
def test_a_step_stops_the_run_though_a_later_one_leaves_out_the_row(
    interpreted: SparkSession, transforms: list[Transform]
) -> None:
    tried = trial(transforms)
    assert run_reference(tried.spec, timezone="UTC", now=NOW, data={"t": rows_of(TABLE)}).errors
    assert differences_over_table(tried, interpreted) == []


@pytest.mark.parametrize("transforms", with_and_without_groups(GUARDED))
def test_a_step_does_not_stop_the_run_for_rows_that_an_earlier_one_left_out(
    interpreted: SparkSession, transforms: list[Transform]
) -> None:
    tried = trial(transforms)
    assert not run_reference(tried.spec, timezone="UTC", now=NOW, data={"t": rows_of(TABLE)}).errors
    assert differences_over_table(tried, interpreted) == []


@contextmanager
def opened(spark: SparkSession, transforms: list[Transform], folder: Path) -> Iterator[Pipeline]:
    pq.write_table(TABLE, folder / "t.parquet")
    spec = {"data": [{"name": "t"}, {"name": "shown", "source": "t", "transform": transforms}]}
    pipeline = open_pipeline(
        Node(spec), spark, Surroundings(DataFolders(None)), frames=frames_of({"t": folder / "t.parquet"}, spark)
    )
    yield pipeline
    pipeline.close()


@pytest.mark.parametrize(
    "ask", [Pipeline.everything, lambda pipeline: counted(pipeline.run), lambda pipeline: pipeline.dataset("shown")]
)
def test_a_stop_is_told_with_its_dataset_and_transform(
    interpreted: SparkSession, tmp_path: Path, ask: Callable[[Pipeline], object]
) -> None:
    steps = [*STOPPING["a filter before what its test rules out"], {"type": "aggregate", "groupby": ["g"]}]
    with opened(interpreted, steps, tmp_path) as pipeline, pytest.raises(RunFailure) as raised:
        ask(pipeline)
    told = "dataset `shown`, transform `filter`: the run stops: Cannot read properties of null (reading 'length')"
    assert str(raised.value) == told


def test_of_a_stop_that_several_transforms_may_make_the_dataset_is_told(interpreted: SparkSession, tmp_path: Path) -> None:
    steps = [filtered("length(datum.k) > 1"), {"type": "formula", "expr": "length(datum.k)", "as": "l"}]
    with opened(interpreted, steps, tmp_path) as pipeline, pytest.raises(RunFailure) as raised:
        pipeline.everything()
    assert (raised.value.dataset, raised.value.transform) == ("shown", None)


def test_rows_are_counted_with_what_nobody_reads(interpreted: SparkSession, tmp_path: Path) -> None:
    """Where the run would stop, no number is told: a formula is computed though only rows are counted."""
    step: Transform = {"type": "formula", "expr": "length(datum.k)", "as": "l"}
    with opened(interpreted, [step], tmp_path) as pipeline, pytest.raises(RunFailure, match="the run stops"):
        counted(pipeline.run)
    with opened(interpreted, [filtered("isValid(datum.k)"), step], tmp_path) as pipeline:
        assert [(one.dataset.name, one.rows) for one in counted(pipeline.run)] == [("t", 4), ("shown", 3)]
