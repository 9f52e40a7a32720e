"""After every pulse: Spark, brought up to date = Spark, run from scratch = the reference engine."""

from __future__ import annotations

from pyspark.sql import SparkSession

from changes.spark_campaign import Tally, check_pair, pair_of


def test_random_specs_and_random_changes(interpreted: SparkSession) -> None:
    tally, seed = Tally(), 0
    while tally.pairs < 42:
        pair = pair_of(seed, most=2)
        seed += 1
        if pair is not None:
            check_pair(pair, interpreted, tally)
    assert tally.differences == []
    assert tally.pulses > 60
    assert tally.changes > 100
