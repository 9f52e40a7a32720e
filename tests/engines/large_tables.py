"""Charts over one Parquet file that counts as a large table, and what they ask of Spark."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias
from unittest.mock import patch

import pyarrow as pa
import pytest
from pyspark.sql import DataFrame, SparkSession

from sheliak.engines.reference.inputs import Surroundings
from sheliak.engines.spark import fetch
from sheliak.engines.spark.given import frames_of
from sheliak.engines.spark.pipeline import Pipeline, open_pipeline
from sheliak.expressions.zones import UTC
from sheliak.loading.folders import DataFolders
from sheliak.source.tree import Node

Charts: TypeAlias = Mapping[str, list[dict[str, object]]]


def spec_of(charts: Charts) -> dict[str, object]:
    """A dataset for each chart, all from `t`."""
    return {"data": [{"name": "t"}, *({"name": name, "source": "t", "transform": steps} for name, steps in charts.items())]}


@contextmanager
def opened_over(path: Path, spark: SparkSession, charts: Charts) -> Iterator[Pipeline]:
    """The charts over the file."""
    with patch.object(fetch, "FEW_ROWS", 0):
        frames = frames_of({"t": str(path)}, spark)
        pipeline = open_pipeline(Node(spec_of(charts)), spark, Surroundings(DataFolders(None), UTC), frames=frames)
        yield pipeline
        pipeline.close()


def watched_plans(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The physical plans of what is brought from Spark, from now on."""
    plans: list[str] = []
    collected = fetch.Fetching._collected

    def collecting(fetching: fetch.Fetching, frames: list[DataFrame]) -> list[pa.Table]:
        plans.extend(str(frame._jdf.queryExecution().executedPlan().toString()) for frame in frames)  # type: ignore[operator]
        return collected(fetching, frames)

    monkeypatch.setattr(fetch.Fetching, "_collected", collecting)
    return plans
