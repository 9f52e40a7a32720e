"""Bad data: one message with the dataset and the transform, on either engine."""

from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from sheliak.engines.failures import RunFailure
from sheliak.engines.reference.engine import ReferenceEngine
from sheliak.engines.reference.inputs import Surroundings
from sheliak.engines.spark.engine import SparkEngine
from sheliak.engines.spark.reading import files
from sheliak.loading.folders import DataFolders
from sheliak.source.tree import Node


def spec_of(url: str, kind: str, *transforms: dict[str, object]) -> Node:
    return Node({"data": [{"name": "t", "url": url, "format": {"type": kind}, "transform": [*transforms]}]})


def failure_of(spec: Node, folder: Path | None = None) -> RunFailure:
    with pytest.raises(RunFailure) as caught:
        ReferenceEngine(Surroundings(DataFolders(folder), strict_files=True)).run(spec)
    return told(caught.value)


def told(failure: RunFailure) -> RunFailure:
    """A failure that is one line for the user."""
    assert "\n" not in str(failure)
    assert "?" not in str(failure)
    assert "Exception" not in str(failure)
    return failure


def test_a_missing_file() -> None:
    failure = failure_of(spec_of("data/none.csv", "csv"))
    assert str(failure) == "dataset `t`: `data/none.csv` cannot be loaded: there is no such file"
    assert failure.help is not None
    assert "--data-dir" in failure.help


def test_a_file_outside_of_the_folders(tmp_path: Path) -> None:
    (tmp_path / "spec").mkdir()
    (tmp_path / "secret.csv").write_text("a\n1\n")
    failure = failure_of(spec_of("../secret.csv", "csv"), tmp_path / "spec")
    assert str(failure) == "dataset `t`: `../secret.csv` is not read: it is outside of the folders that may be read"


def test_broken_json(tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text('[{"a": 1},')
    failure = failure_of(spec_of("t.json", "json"), tmp_path)
    assert str(failure).startswith("dataset `t`: `t.json` cannot be read: it is not JSON (line 1, column 1")


def test_vega_goes_on_where_files_are_not_strict() -> None:
    result = ReferenceEngine(Surroundings(DataFolders(None))).run(spec_of("none.csv", "csv"))
    assert result.datasets["t"].rows == []
    assert result.warnings == ("Loading failed none.csv: there is no such file",)


SEQUENCE: dict[str, object] = {"type": "sequence", "start": 0, "stop": 1e9}


def test_a_sequence_beyond_the_budget() -> None:
    failure = failure_of(Node({"data": [{"name": "numbers", "transform": [SEQUENCE]}]}))
    assert str(failure) == (
        "dataset `numbers`, transform `sequence`: the sequence would make 1,000,000,000 rows, more than the budget of 5,000,000"
    )
    assert failure.help is not None


def test_a_cross_beyond_the_budget() -> None:
    crossed: list[dict[str, object]] = [{"type": "sequence", "start": 0, "stop": 10_000}, {"type": "cross"}]
    failure = failure_of(Node({"data": [{"name": "pairs", "transform": crossed}]}))
    assert str(failure).startswith(
        "dataset `pairs`, transform `cross`: every one of 10,000 rows with every one would make 100,000,000"
    )


COMBINED: list[dict[str, object]] = [
    {"type": "sequence", "start": 0, "stop": 3000},
    {"type": "formula", "as": "other", "expr": "datum.data * 2"},
    {"type": "aggregate", "groupby": ["data", "other"], "cross": True},
]
COMBINATIONS = "dataset `all`, transform `aggregate`: every combination of its keys would make 9,000,000 rows, more than the budget of 5,000,000"


def test_combinations_of_keys_beyond_the_budget() -> None:
    assert str(failure_of(Node({"data": [{"name": "all", "transform": COMBINED}]}))) == COMBINATIONS


def failure_on_spark(spec: Node, spark: SparkSession, folder: Path | None = None, **frames: object) -> RunFailure:
    around = Surroundings(DataFolders(folder), strict_files=True)
    with pytest.raises(RunFailure) as caught:
        SparkEngine(spark, around, frames).run(spec)  # type: ignore[arg-type]
    return told(caught.value)


def test_budgets_on_spark(interpreted: SparkSession) -> None:
    failure = failure_on_spark(Node({"data": [{"name": "numbers", "transform": [SEQUENCE]}]}), interpreted)
    assert str(failure).endswith("more than the budget of 100,000,000")
    crossed: list[dict[str, object]] = [
        {"type": "sequence", "start": 0, "stop": 1_000_000},
        {"type": "filter", "expr": "datum.data % 2 == 0"},
        {"type": "cross"},
    ]
    failure = failure_on_spark(Node({"data": [{"name": "pairs", "transform": crossed}]}), interpreted)
    assert str(failure).startswith(
        "dataset `pairs`, transform `cross`: every one of 500,000 rows with every one would make 250,000,000,000"
    )


def test_combinations_of_keys_on_spark(interpreted: SparkSession) -> None:
    assert str(failure_on_spark(Node({"data": [{"name": "all", "transform": COMBINED}]}), interpreted)) == COMBINATIONS


def test_files_that_spark_cannot_read(tmp_path: Path, interpreted: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "t.parquet").write_bytes(b"PAR1 but nothing more PAR1")
    failure = failure_on_spark(spec_of("t.parquet", "parquet"), interpreted, tmp_path)
    assert str(failure).startswith("dataset `t`: `t.parquet` cannot be loaded: it is not a readable Arrow or Parquet file")
    monkeypatch.setattr(files, "LARGE", 0)
    (tmp_path / "t.json").write_text('[{"a": 1}, {"a": oops}]' + " " * 100)
    failure = failure_on_spark(spec_of("t.json", "json"), interpreted, tmp_path)
    assert str(failure).startswith("dataset `t`: `t.json` cannot be read: it is not JSON")


def test_a_file_that_breaks_off_while_it_is_read(tmp_path: Path, interpreted: SparkSession) -> None:
    path = tmp_path / "t.parquet"
    parquet.write_table(pa.table({"a": [str(number) for number in range(10_000)]}), path, use_dictionary=False)
    content = path.read_bytes()
    path.write_bytes(content[:100] + b"\xff" * 5000 + content[5100:])
    failure = failure_on_spark(spec_of("t.parquet", "parquet", {"type": "aggregate", "groupby": ["a"]}), interpreted, tmp_path)
    assert str(failure).startswith("dataset `t`, transform `aggregate`: Spark failed: ")
    assert failure.details is not None


def test_a_failing_job_is_told_with_its_dataset_and_transform(interpreted: SparkSession) -> None:
    broken = interpreted.range(10).select(F.raise_error(F.lit("the disk is full")).cast("double").alias("x"), "id")
    spec = Node(
        {
            "data": [
                {
                    "name": "t",
                    "transform": [{"type": "bin", "field": "x", "extent": [0, 1]}, {"type": "aggregate", "groupby": ["bin0"]}],
                }
            ]
        }
    )
    failure = failure_on_spark(spec, interpreted, None, t=broken)
    assert "the disk is full" in str(failure)
