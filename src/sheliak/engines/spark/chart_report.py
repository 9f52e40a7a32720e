"""What a pipeline does, told before it is done: who runs which transform and why, what is read, what reaches the renderer."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sheliak.compiler.liveness import dependents, live_signals, live_vertices
from sheliak.compiler.pretransformed import SettledSignals, drawn_part
from sheliak.compiler.splitting import Cut, Splitting
from sheliak.dataflow.graph import Vertex
from sheliak.engines.protocol import DatasetRun, TransformRun
from sheliak.engines.spark.failures import as_failure, stopped
from sheliak.engines.spark.fetch import passes_over
from sheliak.engines.spark.lower import Lower
from sheliak.engines.spark.pipeline import Pipeline
from sheliak.engines.spark.results import fields_of
from sheliak.engines.spark.run_report import described_datasets
from sheliak.plan.columns_read import columns_read
from sheliak.plan.operators import Plan, Scan


@dataclass(frozen=True, slots=True)
class SentRows:
    """What the renderer gets of a dataset."""

    what: str
    """rows, extents or distinct values."""
    fields: tuple[str, ...]
    left: tuple[str, ...] = ()
    """The transforms that the renderer runs on them."""
    live: bool = False
    """They are left to it because a reader of the chart can change them."""
    rows: int | None = None
    """How many rows they are, once they are fetched."""


@dataclass(frozen=True, slots=True)
class DatasetReport:
    """One dataset: who runs it, and what of it the renderer gets; nothing where nothing drawn needs it."""

    run: DatasetRun
    sent: SentRows | None
    in_spec: bool = False
    """The spec that is drawn holds it as the original does."""


@dataclass(frozen=True, slots=True)
class SourceReport:
    """One source: the columns that are read of it, of how many, and how often it is scanned."""

    name: str
    columns: tuple[str, ...]
    all_columns: int
    scans: int
    in_memory: bool
    """Its rows are with the driver."""


@dataclass(frozen=True, slots=True)
class RunReport:
    """A chart's plan."""

    datasets: tuple[DatasetReport, ...]
    sources: tuple[SourceReport, ...]
    interactive: Mapping[str, tuple[str, ...]]
    """Signals that a reader of the chart may change -> the datasets that are computed for their present value."""
    plans: Mapping[str, Plan]
    """What is computed on Spark for the renderer, by dataset."""

    @property
    def scans(self) -> int:
        return sum(source.scans for source in self.sources if not source.in_memory)


def report_of_pipeline(pipeline: Pipeline) -> RunReport:
    """The report of a pipeline. Computed for it are only signals, and how many rows a reader's changes would need."""
    run, graph = pipeline.run, pipeline.graph
    live = live_vertices(graph)
    drawn = drawn_part(graph, SettledSignals(graph, run.signals, live, run.surroundings.signals).signals())
    done = pipeline.__dict__.get("split")
    with as_failure():
        cuts: Mapping[str, Cut] = done.cuts if done is not None else _cuts(pipeline, live, drawn)
    plans = {name: plan for name, cut in cuts.items() if cut.inline and (plan := _plan(pipeline, cut, cuts, drawn)) is not None}
    datasets = tuple(
        DatasetReport(
            _settled(dataset, cuts.get(name)),
            _sent(pipeline, cuts.get(name), plans),
            name in cuts and not cuts[name].inline,
        )
        for name, dataset in described_datasets(run).items()
    )
    return RunReport(datasets, _sources([*plans.values()], run.lower), _interactive(pipeline, cuts), plans)


def _cuts(pipeline: Pipeline, live: frozenset[Vertex], drawn: object) -> Mapping[str, Cut]:
    """Where the chart will be cut, unless rows turn out to be such that no spec can hold them."""
    run = pipeline.run
    given = frozenset(run.frames) | frozenset(run.surroundings.data)
    splitting = Splitting(pipeline.graph, run.rows.__contains__, live, given)
    while True:
        cuts = splitting.cuts(drawn)
        wide = {
            name
            for cut in cuts.values()
            if cut.inline and (demanding := splitting.demanded_by_live(cuts, cut.definition.name))
            if (plan := pipeline._plan(cut, cuts, drawn)) is not None and _is_wide(pipeline, plan)
            for name in demanding
        }
        if not wide:
            return cuts
        splitting.frozen |= wide


def _is_wide(pipeline: Pipeline, plan: Plan) -> bool:
    """The rows are too many to be sent for the sake of what a reader may change."""
    with stopped(pipeline.run.place_of_stop):
        return pipeline.run.lower.frame(plan).limit(pipeline.kept_rows + 1).count() > pipeline.kept_rows


def _plan(pipeline: Pipeline, cut: Cut, cuts: Mapping[str, Cut], drawn: object) -> Plan | None:
    """What is fetched of a dataset; the whole of it where that has been done."""
    return pipeline._plan(cut, cuts, drawn) or pipeline.run.plans.get(cut.vertex)


def _settled(run: DatasetRun, cut: Cut | None) -> DatasetRun:
    """Transforms that the renderer runs although an engine could: a reader of the chart changes what they depend on."""
    if cut is None or not cut.live:
        return run
    reason = "a reader of the chart can change what it depends on, and the rows before it are few"
    left = tuple(
        step if index < cut.done or step.engine == "renderer" else TransformRun(step.type, "renderer", reason)
        for index, step in enumerate(run.transforms)
    )
    return DatasetRun(run.name, "renderer" if cut.done == 0 else run.engine, left, reason=run.reason)


def _sent(pipeline: Pipeline, cut: Cut | None, plans: Mapping[str, Plan]) -> SentRows | None:
    if cut is None or not cut.inline:
        return None
    name = cut.definition.name
    left = tuple(step.type for step in cut.definition.transforms[cut.done :])
    rows = pipeline.fetched.get(cut.vertex)
    domain = pipeline.domains.get(name)
    if domain is not None:
        return SentRows(domain.kind, domain.fields, left, cut.live, None if rows is None else len(rows))
    if name in plans:
        return SentRows("rows", tuple(fields_of(plans[name])), left, cut.live, None if rows is None else len(rows))
    here = pipeline.run.rows[cut.vertex]
    return SentRows("rows", tuple(dict.fromkeys(field for row in here for field in row)), left, cut.live, len(here))


def _sources(plans: Sequence[Plan], lower: Lower) -> tuple[SourceReport, ...]:
    read: dict[Scan, frozenset[int]] = {}
    for plan in {id(plan): plan for plan in plans}.values():
        for scan, columns in columns_read(plan).items():
            read[scan] = read.get(scan, frozenset()) | columns
    with as_failure():
        times = passes_over(plans, lower)
    return tuple(_source(scan, columns, times[scan.source]) for scan, columns in read.items())


def _source(scan: Scan, columns: frozenset[int], scans: int) -> SourceReport:
    names = tuple(field.name for field in scan.schema.fields if field.column in columns)
    return SourceReport(scan.source.name, names, len(scan.schema.fields), scans, scan.source.rows is not None)


def _interactive(pipeline: Pipeline, cuts: Mapping[str, Cut]) -> dict[str, tuple[str, ...]]:
    """The signals that a reader may change, and the datasets that a change no longer reaches."""
    found: dict[str, tuple[str, ...]] = {}
    for name in sorted(live_signals(pipeline.graph)):
        reached = dependents(pipeline.graph, {Vertex("signal", name)})
        found[name] = tuple(
            dataset
            for dataset, cut in cuts.items()
            if cut.inline and not cut.live and Vertex("dataset", dataset) in reached and cut.vertex in reached
        )
    return found


def explained(pipeline: Pipeline, plans: Mapping[str, Plan]) -> dict[str, str]:
    """The physical plans that Spark makes of what is computed, by dataset."""
    found: dict[str, str] = {}
    for name, plan in plans.items():
        told = io.StringIO()
        with contextlib.redirect_stdout(told):
            pipeline.run.lower.frame(plan, position=True).explain()
        found[name] = told.getvalue().strip()
    return found
