"""`sheliak stream` and `sheliak.stream`: from a spec and a source of changes to a stream that runs."""

from __future__ import annotations

import contextlib
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Self

from sheliak.changes.change import Trace
from sheliak.changes.lines import Pulse
from sheliak.engines.failures import RowLimit
from sheliak.expressions.values import Row
from sheliak.running.opening import RunOptions, SpecFile, ready, told_failures

if TYPE_CHECKING:
    import pyarrow as pa

    from sheliak.engines.spark.live.protocol import BeforeCommit, Stepped
    from sheliak.engines.spark.live.run import Traced
    from sheliak.engines.spark.live.step import LiveSpark
    from sheliak.engines.spark.live.stream_sources import ChangeSource
    from sheliak.engines.spark.live.stream_status import StreamStatus
    from sheliak.engines.spark.live.streaming import Applied, Stream
    from sheliak.engines.spark.passed_on import DataFrame, SparkSession


@dataclass(frozen=True, slots=True)
class StreamFolders:
    """Where a stream keeps its state and writes what readers read; which datasets it writes, all if none are named."""

    state: Path
    out: Path
    datasets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StreamedDatasets:
    """Datasets on Spark as a stream writes them."""

    live: LiveSpark
    row_limit: int
    surrounded: Callable[[], AbstractContextManager[None]]

    @property
    def datasets(self) -> list[str]:
        return self.live.datasets

    def reason(self, dataset: str) -> str | None:
        return self.live.reason(dataset)

    def table(self, dataset: str) -> pa.Table:
        from sheliak.running.arrow_tables import table_of

        with self.surrounded():
            return table_of(self._traced(dataset).rows)

    def rows(self, dataset: str) -> Iterator[tuple[Trace, Row]]:
        with self.surrounded():
            found = self._traced(dataset)
        return zip(found.traces, found.rows, strict=True)

    def _traced(self, dataset: str) -> Traced:
        try:
            return self.live.traced(dataset, self.row_limit)
        except RowLimit as problem:
            raise RowLimit(dataset, problem.limit, "they are not written after every batch") from problem

    def step(self, pulses: Sequence[Pulse], batch: int, before_commit: BeforeCommit | None = None) -> Stepped:
        with self.surrounded():
            return self.live.step(pulses, batch, before_commit)

    def compact(self) -> None:
        """Its tables are rewritten by the steps themselves."""

    def close(self) -> None:
        self.live.close()


def source_of(changes: Path | DataFrame, state: Path, files_per_batch: int, tell: Callable[[str], None]) -> ChangeSource:
    """Change files of a folder, or the rows of a streaming frame. Raises RunFailure."""
    from sheliak.engines.spark.live.inbox import Inbox, require_folder
    from sheliak.engines.spark.live.stream_sources import ChangeFiles, ChangeRows

    if isinstance(changes, Path):
        require_folder(changes)
        return ChangeFiles(Inbox(changes, state / "inbox", tell), files_per_batch)
    return ChangeRows(changes)


@contextlib.contextmanager
def opened_stream(
    spec: SpecFile,
    options: RunOptions,
    source: ChangeSource,
    folders: StreamFolders,
    session: Callable[[], SparkSession],
    tell: Callable[[str], None],
    applied: Callable[[Applied], None] = lambda _: None,
    surrounded: Callable[[], AbstractContextManager[None]] = contextlib.nullcontext,
) -> Iterator[Stream]:
    """A stream that is ready to start, for the time of a block; it goes on from the state that is there. Raises RunFailure."""
    from sheliak.engines.spark.live.identity import identity_of
    from sheliak.engines.spark.live.step import open_live
    from sheliak.engines.spark.live.store import open_store
    from sheliak.engines.spark.live.store.store import current_manifest
    from sheliak.engines.spark.live.streaming import open_stream
    from sheliak.engines.spark.pipeline import ROW_LIMIT

    if current_manifest(folders.state) is not None:
        # The state holds the rows: what they came from is not asked for again, and may be gone.
        options = replace(options, data={}, check=False)
    with surrounded():
        given = ready(spec, options, session)
    with contextlib.closing(given), told_failures():
        store = open_store(folders.state, identity_of(given.root, given.surroundings))
        with contextlib.closing(store):
            with surrounded():
                opened = open_live(given.root, given.surroundings, given.frames, session(), store)
            live = StreamedDatasets(opened, ROW_LIMIT if options.row_limit is None else options.row_limit, surrounded)
            with contextlib.closing(live):
                stream = open_stream(live, store, source, session(), folders.out, folders.datasets, tell, applied)
                try:
                    yield stream
                finally:
                    stream.stop()


def warn(message: str) -> None:
    """What a stream tells of changes that it sets aside, where nobody asked to be told."""
    warnings.warn(message, stacklevel=2)


class RunningStream:
    """What `sheliak.stream` gives back: a stream that runs in the background. Stop it, or use it in a `with` block."""

    def __init__(self, folders: StreamFolders, stream: AbstractContextManager[Stream], *, once: bool, interval: float) -> None:
        self._folders = folders
        self._ending = contextlib.ExitStack()
        self._failure: BaseException | None = None
        try:
            self._stream = self._ending.enter_context(stream)
            self._stream.start(once=once, interval=interval)
        except BaseException:
            self._ending.close()
            raise
        self._thread = threading.Thread(target=self._run, args=(interval,), name="sheliak stream", daemon=True)
        self._thread.start()

    def _run(self, interval: float) -> None:
        try:
            self._stream.run(interval)
        except BaseException as problem:  # noqa: BLE001 - told by `wait`, in the thread of whoever waits
            self._failure = problem

    @property
    def status(self) -> StreamStatus:
        """How far it is."""
        from sheliak.engines.spark.live.stream_status import status_of

        return status_of(self._folders.state, None, self._folders.out)

    def wait(self, seconds: float | None = None) -> bool:
        """Until it ends, or for some seconds; whether it has ended. Raises RunFailure where it ended before its time."""
        self._thread.join(seconds)
        if self._failure is not None:
            raise self._failure
        return not self._thread.is_alive()

    def stop(self) -> None:
        """Lets the batch that runs come to its end, and ends the stream; another one goes on from its state."""
        self._stream.stop()
        self._thread.join()
        self._ending.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.stop()
