"""Parquet, which Spark reads by itself: one file, or a folder of them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from sheliak.engines.failures import RunFailure
from sheliak.engines.spark.arrow_in import frame_of_arrow
from sheliak.engines.spark.job_failures import failure_of, reason_of
from sheliak.engines.spark.lazy_functions import F
from sheliak.engines.spark.reading.dictionaries import texts_in
from sheliak.engines.spark.reading.paths import local_paths, spark_path
from sheliak.engines.spark.reading.statistics import extents_of, spans_of, united
from sheliak.engines.spark.tables import SAMPLE, Extent, is_telling, scan_table
from sheliak.loading.columnar import columns_without_null
from sheliak.plan.known_texts import Texts
from sheliak.plan.operators import Scan
from sheliak.plan.planning import Planning

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

_MOST_FOOTERS = 64
"""Of a folder with more files than this the statistics are not looked at."""
MOST_TEXTS = 2000
"""A column with more different texts is grouped by these, not by numbers: a text is searched for among all of them."""
_INSTEAD_OF_NONE = ("", "null", "undefined")
"""What groups compare missing texts as."""
_MOST_FILES = 1000
"""A folder with more files than this is opened each time."""


@dataclass(frozen=True, slots=True)
class Footers:
    """What the ends of Parquet files say: their rows, the columns in which none is null, the extents of numbers, what is around all dates."""

    rows: int | None = None
    never_null: frozenset[str] = frozenset()
    extents: Mapping[str, Extent] = field(default_factory=dict)
    spans: Mapping[str, Extent] = field(default_factory=dict)


def scan_parquet(name: str, path: Path, session: SparkSession, planning: Planning, used: Callable[[str], bool]) -> Scan | None:
    """A scan of a Parquet file, None for one that Spark cannot open; or of a folder of them, which must be readable."""
    try:
        known = opened(path, session)
    except Exception as problem:
        failure = failure_of(problem)
        if failure is None:
            raise
        if path.is_dir():
            message = f"`{path.name}` is no folder of Parquet files that Spark can read: {reason_of(failure.details or '')}"
            raise RunFailure(message, dataset=name, details=failure.details) from problem
        return None
    footers = known.footers
    return scan_table(
        name,
        known.frame,
        planning,
        used=used,
        position=known.position,
        never_null=footers.never_null,
        count=footers.rows,
        extents=footers.extents,
        spans=footers.spans,
        distinct=partial(known.distinct, path),
        texts=known.texts_of,
    )


@dataclass(frozen=True, slots=True)
class Opened:
    """A file or folder as a frame, the place of its rows, and what its footers say."""

    frame: DataFrame
    position: Column | None
    footers: Footers
    sizes: dict[str, int | None] = field(default_factory=dict)
    """About how many different texts a column holds, None for too many; of columns that were asked about."""

    texts: dict[str, Texts | None] = field(default_factory=dict)
    """Every text of a column, None where the files do not tell, or of too many; of columns that were asked about."""

    def texts_of(self, name: str) -> Texts | None:
        """Every text of a column, with codes that Spark has for them."""
        if name not in self.texts:
            self.texts[name] = _known_texts(self.frame, name)
        return self.texts[name]

    def distinct(self, path: Path, names: Sequence[str]) -> dict[str, int]:
        """About how many different texts columns hold, of those that hold few."""
        asked = [name for name in names if name not in self.sizes]
        self.sizes.update(_sizes(path, asked) if asked else {})
        return {name: size for name in names if (size := self.sizes[name]) is not None}


def _sizes(path: Path, names: Sequence[str]) -> dict[str, int | None]:
    """From the first rows of the first file; None where they do not tell."""
    from pyarrow import ArrowException, compute, parquet

    first = path if path.is_file() else next(iter(sorted(path.rglob("*.parquet"))), path)
    try:
        with parquet.ParquetFile(first) as file:
            batch = next(file.iter_batches(SAMPLE, columns=list(names)), None)
            counts = {} if batch is None else {name: compute.count_distinct(batch.column(name)).as_py() for name in names}
    except (ArrowException, OSError, ValueError, KeyError):
        return dict.fromkeys(names)
    return {name: counts[name] + 1 if name in counts and is_telling(counts[name]) else None for name in names}


def _known_texts(frame: DataFrame, name: str) -> Texts | None:
    """What the dictionaries of all files of a frame hold, and what may stand for a missing text; hashed by Spark, as rows will be."""
    import pyarrow as pa

    if [field.dataType.simpleString() for field in frame.schema.fields if field.name == name] != ["string"]:
        return None
    found = texts_in(local_paths(frame.inputFiles()), name, MOST_TEXTS)
    if found is None:
        return None
    given = pa.table({"t": pa.array([*dict.fromkeys([*sorted(found), *_INSTEAD_OF_NONE]), None], pa.string())})
    hashed = frame_of_arrow(frame.sparkSession, given).select("t", F.xxhash64("t").alias("h")).toArrow()
    codes: dict[str | None, int] = dict(zip(hashed.column("t").to_pylist(), hashed.column("h").to_pylist(), strict=True))
    if len(set(codes.values())) < given.num_rows:
        return None
    missing = codes.pop(None)
    values = tuple(text for text in codes if text is not None)
    return Texts(values, tuple(codes.values()), missing, frozenset(_INSTEAD_OF_NONE) - found)


Version: TypeAlias = tuple[tuple[str, int, int, int], ...]
_OPENED: OrderedDict[tuple[int, str], tuple[Version, Opened]] = OrderedDict()
_MOST_OPENED = 16


def opened(path: Path, session: SparkSession) -> Opened:
    """To find out the columns Spark runs a job: what has not changed since is not opened again."""
    version = _version(path)
    if version is None:
        return _open(path, session)
    key = (id(session), str(path))
    known = _OPENED.get(key)
    if known is None or known[0] != version or known[1].frame.sparkSession is not session:
        known = (version, _open(path, session))
    _OPENED[key] = known
    _OPENED.move_to_end(key)
    while len(_OPENED) > _MOST_OPENED:
        _OPENED.popitem(last=False)
    return known[1]


def _open(path: Path, session: SparkSession) -> Opened:
    frame = session.read.parquet(spark_path(path))
    return Opened(frame, file_position(frame, path), read_footers(path))


def _version(path: Path) -> Version | None:
    """What changes when a file, or one of the few files of a folder, does."""
    files = [path] if path.is_file() else list(islice(path.rglob("*"), _MOST_FILES + 1))
    if len(files) > _MOST_FILES:
        return None
    try:
        states = [(str(file), file.stat()) for file in files]
    except OSError:
        return None
    return tuple(sorted((name, state.st_mtime_ns, state.st_size, state.st_ino) for name, state in states))


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
    spans: list[Mapping[str, Extent]] = []
    try:
        for file in files:
            metadata = parquet.read_metadata(file)
            extents.append(extents_of(metadata))
            spans.append(spans_of(metadata))
            rows += metadata.num_rows
            # A file without rows has no statistics, and no null either.
            found = frozenset(columns_without_null(metadata)) if metadata.num_rows else never_null
            never_null = found if never_null is None else never_null & (found or frozenset())
    except (ArrowException, OSError, ValueError):
        return Footers()
    return Footers(rows, never_null or frozenset(), united(extents), united(spans))
