"""Whatever is not run on Spark says why."""

from __future__ import annotations

from pyspark.sql import SparkSession

from sheliak.engines.reference.engine import run_reference
from sheliak.engines.spark.engine import run_spark

DOUBLED = {"type": "formula", "as": "b", "expr": "datum.a * 2"}


def test_a_run_that_stops_is_one_of_the_driver(interpreted: SparkSession) -> None:
    stopping = {"name": "u", "source": "t", "transform": [{"type": "formula", "as": "c", "expr": "datum.o.at"}]}
    rows = [{"a": 1, "o": {"at": 1}}, {"a": 2, "o": None}]
    result = run_spark({"data": [{"name": "t", "values": rows, "transform": [DOUBLED]}, stopping]}, interpreted)
    (doubled,) = result.datasets["t"].transforms
    assert (doubled.engine, result.errors != ()) == ("driver", True)
    assert doubled.reason is not None
    assert doubled.reason.startswith("the run on Spark stops: ")


def test_a_dataset_that_is_changed_while_it_runs_is_one_of_the_driver(interpreted: SparkSession) -> None:
    changing = {"type": "formula", "as": "c", "expr": "modify('t', {a: 7})"}
    spec = {"data": [{"name": "t", "values": [{"a": 1}]}, {"name": "u", "source": "t", "transform": [DOUBLED, changing]}]}
    steps = run_spark(spec, interpreted).datasets["u"].transforms
    assert {(step.engine, step.reason) for step in steps} == {("driver", "an expression changes a dataset while it runs")}


def test_a_date_that_may_be_missing_is_written_in_the_time_zone_of_the_chart(interpreted: SparkSession) -> None:
    """Beside a number Spark would write it in universal time."""
    steps = [
        {"type": "formula", "as": "date", "expr": "isValid(datum.ms) ? datetime(datum.ms) : null"},
        {"type": "formula", "as": "text", "expr": "datum.date + 1"},
    ]
    spec = {"data": [{"name": "t", "values": [{"ms": 1682746210102}, {}], "transform": steps}]}
    found = run_spark(spec, interpreted, timezone="America/New_York").datasets["t"]
    assert found.rows == run_reference(spec, timezone="America/New_York").datasets["t"].rows
    assert found.rows[0]["text"] == "Sat Apr 29 2023 01:30:10 GMT-0400 (Eastern Daylight Time)1"
    assert found.transforms[1].reason == "it writes a date as text in the time zone America/New_York"
