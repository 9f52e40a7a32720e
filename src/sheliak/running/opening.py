"""From what the user asks for to a pipeline that is open: the session, the data, the check, the plan."""

from __future__ import annotations

import atexit
import contextlib
import os
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from sheliak.checker.report import Report
from sheliak.engines.failures import RunFailure
from sheliak.engines.protocol import Progress, RunResult, silent
from sheliak.engines.reference.inputs import Surroundings
from sheliak.engines.spark.unavailable import SparkUnavailable
from sheliak.expressions.values import Value
from sheliak.loading.folders import DataFolders
from sheliak.loading.remote import RemoteFiles
from sheliak.project.outcome import Outcome
from sheliak.project.selection import Selection
from sheliak.running.reading import checked, vega_of
from sheliak.running.zone import zone_called
from sheliak.source.text import Source
from sheliak.source.tree import Node
from sheliak.types.shapes import Record

if TYPE_CHECKING:
    from sheliak.engines.spark.given import Given
    from sheliak.engines.spark.passed_on import SparkSession
    from sheliak.engines.spark.pipeline import Pipeline


@dataclass(frozen=True, slots=True)
class SessionOptions:
    """Where Spark runs: on this machine unless a master or a server of Spark Connect is named."""

    master: str | None = None
    remote: str | None = None
    conf: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What a run depends on besides the spec and the session."""

    data: Mapping[str, object] = field(default_factory=dict)
    """What datasets start with, instead of what the spec names: frames, tables, files."""
    data_dirs: tuple[Path, ...] = ()
    hosts: tuple[str, ...] = ()
    """The hosts that may be asked for data."""
    signals: Mapping[str, Value] = field(default_factory=dict)
    timezone: str | None = None
    row_limit: int | None = None
    check: bool = True
    strict_files: bool = True
    """A file that is missing ends the run; Vega goes on without its rows."""
    schemas: Mapping[str, Path | Record] = field(default_factory=dict)
    selection: Selection = field(default_factory=Selection)


@dataclass(frozen=True, slots=True)
class SpecFile:
    """The text of a spec, and the folder that its relative urls start from."""

    source: Source
    folder: Path | None


class SpecErrors(RunFailure):
    """The check of a spec found errors, so that nothing was run."""

    def __init__(self, outcome: Outcome) -> None:
        errors = [finding for finding in outcome.findings if finding.severity.value == "error"]
        first = errors[0]
        more = f", and {len(errors) - 1} more" if len(errors) > 1 else ""
        super().__init__(
            f"{outcome.name}:{first.location.line}:{first.location.column}: {first.message}{more}; nothing was run",
            help=first.help,
        )
        self.outcome = outcome


class NoSession(RunFailure):
    """There is no Spark to run anything on."""


def start_session(options: SessionOptions) -> SparkSession:
    """A session of our own. Raises NoSession."""
    from sheliak.engines.spark.connect import connect_session
    from sheliak.engines.spark.session import local_session

    conf = dict(options.conf)
    try:
        if options.remote is not None:
            return connect_session(options.remote, conf=conf)
        if options.master is not None:
            return local_session(master=options.master, shuffle_partitions=None, conf=conf)
        cores = os.cpu_count() or 2
        return local_session(cores=cores, shuffle_partitions=cores, conf=conf)
    except SparkUnavailable as problem:
        raise NoSession(str(problem)) from problem


_own: dict[SessionOptions, SparkSession] = {}
_ours: set[SessionOptions] = set()
"""Those that we end. With a session beside one that somebody else started, their Spark would end."""


def own_session(options: SessionOptions) -> SparkSession:
    """The session that this process has for some options: started once, ended when the process ends."""
    if options not in _own:
        if not _own:
            atexit.register(end_own_sessions)
        if options.remote is not None or not _is_running_elsewhere():
            _ours.add(options)
        _own[options] = start_session(options)
    return _own[options]


def _is_running_elsewhere() -> bool:
    from sheliak.engines.spark.session import is_running

    try:
        return is_running() and all(options.remote is not None for options in _ours)
    except SparkUnavailable as problem:
        raise NoSession(str(problem)) from problem


def end_own_sessions() -> None:
    """Ends what `own_session` started."""
    from sheliak.engines.spark.session import end_session

    while _own:
        options, session = _own.popitem()
        if options in _ours:
            with contextlib.suppress(Exception):
                end_session(session)
    _ours.clear()


@contextlib.contextmanager
def told_failures() -> Iterator[None]:
    """A block in which a failure of Spark is a RunFailure, with one line for the user and the rest for those who ask."""
    try:
        yield
    except RunFailure:
        raise
    except Exception as problem:
        from sheliak.engines.spark.job_failures import failure_of

        told = failure_of(problem)
        if told is None:
            raise
        raise told from problem


@dataclass(frozen=True, slots=True)
class Ready:
    """A spec that was checked, with everything that its run needs besides a session."""

    root: Node
    surroundings: Surroundings
    frames: Mapping[str, Given]

    def close(self) -> None:
        """Removes what was fetched."""
        if self.surroundings.remote is not None:
            self.surroundings.remote.close()


def ready(spec: SpecFile, options: RunOptions, session: Callable[[], SparkSession]) -> Ready:
    """Checks a spec against the data it really has; Spark is started before only if the data are given to it. Raises RunFailure."""
    folders = DataFolders(spec.folder, *options.data_dirs)
    zone = zone_called(options.timezone)
    frames, columns = _given(options.data, session) if options.data else ({}, {})
    if options.check:
        require_sound(checked(spec.source, folders, {**options.schemas, **columns}), options.selection)
    around = Surroundings(
        folders,
        zone,
        now=float(round(time.time() * 1000)),
        signals=options.signals,
        remote=RemoteFiles(options.hosts) if options.hosts else None,
        strict_files=options.strict_files,
    )
    return Ready(vega_of(spec.source), around, frames)


def _given(data: Mapping[str, object], session: Callable[[], SparkSession]) -> tuple[dict[str, Given], dict[str, Record]]:
    from sheliak.engines.spark.given import frames_of, record_of_given

    with told_failures():
        frames = frames_of(data, session())
        records = {name: record_of_given(name, given) for name, given in frames.items()}
        return frames, {name: record for name, record in records.items() if record is not None}


def require_sound(report: Report, selection: Selection) -> None:
    """Raises SpecErrors where a check found errors."""
    outcome = Outcome(report, selection.told(report))
    if any(finding.severity.value == "error" for finding in outcome.findings):
        raise SpecErrors(outcome)


def open_chart(given: Ready, session: SparkSession, row_limit: int | None, progress: Progress = silent) -> Pipeline:
    """Plans a chart. Raises RunFailure."""
    from sheliak.engines.spark.pipeline import ROW_LIMIT, open_pipeline

    limit = ROW_LIMIT if row_limit is None else row_limit
    with told_failures():
        pipeline = open_pipeline(given.root, session, given.surroundings, frames=given.frames, row_limit=limit, progress=progress)
    try:
        require_signals(pipeline, given.surroundings.signals)
    except RunFailure:
        pipeline.close()
        raise
    return pipeline


def require_signals(pipeline: Pipeline, signals: Mapping[str, Value]) -> None:
    """Raises RunFailure for a signal that the spec does not have."""
    known = [vertex.name for vertex in pipeline.graph.needs if vertex.kind == "signal"]
    unknown = next((name for name in signals if name not in known), None)
    if unknown is not None:
        raise RunFailure(f"the spec has no signal `{unknown}`", help=f"its signals: {', '.join(sorted(known)) or 'none'}")


def run_all(given: Ready, session: SparkSession) -> RunResult:
    """All datasets of a spec, however many rows they have; what Vega refuses is among the errors. Raises RunFailure."""
    from sheliak.engines.spark.engine import SparkEngine

    with told_failures():
        return SparkEngine(session, given.surroundings, given.frames).run(given.root)
