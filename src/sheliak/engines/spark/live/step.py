"""LiveSpark: datasets on Spark that follow changes. A step takes pulses in, and is committed whole or not at all.

    live = open_live(root, surroundings, frames, session, store)
    stepped = live.step(pulses, batch)          the net changes of every dataset, and the pulses that cannot be

What is there after a step is in the store: the rows of the sources, and what the next step needs to tell changes by.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeVar

from sheliak.changes.change import Changeset, Error, Rejected
from sheliak.changes.lines import Line
from sheliak.dataflow.graph import Graph, Vertex, build_graph
from sheliak.engines.failures import RowLimit, RunFailure
from sheliak.engines.protocol import DatasetRun
from sheliak.engines.reference.inputs import Inputs, Surroundings, decided_by_signals
from sheliak.engines.spark.arrow_values import CutText
from sheliak.engines.spark.failures import StoppedRun, as_failure
from sheliak.engines.spark.given import Given
from sheliak.engines.spark.live.facts import read_facts, write_facts
from sheliak.engines.spark.live.forms import ByGroup, ByKey, ByRow, Whole
from sheliak.engines.spark.live.moments import MOST_ROWS, Moment, moment_of, rows_at, rows_of_run, run_over, standing_of
from sheliak.engines.spark.live.outputs import changes_between, changes_of_rows, read_rows, write_rows
from sheliak.engines.spark.live.protocol import BeforeCommit, Stepped
from sheliak.engines.spark.live.restricted import SMALL
from sheliak.engines.spark.live.run import LiveSparkRun, Traced
from sheliak.engines.spark.live.source_table import SourceTable, read_source
from sheliak.engines.spark.live.standing import TouchedRows
from sheliak.engines.spark.live.starting import start
from sheliak.engines.spark.live.store import Draft, Store
from sheliak.expressions.values import Row, Value
from sheliak.source.tree import Node

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Opened = TypeVar("Opened")
FORMS = {ByRow: "row", ByGroup: "group", ByKey: "key", Whole: "whole"}
FIRST = -1
"""The batch of the rows that a spec starts with."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A step before it is committed."""

    moment: Moment
    changes: dict[str, Changeset] = field(default_factory=dict)
    rows: dict[str, Traced] = field(default_factory=dict)
    """The rows of datasets that are told by comparison."""
    forgotten: tuple[str, ...] = ()
    """Datasets whose rows need not be kept any more."""
    draft: Draft | None = None
    """Where the rows of the sources are written already, if they are."""


class LiveSpark:
    """The datasets of a spec's top level, and how they follow changes."""

    def __init__(self, root: Node, graph: Graph, session: SparkSession, store: Store, inputs: Inputs, now: Moment) -> None:
        self.root = root
        self.graph = graph
        self.session = session
        self.store = store
        self._inputs = inputs
        self._now = now
        self._reading: LiveSparkRun | None = None
        """The run over the rows that the sources have now, if somebody asked for it."""

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
        return self._current().signals

    @property
    def warnings(self) -> list[str]:
        return list(self._inputs.warnings)

    def reason(self, dataset: str) -> str | None:
        """Why the rows of a dataset are the renderer's."""
        return self._now.standing.described[dataset].reason

    def described(self, dataset: str) -> DatasetRun:
        """Who runs a dataset."""
        return self._now.standing.described[dataset]

    def form(self, dataset: str) -> str:
        """How changes of all its sources together go through a dataset: by row, by group, by key, or as a whole."""
        standing, tables = self._now.standing, self._now.tables
        names = [name for name in tables if dataset in standing.affected([name])]
        return FORMS[type(standing.form(dataset, names, tables))]

    def rows(self, dataset: str, limit: int | None = None) -> list[Row]:
        """The rows of a dataset in their order. Raises RowLimit for more than the limit."""
        return self.traced(dataset, limit).rows

    def traced(self, dataset: str, limit: int | None = None) -> Traced:
        """The rows of a dataset in their order, and which ones they are."""
        kept = read_rows(self.store, dataset)
        if kept is None:
            kept = self._remembered(dataset)
        if kept is None:
            vertex = Vertex("dataset", dataset)
            with as_failure():
                kept = self._current().traced([vertex], limit)[vertex]
        if limit is not None and len(kept.rows) > limit:
            raise RowLimit(dataset, limit, "they are asked for")
        return kept

    def _remembered(self, dataset: str) -> Traced | None:
        """The rows of a dataset whose groups are remembered."""
        with as_failure():
            return self._now.remembered_rows(dataset)

    def size(self, dataset: str) -> int | None:
        """How many rows a dataset has, where that is known."""
        if dataset in self._now.groups:
            return self._now.groups[dataset].count
        files = self.store.table(f"rows:{dataset}")
        return files[0].rows if files else None

    def _current(self) -> LiveSparkRun:
        """The run over the rows that the sources have now."""
        standing = self._now.standing.run
        if standing.tables == self._now.tables:
            return standing
        if self._reading is None or self._reading.tables != self._now.tables:
            self._drop_reading()
            types = standing.types
            self._reading = run_over(self.graph, self._now.tables, self._now.around, self._inputs, self.session, types)
        return self._reading

    def _drop_reading(self) -> None:
        if self._reading is not None:
            self._reading.close()
            self._reading = None

    # Steps

    def step(self, pulses: Sequence[Sequence[Line]], batch: int, before_commit: BeforeCommit | None = None) -> Stepped:
        """Applies pulses and commits them as a batch. A pulse that cannot be is left out, and told; then nothing of it is there."""
        standing = self._now.standing
        try:
            self._start(pulses)
            fitting, rejected, touched = self._fitting(pulses)
            outcome, more = self._evaluated({index: pulses[index] for index in fitting}, touched, batch)
        except BaseException:
            self.store.abandon()
            raise
        finally:
            standing.finished()
        changes = {name: outcome.changes[name] for name in self.datasets if outcome.changes.get(name)}
        stepped = Stepped(changes, tuple(sorted([*rejected, *more], key=lambda one: one[0])))
        self._commit(outcome, stepped, batch, before_commit)
        return stepped

    def update(self, signals: Mapping[str, Value], batch: int) -> Stepped:
        """Signals get values, and keep them. Raises RunFailure for a signal that is not there, and Rejected."""
        self._require_signals(signals)
        around = replace(self._now.around, signals={**self._now.around.signals, **signals})
        outcome = self._restood(self._now.tables, around, None)
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

    def _start(self, pulses: Sequence[Sequence[Line]]) -> None:
        """Spark gets ready for changes of the sources that pulses name, while the rows are looked up."""
        names = list(dict.fromkeys(line.dataset for pulse in pulses for line in pulse))
        if all(name in self._now.tables for name in names) and 2 * sum(map(len, pulses)) <= SMALL:
            self._now.standing.start(names, self._now.tables)

    def _fitting(self, pulses: Sequence[Sequence[Line]]) -> tuple[list[int], list[tuple[int, Error]], TouchedRows]:
        """The pulses that fit the rows that are there, one after another; what they do to rows."""
        try:
            return list(range(len(pulses))), [], self._touched(pulses)
        except Rejected:
            pass
        fitting: list[int] = []
        rejected: list[tuple[int, Error]] = []
        touched: TouchedRows = {}
        for index in range(len(pulses)):
            try:
                touched = self._touched([pulses[one] for one in [*fitting, index]])
                fitting.append(index)
            except Rejected as problem:
                rejected.append((index, problem.error))
        return fitting, rejected, touched

    def _touched(self, pulses: Iterable[Sequence[Line]]) -> TouchedRows:
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

    def _evaluated(
        self, pulses: Mapping[int, Sequence[Line]], touched: TouchedRows, batch: int
    ) -> tuple[Outcome, list[tuple[int, Error]]]:
        """All pulses at once; where their rows stop a run, one after another, to find those that do."""
        try:
            return self._after(touched, batch), []
        except Rejected as problem:
            if len(pulses) == 1:
                return self._after({}, batch), [(next(iter(pulses)), problem.error)]
        kept: list[Sequence[Line]] = []
        rejected: list[tuple[int, Error]] = []
        for index, pulse in pulses.items():
            try:
                self._after(self._touched([*kept, pulse]), batch)
                kept.append(pulse)
            except Rejected as problem:
                rejected.append((index, problem.error))
        return self._after(self._touched(kept), batch), rejected

    def _after(self, touched: TouchedRows, batch: int) -> Outcome:
        """The datasets after what pulses do to rows. Raises Rejected where these stop the run."""
        touched = {name: of for name, of in touched.items() if of}
        try:
            if not touched:
                return Outcome(self._now)
            if self._now.standing.fits(touched):
                return self._stood(touched, batch)
        except (StoppedRun, UnicodeEncodeError):
            pass  # what stops Spark may be told in Python
        finally:
            self._now.standing.finished()  # what comes next may need all of Spark
        return self._restood(self._moved(touched), self._now.around, touched)

    def _moved(self, touched: TouchedRows) -> dict[str, SourceTable]:
        """The rows of the sources after what pulses do to some."""
        tables = dict(self._now.tables)
        for name, of in touched.items():
            try:
                tables[name] = tables[name].after(of.values()).compacted()
            except (UnicodeEncodeError, CutText) as problem:
                raise Rejected(Error(name, None, "a text holds half of a character, which no file can hold")) from problem
        return tables

    def _stood(self, touched: TouchedRows, batch: int) -> Outcome:
        """Changes go through the plans that stand, each in its form."""
        standing, names, earlier = self._now.standing, [*touched], self._now.tables
        forms = {dataset: standing.form(dataset, names, earlier) for dataset in standing.affected(names)}
        by_row = {
            name: standing.changes_by_row(form, touched, earlier) for name, form in forms.items() if isinstance(form, ByRow)
        }
        by_group = {
            name: standing.changes_by_group(name, form, self._now.groups[name], touched, earlier)
            for name, form in forms.items()
            if isinstance(form, ByGroup)
        }
        # Meanwhile Spark works on the changes.
        tables, groups = self._moved(touched), dict(self._now.groups)
        standing.go_on()
        draft = self.store.begin(batch)
        tables = _all_written(tables, earlier, draft)
        outcome = Outcome(replace(self._now, tables=tables, groups=groups), draft=draft)
        outcome.changes.update({name: found() for name, found in by_row.items()})
        for name, finished in by_group.items():
            groups[name], outcome.changes[name] = finished(tables)
        standing.finished()  # what comes next may need all of Spark
        whole: list[str] = []
        for dataset, form in forms.items():
            if isinstance(form, ByKey):
                told, is_all = standing.changes_by_key(form, touched, earlier, tables, MOST_ROWS)
                if not is_all:
                    raise RowLimit(dataset, MOST_ROWS, "they may change with those that did")
                outcome.changes[dataset] = told
            elif isinstance(form, Whole):
                whole.append(dataset)
        if whole or standing.is_read(names):
            self._compare(whole, outcome)
        return outcome

    def _compare(self, whole: list[str], outcome: Outcome) -> None:
        """Datasets that are run again, and compared with what was there."""
        moment = outcome.moment
        types = moment.standing.run.types
        run = run_over(self.graph, moment.tables, moment.around, self._inputs, self.session, types)
        try:
            after = rows_of_run(run, whole, self.root)
        finally:
            run.close()
        for dataset in whole:
            form = moment.standing.remembered(dataset, moment.tables)
            if form is not None:
                moment.groups[dataset] = moment.standing.group_table(dataset, form, moment.tables)
                after |= rows_at(moment, [dataset], self.root)
        before = self._before(whole)
        for dataset in whole:
            outcome.changes[dataset] = changes_between(before.get(dataset), after.get(dataset))
        outcome.rows.update({name: rows for name, rows in after.items() if moment.standing.is_kept(name, moment.tables)})

    def _before(self, datasets: Sequence[str]) -> dict[str, Traced]:
        """The rows that datasets have: those that are kept, and those that have to be computed for it."""
        kept = {name: rows for name in datasets if (rows := read_rows(self.store, name) or self._remembered(name)) is not None}
        described = self._now.standing.described
        left = [name for name in datasets if name not in kept and described[name].engine != "renderer"]
        return kept | (rows_of_run(self._current(), left, self.root) if left else {})

    def _restood(self, tables: dict[str, SourceTable], around: Surroundings, touched: TouchedRows | None) -> Outcome:
        """The plans are made anew: for other types, or other values of signals."""
        moment = moment_of(self.graph, tables, around, self._inputs, self.session)
        outcome = Outcome(moment, forgotten=tuple(self.datasets))
        names = [*touched] if touched is not None else [*tables]
        by_row = self._by_row_in_both(moment, names) if touched is not None else {}
        try:
            for dataset, (old, new) in by_row.items():
                outcome.changes[dataset] = self._between_plans(old, new, moment, touched or {})
        except StoppedRun:
            by_row = {}  # whether the rows can be is told where all of them are run
        rest = [name for name in self.datasets if name not in by_row]
        after = rows_at(moment, [name for name in rest if _is_run(moment, name)], self.root)
        before = self._before(rest)
        outcome.changes.update({name: changes_between(before.get(name), after.get(name)) for name in rest})
        outcome.rows.update({name: rows for name, rows in after.items() if moment.standing.is_kept(name, tables)})
        return outcome

    def _by_row_in_both(self, moment: Moment, names: Sequence[str]) -> dict[str, tuple[ByRow, ByRow]]:
        found: dict[str, tuple[ByRow, ByRow]] = {}
        for dataset in self.datasets:
            if dataset in self._now.standing.affected(names) and dataset in moment.standing.affected(names):
                old = self._now.standing.form(dataset, names, self._now.tables)
                new = moment.standing.form(dataset, names, moment.tables)
                if isinstance(old, ByRow) and isinstance(new, ByRow):
                    found[dataset] = (old, new)
        return found

    def _between_plans(self, old: ByRow, new: ByRow, moment: Moment, touched: TouchedRows) -> Changeset:
        """Rows as the plans before made them, and as those from now on make them."""
        gone = {name: {id: one._replace(after=None) for id, one in of.items()} for name, of in touched.items()}
        come = {name: {id: one._replace(before=None) for id, one in of.items()} for name, of in touched.items()}
        before, _ = self._now.standing.rows_by_row(old, gone, self._now.tables)
        _, after = moment.standing.rows_by_row(new, come, moment.tables)
        return changes_of_rows(before, after)

    def _commit(self, outcome: Outcome, stepped: Stepped, batch: int, before_commit: BeforeCommit | None) -> None:
        moment, now = outcome.moment, self._now
        draft = outcome.draft or self.store.begin(batch)
        try:
            tables = moment.tables if outcome.draft is not None else _all_written(moment.tables, now.tables, draft)
            groups = _all_written(moment.groups, now.groups, draft)
            for name in outcome.forgotten:
                draft.remove(f"rows:{name}")
            for name, rows in outcome.rows.items():
                write_rows(draft, name, rows)
            for name in now.groups.keys() - groups.keys():
                draft.remove(f"groups:{name}")
            if moment.around is not now.around or moment.standing is not now.standing:
                write_facts(draft, moment, self._inputs)
            if before_commit is not None:
                before_commit(draft, stepped)
            draft.commit()
        except BaseException:
            draft.abandon()
            raise
        self._drop_reading()
        if moment.standing is not now.standing:
            now.standing.run.close()
        self._now = replace(moment, tables=tables, groups=groups)

    def close(self) -> None:
        """Removes what was written for Spark to read; the store stays as it is."""
        self._drop_reading()
        self._now.standing.run.close()


def _all_written(tables: Mapping[str, SourceTable], before: Mapping[str, SourceTable], draft: Draft) -> dict[str, SourceTable]:
    return {name: _written(table, before.get(name), draft) for name, table in tables.items()}


def _written(table: SourceTable, before: SourceTable | None, draft: Draft) -> SourceTable:
    """The table in few files; what is new of it is in the draft."""
    if table is before:
        return table
    return table.compacted().write(draft, before)


def _is_run(moment: Moment, dataset: str) -> bool:
    return moment.standing.described[dataset].engine != "renderer"


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
    tables = {name: read_source(store, name) for name in _named(store, "source")}
    known = read_facts(store)
    inputs, around, types = known.inputs(), known.around(surroundings), known.types()
    standing = _opened(lambda: standing_of(run_over(graph, tables, around, inputs, session, types)))
    groups = {name: read_source(store, name, "groups") for name in _named(store, "groups")}
    for name in standing.described:
        if name not in groups and standing.remembered(name, tables) is not None:
            standing.give_up(name)  # as it was when the rows were run
    return LiveSpark(root, graph, session, store, inputs, Moment(tables, around, standing, groups))


def _started(
    root: Node, graph: Graph, around: Surroundings, frames: Mapping[str, Given], session: SparkSession, store: Store
) -> LiveSpark:
    draft = store.begin(FIRST)
    try:
        started = start(root, graph, around, frames, session, draft)
        inputs = Inputs(reasons=started.reasons, warnings=list(started.warnings))
        moment = _opened(lambda: moment_of(graph, started.tables, around, inputs, session))
        kept = [name for name in moment.standing.described if moment.standing.is_kept(name, started.tables)]
        # Whether rows stop the run is told at once, where it costs little.
        is_small = all(table.scanned is None for table in started.tables.values())
        asked = [name for name in moment.standing.described if _is_run(moment, name)] if is_small else kept
        for name, rows in rows_of_run(moment.standing.run, asked, root).items():
            if name in kept:
                write_rows(draft, name, rows)
        for table in moment.groups.values():
            table.write(draft, None)
        write_facts(draft, moment, inputs)
        draft.commit()
    except Rejected as problem:
        draft.abandon()
        raise RunFailure(f"the rows that the spec starts with cannot be run: {problem.error.reason}") from problem
    except BaseException:
        draft.abandon()
        raise
    return LiveSpark(root, graph, session, store, inputs, moment)


def _opened(opening: Callable[[], Opened]) -> Opened:
    try:
        return opening()
    except Rejected as problem:
        raise RunFailure(f"the rows that the spec starts with cannot be run: {problem.error.reason}") from problem


def _named(store: Store, kind: str) -> list[str]:
    return [name.partition(":")[2] for name in store.tables if name.startswith(f"{kind}:")]
