"""What the functions of the package do and give back; the functions themselves stand in the package."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from sheliak.altair.recognise import is_altair_chart
from sheliak.checker.check import CheckOptions
from sheliak.checker.report import Finding
from sheliak.checker.report import Report as CheckReport
from sheliak.explaining.shapes import DatasetShape, shapes_by_name
from sheliak.loading import DataFolders, SchemaError, read_schema, record_of_arrow_schema
from sheliak.loading.columnar import ArrowField
from sheliak.loading.data_file import Unreadable
from sheliak.loading.schemas import record_of_schema
from sheliak.project.front_end import NotChecked, check_source
from sheliak.project.outcome import Outcome
from sheliak.project.selection import Selection
from sheliak.source.declared import replace
from sheliak.source.text import Source, read_text
from sheliak.types.shapes import Lineage, Record, Unseen

if TYPE_CHECKING:
    from sheliak.engines.spark.passed_on import DataFrame, SparkSession
    from sheliak.running.live import Live
    from sheliak.running.opening import RunOptions
    from sheliak.running.plan_text import Plan
    from sheliak.running.result import Result
    from sheliak.running.streams import RunningStream

PathText = str | os.PathLike[str]
Schema = PathText | Mapping[str, object] | Iterable[ArrowField] | Record


@runtime_checkable
class Chart(Protocol):
    """Anything that turns into a spec, such as a chart of Altair."""

    def to_dict(self) -> dict[str, object]: ...


class Report:
    """What the check of one spec found."""

    def __init__(self, report: CheckReport) -> None:
        self._outcome = Outcome(report, Selection().told(report))

    @property
    def ok(self) -> bool:
        """No errors; warnings and hints do not count."""
        return all(finding.severity.value != "error" for finding in self.diagnostics)

    @property
    def diagnostics(self) -> tuple[Finding, ...]:
        """The findings in the order of the text, without those that the spec asks to leave out."""
        return self._outcome.findings

    @cached_property
    def shapes(self) -> Mapping[str, DatasetShape]:
        """The shape of every dataset, by its name."""
        return shapes_by_name(self._outcome.report)

    @property
    def source(self) -> Source:
        """The text that positions refer to; for a dict or a chart, its JSON."""
        return self._outcome.source

    def to_dicts(self) -> list[dict[str, object]]:
        """The findings as `sheliak check --output-format json` writes them."""
        from sheliak.rendering.json_array import as_object

        return [as_object(finding) for finding in self.diagnostics]

    def __str__(self) -> str:
        from sheliak.rendering.full_text import render_outcome
        from sheliak.rendering.summary import Tally, summary

        tally = Tally()
        lines = [line for outcome in tally.counting([self._outcome]) for line in render_outcome(outcome)]
        return "\n".join([*lines, summary(tally, told_all=True, can_fix=False)])

    def __repr__(self) -> str:
        return f"<sheliak.Report of {self.source.name}: {len(self.diagnostics)} findings>"

    def _repr_html_(self) -> str:
        from sheliak.rendering.html import render_outcome

        return render_outcome(self._outcome)


def check_spec(
    spec: Mapping[str, object] | PathText | Chart,
    schemas: Mapping[str, Schema],
    data_dir: PathText | Sequence[PathText] | None,
    strict: bool,
) -> Report:
    """The whole of `sheliak.check`."""
    records = {name: _record(name, schema) for name, schema in schemas.items()}
    try:
        if is_altair_chart(spec):
            from sheliak.altair.functions import report_on_chart

            return Report(report_on_chart(spec, DataFolders(Path(), *_folders(data_dir)), records, strict))
        source, folder = _source(spec)
        return Report(check_source(source, CheckOptions(DataFolders(folder, *_folders(data_dir)), records, strict)))
    except NotChecked as problem:
        # What is missing is a package.
        raise ImportError(str(problem)) from problem


def _folders(data_dir: PathText | Sequence[PathText] | None) -> tuple[Path, ...]:
    return tuple(map(Path, [data_dir] if isinstance(data_dir, str | os.PathLike) else data_dir or ()))


def _options(
    data: Mapping[str, object] | None,
    data_dir: PathText | Sequence[PathText] | None,
    hosts: Sequence[str],
    signals: Mapping[str, object] | None,
    timezone: str | None,
    row_limit: int | None,
    check: bool,
) -> RunOptions:
    """How a chart is run, as it is said in Python."""
    from sheliak.running.opening import RunOptions
    from sheliak.running.result import values_of

    values = values_of(signals or {})
    return RunOptions(data or {}, _folders(data_dir), tuple(hosts), values, timezone, row_limit, check)


def _starting(spark: SparkSession | None, remote: str | None = None) -> Callable[[], SparkSession]:
    """How the session comes: the caller's, or one of our own when it is first needed."""
    from sheliak.running.opening import SessionOptions, own_session

    return (lambda: own_session(SessionOptions(remote=remote))) if spark is None else lambda: spark


def run_spec(
    spec: Mapping[str, object] | PathText | Chart,
    data: Mapping[str, object] | None = None,
    spark: SparkSession | None = None,
    *,
    signals: Mapping[str, object] | None = None,
    data_dir: PathText | Sequence[PathText] | None = None,
    allow_hosts: Sequence[str] = (),
    timezone: str | None = None,
    row_limit: int | None = None,
    check: bool = True,
    remote: str | None = None,
) -> Result:
    """The whole of `sheliak.run`."""
    from sheliak.running.opening import SessionOptions, SpecFile
    from sheliak.running.result import Result

    options = _options(data, data_dir, allow_hosts, signals, timezone, row_limit, check)
    if is_altair_chart(spec):
        from sheliak.altair.functions import run_chart

        return run_chart(spec, options, spark, SessionOptions(remote=remote))
    start = _starting(spark, remote)
    return Result.opened(SpecFile(*_source(spec)), options, start, is_borrowed=spark is not None)


def open_spec(
    spec: Mapping[str, object] | PathText | Chart,
    data: Mapping[str, object] | None = None,
    spark: SparkSession | None = None,
    *,
    signals: Mapping[str, object] | None = None,
    data_dir: PathText | Sequence[PathText] | None = None,
    allow_hosts: Sequence[str] = (),
    timezone: str | None = None,
    check: bool = True,
) -> Live:
    """The whole of `sheliak.open`."""
    from sheliak.running.live import Live
    from sheliak.running.opening import SpecFile

    options = _options(data, data_dir, allow_hosts, signals, timezone, None, check)
    start = _starting(spark)
    return Live.opened(SpecFile(*_source(spec)), options, start, is_borrowed=spark is not None)


def stream_spec(
    spec: Mapping[str, object] | PathText | Chart,
    changes: PathText | DataFrame,
    *,
    state: PathText,
    out: PathText,
    data: Mapping[str, object] | None = None,
    spark: SparkSession | None = None,
    datasets: Sequence[str] = (),
    once: bool = False,
    interval: float = 0.5,
    files_per_batch: int = 16,
    signals: Mapping[str, object] | None = None,
    data_dir: PathText | Sequence[PathText] | None = None,
    timezone: str | None = None,
    row_limit: int | None = None,
    check: bool = True,
    tell: Callable[[str], None] | None = None,
) -> RunningStream:
    """The whole of `sheliak.stream`."""
    from contextlib import nullcontext

    from sheliak.engines.spark.session import borrowed
    from sheliak.running.opening import SpecFile
    from sheliak.running.streams import RunningStream, StreamFolders, opened_stream, source_of, warn

    options = _options(data, data_dir, (), signals, timezone, row_limit, check)
    start = _starting(spark)
    folders = StreamFolders(Path(state), Path(out), tuple(datasets))
    source = source_of(
        Path(changes) if isinstance(changes, str | os.PathLike) else changes, folders.state, files_per_batch, tell or warn
    )
    surrounded = nullcontext if spark is None else lambda: borrowed(spark)
    given = SpecFile(*_source(spec)), options, source, folders, start, tell or warn
    stream = RunningStream(folders, opened_stream(*given, surrounded=surrounded), once=once, interval=interval)
    if once:
        with stream:
            stream.wait()
    return stream


def plan_spec(
    spec: Mapping[str, object] | PathText | Chart,
    data: Mapping[str, object] | None = None,
    spark: SparkSession | None = None,
    *,
    signals: Mapping[str, object] | None = None,
    data_dir: PathText | Sequence[PathText] | None = None,
    allow_hosts: Sequence[str] = (),
    timezone: str | None = None,
    check: bool = True,
    remote: str | None = None,
) -> Plan:
    """The whole of `sheliak.plan`."""
    with run_spec(
        spec,
        data,
        spark,
        signals=signals,
        data_dir=data_dir,
        allow_hosts=allow_hosts,
        timezone=timezone,
        check=check,
        remote=remote,
    ) as result:
        return result.plan


def _source(spec: Mapping[str, object] | PathText | Chart) -> tuple[Source, Path]:
    """The text of a spec, and the folder that its relative urls start from."""
    if isinstance(spec, str) and spec.lstrip("\ufeff \t\r\n").startswith("{"):
        return Source("<text>", spec), Path()
    if isinstance(spec, str | os.PathLike):
        return read_text(spec), Path(spec).parent
    if isinstance(spec, Mapping):
        return Source("<dict>", json.dumps(spec, indent=2, ensure_ascii=False)), Path()
    if isinstance(spec, Chart):
        return Source(f"<{type(spec).__name__}>", json.dumps(spec.to_dict(), indent=2, ensure_ascii=False)), Path()
    raise TypeError(f"a spec is a dict, JSON text, a path or a chart, not {type(spec).__name__}")


def _record(dataset: str, schema: Schema) -> Path | Record:
    try:
        if isinstance(schema, str | os.PathLike):
            return read_schema(Path(schema), dataset)
        record = _stated(schema)
    except (SchemaError, Unreadable) as problem:
        raise ValueError(str(problem)) from problem
    return replace(record, unseen=Unseen(dataset) if record.open else None, lineage=Lineage("schema", dataset=dataset))


def _stated(schema: Mapping[str, object] | Iterable[ArrowField] | Record) -> Record:
    if isinstance(schema, Record):
        return schema
    if isinstance(schema, Mapping):
        return record_of_schema(dict(schema))
    return record_of_arrow_schema(schema)
