"""Spark gives the rows of the reference engine: of pipelines where it once did not, of random ones, of those recorded from Vega."""

import json
from pathlib import Path
from random import Random

import pytest
from pyspark.sql import SparkSession

from engines.expressions import Expressions, Table, check, over_fields, table_of
from engines.table_charts import table_campaign
from engines.tallies import Engines
from engines.trials import Trial, answer_of, outcome, random_trial
from engines.variations import Variation, any_variation
from fuzzing.random_calls import Calls
from reference.verdicts import same
from sheliak.engines.protocol import RunResult
from sheliak.expressions.functions import FUNCTIONS
from sheliak.expressions.zones import UTC
from sheliak.plan.functions import COLUMN_FUNCTIONS, WITHOUT_COLUMN

HERE = Path(__file__).parent
REGRESSIONS = json.loads((HERE / "recorded" / "regressions.json").read_text("utf-8"))
VEGA = [json.loads(line) for line in (HERE.parent / "transforms" / "recorded.jsonl").read_text("ascii").splitlines()]


@pytest.mark.parametrize("case", REGRESSIONS, ids=[case["title"] for case in REGRESSIONS])
def test_a_difference_once_found_stays_repaired(case: dict[str, str], interpreted: SparkSession) -> None:
    spec = json.loads(json.dumps(case["spec"]))
    assert outcome(Trial(spec, case.get("zone", "UTC"), Variation(2, 1, ansi=False)), interpreted).differences == []


def test_random_pipelines(interpreted: SparkSession) -> None:
    engines, wrong = Engines(), []
    for seed in range(2000, 2120):
        result = outcome(random_trial(seed), interpreted)
        wrong += [f"seed {seed}: {found}" for found in result.differences]
        if isinstance(result.spark, RunResult):
            engines.add(result.spark)
    assert wrong == []
    assert engines.share() > 0.7


def test_random_charts_over_tables(interpreted: SparkSession) -> None:
    found = table_campaign(25, 7000, interpreted)
    assert found.failures == []
    assert found.tally["answered from cells"] > 5
    assert found.tally["computed from cells at hand"] > 5


def test_pipelines_recorded_from_vega(interpreted: SparkSession) -> None:
    """Every seventh of them, each with its rows in another order and other partitions."""
    for number, case in enumerate(VEGA[::7]):
        trial = Trial(case["spec"], case["zone"], any_variation(Random(number)))
        found = answer_of(outcome(trial, interpreted).spark)
        assert found.get("error") == case.get("error"), case
        assert "error" in case or same(found["rows"], case["rows"]), case


def test_random_expressions(interpreted: SparkSession) -> None:
    found = Expressions()
    for number in range(6):
        random = Random(number)
        check([over_fields(Calls(random)) for _ in range(40)], Table(random, UTC), interpreted, found)
    assert found.failures == []
    assert found.tally["values"] > 1500


@pytest.mark.parametrize(
    "text", ["pad(datum.s, 7, [], 'center')", "pad(datum.s, 7, '')", "pad(datum.s, 7, 0)", "pad(datum.s, 7, null)"]
)
def test_what_a_text_is_filled_up_with(text: str, interpreted: SparkSession) -> None:
    found = Expressions()
    check([text], table_of(1), interpreted, found)
    assert found.failures == [] and found.tally["compared"] == 1


@pytest.mark.parametrize(
    ("pattern", "planned"), [(r"/\s*/g", False), (r"/x?|\b/g", False), (r"/\B/g", False), (r"/\s*/", True), (r"/\b|x+$/g", True)]
)
def test_no_text_is_put_between_the_halves_of_a_character(pattern: str, planned: bool, interpreted: SparkSession) -> None:
    found = Expressions()
    check([f"replace('\U0001f600' + datum.s, {pattern}, '-')"], table_of(1), interpreted, found)
    assert found.failures == [] and found.tally["compared"] == planned


def test_every_function_of_the_row_has_a_column_or_a_reason() -> None:
    of_the_row = {
        name for name, signature in FUNCTIONS.items() if signature.purity in ("pure", "locale", "timezone", "locale,timezone")
    }
    assert of_the_row - COLUMN_FUNCTIONS.keys() - WITHOUT_COLUMN.keys() == {"if"}
    assert COLUMN_FUNCTIONS.keys() & WITHOUT_COLUMN.keys() == set()
