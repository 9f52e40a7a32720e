"""What the functions of the package do with charts of Altair, and with data for them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, cast

from sheliak.altair.charts import AltairChart, Converted, Session, converted
from sheliak.altair.checking import report_on, require_sound, run_converted, session_of, with_times
from sheliak.altair.display import current
from sheliak.altair.recognise import require_altair
from sheliak.altair.references import referring_to
from sheliak.altair.reports import ChartReport
from sheliak.engines.failures import RunFailure
from sheliak.loading import DataFolders
from sheliak.project.front_end import NotChecked
from sheliak.running.opening import RunOptions, SessionOptions, own_session
from sheliak.running.result import Result
from sheliak.types.shapes import Record

if TYPE_CHECKING:
    import pyarrow as pa

    from sheliak.engines.spark.passed_on import SparkSession


def data_for_altair(what: object, spark: SparkSession | None) -> pa.Table:
    """The whole of `sheliak.data`."""
    require_altair()
    return referring_to(what, current().session if spark is None else lambda: spark)


def report_on_chart(chart: object, folders: DataFolders, schemas: Mapping[str, Path | Record], strict: bool) -> ChartReport:
    """The report of `sheliak.check` on a chart; raises what Altair raises for a chart without a spec, unless we can say why."""
    made = _converted(chart, current().session)
    report = report_on(made, folders, schemas, strict)
    if made.refusal is not None and report.ok:
        raise made.refusal
    return report


def run_chart(chart: object, options: RunOptions, spark: SparkSession | None, own: SessionOptions) -> Result:
    """The result of `sheliak.run` for a chart, on the session given, else its data's, else the one `enable` was given, else ours."""
    made = _converted(chart, current().session if spark is None else lambda: spark)
    if options.check:
        folders = DataFolders(Path(), *options.data_dirs)
        try:
            report = report_on(made, folders, options.schemas, strict=False)
        except NotChecked as problem:
            raise RunFailure(f"{made.name} was not checked: {problem}") from problem
        require_sound(report, made, options.selection)
    used = spark or session_of(made) or (current().spark if own.remote is None else None)
    start: Session = (lambda: own_session(own)) if used is None else lambda: used
    return run_converted(made, options, start, is_borrowed=used is not None)


def _converted(chart: object, session: Session) -> Converted:
    return with_times(converted(cast(AltairChart, chart), session))
