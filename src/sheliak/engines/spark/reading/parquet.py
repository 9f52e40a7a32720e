"""Parquet, which Spark reads by itself: one file, or a folder of them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from sheliak.engines.failures import RunFailure
from sheliak.engines.spark.job_failures import failure_of, reason_of
from sheliak.engines.spark.reading.paths import spark_path
from sheliak.engines.spark.reading.statistics import extents_of, united
from sheliak.engines.spark.tables import Extent, scan_table
from sheliak.loading.columnar import columns_without_null
from sheliak.plan.operators import Scan
from sheliak.plan.planning import Planning

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

_MOST_FOOTERS = 64
"""Of a folder with more files than this the statistics are not looked at."""


@dataclass(frozen=True, slots=True)
class Footers:
    """What the ends of Parquet files say: their rows, the columns in which none is null, the extents of numbers."""

    rows: int | None = None
    never_null: frozenset[str] = frozenset()
    extents: Mapping[str, Extent] = field(default_factory=dict)


def scan_parquet(name: str, path: Path, session: SparkSession, planning: Planning, used: Callable[[str], bool]) -> Scan | None:
    """A scan of a Parquet file, None for one that Spark cannot open; or of a folder of them, which must be readable."""
    try:
        frame = opened(path, session)
        position = file_position(frame, path)
    except Exception as problem:
        failure = failure_of(problem)
        if failure is None:
            raise
        if path.is_dir():
            message = f"`{path.name}` is no folder of Parquet files that Spark can read: {reason_of(failure.details or '')}"
            raise RunFailure(message, dataset=name, details=failure.details) from problem
        return None
    known = read_footers(path)
    return scan_table(
        name,
        frame,
        planning,
        used=used,
        position=position,
        never_null=known.never_null,
        count=known.rows,
        extents=known.extents,
    )


_OPENED: OrderedDict[tuple[int, str], tuple[tuple[int, int, int], DataFrame]] = OrderedDict()
_MOST_OPENED = 16


def opened(path: Path, session: SparkSession) -> DataFrame:
    """The file as a frame. To find out its columns Spark runs a job, so a file that has not changed is not opened again."""
    if not path.is_file():
        return session.read.parquet(spark_path(path))
    state = path.stat()
    version, key = (state.st_mtime_ns, state.st_size, state.st_ino), (id(session), str(path))
    known = _OPENED.get(key)
    if known is None or known[0] != version or known[1].sparkSession is not session:
        known = (version, session.read.parquet(spark_path(path)))
    _OPENED[key] = known
    _OPENED.move_to_end(key)
    while len(_OPENED) > _MOST_OPENED:
        _OPENED.popitem(last=False)
    return known[1]


def file_position(frame: DataFrame, path: Path) -> Column | None:
    """The place of a row: its number in the file. Several files come as Spark reads them, the largest first.

    A name before the number would put files in the order of their names, but the least of such pairs takes a sort of all rows.
    """
    return frame.metadataColumn("_metadata").getField("row_index") if path.is_file() else None


def read_footers(path: Path) -> Footers:
    """The footers of the file, or of all files of the folder if they are few."""
    from pyarrow import ArrowException, parquet

    files = [path] if path.is_file() else sorted(path.rglob("*.parquet"))
    if not 0 < len(files) <= _MOST_FOOTERS:
        return Footers()
    rows, never_null = 0, None
    extents: list[Mapping[str, Extent]] = []
    try:
        for file in files:
            metadata = parquet.read_metadata(file)
            extents.append(extents_of(metadata))
            rows += metadata.num_rows
            # A file without rows has no statistics, and no null either.
            found = frozenset(columns_without_null(metadata)) if metadata.num_rows else never_null
            never_null = found if never_null is None else never_null & (found or frozenset())
    except (ArrowException, OSError, ValueError):
        return Footers()
    return Footers(rows, never_null or frozenset(), united(extents))
