"""One pulse: the vertices of the graph in Vega's order, each only if something it needs has changed.

A vertex with rows holds a table and passes changes on; signals, scales and what else has a single value are computed anew. A
transform whose parameters have changed (a signal, a dataset that it looks up, a scale's domain) runs over all of its rows, and passes
on the difference.

Rows are values here: a row that holds others (`values` of an aggregate, pairs) shows them as they were when it was made. Signals with
`init`, and those that do not react, keep their first value, as in Vega; triggers take effect before the first pulse only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace

from sheliak.changes.change import Add, Branch, Change, Changeset, Error, Rejected, Remove, Trace, Update, net
from sheliak.changes.lift import Lifted, PerRow, RowFailure, Traces, Whole, lifted
from sheliak.changes.sameness import same
from sheliak.changes.table import Table, difference, is_reordered, table_of
from sheliak.dataflow.definitions import DatasetDefinition, Step
from sheliak.dataflow.graph import Vertex
from sheliak.engines.protocol import Unavailable
from sheliak.engines.reference.live_forms import form_of, meaning_of
from sheliak.engines.reference.parameters import with_values
from sheliak.engines.reference.run import Run
from sheliak.engines.reference.running import TransformRunning
from sheliak.engines.reference.sources import are_objects
from sheliak.expressions.random_source import RandomSource
from sheliak.expressions.values import UNDEFINED, EvaluationError, Row, Value
from sheliak.loading.rows import value_of_json
from sheliak.plan.budget import OverBudget
from sheliak.transforms._contract import Transform
from sheliak.transforms._reading import read_transform
from sheliak.transforms._running import ingest, writes_into_its_input


@dataclass(frozen=True, slots=True)
class VertexStep:
    """What a vertex received and sent in a pulse."""

    vertex: Vertex
    label: str
    received: Changeset
    sent: Changeset
    because: tuple[str, ...] = ()
    """What else it needs that has changed, so that it ran over all of its rows."""
    rows: int = 0
    """How many rows it holds after the pulse."""


@dataclass(slots=True)
class LiveRun(Run):
    """A pulse in the making; the one before it stays as it was."""

    tables: dict[Vertex, Table] = field(default_factory=dict)
    lifted: dict[Vertex, Lifted] = field(default_factory=dict)
    draws: dict[Vertex, RandomSource] = field(default_factory=dict)
    """Where the random numbers of a transform began: run again as a whole, it draws the same ones."""
    is_first: bool = True
    arriving: dict[str, list[Change]] = field(default_factory=dict)
    dirty: set[Vertex] = field(default_factory=set)
    """The vertices whose value, rows or order have changed in this pulse."""
    sent: dict[Vertex, Changeset] = field(default_factory=dict)
    steps: list[VertexStep] = field(default_factory=list)

    def successor(self, given: Mapping[str, Value] | None = None) -> LiveRun:
        """The next pulse, before it has begun; `given` are values that signals have from now on."""
        given = given or {}
        around = replace(self.surroundings, signals={**self.surroundings.signals, **given})
        run = LiveRun(self.graph, around, self.inputs, is_first=False)
        run.signals, run.texts, run.scales = {**self.signals, **given}, dict(self.texts), dict(self.scales)
        changed = [name for name, value in given.items() if not same(value, self.signals.get(name, UNDEFINED))]
        run.dirty |= {Vertex("signal", name) for name in changed}
        run.rows, run.reasons, run.published = dict(self.rows), dict(self.reasons), dict(self.published)
        run.tables, run.lifted, run.draws = dict(self.tables), dict(self.lifted), dict(self.draws)
        run.last_identifier = self.last_identifier
        run.environment.random = copy(self.environment.random)
        return run

    def pulse(self, changes: Sequence[tuple[str, Change]] = ()) -> LiveRun:
        """Takes in the changes and brings every vertex up to date. Raises Rejected; this run is then of no use."""
        for dataset, change in changes:
            self.arriving.setdefault(dataset, []).append(change)
        for vertex in self.graph.order:
            try:
                self._visit(vertex)
            except Unavailable as reason:
                self._give_up(vertex, str(reason))
            except RowFailure as failure:
                raise Rejected(Error(self.label(vertex), failure.trace, str(failure))) from failure
            except (EvaluationError, OverBudget) as error:
                raise Rejected(Error(self.label(vertex), None, str(error))) from error
            except RecursionError:
                self._give_up(vertex, "its values are nested too deeply")
        return self

    def label(self, vertex: Vertex) -> str:
        """A vertex as it is named to the user."""
        if vertex.kind == "transform":
            step = self.graph.definitions.by_dataset[vertex.name].transforms[vertex.index]
            return f"{vertex.name}[{vertex.index}] {step.type}"
        return vertex.name if vertex.kind == "source" else f"{vertex.kind} {vertex.name}"

    # Which vertices run

    def _visit(self, vertex: Vertex) -> None:
        stirred = self.is_first or any(need in self.dirty for need in self.graph.needs[vertex])
        if vertex.kind == "source" and (stirred or self.arriving.get(vertex.name)):
            self.reasons.pop(vertex, None)
            self._run_source(vertex, stirred=stirred)
        elif stirred:
            self.reasons.pop(vertex, None)
            self._renew(vertex)
        elif vertex.kind == "dataset" and vertex in self.rows:
            self.finished[vertex.name] = self.rows[vertex]

    def _renew(self, vertex: Vertex) -> None:
        match vertex.kind:
            case "signal":
                self._renew_signal(vertex)
            case "expression":
                old = self.texts.get(vertex.name, UNDEFINED)
                self._run(vertex)
                self._mark(vertex, old, self.texts[vertex.name])
            case "transform":
                self._lift(vertex)
            case "trigger":
                pass
            case "dataset":
                self._pass_on(vertex)
                self.dirty.add(vertex)
            case _:
                self._run(vertex)
                self.dirty.add(vertex)

    def _mark(self, vertex: Vertex, old: Value, new: Value) -> None:
        if self.is_first or not same(old, new):
            self.dirty.add(vertex)

    def _renew_signal(self, vertex: Vertex) -> None:
        definition = self.graph.definitions.by_signal.get(vertex.name)
        if definition is not None and not self.is_first:
            if definition.node.get("init") is not None or not definition.reacts or vertex.name in self.surroundings.signals:
                return
            value = definition.node.get("value")
            old, self.signals[vertex.name] = (
                self.signals.get(vertex.name, UNDEFINED),
                UNDEFINED if value is None else value_of_json(value.value),
            )
        else:
            old = self.signals.get(vertex.name, UNDEFINED)
        self._run_signal(vertex)
        self._mark(vertex, old, self.signals.get(vertex.name, UNDEFINED))

    def _give_up(self, vertex: Vertex, reason: str) -> None:
        """Only the renderer can go on: the vertex has no rows any more."""
        self._leave_to_renderer(vertex, reason)
        self.lifted.pop(vertex, None)
        self.rows.pop(vertex, None)
        self.dirty.add(vertex)
        if vertex in self.tables or vertex.kind in ("source", "transform"):
            self._settle(vertex, Table(), (), ())

    # Sources

    def is_input(self, name: str) -> bool:
        """Whether changes may go to the dataset: its rows do not come from another one."""
        definition = self.graph.definitions.by_dataset.get(name)
        return definition is not None and (definition.origin != "source" or name in self.inputs.rows)

    def _run_source(self, vertex: Vertex, *, stirred: bool) -> None:
        definition = self.graph.definitions.by_dataset[vertex.name]
        if not self.is_input(vertex.name):
            self._derive(vertex, definition)
            return
        table = self._loaded(definition) if stirred else self.tables[vertex]
        received = tuple(self.arriving.get(vertex.name, ()))
        after = admitted(table, received, self.label(vertex))
        first = tuple([Add(trace, table.rows[trace]) for trace in table.order]) if self.is_first else ()
        self._settle(vertex, after, (*first, *received), (), None if stirred else _traces(received))

    def _loaded(self, definition: DatasetDefinition) -> Table:
        """The rows that a dataset starts with; their ids are 1, 2, 3, ..."""
        rows = self._source_rows(definition)
        if not are_objects(rows):
            raise Unavailable("rows that are not objects are left to the renderer")
        return table_of({number: ingest(row) for number, row in enumerate(rows, start=1)})

    def _derive(self, vertex: Vertex, definition: DatasetDefinition) -> None:
        for need in self.graph.needs[vertex]:
            self._require(need)
        upstream = [self.graph.outputs[name] for name in definition.upstream]
        received = tuple([change for need in dict.fromkeys(upstream) for change in self.sent.get(need, ())])
        if len(upstream) == 1:
            table, touched = self.tables[upstream[0]], None if self.is_first else _traces(received)
        else:
            table, touched = self._united(vertex, definition.upstream), None
        # Vega copies rows that are written into, and numbers the copies.
        copies = table.is_in_arrival_order or writes_into_its_input(definition.classes)
        arrival = table.order if copies else table.arrival
        self._settle(vertex, Table(table.rows, table.order, arrival), received, (), touched)

    def _united(self, vertex: Vertex, names: Sequence[str]) -> Table:
        rows: dict[Trace, Row] = {}
        before = self.tables.get(vertex, Table())
        for number, name in enumerate(names):
            for trace, row in self._rows_of(name):
                branch = Branch(name, names[:number].count(name), trace)
                old = before.rows.get(branch)
                rows[branch] = old if old is not None and same(old, row) else ingest(row)
        return table_of(rows)

    def _rows_of(self, name: str) -> list[tuple[Trace, Row]]:
        table = self.tables[self.graph.outputs[name]]
        return [(trace, table.rows[trace]) for trace in table.order]

    # Transforms

    def _lift(self, vertex: Vertex) -> None:
        step = self.graph.definitions.by_dataset[vertex.name].transforms[vertex.index]
        upstream, *others = self.graph.needs[vertex]
        self._require(upstream)
        if step.cls is None or step.cls.rows is Transform.rows:
            raise Unavailable(f"`{step.type}` runs in the renderer")
        changed = tuple([self.label(need) for need in others if need in self.dirty]) if not self.is_first else ()
        before = self.lifted.get(vertex)
        is_all = before is None or bool(changed)
        received = self.sent.get(upstream, ())
        transform = read_transform(with_values(step, self.signal_object))
        touched = None if is_all else _traces(received)
        found = self._lifted(vertex, transform, step, before, touched)
        self.lifted[vertex] = found
        self._settle(vertex, found.table, received, changed, found.candidates)
        if step.signal is not None:
            self.dirty.add(vertex)

    def _lifted(self, vertex: Vertex, transform: Transform, step: Step, before: Lifted | None, touched: Traces | None) -> Lifted:
        running = TransformRunning(self, None, step)
        publishing = running if step.signal is None else TransformRunning(self, step.signal, step)
        form, upstream = form_of(transform, running), self.tables[self.graph.needs[vertex][0]]
        shared = self.environment.random
        if before is None:
            self.draws[vertex] = copy(shared)
        elif touched is None or isinstance(form, Whole):
            self.environment.random = copy(self.draws[vertex])
        try:
            is_whole = isinstance(form, Whole)
            found = lifted(form, before, upstream, touched, meaning_of(transform, publishing if is_whole else running))
            if not is_whole and publishing is not running:
                # What a transform tells of all its rows; for numbers that are drawn once, none are to be drawn again.
                remembers = isinstance(form, PerRow) and form.remembers is not None
                meaning_of(transform, publishing)([] if remembers else upstream.listed(), None)
        finally:
            self.environment.random = shared
        return found

    def _settle(
        self,
        vertex: Vertex,
        table: Table,
        received: Changeset,
        because: tuple[str, ...],
        candidates: Traces | None = None,
    ) -> None:
        """The vertex holds these rows from now on; what has changed, at most `candidates`, is sent."""
        before = self.tables.get(vertex, Table())
        sent = difference(before, table, candidates)
        self.tables[vertex], self.sent[vertex] = table, sent
        if sent or self.is_first or is_reordered(before, table):
            self.dirty.add(vertex)
        if vertex not in self.reasons and self.graph.outputs[vertex.name] == vertex:
            self.rows[vertex] = table.listed()
        self.steps.append(VertexStep(vertex, self.label(vertex), received, sent, because, len(table.order)))


def _traces(changes: Changeset) -> Traces:
    return dict.fromkeys(change.trace for change in changes)


def admitted(table: Table, changes: Changeset, label: str) -> Table:
    """The table after changes, one by one. Raises Rejected for one that does not fit what is there."""
    if not changes:
        return table
    rows = dict(table.rows)
    for change in changes:
        reason = unfit(rows, change)
        if reason is not None:
            raise Rejected(Error(label, change.trace, reason))
        match change:
            case Add(trace, row):
                rows[trace] = ingest(row)
            case Update(trace, _, new):
                rows[trace] = ingest(new)
            case Remove(trace):
                del rows[trace]
    return table_of(rows)


def unfit(rows: dict[Trace, Row], change: Change) -> str | None:
    """Why a change does not fit the rows that are there."""
    old = rows.get(change.trace)
    match change:
        case Add():
            return None if old is None else "add of a row that is there already"
        case Update(_, expected, _) | Remove(_, expected):
            kind = type(change).__name__.lower()
            if old is None:
                return f"{kind} of a row that is not there"
            return None if same(old, expected) else f"{kind} of a row that has other fields by now"


def net_of(changes: Sequence[tuple[str, Change]]) -> dict[str, Changeset]:
    """What changes amount to, dataset by dataset."""
    datasets = dict.fromkeys(dataset for dataset, _ in changes)
    return {name: net(change for dataset, change in changes if dataset == name) for name in datasets}
