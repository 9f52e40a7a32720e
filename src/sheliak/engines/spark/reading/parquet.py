"""Parquet, which Spark reads by itself: one file, or a folder of them in the order of their names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sheliak.engines.failures import RunFailure
from sheliak.engines.spark.job_failures import reason_of
from sheliak.engines.spark.lazy_functions import F
from sheliak.engines.spark.tables import scan_table
from sheliak.loading.columnar import columns_without_null
from sheliak.plan.operators import Scan
from sheliak.plan.planning import Planning

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

_MOST_FOOTERS = 64
"""Of a folder with more files than this the statistics are not looked at."""


@dataclass(frozen=True, slots=True)
class Footers:
    """What the ends of Parquet files say: their rows, and the columns in which none is null."""

    rows: int | None = None
    never_null: frozenset[str] = frozenset()


def scan_parquet(name: str, path: Path, session: SparkSession, planning: Planning, used: Callable[[str], bool]) -> Scan:
    """A scan of a Parquet file or of a folder of them; raises RunFailure for what Spark cannot read."""
    from pyspark.errors import PySparkException

    try:
        frame = session.read.parquet(str(path))
        known = read_footers(path)
        return scan_table(
            name,
            frame,
            planning,
            used=used,
            position=file_position(frame, path),
            never_null=known.never_null,
            count=known.rows,
        )
    except PySparkException as problem:
        message = f"`{path.name}` is not a Parquet file that Spark can read ({reason_of(str(problem))})"
        raise RunFailure(message, dataset=name, details=str(problem)) from problem


def file_position(frame: DataFrame, path: Path) -> Column:
    """The place of a row: in one file its number, in several the file's name before it."""
    about = frame.metadataColumn("_metadata")
    number = about.getField("row_index")
    return number if path.is_file() else F.struct(about.getField("file_path").alias("a"), number.alias("b"))


def read_footers(path: Path) -> Footers:
    """The footers of the file, or of all files of the folder if they are few."""
    from pyarrow import ArrowException, parquet

    files = [path] if path.is_file() else sorted(path.rglob("*.parquet"))
    if not 0 < len(files) <= _MOST_FOOTERS:
        return Footers()
    rows, never_null = 0, None
    try:
        for file in files:
            metadata = parquet.read_metadata(file)
            rows += metadata.num_rows
            # A file without rows has no statistics, and no null either.
            found = frozenset(columns_without_null(metadata)) if metadata.num_rows else never_null
            never_null = found if never_null is None else never_null & (found or frozenset())
    except (ArrowException, OSError, ValueError):
        return Footers()
    return Footers(rows, never_null or frozenset())
