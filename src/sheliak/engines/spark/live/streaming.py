"""A stream of changes through the datasets of a spec, on Structured Streaming.

Every batch goes the same way: its changes are read, applied to the state and committed with everything that must be remembered of them,
in one version of the store; then what changed is published. A batch that the state knows of already is not applied again, and what was
not published before a crash is published at the start. So each change counts once, wherever the stream was stopped.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sheliak.changes.change import Add, Changeset, Counts, Remove, counts_of
from sheliak.engines.failures import RowLimit, RunFailure
from sheliak.engines.spark.job_failures import failure_of
from sheliak.engines.spark.live.outlet import Outlet, log_lines
from sheliak.engines.spark.live.protocol import LiveDatasets, Stepped
from sheliak.engines.spark.live.pulses import SetAside, reason_of
from sheliak.engines.spark.live.store import Draft, Store
from sheliak.engines.spark.live.store.disk import naming, write_whole
from sheliak.engines.spark.live.store.points import reached
from sheliak.engines.spark.live.stream_sources import Batch, ChangeSource, query_of
from sheliak.expressions.values import Json

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.streaming.query import StreamingQuery

FACTS: Final = "stream:facts"
LOG: Final = "stream:log "
POLLED: Final = 0.05
COMPACTED_EVERY: Final = 20
"""After so many batches their small files are rewritten as one."""


@dataclass(frozen=True, slots=True)
class Applied:
    """A batch that has been applied: what it brought, and what it did to the datasets."""

    version: int
    received: int
    rejected: int
    changes: Mapping[str, Counts]


@dataclass(slots=True)
class Applying:
    """How batches are applied and published; `applied` is told of each."""

    live: LiveDatasets
    store: Store
    outlet: Outlet
    set_aside: SetAside
    applied: Callable[[Applied], None]

    @property
    def version(self) -> int:
        """The version of the datasets: 0 at the start, then one for each batch."""
        assert self.store.batch is not None
        return self.store.batch + 1

    @property
    def facts(self) -> Mapping[str, Json]:
        return self.store.facts(FACTS)

    def catch_up(self) -> None:
        """Publishes what the state has and readers do not see: all rows, or the last batch, which a crash kept from them."""
        seen = self.outlet.version
        if seen is None or seen < self.version - 1:
            self.outlet.begin(self.version, self.live)
        elif seen < self.version:
            self._publish()
        elif seen > self.version:
            raise RunFailure(
                f"{str(self.outlet.folder)!r} is at version {seen}, the state only at {self.version}: the last files of "
                f"{str(self.store.manifests_folder)!r} are not there, or those of another time",
                help="bring back the state that belongs to this output, or give another folder for the output",
            )

    def apply_all(self, source: ChangeSource, frame: DataFrame, number: int, query: str) -> None:
        """What a batch of Spark's brings, as far as the state does not have it."""
        for batch in source.read(frame, number, self.facts, query):
            with naming(self.store.folder):
                self.apply(batch)
                source.clean(self.facts)

    def apply(self, batch: Batch) -> None:
        """One batch, from its text to what readers see."""
        pulses = [(arrival, arrival.pulse) for arrival in batch.arrivals if arrival.pulse is not None]
        unread = [(arrival, arrival.problem) for arrival in batch.arrivals if arrival.pulse is None]

        def remember(draft: Draft, stepped: Stepped) -> None:
            rejected = [(pulses[place][0], reason_of(error)) for place, error in stepped.rejected]
            self.set_aside.put(self.version + 1, [*unread, *rejected])
            self._remember(draft, batch, stepped, len(unread) + len(rejected))
            reached("state: before")

        stepped = self.live.step([pulse for _, pulse in pulses], self.version, remember)
        reached("state: after")
        self._publish()
        self._clean()
        counts = {name: counts_of(changes) for name, changes in stepped.changes.items()}
        self.applied(Applied(self.version, received_by(batch), len(unread) + len(stepped.rejected), counts))

    def _remember(self, draft: Draft, batch: Batch, stepped: Stepped, rejected: int) -> None:
        """The log of the batch, until it is published; how far the source was read; what there is to tell."""
        for name in self.store.tables:
            if name.startswith(LOG):
                draft.remove(name)
        for dataset in self.outlet.datasets:
            if changes := stepped.changes.get(dataset):
                path = draft.new_file(f"{LOG}{dataset}", ".jsonl")
                with naming(path):
                    write_whole(path, log_lines(dataset, changes), durable=False)  # the commit brings it to the disk
                draft.replace(f"{LOG}{dataset}", [path], "log")
        draft.set_facts(FACTS, {**self.facts, **batch.reached, **self._totals(stepped, received_by(batch), rejected)})

    def _totals(self, stepped: Stepped, received: int, rejected: int) -> dict[str, Json]:
        rows = self.facts.get("rows")
        counts = dict(rows) if isinstance(rows, dict) else {}
        for dataset, changes in stepped.changes.items():
            if dataset in counts:
                counts[dataset] = _number(counts[dataset]) + growth_of(changes)
        return {
            "rows": counts,
            "changes": _number(self.facts.get("changes")) + received,
            "rejected": _number(self.facts.get("rejected")) + rejected,
            "at": time.time(),
        }

    def _publish(self) -> None:
        names = [name for name in self.store.tables if name.startswith(LOG)]
        logs = {name.removeprefix(LOG): self.store.table(name)[0].path for name in names}
        self.outlet.publish(self.version, logs, self.live)

    def _clean(self) -> None:
        if self.version % COMPACTED_EVERY == 0:
            reached("compaction: before")
            self.live.compact()
            reached("compaction: after")
        self.store.clean()


def received_by(batch: Batch) -> int:
    """How many changes a batch brings, in pulses that could be read."""
    return sum(len(arrival.pulse or ()) for arrival in batch.arrivals)


def growth_of(changes: Changeset) -> int:
    """By how many rows a dataset grows."""
    return sum(1 if isinstance(change, Add) else -1 if isinstance(change, Remove) else 0 for change in changes)


def _number(value: Json) -> int:
    return int(value) if isinstance(value, int | float) else 0


class Stream:
    """A stream that runs: in the background until `stop`, or until everything that was there is applied."""

    def __init__(self, applying: Applying, source: ChangeSource, session: SparkSession) -> None:
        self._applying = applying
        self._source = source
        self._session = session
        self._query: StreamingQuery | None = None
        self._failure: BaseException | None = None
        self._working = threading.Lock()
        self._is_stopping = False

    @property
    def checkpoint(self) -> Path:
        return self._applying.store.folder / "checkpoint"

    @property
    def failure(self) -> BaseException | None:
        """What ended the stream before its time."""
        return self._failure

    def start(self, *, once: bool, interval: float) -> None:
        """Starts the query; the batches are applied in the background. Raises RunFailure."""
        applying = self._applying
        self._source.open(applying.facts)
        applying.catch_up()
        self._source.take(whole=once)
        self._source.prepare(self.checkpoint)
        frame = self._source.frame(self._session)
        writer = frame.writeStream.foreachBatch(self._apply).option("checkpointLocation", f"file://{self.checkpoint.absolute()}")
        writer = (
            writer.trigger(availableNow=True) if once else writer.trigger(processingTime=f"{int(interval * 1000)} milliseconds")
        )
        try:
            self._query = writer.start()
        except Exception as problem:
            raise ended_early(self.checkpoint, problem) from problem

    def _apply(self, frame: DataFrame, number: int) -> None:
        reached("offset: after")
        with self._working:
            if self._is_stopping or self._failure is not None:
                raise RunFailure("the stream has been stopped")
            try:
                self._applying.apply_all(self._source, frame, number, query_of(self.checkpoint))
            except BaseException as problem:
                self._failure = problem
                raise
        reached("batch: done")

    def wait(self, seconds: float | None = None) -> bool:
        """Until the stream ends, or for some seconds; whether it has ended. Raises what ended it before its time."""
        deadline = None if seconds is None else time.monotonic() + seconds
        while self._is_active():
            if deadline is not None and time.monotonic() >= deadline:
                return False
            time.sleep(POLLED)
        return True

    def _is_active(self) -> bool:
        """Whether the query goes on. Raises what ended it before its time."""
        assert self._query is not None
        try:
            if self._query.isActive:
                return True
            problem: Exception | None = self._query.exception()
        except Exception as fault:  # noqa: BLE001 - the Java process is gone
            problem = fault
        if self._failure is None and problem is not None and not self._is_stopping:
            self._failure = ended_early(self.checkpoint, problem)
        if self._failure is not None:
            raise self._failure
        return False

    def run(self, interval: float, is_over: Callable[[], bool] = lambda: False) -> None:
        """Until the stream ends, or somebody says that it is over. Raises what ended it before its time."""
        due = time.monotonic() + interval
        while not is_over() and not self.wait(min(interval, 2 * POLLED)):
            if time.monotonic() >= due:
                self._source.take()
                due = time.monotonic() + interval

    def stop(self) -> None:
        """Lets the batch that runs come to its end, then ends the query."""
        with self._working:
            self._is_stopping = True
        if self._query is not None:
            self._query.stop()


def ended_early(checkpoint: Path, problem: Exception) -> RunFailure:
    """Spark ended the query, not a batch of ours."""
    told = failure_of(problem)
    return RunFailure(
        str(told) if told is not None else f"the stream ended: {problem}",
        help=f"if {str(checkpoint)!r} is damaged, remove it: a stream of files goes on from its state without it",
        details=told.details if told is not None else repr(problem),
    )


def open_stream(
    live: LiveDatasets,
    store: Store,
    source: ChangeSource,
    session: SparkSession,
    out: Path,
    datasets: Sequence[str],
    tell: Callable[[str], None],
    applied: Callable[[Applied], None] = lambda _: None,
) -> Stream:
    """A stream that can be started: from the state that is there, or from its beginning. Raises RunFailure."""
    unknown = next((name for name in datasets if name not in live.datasets), None)
    if unknown is not None:
        raise RunFailure(f"the spec has no dataset `{unknown}`", help=f"its datasets: {', '.join(live.datasets) or 'none'}")
    if "id" not in store.facts(FACTS):
        _begin(live, store)
    outlet = Outlet(out, str(store.facts(FACTS)["id"]), list(datasets or live.datasets))
    outlet.open()
    return Stream(Applying(live, store, outlet, SetAside(out / "rejected", tell), applied), source, session)


def _begin(live: LiveDatasets, store: Store) -> None:
    """What is remembered of a stream before its first batch."""
    assert store.batch is not None
    rows: dict[str, Json] = {}
    for name in live.datasets:
        if live.reason(name) is None:
            with suppress(RowLimit):
                rows[name] = live.table(name).num_rows
    draft = store.begin(store.batch)
    draft.set_facts(FACTS, {"id": secrets.token_hex(8), "rows": rows, "at": time.time()})
    draft.commit()
