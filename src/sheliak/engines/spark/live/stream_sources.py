"""Where a stream's changes come from: a folder of change files, or any streaming frame with one change in each row."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from sheliak.engines.failures import RunFailure
from sheliak.engines.spark.live.inbox import Inbox, Piece, number_of, pieces_between
from sheliak.engines.spark.live.pulses import Arrival, arrivals_of
from sheliak.engines.spark.live.store.disk import discard, naming, write_aside
from sheliak.engines.spark.live.store.manifest import damaged
from sheliak.engines.spark.reading.paths import spark_path
from sheliak.expressions.values import Json

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


@dataclass(frozen=True, slots=True)
class Batch:
    """What a batch brings, and what is to be remembered of the source when it has been applied."""

    arrivals: list[Arrival]
    reached: Mapping[str, Json] = field(default_factory=dict)


class ChangeSource(Protocol):
    """Changes for a stream."""

    def open(self, facts: Mapping[str, Json]) -> None:
        """Finds out what the state knows of."""

    def take(self, *, whole: bool = False) -> None:
        """Looks for new changes; `whole` waits for those that are being written."""

    def prepare(self, checkpoint: Path) -> None:
        """Before a query starts with a checkpoint."""

    def frame(self, session: SparkSession) -> DataFrame:
        """The streaming frame whose batches `read` is given."""

    def read(self, frame: DataFrame, number: int, facts: Mapping[str, Json], query: str) -> list[Batch]:
        """The changes of a batch of Spark's, as batches of ours; none where the state has them already."""

    def clean(self, facts: Mapping[str, Json]) -> None:
        """Removes what will not be read again."""


@dataclass(slots=True)
class ChangeFiles:
    """A folder of change files, by way of an inbox. A batch is the pieces after the last that was applied, up to its own last.

    Spark writes down which files it has seen before it writes down the batch that they are for. If it is killed in between, its next batch holds
    these and others: it is taken apart again, so that versions are the same whatever happened.
    """

    inbox: Inbox
    files_per_batch: int

    def open(self, facts: Mapping[str, Json]) -> None:
        self.inbox.open(_number(facts.get("piece")))

    def take(self, *, whole: bool = False) -> None:
        if whole:
            self.inbox.take_settled()
        else:
            self.inbox.take()

    def prepare(self, checkpoint: Path) -> None:
        """The checkpoint names files by their full paths: it is of no use, and not needed, where the folder has been moved or copied."""
        place, here = checkpoint / "place", str(checkpoint.resolve()).encode("utf-8", "surrogateescape")
        if not place.is_file() or place.read_bytes() != here:
            discard([checkpoint])
            with naming(checkpoint):
                checkpoint.mkdir(parents=True, exist_ok=True)
            write_aside(place, here)

    def frame(self, session: SparkSession) -> DataFrame:
        from pyspark.sql.types import BinaryType, LongType, StringType, StructField, StructType, TimestampType

        types = {"path": StringType(), "modificationTime": TimestampType(), "length": LongType(), "content": BinaryType()}
        schema = StructType([StructField(name, kind) for name, kind in types.items()])
        reader = session.readStream.format("binaryFile").schema(schema).option("maxFilesPerTrigger", self.files_per_batch)
        return reader.option("pathGlobFilter", "[0-9]*-*").load(spark_path(self.inbox.folder)).select("path")

    def read(self, frame: DataFrame, number: int, facts: Mapping[str, Json], query: str) -> list[Batch]:
        applied = _number(facts.get("piece"))
        given = [number_of(Path(str(row["path"]))) for row in frame.collect()]
        until = max(given, default=0)
        if until <= applied:
            return []
        pieces = pieces_between(self.inbox.folder, applied, until)
        # Spark may read all of them once more, until it has written down that the batch is done.
        behind = min(applied, min(given) - 1)
        parts = [pieces[start : start + self.files_per_batch] for start in range(0, len(pieces), self.files_per_batch)]
        return [Batch(_arrivals(part), {"piece": part[-1].number, "previous piece": behind}) for part in parts]

    def clean(self, facts: Mapping[str, Json]) -> None:
        self.inbox.clean(_number(facts.get("previous piece")))


@dataclass(slots=True)
class ChangeRows:
    """A streaming frame with the columns `at`, by which its rows are ordered, and `line`, a change as a line of a change file."""

    changes: DataFrame

    def open(self, facts: Mapping[str, Json]) -> None:
        if not self.changes.isStreaming or not {"at", "line"} <= set(self.changes.columns):
            raise RunFailure(
                "changes are a streaming frame with the columns `at` and `line`",
                help="`line` is a change as JSON text, `at` is anything that orders them, such as an offset",
            )

    def take(self, *, whole: bool = False) -> None:
        """Nothing to do: Spark looks for new rows itself."""

    def prepare(self, checkpoint: Path) -> None:
        """Nothing to do: where the frame was read is in the checkpoint, and nowhere else."""

    def frame(self, session: SparkSession) -> DataFrame:
        return self.changes.select("at", "line")

    def read(self, frame: DataFrame, number: int, facts: Mapping[str, Json], query: str) -> list[Batch]:
        known = facts.get("query")
        if known is not None and known != query:
            raise RunFailure("the folder `checkpoint` of the state is not the one that its batches were read with")
        if known is not None and number <= _number(facts.get("query batch")):
            return []
        lines = [str(row["line"]) for row in frame.orderBy("at").select("line").collect() if row["line"] is not None]
        content = b"".join(line.encode("utf-8", "surrogatepass") + b"\n" for line in lines)
        return [Batch(list(arrivals_of(f"batch {number}", content)), {"query": query, "query batch": number})]

    def clean(self, facts: Mapping[str, Json]) -> None:
        """Nothing to do: what was read stays where it is."""


def _arrivals(pieces: Sequence[Piece]) -> list[Arrival]:
    return [one for piece in pieces for one in arrivals_of(piece.taken.file, piece.content, piece.taken.line)]


def query_of(checkpoint: Path) -> str:
    """The query that a checkpoint belongs to."""
    path = checkpoint / "metadata"
    with naming(path, "read"):
        text = path.read_text(encoding="utf-8", errors="replace")
    try:
        return str(json.loads(text)["id"])
    except (ValueError, KeyError, TypeError) as problem:
        raise damaged(path, "it names no query") from problem


def _number(value: Json) -> int:
    return int(value) if isinstance(value, int | float) else 0
