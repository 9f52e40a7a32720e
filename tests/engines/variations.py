"""The ways in which the same rows may come to Spark, none of which may be seen in an answer.

The rows of a dataset are an ordered list, and their position is part of the data; in which partition they lie, and where in it, is not.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from sheliak.engines.spark.session import local_session
from sheliak.engines.spark.summaries import POSITION

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

INTERPRETED = {"spark.sql.codegen.wholeStage": "false", "spark.sql.codegen.factoryMode": "NO_CODEGEN"}
"""Without generated code: a few rows would spend their time on the compiler."""
GENERATED = {"spark.sql.codegen.wholeStage": "true", "spark.sql.codegen.factoryMode": "FALLBACK"}
# A small job gains nothing from the second compiler of the Java machine, nor from plans that are changed while they run.
_SMALL_JOBS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"


@dataclass(frozen=True, slots=True)
class Variation:
    """How the rows lie, and how Spark computes."""

    partitions: int = 1
    shuffled: int | None = None
    """The seed of the order in which the rows come; None for that of their positions."""
    ansi: bool = True
    generated: bool = False
    """With the code that Spark generates for whole stages."""

    @property
    def settings(self) -> Mapping[str, str]:
        return {"spark.sql.ansi.enabled": str(self.ansi).lower(), **(GENERATED if self.generated else INTERPRETED)}


def any_variation(random: Random) -> Variation:
    """One of all; generated code, which takes its time, for every twelfth."""
    return Variation(
        random.choice((1, 1, 2, 7)),
        random.randrange(1000) if random.random() < 0.6 else None,
        random.random() < 0.5,
        random.random() < 1 / 12,
    )


class VariedSession:
    """A session whose frames of rows lie as a variation says."""

    def __init__(self, session: SparkSession, variation: Variation) -> None:
        self._session = session
        self._variation = variation

    def __getattr__(self, name: str) -> Any:
        return getattr(self._session, name)

    def createDataFrame(self, table: Any, *schema: Any) -> DataFrame:
        if not isinstance(table, pa.Table):
            return self._session.createDataFrame(table, *schema)
        if POSITION in table.column_names and self._variation.shuffled is not None:
            order = list(range(table.num_rows))
            Random(self._variation.shuffled).shuffle(order)
            table = table.take(pa.array(order, pa.int64()))
        frame = self._session.createDataFrame(table)
        return frame if self._variation.partitions == 1 else frame.repartition(self._variation.partitions)


@contextlib.contextmanager
def varied(session: SparkSession, variation: Variation) -> Iterator[SparkSession]:
    """The session under a variation; its settings are as before afterwards."""
    with settled(session, variation.settings):
        yield VariedSession(session, variation)  # type: ignore[misc]


@contextlib.contextmanager
def settled(session: SparkSession, settings: Mapping[str, str]) -> Iterator[None]:
    """The session with other settings for a while."""
    before = {name: session.conf.get(name) for name in settings}
    try:
        for name, value in settings.items():
            session.conf.set(name, value)
        yield
    finally:
        for name, value in before.items():
            session.conf.set(name, value)


def small_job_session(name: str) -> SparkSession:
    """A session for many small jobs."""
    os.environ.setdefault("JDK_JAVA_OPTIONS", _SMALL_JOBS)
    session = local_session(f"sheliak {name}")
    for key, value in {**INTERPRETED, "spark.sql.adaptive.enabled": "false"}.items():
        session.conf.set(key, value)
    return session
