"""A chart of Altair, checked and run."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from sheliak.altair.charts import Converted, Data, Session
from sheliak.altair.references import Held
from sheliak.altair.reports import ChartReport
from sheliak.altair.tables import Columns
from sheliak.checker.check import CheckOptions
from sheliak.engines.failures import RunFailure
from sheliak.loading import DataFolders
from sheliak.project.front_end import check_source
from sheliak.project.outcome import Outcome
from sheliak.project.selection import Selection
from sheliak.running.opening import RunOptions, SpecErrors, SpecFile, told_failures
from sheliak.running.reading import with_lineage
from sheliak.running.result import Result
from sheliak.running.zone import zone_called
from sheliak.source.tree import Node
from sheliak.types.shapes import Record

if TYPE_CHECKING:
    from sheliak.engines.spark.passed_on import SparkSession


def with_times(converted: Converted) -> Converted:
    """The chart with times of frames in memory as it reads them; RunFailure where Vega-Lite's compiler is missing."""
    from sheliak.vegalite.compiling import CompileFailure, Compiler, VegaLiteUnavailable

    if not any(isinstance(data, Columns) for data in converted.data.values()):
        return converted
    try:
        compiler = Compiler(Node(converted.spec))
        vega = compiler.compiled(compiler.spec).document.root.value
    except VegaLiteUnavailable as problem:
        raise RunFailure(str(problem)) from problem
    except CompileFailure:
        # The check tells why.
        return converted
    mentioned, parsed = json.dumps(vega, ensure_ascii=False, default=str), _parsed_columns(vega)
    data = {
        name: one.with_times(parsed.get(name, ()), mentioned) if isinstance(one, Columns) else one
        for name, one in converted.data.items()
    }
    return replace(converted, data=data)


def _parsed_columns(vega: object) -> dict[str, frozenset[str]]:
    """By dataset, the columns that Vega turns into dates when it loads the rows."""
    listed = vega.get("data") if isinstance(vega, dict) else None
    found: dict[str, frozenset[str]] = {}
    for dataset in listed if isinstance(listed, list) else ():
        parse = dataset.get("format", {}).get("parse") or {}
        found[dataset["name"]] = frozenset(column for column, kind in parse.items() if kind == "date")
    return found


def report_on(converted: Converted, folders: DataFolders, schemas: Mapping[str, Path | Record], strict: bool) -> ChartReport:
    """The check of a chart against the columns of its data. Raises NotChecked where it cannot be checked."""
    columns = {name: with_lineage(name, data.record) for name, data in converted.data.items()}
    checked = check_source(converted.source, CheckOptions(folders, {**columns, **schemas}, strict)).checked
    return ChartReport(converted, checked)


def require_sound(report: ChartReport, converted: Converted, selection: Selection) -> None:
    """Raises SpecErrors where the check found errors; what Altair raised, where it refused the chart for another reason."""
    outcome = Outcome(report, selection.told(report))
    if any(finding.severity.value == "error" for finding in outcome.findings):
        raise SpecErrors(outcome)
    if converted.refusal is not None:
        raise converted.refusal


def run_converted(converted: Converted, options: RunOptions, session: Session, *, is_borrowed: bool) -> Result:
    """Runs the data of a chart that was checked. Raises RunFailure."""
    zone = zone_called(options.timezone).name
    with told_failures():
        data = {name: _on_spark(name, one, session, zone) for name, one in converted.data.items()}
    given = replace(options, data={**data, **options.data}, check=False)
    return Result.opened(SpecFile(converted.source, Path()), given, session, is_borrowed=is_borrowed)


def _on_spark(name: str, data: Data, session: Session, zone: str) -> object:
    from sheliak.engines.spark.given import frames_of, is_spark_frame
    from sheliak.engines.spark.local_times import at_local_time

    what: object = data.given if isinstance(data, Held) else data.table if isinstance(data, Columns) else data.rows
    given = frames_of({name: what}, session())[name]
    return at_local_time(given, zone) if is_spark_frame(given) else given  # type: ignore[arg-type]


def session_of(converted: Converted) -> SparkSession | None:
    """The session that a chart's own frame of Spark belongs to."""
    from sheliak.engines.spark.given import is_spark_frame

    frames = (data.given for data in converted.data.values() if isinstance(data, Held))
    return next((frame.sparkSession for frame in frames if is_spark_frame(frame)), None)  # type: ignore[union-attr]
