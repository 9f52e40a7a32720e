"""Spark's own types, for those who only pass them on and import no Spark."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import pyspark.sql

    DataFrame: TypeAlias = pyspark.sql.DataFrame
    SparkSession: TypeAlias = pyspark.sql.SparkSession
