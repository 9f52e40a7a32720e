"""What the sources of a live spec start with, put into the store: read once, never again."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sheliak.dataflow.graph import Graph, Vertex
from sheliak.engines.failures import RunFailure
from sheliak.engines.reference.engine import inputs_after_triggers
from sheliak.engines.reference.inputs import Inputs, Surroundings, load_inputs
from sheliak.engines.reference.rewritten import changed_by_groups, written_by
from sheliak.engines.reference.run import Run
from sheliak.engines.reference.sources import are_objects
from sheliak.engines.spark.engine import SparkEngine
from sheliak.engines.spark.expressions import column_name
from sheliak.engines.spark.failures import StoppedRun
from sheliak.engines.spark.fetch import fetch
from sheliak.engines.spark.given import Given
from sheliak.engines.spark.live.segments import converted_files, first_segment, read_segment
from sheliak.engines.spark.live.source_table import SCANNED, SourceTable
from sheliak.engines.spark.live.store import Draft
from sheliak.engines.spark.lower import Lower, is_numbered_late
from sheliak.engines.spark.results import fields_of
from sheliak.engines.spark.run import SparkRun
from sheliak.engines.spark.sources import SessionSources, sees_files
from sheliak.engines.spark.summaries import POSITION
from sheliak.expressions.values import Row
from sheliak.loading.rows import LoadFailure
from sheliak.plan.operators import Plan
from sheliak.source.tree import Node

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

MANY_ROWS = 100_000
"""A source with more rows is read by Spark, and row by row where it lies; the rows of others are brought to the driver."""


@dataclass(frozen=True, slots=True)
class Started:
    """The sources of a spec, and why some datasets have none."""

    tables: dict[str, SourceTable]
    reasons: dict[str, str]
    warnings: tuple[str, ...]


def starting_inputs(root: Node, graph: Graph, around: Surroundings, engine: SparkEngine) -> Inputs:
    """What the datasets start with. Raises RunFailure for a spec that Vega refuses."""
    try:
        loaded = load_inputs(graph, around, engine.apart, engine.frames)
    except LoadFailure as problem:
        raise RunFailure(f"Vega refuses the spec: {problem}") from problem
    for name, reason in loaded.reasons.items():
        loaded.warnings.append(f"`{name}` starts without rows: {reason.partition(';')[0]}")
    absent: dict[str, list[Row]] = {name: [] for name in loaded.reasons}
    inputs = Inputs({**loaded.rows, **absent}, {}, loaded.warnings, loaded.files).changed({}, changed_by_groups(root))
    if _changes_itself(graph):
        inputs = inputs_after_triggers(Run(graph, around, inputs).run(), inputs)
    return inputs


def _changes_itself(graph: Graph) -> bool:
    """Triggers, or signals that call `modify`, change datasets during the first run."""
    texts = [signal.expression for signal in graph.definitions.signals]
    has_triggers = any(definition.triggers for definition in graph.definitions.datasets)
    return has_triggers or any(text is not None and written_by(text) for text in texts)


def start(
    root: Node, graph: Graph, around: Surroundings, frames: Mapping[str, Given], session: SparkSession, draft: Draft
) -> Started:
    """Brings the rows of all sources into a draft. Raises RunFailure where they cannot be had."""
    inputs = starting_inputs(root, graph, around, SparkEngine(session, around, frames))
    sources = SessionSources(session)
    run = SparkRun(graph, around, inputs, Lower(session, sources), frames)
    try:
        with as_failure():
            run.run()
            if run.error is not None:
                raise RunFailure(f"the rows that the spec starts with cannot be run: {run.error}")
            return _started(run, draft)
    finally:
        sources.close()


def _started(run: SparkRun, draft: Draft) -> Started:
    tables: dict[str, SourceTable] = {}
    reasons = dict(run.inputs.reasons)
    for definition in run.graph.definitions.datasets:
        name, vertex = definition.name, Vertex("source", definition.name)
        is_input = definition.origin != "source" or name in run.inputs.rows or name in run.frames
        if not is_input or name in reasons:
            continue
        if vertex in run.reasons:
            reasons[name] = run.reasons[vertex]
        elif vertex in run.plans and not dict.__contains__(run.rows, vertex):
            tables[name] = _of_plan(name, run.plans[vertex], run, draft)
        elif are_objects(run.rows[vertex]):
            tables[name] = _of_rows(name, run.rows[vertex], draft)
        else:
            reasons[name] = "rows that are not objects are left to the renderer"
    return Started(tables, reasons, (*run.inputs.warnings, *run.warnings))


def _of_rows(name: str, rows: list[Row], draft: Draft) -> SourceTable:
    table = SourceTable(name, (first_segment(rows),), len(rows), len(rows))
    return table.write(draft, None)


def _of_plan(name: str, plan: Plan, run: SparkRun, draft: Draft) -> SourceTable:
    """Rows that Spark reads: few are brought here, many are written to files of the store."""
    with run.told(Vertex("source", name)):
        rows = fetch({"": plan}, run.lower, limit=MANY_ROWS)[""]
        if len(rows) <= MANY_ROWS:
            return _of_rows(name, rows, draft)
        return _of_many_rows(name, plan, run, draft)


def _of_many_rows(name: str, plan: Plan, run: SparkRun, draft: Draft) -> SourceTable:
    if not sees_files(run.lower.session):
        help = "use a Spark that runs on this machine, or aggregate the rows before the spec reads them"
        raise RunFailure(
            "Spark does not see the files of this machine, where its many rows have to be kept", dataset=name, help=help
        )
    types = {field.name: field.of for field in fields_of(plan).values()}
    columns = [column_name(field.column) for field in fields_of(plan).values()]
    # The rows of a table come in the order of its partitions, which is that of the files that are written.
    frame = run.lower.frame(plan) if is_numbered_late(plan) else run.lower.frame(plan, position=True).orderBy(POSITION)
    frame = frame.select(*columns).toDF(*(f"c{index}" for index in range(len(columns))))
    assert isinstance(run.lower.sources, SessionSources)
    raw = Path(run.lower.sources.new_path(".rows"))
    frame.write.parquet(str(raw))
    table = f"source:{name}"
    rows_path, scan_path = draft.new_file(table, ".arrow"), draft.new_file(table, ".parquet")
    converted_files(sorted(raw.glob("part-*.parquet")), types, rows_path, scan_path)
    shutil.rmtree(raw)
    draft.append(table, [rows_path], "rows")
    draft.append(table, [scan_path], SCANNED)
    segment = read_segment(rows_path)
    draft.set_facts(table, {"count": segment.count, "next": segment.count})
    return SourceTable(name, (segment,), segment.count, segment.count, scan_path)


@contextmanager
def as_failure() -> Iterator[None]:
    """A block in which rows that stop a run are a failure of the start."""
    try:
        yield
    except StoppedRun as problem:
        said = f"the rows that the spec starts with cannot be run: {problem.reason}"
        raise RunFailure(said, dataset=problem.dataset, transform=problem.transform, details=str(problem)) from problem
