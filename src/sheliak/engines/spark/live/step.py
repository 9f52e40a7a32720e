"""LiveSpark: datasets on Spark that follow changes. A step takes pulses in, and is committed whole or not at all.

    live = open_live(root, surroundings, frames, session, store)
    stepped = live.step(pulses, batch)          the net changes of every dataset, and the pulses that cannot be

What is there after a step is in the store: the rows of the sources, and what the next step needs to tell changes by.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from sheliak.changes.change import Changeset, Error, Rejected, Trace
from sheliak.changes.lines import Line
from sheliak.dataflow.graph import Graph, Vertex, build_graph
from sheliak.engines.failures import RowLimit, RunFailure
from sheliak.engines.protocol import DatasetRun
from sheliak.engines.reference.engine import ReferenceEngine
from sheliak.engines.reference.inputs import Inputs, Surroundings, decided_by_signals
from sheliak.engines.spark.failures import StoppedRun
from sheliak.engines.spark.given import Given
from sheliak.engines.spark.job_failures import reason_of
from sheliak.engines.spark.live.outputs import changes_between, read_rows, write_rows
from sheliak.engines.spark.live.protocol import BeforeCommit, Stepped
from sheliak.engines.spark.live.run import LiveSparkRun, Traced
from sheliak.engines.spark.live.source_table import SourceTable, Touched, read_source
from sheliak.engines.spark.live.starting import start
from sheliak.engines.spark.live.store import Store
from sheliak.engines.spark.run import described_datasets
from sheliak.expressions.values import Json, Row, Value, decode, encode
from sheliak.source.tree import Node

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

MOST_ROWS = 500_000
"""A dataset with more rows, whose changes cannot be told from the changes of its sources, is not brought to the driver."""
FIRST = -1
"""The batch of the rows that a spec starts with."""


@dataclass(slots=True)
class Moment:
    """The datasets of a spec at one moment: the rows of the sources, and the run over them."""

    tables: dict[str, SourceTable]
    around: Surroundings
    run: LiveSparkRun
    described: Mapping[str, DatasetRun] = field(default_factory=dict)


@dataclass(slots=True)
class Outcome:
    """A step before it is committed."""

    moment: Moment
    changes: dict[str, Changeset]
    rows: dict[str, Traced]
    """The rows of datasets that are told by comparison."""


class LiveSpark:
    """The datasets of a spec's top level, and how they follow changes."""

    def __init__(self, root: Node, graph: Graph, session: SparkSession, store: Store, inputs: Inputs, now: Moment) -> None:
        self.root = root
        self.graph = graph
        self.session = session
        self.store = store
        self._inputs = inputs
        self._now = now

    # What there is

    @property
    def datasets(self) -> list[str]:
        return [definition.name for definition in self.graph.definitions.datasets]

    @property
    def inputs(self) -> list[str]:
        """The datasets that changes may go to."""
        return list(self._now.tables)

    @property
    def signals(self) -> Mapping[str, Value]:
        return self._now.run.signals

    @property
    def warnings(self) -> list[str]:
        return list(self._inputs.warnings)

    def reason(self, dataset: str) -> str | None:
        """Why the rows of a dataset are the renderer's."""
        return self._now.described[dataset].reason

    def described(self, dataset: str) -> DatasetRun:
        """Who runs a dataset."""
        return self._now.described[dataset]

    def rows(self, dataset: str, limit: int | None = None) -> list[Row]:
        """The rows of a dataset in their order. Raises RowLimit for more than the limit."""
        return self.traced(dataset, limit).rows

    def traced(self, dataset: str, limit: int | None = None) -> Traced:
        """The rows of a dataset in their order, and which ones they are."""
        kept = read_rows(self.store, dataset)
        if kept is None:
            vertex = Vertex("dataset", dataset)
            with as_failure():
                kept = self._now.run.traced([vertex], limit)[vertex]
        if limit is not None and len(kept.rows) > limit:
            raise RowLimit(dataset, limit, "they are asked for")
        return kept

    def size(self, dataset: str) -> int | None:
        """How many rows a dataset has, where that is known."""
        files = self.store.table(f"rows:{dataset}")
        return files[0].rows if files else None

    # Steps

    def step(self, pulses: Sequence[Sequence[Line]], batch: int, before_commit: BeforeCommit | None = None) -> Stepped:
        """Applies pulses and commits them as a batch. A pulse that cannot be is left out, and told; then nothing of it is there."""
        fitting, rejected = self._fitting(pulses)
        outcome, more = self._evaluated({index: pulses[index] for index in fitting})
        changes = {name: changes for name, changes in outcome.changes.items() if changes}
        stepped = Stepped(changes, tuple(sorted([*rejected, *more], key=lambda one: one[0])))
        self._commit(outcome, stepped, batch, before_commit)
        return stepped

    def update(self, signals: Mapping[str, Value], batch: int) -> Stepped:
        """Signals get values, and keep them. Raises RunFailure for a signal that is not there, and Rejected."""
        self._require_signals(signals)
        around = replace(self._now.around, signals={**self._now.around.signals, **signals})
        outcome = self._compared(self._moment(self._now.tables, around))
        stepped = Stepped({name: changes for name, changes in outcome.changes.items() if changes})
        self._commit(outcome, stepped, batch, None)
        return stepped

    def _require_signals(self, signals: Mapping[str, Value]) -> None:
        for name in signals:
            if Vertex("signal", name) not in self.graph.needs:
                known = sorted(vertex.name for vertex in self.graph.needs if vertex.kind == "signal")
                raise RunFailure(f"the spec has no signal `{name}`", help=f"its signals: {', '.join(known) or 'none'}")
            for definition in self.graph.definitions.datasets:
                behind = self.graph.behind(Vertex("source", definition.name))
                if definition.origin != "source" and decided_by_signals(definition) and Vertex("signal", name) in behind:
                    message = f"the signal `{name}` decides which rows `{definition.name}` starts with"
                    raise RunFailure(message, help="open the spec anew with the other value")

    def _fitting(self, pulses: Sequence[Sequence[Line]]) -> tuple[list[int], list[tuple[int, Error]]]:
        """The pulses that fit the rows that are there, one after another."""
        try:
            self._touched(pulses)
            return list(range(len(pulses))), []
        except Rejected:
            pass
        fitting: list[int] = []
        rejected: list[tuple[int, Error]] = []
        for index in range(len(pulses)):
            try:
                self._touched([pulses[one] for one in [*fitting, index]])
                fitting.append(index)
            except Rejected as problem:
                rejected.append((index, problem.error))
        return fitting, rejected

    def _touched(self, pulses: Iterable[Sequence[Line]]) -> dict[str, dict[Trace, Touched]]:
        lines: dict[str, list[Line]] = {}
        for pulse in pulses:
            for line in pulse:
                self._require_input(line)
                lines.setdefault(line.dataset, []).append(line)
        return {name: self._now.tables[name].admitted([of]) for name, of in lines.items()}

    def _require_input(self, line: Line) -> None:
        if line.dataset in self._now.tables:
            return
        if line.dataset in self._inputs.reasons:
            raise Rejected(Error(line.dataset, line.id, f"its rows are not at hand: {self._inputs.reasons[line.dataset]}"))
        known = ", ".join(f"`{name}`" for name in self.inputs) or "none"
        is_computed = line.dataset in self.graph.definitions.by_dataset
        what = "is computed from another dataset" if is_computed else "is no dataset of the spec"
        raise Rejected(Error(line.dataset, line.id, f"`{line.dataset}` {what}; changes go to {known}"))

    def _evaluated(self, pulses: Mapping[int, Sequence[Line]]) -> tuple[Outcome, list[tuple[int, Error]]]:
        """All pulses at once; where their rows stop a run, one after another, to find those that do."""
        try:
            return self._after([*pulses.values()]), []
        except Rejected as problem:
            if len(pulses) == 1:
                return self._after([]), [(next(iter(pulses)), problem.error)]
        kept: list[Sequence[Line]] = []
        rejected: list[tuple[int, Error]] = []
        for index, pulse in pulses.items():
            try:
                self._after([*kept, pulse])
                kept.append(pulse)
            except Rejected as problem:
                rejected.append((index, problem.error))
        return self._after(kept), rejected

    def _after(self, pulses: Sequence[Sequence[Line]]) -> Outcome:
        """The datasets after pulses. Raises Rejected where their rows stop the run."""
        touched = {name: of for name, of in self._touched(pulses).items() if of}
        if not touched:
            return Outcome(self._now, {}, {})
        tables = dict(self._now.tables)
        for name, of in touched.items():
            try:
                tables[name] = tables[name].after(of.values())
            except UnicodeEncodeError as problem:
                raise Rejected(Error(name, None, "a text holds half of a character, which no file can hold")) from problem
        return self._compared(self._moment(tables, self._now.around))

    def _moment(self, tables: dict[str, SourceTable], around: Surroundings) -> Moment:
        return moment_of(self.graph, tables, around, self._inputs, self.session)

    def _compared(self, moment: Moment) -> Outcome:
        """What has changed, told by comparison with what was there."""
        after = rows_of_moment(moment, self.root)
        changes = {name: changes_between(read_rows(self.store, name), after.get(name)) for name in self.datasets}
        return Outcome(moment, changes, after)

    def _commit(self, outcome: Outcome, stepped: Stepped, batch: int, before_commit: BeforeCommit | None) -> None:
        draft = self.store.begin(batch)
        try:
            moment = outcome.moment
            tables = {name: table.compacted() for name, table in moment.tables.items()}
            for name, table in tables.items():
                if table is not self._now.tables.get(name):
                    table.write(draft, self._now.tables.get(name))
            for name, rows in outcome.rows.items():
                write_rows(draft, name, rows)
            if moment.around is not self._now.around:
                draft.set_facts("live", facts_of(moment.around, self._inputs))
            if before_commit is not None:
                before_commit(draft, stepped)
            draft.commit()
        except BaseException:
            draft.abandon()
            raise
        moment.tables = tables
        if moment is not self._now:
            self._now.run.close()
            self._now = moment

    def close(self) -> None:
        """Removes what was written for Spark to read; the store stays as it is."""
        self._now.run.close()


def moment_of(
    graph: Graph, tables: dict[str, SourceTable], around: Surroundings, inputs: Inputs, session: SparkSession
) -> Moment:
    """The run over the rows of sources. Raises Rejected where they stop it."""
    run = LiveSparkRun(graph, around, inputs, tables, session)
    try:
        run.run()
    except StoppedRun as problem:
        run.error = reason_of(str(problem))
    if run.error is not None:
        run.close()
        vertex = run.at
        raise Rejected(Error(vertex.name if vertex is not None else "the run", None, run.error))
    return Moment(tables, around, run, described_datasets(run))


def rows_of_moment(moment: Moment, root: Node) -> dict[str, Traced]:
    """The rows of all datasets that an engine runs."""
    run = moment.run
    names = [name for name, found in moment.described.items() if found.engine != "renderer"]
    vertices = [Vertex("dataset", name) for name in names]
    try:
        found = run.traced(vertices, MOST_ROWS)
    except StoppedRun as problem:
        return _rows_in_python(moment, root, str(problem))
    for vertex, traced in found.items():
        if len(traced.rows) > MOST_ROWS:
            raise RowLimit(vertex.name, MOST_ROWS, "its changes are told by comparison")
    return {vertex.name: traced for vertex, traced in found.items()}


def _rows_in_python(moment: Moment, root: Node, problem: str) -> dict[str, Traced]:
    """Rows that stop a run on Spark may be told in Python alone; if they stop that run too, they cannot be."""
    if any(table.scanned is not None for table in moment.tables.values()):
        raise Rejected(Error("the run", None, reason_of(problem)))
    data = {name: [one.row or {} for one in table.all()] for name, table in moment.tables.items()}
    result = ReferenceEngine(replace(moment.around, data=data)).run(root)
    if result.errors:
        raise Rejected(Error("the run", None, result.errors[0]))
    return {name: Traced(rows, [number for number in range(1, len(rows) + 1)]) for name, rows in result.rows.items()}


class as_failure:
    """A block in which a run that the rows themselves stop becomes a failure."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, problem: BaseException | None, trace: object) -> None:
        if isinstance(problem, StoppedRun):
            raise RunFailure(f"the run stops: {reason_of(str(problem))}", details=str(problem)) from problem


# Opening


def open_live(
    root: Node, surroundings: Surroundings, frames: Mapping[str, Given], session: SparkSession, store: Store
) -> LiveSpark:
    """The datasets of a spec, as the store has them; a new store gets the rows that the spec starts with.

    Raises RunFailure for a spec that Vega refuses, or whose first run fails.
    """
    graph = build_graph(root)
    if graph.problems:
        raise RunFailure(f"Vega refuses the spec: {graph.problems[0]}")
    if store.batch is None:
        return _started(root, graph, surroundings, frames, session, store)
    facts = store.facts("live")
    tables = {
        name.partition(":")[2]: read_source(store, name.partition(":")[2]) for name in store.tables if name.startswith("source:")
    }
    inputs = Inputs(reasons=_texts(facts["reasons"]), warnings=_list(facts["warnings"]))
    now, signals = facts["now"], facts["signals"]
    assert isinstance(now, (int, float)) and isinstance(signals, dict)
    around = replace(surroundings, now=float(now), signals={name: decode(value) for name, value in signals.items()})
    return LiveSpark(root, graph, session, store, inputs, _first(graph, tables, around, inputs, session))


def _started(
    root: Node, graph: Graph, around: Surroundings, frames: Mapping[str, Given], session: SparkSession, store: Store
) -> LiveSpark:
    draft = store.begin(FIRST)
    try:
        started = start(root, graph, around, frames, session, draft)
        inputs = Inputs(reasons=started.reasons, warnings=list(started.warnings))
        moment = _first(graph, started.tables, around, inputs, session)
        for name, rows in rows_of_moment(moment, root).items():
            write_rows(draft, name, rows)
        draft.set_facts("live", facts_of(around, inputs))
        draft.commit()
    except Rejected as problem:
        draft.abandon()
        raise RunFailure(f"the rows that the spec starts with cannot be run: {problem.error.reason}") from problem
    except BaseException:
        draft.abandon()
        raise
    return LiveSpark(root, graph, session, store, inputs, moment)


def _first(graph: Graph, tables: dict[str, SourceTable], around: Surroundings, inputs: Inputs, session: SparkSession) -> Moment:
    try:
        return moment_of(graph, tables, around, inputs, session)
    except Rejected as problem:
        raise RunFailure(f"the rows that the spec starts with cannot be run: {problem.error.reason}") from problem


def facts_of(around: Surroundings, inputs: Inputs) -> dict[str, Json]:
    """What a later process has to know besides the rows."""
    return {
        "now": around.now,
        "signals": {name: encode(value) for name, value in around.signals.items()},
        "reasons": dict(inputs.reasons),
        "warnings": list(inputs.warnings),
    }


def _texts(given: Json) -> dict[str, str]:
    return {name: str(text) for name, text in given.items()} if isinstance(given, dict) else {}


def _list(given: Json) -> list[str]:
    return [str(text) for text in given] if isinstance(given, list) else []
