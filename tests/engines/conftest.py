"""Spark without generated code: a test of meaning on a few rows would spend its time on the compiler."""

from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

_SETTINGS = {"spark.sql.codegen.wholeStage": "false", "spark.sql.codegen.factoryMode": "NO_CODEGEN"}


@pytest.fixture
def interpreted(spark: SparkSession) -> Iterator[SparkSession]:
    """The session of the run, with every expression interpreted."""
    before = {name: spark.conf.get(name) for name in _SETTINGS}
    for name, value in _SETTINGS.items():
        spark.conf.set(name, value)
    yield spark
    for name, value in before.items():
        spark.conf.set(name, value)
