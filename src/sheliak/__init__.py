"""Sheliak: finds the mistakes of a Vega chart before it is drawn, and runs its data pipeline on Spark.

    import sheliak

    report = sheliak.check("chart.vg.json")      # or the spec as a dict, its JSON text, an Altair chart
    report.ok                                    # no errors
    for finding in report.diagnostics: ...
    print(report)                                # as `sheliak check` shows it; in a notebook, HTML
    sheliak.shapes("chart.vg.json")["totals"]    # the fields of a dataset
    print(sheliak.explain("unknown-field"))

    result = sheliak.run("chart.vg.json", data={"flights": frame}, spark=spark)
    result.spec                                  # the small spec that draws the same picture
    result.datasets["totals"]                    # a pyarrow table
    result.save("chart.html")                    # or .vg.json, .svg, .png, .pdf
    print(sheliak.plan("chart.vg.json"))         # what runs on Spark, what does not, and why

    live = sheliak.open("chart.vg.json", data={"flights": frame}, spark=spark)
    live.apply([{"data": "flights", "id": 7, "remove": True}])      # what that changes, dataset by dataset

    sheliak.stream("chart.vg.json", "new", state="state", out="out")    # files of changes, or any streaming frame

    sheliak.altair.enable()                      # in a notebook: charts of Altair are checked and run when they are displayed
    alt.Chart(sheliak.data(frame))               # a frame of Spark as Altair accepts it

Importing this module imports nothing else of Sheliak: each function loads what it needs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from os import PathLike

    import pyarrow as pa

    from sheliak import altair
    from sheliak.api import Chart, Report, Schema
    from sheliak.engines.spark.passed_on import DataFrame, SparkSession
    from sheliak.explaining.shapes import DatasetShape
    from sheliak.running.live import Live
    from sheliak.running.plan_text import Plan
    from sheliak.running.result import Result
    from sheliak.running.streams import RunningStream

__version__ = "0.1.0"
__all__ = ["__version__", "altair", "check", "data", "explain", "open", "plan", "run", "shapes", "stream"]


def __getattr__(name: str) -> object:
    """`sheliak.altair` without an import of its own."""
    if name == "altair":
        from importlib import import_module

        return import_module("sheliak.altair")
    raise AttributeError(f"module 'sheliak' has no attribute {name!r}")


def check(
    spec: Mapping[str, object] | str | PathLike[str] | Chart,
    *,
    schemas: Mapping[str, Schema] | None = None,
    data_dir: str | PathLike[str] | Sequence[str | PathLike[str]] | None = None,
    strict: bool = False,
) -> Report:
    """Finds the mistakes of a spec: a dict, JSON text, the path of a file, or a chart with `to_dict`, such as Altair's.

    `schemas` gives the columns of datasets that are not at hand: a file, a JSON Schema, or a pyarrow schema. `data_dir` names
    folders whose files the spec may use. Raises OSError when a file cannot be read, ValueError for a schema that cannot be used.
    """
    from sheliak.api import check_spec

    return check_spec(spec, schemas or {}, data_dir, strict)


def shapes(
    spec: Mapping[str, object] | str | PathLike[str] | Chart,
    *,
    schemas: Mapping[str, Schema] | None = None,
    data_dir: str | PathLike[str] | Sequence[str | PathLike[str]] | None = None,
) -> Mapping[str, DatasetShape]:
    """The shape of every dataset of a spec, by its name: its fields, and what each of its steps adds and drops."""
    return check(spec, schemas=schemas, data_dir=data_dir).shapes


def explain(code: str) -> str:
    """What a finding means, as Markdown; ValueError when no finding has this code."""
    from sheliak.diagnostics.catalogue import all_codes, page
    from sheliak.diagnostics.suggest import closest

    if code not in all_codes():
        similar = closest(code, all_codes())
        raise ValueError(f"no finding has the code {code!r}" + (f"; a similar code exists: {similar}" if similar else ""))
    return page(code)


def run(
    spec: Mapping[str, object] | str | PathLike[str] | Chart,
    data: Mapping[str, object] | None = None,
    spark: SparkSession | None = None,
    *,
    signals: Mapping[str, object] | None = None,
    data_dir: str | PathLike[str] | Sequence[str | PathLike[str]] | None = None,
    allow_hosts: Sequence[str] = (),
    timezone: str | None = None,
    row_limit: int | None = None,
    check: bool = True,
    remote: str | None = None,
) -> Result:
    """Runs the data of a chart on Spark: Vega or Vega-Lite, as `check` takes it.

    `data` gives datasets what they start with: a Spark, pandas or polars frame, an Arrow table, a path, "table:NAME", a list of
    rows. `spark` is the session to use; without one, that of the server `remote`, else one on this machine, which is ended with
    the process. The spec is checked against the columns the data really have; RunFailure says what is wrong with it, or with
    anything else. Rows are computed when something of the result is asked for.
    """
    from sheliak.api import run_spec

    return run_spec(
        spec,
        data,
        spark,
        signals=signals,
        data_dir=data_dir,
        allow_hosts=allow_hosts,
        timezone=timezone,
        row_limit=row_limit,
        check=check,
        remote=remote,
    )


def open(
    spec: Mapping[str, object] | str | PathLike[str] | Chart,
    data: Mapping[str, object] | None = None,
    spark: SparkSession | None = None,
    *,
    signals: Mapping[str, object] | None = None,
    data_dir: str | PathLike[str] | Sequence[str | PathLike[str]] | None = None,
    allow_hosts: Sequence[str] = (),
    timezone: str | None = None,
    check: bool = True,
) -> Live:
    """A chart whose datasets follow changes, on Spark; the arguments are those of `run`.

    `apply` takes a pulse of changes and tells what becomes of every dataset, `update` does so for other values of signals,
    `datasets` has the rows as they are now. Close it, or use it in a `with` block.
    """
    from sheliak.api import open_spec

    return open_spec(
        spec,
        data,
        spark,
        signals=signals,
        data_dir=data_dir,
        allow_hosts=allow_hosts,
        timezone=timezone,
        check=check,
    )


def stream(
    spec: Mapping[str, object] | str | PathLike[str] | Chart,
    changes: str | PathLike[str] | DataFrame,
    *,
    state: str | PathLike[str],
    out: str | PathLike[str],
    data: Mapping[str, object] | None = None,
    spark: SparkSession | None = None,
    datasets: Sequence[str] = (),
    once: bool = False,
    interval: float = 0.5,
    files_per_batch: int = 16,
    signals: Mapping[str, object] | None = None,
    data_dir: str | PathLike[str] | Sequence[str | PathLike[str]] | None = None,
    timezone: str | None = None,
    row_limit: int | None = None,
    check: bool = True,
    tell: Callable[[str], None] | None = None,
) -> RunningStream:
    """Keeps the datasets of a chart up to date while changes arrive, and writes them to the folder `out`, on Structured Streaming.

    `changes` is a folder of change files, or any streaming frame with the columns `line`, a change as JSON text, and `at`, which
    orders them: of Kafka, `value` as a string and a struct of partition and offset. `state` is the folder that a later stream
    goes on from. The stream runs in the background, in a `with` block or until `stop`; with `once` it has applied everything when
    this returns. `tell` is given a line for all changes that are set aside; without it they are warnings.
    """
    from sheliak.api import stream_spec

    return stream_spec(
        spec,
        changes,
        state=state,
        out=out,
        data=data,
        spark=spark,
        datasets=datasets,
        once=once,
        interval=interval,
        files_per_batch=files_per_batch,
        signals=signals,
        data_dir=data_dir,
        timezone=timezone,
        row_limit=row_limit,
        check=check,
        tell=tell,
    )


def plan(
    spec: Mapping[str, object] | str | PathLike[str] | Chart,
    data: Mapping[str, object] | None = None,
    spark: SparkSession | None = None,
    *,
    signals: Mapping[str, object] | None = None,
    data_dir: str | PathLike[str] | Sequence[str | PathLike[str]] | None = None,
    allow_hosts: Sequence[str] = (),
    timezone: str | None = None,
    check: bool = True,
    remote: str | None = None,
) -> Plan:
    """What of a chart runs on Spark, what stays with the renderer, and why; `print` shows it."""
    from sheliak.api import plan_spec

    return plan_spec(
        spec,
        data,
        spark,
        signals=signals,
        data_dir=data_dir,
        allow_hosts=allow_hosts,
        timezone=timezone,
        check=check,
        remote=remote,
    )


def data(what: object, spark: SparkSession | None = None) -> pa.Table:
    """What `alt.Chart` accepts for data on Spark: a frame of Spark, the name of a table, a path, a pandas or polars frame.

    Altair sees the columns and infers the types of fields from them; the rows stay where they are. After
    `sheliak.altair.enable()` a notebook shows charts of it; `sheliak.check` and `sheliak.run` take them everywhere.
    """
    from sheliak.altair.functions import data_for_altair

    return data_for_altair(what, spark)
