"""A chart's data on Spark: planned once, fetched when asked, cut so that a small spec draws the same picture."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from sheliak.compiler.domains import Domain, only_domains
from sheliak.compiler.inlining import Inlined, NotInlinable, inlined
from sheliak.compiler.liveness import dependents, live_signals, live_vertices
from sheliak.compiler.pretransformed import SettledSignals, assembled, drawn_part, published_signals
from sheliak.compiler.splitting import Cut, Splitting, kept_of
from sheliak.compiler.used_columns import unused_columns
from sheliak.dataflow.graph import Graph, Vertex, build_graph
from sheliak.engines.failures import RowLimit, RunFailure
from sheliak.engines.protocol import DatasetRun, Progress, RunResult, silent
from sheliak.engines.reference.inputs import Inputs, Surroundings, load_inputs
from sheliak.engines.reference.rewritten import changed_by_groups
from sheliak.engines.spark.domain_rows import plan_of_domain, rows_of_domain
from sheliak.engines.spark.engine import SparkEngine
from sheliak.engines.spark.failures import as_failure
from sheliak.engines.spark.given import Given
from sheliak.engines.spark.run import SparkRun
from sheliak.engines.spark.run_report import result_of
from sheliak.engines.spark.sources import SessionSources
from sheliak.expressions.values import Row, Value
from sheliak.loading.rows import LoadFailure
from sheliak.plan.building import fields_only
from sheliak.plan.operators import Plan
from sheliak.source.tree import Node

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ROW_LIMIT = 100_000
"""More rows of one dataset are not put into a spec."""
KEPT_ROWS = 20_000
"""Up to so many rows are left to the renderer with the transforms that a reader of the chart can change."""
_DRAWN = "the chart draws them"


def open_pipeline(
    root: Node,
    session: SparkSession,
    surroundings: Surroundings,
    *,
    frames: Mapping[str, Given] | None = None,
    row_limit: int = ROW_LIMIT,
    kept_rows: int = KEPT_ROWS,
    progress: Progress = silent,
) -> Pipeline:
    """Plans the data of a spec's top level. Raises RunFailure where Vega refuses the spec, or its run stops."""
    graph = build_graph(root)
    if graph.problems:
        raise RunFailure(f"Vega refuses the spec: {graph.problems[0]}")
    engine = SparkEngine(session, surroundings, frames or {})
    try:
        inputs = load_inputs(graph, surroundings, engine.apart, engine.frames).changed({}, changed_by_groups(root))
    except LoadFailure as error:
        raise RunFailure(f"Vega refuses the spec: {error}") from error
    sources = SessionSources(session)
    try:
        run = engine.started(graph, inputs, sources)
        run.row_limit, run.progress = row_limit, progress
        _ran(run.first())
    except BaseException:
        sources.close()
        raise
    return Pipeline(run, sources, row_limit, min(kept_rows, row_limit))


def _ran(run: SparkRun | object) -> None:
    if isinstance(run, SparkRun) and run.error is not None:
        raise RunFailure(f"the run stops: {run.error}")


@dataclass(slots=True)
class Split:
    """The cuts of a chart, and the rows that are sent to the renderer."""

    cuts: Mapping[str, Cut]
    rows: Mapping[str, Inlined]
    signals: list[object]
    frozen: frozenset[str]
    """Datasets that hold for the initial values of signals which a reader of the chart may change."""


@dataclass
class Pipeline:
    """A planned chart. Nothing is computed before it is asked for; what was computed is remembered."""

    run: SparkRun
    sources: SessionSources
    row_limit: int = ROW_LIMIT
    kept_rows: int = KEPT_ROWS
    fetched: dict[Vertex, list[Row]] = field(default_factory=dict)
    domains: dict[str, Domain] = field(default_factory=dict)
    """Datasets of which the renderer gets only what scales need."""

    @property
    def graph(self) -> Graph:
        return self.run.graph

    @property
    def inputs(self) -> Inputs:
        return self.run.inputs

    # Rows

    def everything(self) -> RunResult:
        """All datasets, as far as an engine runs them."""
        with as_failure():
            return result_of(self.run)

    def dataset(self, name: str) -> DatasetRun:
        """One dataset with its rows; RowLimit where it has too many."""
        definition = self.graph.definitions.by_dataset.get(name)
        if definition is None:
            known = ", ".join(self.graph.definitions.by_dataset) or "none"
            raise RunFailure(f"the spec has no dataset `{name}`", help=f"its datasets: {known}")
        vertex = Vertex("dataset", name)
        with as_failure():
            if vertex in self.run.plans and not dict.__contains__(self.run.rows, vertex):
                self.run.rows[vertex] = self.run.fetched({vertex: self.run.plans[vertex]}, "they are asked for")[vertex]
            return result_of(self.run, [name]).datasets[name]

    # The spec that is drawn

    def spec(self) -> dict[str, object]:
        """The spec with the rows of its datasets in place of what makes them: it draws the same picture."""
        split = self.split
        published = published_signals(self.graph, split.cuts, self.run.signals)
        return assembled(self.graph, split.cuts, split.rows, split.signals, published)

    @cached_property
    def split(self) -> Split:
        with as_failure():
            return self._split()

    def _split(self) -> Split:
        live = live_vertices(self.graph)
        given = frozenset(self.run.frames) | frozenset(self.run.surroundings.data)
        splitting = Splitting(self.graph, self.run.rows.__contains__, live, given)
        signals = SettledSignals(self.graph, self.run.signals, live, self.run.surroundings.signals).signals()
        drawn = drawn_part(self.graph, signals)
        while True:
            cuts = splitting.cuts(drawn)
            sent = [cut for cut in cuts.values() if cut.inline]
            wide = self._fetch(sent, cuts, drawn, splitting)
            if wide:
                splitting.frozen |= wide
                continue
            rows, stuck = self._inlined(sent)
            if not stuck:
                return Split(cuts, rows, signals, frozenset(splitting.frozen))
            splitting.last |= stuck

    def _fetch(self, sent: list[Cut], cuts: Mapping[str, Cut], drawn: object, splitting: Splitting) -> set[str]:
        """Brings the rows that are sent; the datasets to be frozen instead, because what they start from is too much."""
        for_live = {cut.definition.name: splitting.demanded_by_live(cuts, cut.definition.name) for cut in sent}
        wide: set[str] = set()
        plans = {cut: self._plan(cut, cuts, drawn) for cut in sent}
        for names, limit in ((True, self.kept_rows), (False, self.row_limit)):
            wanted = {
                cut.vertex: plan
                for cut, plan in plans.items()
                if plan is not None and bool(for_live[cut.definition.name]) == names
            }
            try:
                self.fetched |= self.run.fetched(wanted, _DRAWN, limit) if wanted else {}
            except RowLimit as problem:
                if not names:
                    raise
                assert problem.dataset is not None
                wide |= for_live[problem.dataset]
                break
        for cut in sent:
            if plans[cut] is None and cut.vertex not in self.fetched:
                self.fetched[cut.vertex] = self.run.rows[cut.vertex]
        return wide

    def _plan(self, cut: Cut, cuts: Mapping[str, Cut], drawn: object) -> Plan | None:
        """The plan of the rows that are sent, without the columns that nobody reads; None where the driver has them already."""
        vertex = cut.vertex
        if vertex in self.fetched or vertex not in self.run.plans or dict.__contains__(self.run.rows, vertex):
            return None
        plan = self.run.plans[vertex]
        others = [kept_of(other) for other in cuts.values() if other is not cut]
        domain = only_domains(vertex.name, drawn, others) if vertex.kind == "dataset" else None
        shrunk = plan_of_domain(plan, domain, self.run.planning) if domain is not None else None
        if shrunk is not None and domain is not None:
            self.domains[vertex.name] = domain
            return shrunk
        unused = unused_columns([drawn, *others, cut.rest], plan.schema.reads())
        kept = {name: value for name, value in plan.schema.reads().items() if name not in unused}
        return plan if not unused else fields_only(plan, kept, self.run.planning)

    def _sent(self, cut: Cut) -> list[Row]:
        """The rows that are sent: all of them, or those that give scales the same domains."""
        rows, domain = self.fetched[cut.vertex], self.domains.get(cut.definition.name)
        return rows if domain is None else rows_of_domain(rows, domain)

    def _inlined(self, sent: Iterable[Cut]) -> tuple[dict[str, Inlined], dict[str, int]]:
        """The rows as they stand in a spec; for those that cannot, behind how many transforms they must be tried instead."""
        rows: dict[str, Inlined] = {}
        stuck: dict[str, int] = {}
        for cut in sent:
            try:
                rows[cut.definition.name] = inlined(self._sent(cut))
            except NotInlinable:
                stuck[cut.definition.name] = cut.done - 1
        return rows, stuck

    @property
    def frozen_signals(self) -> dict[str, tuple[str, ...]]:
        """The signals that a reader may change, but whose change no longer reaches these datasets."""
        found: dict[str, tuple[str, ...]] = {}
        for name in sorted(live_signals(self.graph)):
            reached = dependents(self.graph, {Vertex("signal", name)})
            datasets = tuple(dataset for dataset in self.split.frozen if Vertex("dataset", dataset) in reached)
            if datasets:
                found[name] = datasets
        return found

    # Other values of signals

    def update(self, signals: Mapping[str, Value]) -> Pipeline:
        """The same chart for other values of signals: only what depends on them is planned and computed anew."""
        unknown = [name for name in signals if Vertex("signal", name) not in self.graph.needs]
        if unknown:
            raise RunFailure(f"the spec has no signal `{unknown[0]}`", help=f"its signals: {', '.join(self._signal_names())}")
        around = self.run.surroundings
        around = replace(around, signals={**around.signals, **signals})
        changed = dependents(self.graph, {Vertex("signal", name) for name in signals})
        with as_failure():
            run = self.run.again(around, changed)
        _ran(run)
        kept = {vertex: rows for vertex, rows in self.fetched.items() if vertex not in changed}
        domains = {name: domain for name, domain in self.domains.items() if Vertex("dataset", name) in kept}
        return Pipeline(run, self.sources, self.row_limit, self.kept_rows, kept, domains)

    def _signal_names(self) -> list[str]:
        return sorted(vertex.name for vertex in self.graph.needs if vertex.kind == "signal")

    def close(self) -> None:
        """Removes what was written for Spark to read."""
        self.sources.close()
