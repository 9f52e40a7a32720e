"""A spec whose datasets stay up to date: changes in, the changes of every vertex out."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sheliak.changes.change import Add, Branch, Change, Changeset, Error, Rejected, Remove, Trace, Update
from sheliak.changes.lines import Line
from sheliak.changes.table import Table
from sheliak.dataflow.graph import Graph, Vertex, build_graph
from sheliak.engines.failures import RunFailure
from sheliak.engines.reference.engine import inputs_after_triggers
from sheliak.engines.reference.inputs import Inputs, Surroundings, load_inputs
from sheliak.engines.reference.live_run import LiveRun, VertexStep
from sheliak.engines.reference.rewritten import changed_by_groups, written_by
from sheliak.engines.reference.run import Run
from sheliak.expressions.values import Row, Value
from sheliak.expressions.zones import zone_of
from sheliak.loading.folders import DataFolders
from sheliak.loading.rows import LoadFailure
from sheliak.source.json_reader import Document
from sheliak.source.tree import Node


@dataclass(frozen=True, slots=True)
class Cause:
    """Rows that a row comes from, as one vertex holds them."""

    label: str
    is_source: bool
    rows: tuple[tuple[Trace, Row], ...]
    reads: tuple[str, ...] = ()
    """Other datasets, scales and signals that the vertex reads."""


class Live:
    """The datasets of a spec's top level, and how they follow changes."""

    def __init__(self, first: LiveRun) -> None:
        self._now = first

    @property
    def graph(self) -> Graph:
        return self._now.graph

    @property
    def steps(self) -> list[VertexStep]:
        """What the vertices did in the last pulse; at first, with the rows that the spec starts with."""
        return self._now.steps

    @property
    def warnings(self) -> list[str]:
        return [*self._now.inputs.warnings, *self._now.warnings]

    @property
    def signals(self) -> Mapping[str, Value]:
        return self._now.signals

    @property
    def datasets(self) -> list[str]:
        return [definition.name for definition in self.graph.definitions.datasets]

    @property
    def inputs(self) -> list[str]:
        """The datasets that changes may go to."""
        return [name for name in self.datasets if self._now.is_input(name)]

    def reason(self, dataset: str) -> str | None:
        """Why the rows of a dataset are the renderer's."""
        return self._now.reasons.get(self.graph.outputs[dataset])

    def table(self, dataset: str) -> Table:
        """The rows of a dataset after its transforms."""
        return self._now.tables.get(self.graph.outputs[dataset], Table())

    def rows(self, dataset: str) -> list[Row]:
        return self.table(dataset).listed()

    def source_table(self, dataset: str) -> Table:
        """The rows of a dataset before its transforms."""
        return self._now.tables.get(Vertex("source", dataset), Table())

    # Changes

    def apply(self, changes: Sequence[tuple[str, Change]]) -> list[VertexStep]:
        """One pulse: what every vertex received and sent. Raises Rejected; then nothing has changed."""
        for dataset, change in changes:
            self._require_input(dataset, change.trace)
        self._now = self._now.successor().pulse(changes)
        return self.steps

    def update(self, signals: Mapping[str, Value]) -> list[VertexStep]:
        """One pulse in which signals get values, and keep them. Raises RunFailure for a signal that is not there, and Rejected."""
        for name in signals:
            if Vertex("signal", name) not in self.graph.needs:
                raise RunFailure(f"the spec has no signal `{name}`")
        self._now = self._now.successor(signals).pulse()
        return self.steps

    def apply_lines(self, pulse: Iterable[Line]) -> list[VertexStep]:
        """One pulse as it is written down, where updates and removes do not say what was there."""
        return self.apply(self.changes_of(pulse))

    def changes_of(self, pulse: Iterable[Line]) -> list[tuple[str, Change]]:
        """The changes that lines mean now. Raises Rejected for one that does not fit."""
        changes: list[tuple[str, Change]] = []
        rows: dict[str, dict[Trace, Row]] = {}
        for line in pulse:
            self._require_input(line.dataset, line.id)
            if line.dataset not in rows:
                rows[line.dataset] = dict(self._now.tables[Vertex("source", line.dataset)].rows)
            changes.append((line.dataset, _change_of(line, rows[line.dataset])))
        return changes

    def _require_input(self, dataset: str, trace: Trace) -> None:
        if self._now.is_input(dataset):
            reason = self._now.reasons.get(Vertex("source", dataset))
            if reason is not None:
                raise Rejected(Error(dataset, trace, f"its rows are not at hand: {reason}"))
            return
        known = ", ".join(f"`{name}`" for name in self.inputs) or "none"
        is_computed = dataset in self.graph.definitions.by_dataset
        what = "is computed from another dataset" if is_computed else "is no dataset of the spec"
        raise Rejected(Error(dataset, trace, f"`{dataset}` {what}; changes go to {known}"))

    def changes(self, dataset: str) -> Changeset:
        """What the last pulse did to a dataset."""
        return self._now.sent.get(self.graph.outputs[dataset], ())

    # Where a row comes from

    def causes(self, dataset: str, trace: Trace) -> list[Cause]:
        """The rows that a row of a dataset comes from, vertex by vertex, back to the sources."""
        wanted: dict[Vertex, dict[Trace, None]] = {self.graph.outputs[dataset]: {trace: None}}
        found: list[Cause] = []
        for vertex in reversed(self.graph.order):
            traces = wanted.get(vertex)
            if traces is None or vertex not in self._now.tables:
                continue
            table = self._now.tables[vertex]
            shown = tuple([(one, table.rows[one]) for one in table.order if one in traces])
            found.append(Cause(self._now.label(vertex), self._is_source(vertex), shown, self._reads(vertex)))
            for upstream, origin in self._origins(vertex, list(traces)):
                wanted.setdefault(upstream, {})[origin] = None
        return found

    def _is_source(self, vertex: Vertex) -> bool:
        return vertex.kind == "source" and self._now.is_input(vertex.name)

    def _reads(self, vertex: Vertex) -> tuple[str, ...]:
        return tuple([self._now.label(need) for need in self.graph.needs[vertex][1:]]) if vertex.kind == "transform" else ()

    def _origins(self, vertex: Vertex, traces: list[Trace]) -> Iterable[tuple[Vertex, Trace]]:
        if vertex.kind == "transform":
            upstream = self.graph.needs[vertex][0]
            above, lifted = self._now.tables[upstream], self._now.lifted.get(vertex)
            origins = {} if lifted is None else {one: None for trace in traces for one in lifted.origins(trace, above)}
            yield from ((upstream, one) for one in origins)
        elif not self._is_source(vertex):
            names = self.graph.definitions.by_dataset[vertex.name].upstream
            for trace in traces:
                if len(names) == 1:
                    yield self.graph.outputs[names[0]], trace
                else:
                    assert isinstance(trace, Branch)
                    yield self.graph.outputs[trace.dataset], trace.origin


def _change_of(line: Line, rows: dict[Trace, Row]) -> Change:
    old = rows.get(line.id)
    if line.kind == "add":
        if old is not None:
            raise Rejected(Error(line.dataset, line.id, f"add of a row that is there already (line {line.number})"))
        assert line.row is not None
        rows[line.id] = line.row
        return Add(line.id, line.row)
    if old is None:
        raise Rejected(Error(line.dataset, line.id, f"{line.kind} of a row that is not there (line {line.number})"))
    if line.row is None:
        return Remove(line.id, rows.pop(line.id))
    rows[line.id] = line.row
    return Update(line.id, old, line.row)


def open_live(
    spec: Document | Node | Mapping[str, object],
    folders: DataFolders | None = None,
    *,
    timezone: str = "UTC",
    seed: float = 42,
    now: float | None = None,
    signals: Mapping[str, Value] | None = None,
    data: Mapping[str, list[Row]] | None = None,
) -> Live:
    """A spec with the rows that it starts with. Raises RunFailure for a spec that Vega refuses, or whose first run fails."""
    root = spec.root if isinstance(spec, Document) else spec if isinstance(spec, Node) else Node(dict(spec))
    clock = float(round(time.time() * 1000)) if now is None else now
    around = Surroundings(folders or DataFolders(None), zone_of(timezone), seed, clock, signals or {}, data or {})
    graph = build_graph(root)
    if graph.problems:
        raise RunFailure(f"Vega refuses the spec: {graph.problems[0]}")
    try:
        inputs = _starting(load_inputs(graph, around)).changed({}, changed_by_groups(root))
        if _changes_itself(graph):
            inputs = inputs_after_triggers(Run(graph, around, inputs).run(), inputs)
        return Live(LiveRun(graph, around, inputs).pulse())
    except LoadFailure as problem:
        raise RunFailure(f"Vega refuses the spec: {problem}") from problem
    except Rejected as problem:
        raise RunFailure(f"the rows that the spec starts with cannot be run: {problem}") from problem


def _changes_itself(graph: Graph) -> bool:
    """Triggers, or signals that call `modify`, change datasets during the first run."""
    texts = [signal.expression for signal in graph.definitions.signals]
    has_triggers = any(definition.triggers for definition in graph.definitions.datasets)
    return has_triggers or any(text is not None and written_by(text) for text in texts)


def _starting(inputs: Inputs) -> Inputs:
    """A dataset whose file is not at hand starts without rows: changes may bring them."""
    for name, reason in inputs.reasons.items():
        inputs.warnings.append(f"`{name}` starts without rows: {reason.partition(';')[0]}")
    return Inputs({**inputs.rows, **{name: [] for name in inputs.reasons}}, {}, inputs.warnings, inputs.files)
