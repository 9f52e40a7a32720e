"""One call of `sheliak stream`: the stream from its start to its end, or how far it is."""

from __future__ import annotations

import contextlib
import json
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

import click

from sheliak.changes.change import Counts
from sheliak.cli.run_job import DONE, FINDINGS, UNUSABLE, Job
from sheliak.cli.run_options import read_spec
from sheliak.cli.trace_shown import counts_text
from sheliak.engines.failures import RunFailure
from sheliak.rendering.visible import visible
from sheliak.rendering.waiting import waiting
from sheliak.running.streams import StreamFolders, opened_stream, source_of

if TYPE_CHECKING:
    from sheliak.engines.spark.live.stream_status import StreamStatus
    from sheliak.engines.spark.live.streaming import Applied
    from sheliak.engines.spark.passed_on import SparkSession


class StreamJob(Job):
    """A stream on the command line."""

    _batches = _changes = _rejected = 0

    def run(
        self,
        spec: str,
        changes: str,
        state: str,
        out: str,
        datasets: Sequence[str],
        *,
        files_per_batch: int,
        interval: float,
        once: bool,
    ) -> int:
        """Until it is stopped, or has applied what is there."""
        folders = StreamFolders(Path(state), Path(out), tuple(datasets))
        with self._ended() as exit_code, self._quiet():
            source = source_of(Path(changes), folders.state, files_per_batch, self._warn)
            given = read_spec(spec), self.options, source, folders, self._start, self._warn, self._applied
            with opened_stream(*given) as stream, asked_to_end() as is_over:
                stream.start(once=once, interval=interval)
                stream.run(interval, is_over)
            self.echo(self._ending())
            exit_code[0] = FINDINGS if once and self._rejected else DONE
        return exit_code[0]

    def _start(self) -> SparkSession:
        with waiting("Spark starts"):
            return self.session

    def _warn(self, message: str) -> None:
        click.echo(f"warning: {visible(message)}", err=True)

    def _applied(self, batch: Applied) -> None:
        self._batches += 1
        self._changes += batch.received
        self._rejected += batch.rejected
        if self.verbose:
            self.echo(batch_text(batch))

    def _ending(self) -> str:
        aside = f", {self._rejected} set aside" if self._rejected else ""
        return f"{counted(self._batches, 'batch', 'batches')}, {counted(self._changes, 'change', 'changes')}{aside}"


@contextlib.contextmanager
def asked_to_end() -> Iterator[Callable[[], bool]]:
    """Whether Ctrl-C or a request to terminate has come, for the time of a block; the second one ends the block at once.

    Spark's own handler of Ctrl-C would cancel the batch that runs, and may come in the middle of a call to the Java process.
    """
    asked = threading.Event()

    def note(number: int, frame: FrameType | None) -> None:
        if asked.is_set():
            raise KeyboardInterrupt
        asked.set()

    before = {number: signal.signal(number, note) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield asked.is_set
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def batch_text(batch: Applied) -> str:
    """One line for a batch."""
    parts = [f"{visible(name)}: {counts_text(counts)}" for name, counts in batch.changes.items() if counts != Counts()]
    aside = [f"{counted(batch.rejected, 'pulse', 'pulses')} set aside"] if batch.rejected else []
    said = "; ".join([*parts, *aside]) or "nothing changes"
    return f"version {batch.version}: {counted(batch.received, 'change', 'changes')}; {said}"


def counted(number: int, one: str, several: str) -> str:
    return f"{number:,} {one if number == 1 else several}"


# Status


def show_status(state: str, changes: str | None, out: str | None, *, as_json: bool) -> int:
    """How far a stream is."""
    from sheliak.engines.spark.live.stream_status import status_of

    try:
        status = status_of(Path(state), None if changes is None else Path(changes), None if out is None else Path(out))
    except RunFailure as problem:
        click.echo(f"error: {problem}", err=True)
        if problem.help:
            click.echo(f"help: {problem.help}", err=True)
        return UNUSABLE
    click.echo(json.dumps(status_object(status), indent=1) if as_json else "\n".join(status_lines(status)))
    return DONE


def status_object(status: StreamStatus) -> Mapping[str, object]:
    return {**asdict(status), "seconds_behind": round(status.seconds_behind, 3)}


def status_lines(status: StreamStatus) -> Iterator[str]:
    at = datetime.fromtimestamp(status.last_batch, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    yield f"{'running' if status.is_running else 'not running'}; {counted(status.batches, 'batch', 'batches')}, the last at {at}"
    yield f"changes    {status.changes:,} received, {counted(status.rejected, 'pulse', 'pulses')} set aside"
    yield f"lag        {lag_text(status)}"
    yield f"state      {size_text(status.state_bytes)} in {counted(status.state_files, 'file', 'files')}; all of the folder {size_text(status.folder_bytes)}"
    if status.published is not None:
        yield f"output     version {status.published} of {status.batches}"
    yield "rows"
    width = max((len(visible(name)) for name in status.rows), default=0)
    yield from (f"  {visible(name):{width}}  {count:,}" for name, count in status.rows.items())


def lag_text(status: StreamStatus) -> str:
    if not status.pieces and not status.waiting:
        return "none" if status.waiting is not None else "no file that was taken is waiting"
    parts = [f"{counted(status.pieces, 'piece', 'pieces')} taken and not applied"] if status.pieces else []
    if status.waiting:
        files = counted(len(status.waiting), "file", "files")
        parts.append(f"{files} not taken whole ({size_text(sum(status.waiting.values()))})")
    return f"{', '.join(parts)}; {status.seconds_behind:.0f} s since the last batch"


def size_text(size: int) -> str:
    for unit, factor in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if size >= factor:
            return f"{size / factor:.1f} {unit}"
    return f"{size} bytes"
