"""Plans that stand: as long as new rows fit them, changes go through them, in the form that each allows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, assert_never

from sheliak.changes.change import Change, Changeset, Trace, change_between
from sheliak.dataflow.graph import Vertex
from sheliak.engines.protocol import DatasetRun
from sheliak.engines.spark.failures import stopped
from sheliak.engines.spark.fetch import Replacing
from sheliak.engines.spark.live.above import Record, rows_above
from sheliak.engines.spark.live.forms import WHOLE, ByGroup, ByKey, ByRow, Form, Sources, Whole, form_of, row_path
from sheliak.engines.spark.live.grouped import (
    Contributions,
    GroupState,
    GroupStep,
    all_placed,
    contributions_of,
    rows_of_groups,
    scan_of_groups,
    states_of_frame,
    states_of_table,
    stepped,
    table_of_groups,
)
from sheliak.engines.spark.live.keyed import KEY, Moved, tables_of_keys, with_key_text
from sheliak.engines.spark.live.large_sources import scan_like
from sheliak.engines.spark.live.outputs import changes_of_rows
from sheliak.engines.spark.live.restricted import PlacedRows, Restricted, all_go_on, placed_rows, scans_of, with_scans
from sheliak.engines.spark.live.run import LiveSparkRun, Traced
from sheliak.engines.spark.live.segments import fit
from sheliak.engines.spark.live.source_table import SourceTable, Touched
from sheliak.engines.spark.live.traces import Id, Ids, Tracing, told_apart
from sheliak.engines.spark.lower import Lower
from sheliak.engines.spark.results import rows_of_table
from sheliak.engines.spark.summaries import POSITION
from sheliak.expressions.values import Row
from sheliak.plan.operators import Plan, Scan
from sheliak.plan.rewrite import rewritten

if TYPE_CHECKING:
    import pyarrow as pa

Tables: TypeAlias = "Mapping[str, SourceTable]"
TouchedRows: TypeAlias = "Mapping[str, Mapping[Trace, Touched]]"
"""What a step does to the rows of sources, by their names and ids."""
_BothSides: TypeAlias = "tuple[dict[Id, Row], dict[Id, Row]]"
_READING = frozenset({"signal", "expression", "scale", "domain", "projection", "trigger"})


class Standing:
    """The plans of a run, for the steps after it."""

    def __init__(self, run: LiveSparkRun, described: Mapping[str, DatasetRun]) -> None:
        self.run = run
        self.described = described
        self._shaky = _shaky(run)
        self._given_up: set[str] = set()
        self._forms: dict[tuple[str, frozenset[str]], Form] = {}
        self._restricted: dict[int, Restricted] = {}
        self._contributions: dict[str, Contributions] = {}
        self._groups: dict[ByGroup, Restricted] = {}
        self._above: dict[ByGroup, Callable[[Record], Row] | None] = {}
        self._recent: dict[str, tuple[SourceTable, Mapping[str, GroupState]]] = {}
        """The groups that the last step changed, as they are in the table that it made: the next often comes to the same."""

    # Forms

    def affected(self, touched: Sequence[str]) -> list[str]:
        """The datasets that an engine runs and that depend on sources which change."""
        sources = {Vertex("source", name) for name in touched}
        names = [name for name, found in self.described.items() if found.engine != "renderer"]
        return [name for name in names if sources & self.run.graph.behind(Vertex("dataset", name))]

    def form(self, dataset: str, touched: Sequence[str], tables: Tables) -> Form:
        """How changes of some sources go through a dataset."""
        key = (dataset, frozenset(touched))
        if key not in self._forms:
            self._forms[key] = self._form(dataset, frozenset(touched), tables)
        return self._forms[key]

    def _form(self, dataset: str, touched: frozenset[str], tables: Tables) -> Form:
        vertex = Vertex("dataset", dataset)
        if dataset in self._given_up or vertex not in self.run.plans or self._shaky & self.run.graph.behind(vertex):
            return WHOLE
        plan = self.run.plans[vertex]
        changing = frozenset(one for one, name in self.run.named.items() if name in touched)
        form = form_of(plan, Sources(frozenset(self.run.named), changing))
        if form is WHOLE:
            return WHOLE
        below = _below(form)
        looked_up = [
            self.run.named[id(scan.source)] for scan in self._scans(below).values() if id(scan.source) not in row_path(below)
        ]
        # What is looked up is read as it is by now, which is only worth it for few rows.
        return WHOLE if any(tables[name].scanned is not None for name in looked_up) else form

    def give_up(self, dataset: str) -> None:
        """A dataset is told by comparison from now on."""
        self._given_up.add(dataset)
        self._forms = {key: form for key, form in self._forms.items() if key[0] != dataset}

    def remembered(self, dataset: str, tables: Tables) -> ByGroup | None:
        """The form of a dataset whose groups are remembered, whichever of its sources change."""
        forms = [self.form(dataset, [name], tables) for name in tables if dataset in self.affected([name])]
        found = [form for form in forms if isinstance(form, ByGroup)]
        return found[0] if found else None

    def is_kept(self, dataset: str, tables: Tables) -> bool:
        """The rows of a dataset are kept, because its changes are told by comparison, whichever of its sources change."""
        forms = [self.form(dataset, [name], tables) for name in tables if dataset in self.affected([name])]
        return all(form is WHOLE for form in forms)

    def is_read(self, touched: Sequence[str]) -> bool:
        """Signals and scales depend on the rows of these sources: they are computed again, and may stop the run."""
        sources = {Vertex("source", name) for name in touched}
        graph = self.run.graph
        return any(vertex.kind in _READING and sources & graph.behind(vertex) for vertex in graph.order)

    def fits(self, touched: TouchedRows) -> bool:
        """The plans hold for the new rows as well."""
        for name, of in touched.items():
            types = {field.name: field.of for field in self.run.scans[name].schema.fields}
            if not fit([one.after.row for one in of.values() if one.after is not None and one.after.row is not None], types):
                return False
        return True

    def _scans(self, plan: Plan) -> dict[str, Scan]:
        return scans_of(plan, self.run.named)

    # By row

    def changes_by_row(self, form: ByRow, touched: TouchedRows, tables: Tables) -> Callable[[], Changeset]:
        """What a step does to a dataset that goes by row; Spark works on it until it is asked for."""
        plan = form.plan
        if isinstance(plan, Scan):
            return lambda: _changes_given(touched[self.run.named[id(plan.source)]])
        found = self._begun_by_row(form, touched, tables)
        return lambda: changes_of_rows(*found())

    def rows_by_row(self, form: ByRow, touched: TouchedRows, tables: Tables) -> _BothSides:
        """The rows that can have changed, before and after."""
        return self._begun_by_row(form, touched, tables)()

    def _begun_by_row(self, form: ByRow, touched: TouchedRows, tables: Tables) -> Callable[[], _BothSides]:
        plan = form.plan
        if isinstance(plan, Scan):
            return lambda: _given(touched[self.run.named[id(plan.source)]])
        restricted = self._over(plan)
        table = self._begun(restricted, touched, tables)

        def finished() -> _BothSides:
            sides = Sides()
            ids = {id(source): sides.ids(touched[name]) for name, source in restricted.over.items() if name in touched}
            return sides.split(table(), restricted.lowered, Tracing(ids))

        return finished

    def _over(self, plan: Plan) -> Restricted:
        if id(plan) not in self._restricted:
            (fast,) = rewritten([plan], with_all_keys=True)
            self._restricted[id(plan)] = Restricted(fast, self.run.session, self.run.session_sources, self._scans(fast))
        return self._restricted[id(plan)]

    def _begun(self, restricted: Restricted, touched: TouchedRows, tables: Tables) -> Callable[[], pa.Table]:
        """What a plan makes of the rows that change."""
        path = row_path(restricted.plan)
        rows: dict[str, PlacedRows] = {}
        for name, scan in restricted.scans.items():
            if name in touched:
                rows[name] = _changed_rows(touched[name], scan)
            elif id(scan.source) not in path:
                rows[name] = _all_rows(tables[name], scan)
        if restricted.running is not None:
            all_go_on(self._plans())  # datasets with one plan: it ends before it begins again, which may need all of Spark
        with stopped():
            found = restricted.begun(rows)

        def fetched() -> pa.Table:
            all_go_on(self._plans())  # or Spark waits for others
            with stopped():
                return found()

        return fetched

    def start(self, touched: Sequence[str], tables: Tables) -> None:
        """Spark begins with one of the plans that rows of some sources will go through; `finished` ends what is not gone on with."""
        for dataset in self.affected(touched):
            form = self.form(dataset, touched, tables)
            of = self._contributions.get(dataset) if isinstance(form, ByGroup) else None
            plan = form.plan if isinstance(form, ByRow) else of.plan if of is not None else None
            known = self._restricted.get(id(plan))
            # Only one: Spark may have but one core.
            if known is not None and known.start():
                return

    def go_on(self) -> None:
        """Spark gets what it waits for, as far as it has come to it."""
        for plan in self._plans():
            plan.go_on()

    def finished(self) -> None:
        """Waits for what Spark works on, whether or not somebody asked for it."""
        all_go_on(self._plans())
        for plan in self._plans():
            plan.finished()

    def _plans(self) -> list[Restricted]:
        return [*self._restricted.values(), *self._groups.values()]

    # By group

    def contributions(self, dataset: str, form: ByGroup) -> Contributions:
        if dataset not in self._contributions:
            self._contributions[dataset] = contributions_of(form, self.run.planning.column)
        return self._contributions[dataset]

    def changes_by_group(
        self, dataset: str, form: ByGroup, groups: SourceTable, touched: TouchedRows, tables: Tables
    ) -> Callable[[Tables], tuple[SourceTable, Changeset]]:
        """What a step does to a dataset whose groups are remembered: the groups from now on, and the changes.

        Spark works on it until it is asked for, with the rows that the sources have then.
        """
        of = self.contributions(dataset, form)
        restricted = self._over(of.plan)
        restricted.finish = of.finished
        changed = self._begun(restricted, touched, tables)

        def finished(after: Tables) -> tuple[SourceTable, Changeset]:
            found = changed()
            table, known = self._recent.pop(dataset, (groups, {}))  # if this fails, they are to be looked up
            known = known if table is groups else {}
            step = stepped(of, groups, found, lambda: self.all_groups(dataset, form, after), known)
            told = self._told(form, of, step)
            # A group that all rows have left is a new one for the next.
            self._recent[dataset] = (step.table, {text: state for text, state in step.states.items() if state.count})
            return step.table, told

        return finished

    def _told(self, form: ByGroup, of: Contributions, step: GroupStep) -> Changeset:
        if not step.before and not step.after:
            return ()
        if form not in self._above:
            self._above[form] = rows_above(form.plan, form.group)
        above = self._above[form]
        if above is not None:
            sides = [{trace: above(record) for trace, record in side.items()} for side in (step.before, step.after)]
            return changes_of_rows(*sides)
        return self._told_by_spark(form, of, step)

    def _told_by_spark(self, form: ByGroup, of: Contributions, step: GroupStep) -> Changeset:
        restricted = self._over_groups(form, of)
        with stopped():
            table, traces = rows_of_groups(restricted, step)
        sides = Sides()
        ids = {id(restricted.over["groups"]): sides.numbered(traces)}
        return changes_of_rows(*sides.split(table, restricted.lowered, Tracing(ids)))

    def _over_groups(self, form: ByGroup, of: Contributions) -> Restricted:
        """The plan above groups that are at hand."""
        if form not in self._groups:
            scan = scan_of_groups(of)
            above = Replacing({id(form.group): scan})(form.plan)
            self._groups[form] = Restricted(above, self.run.session, self.run.session_sources, {"groups": scan})
        return self._groups[form]

    def rows_of_remembered(self, dataset: str, form: ByGroup, groups: SourceTable) -> Traced:
        """All rows of a dataset whose groups are remembered, in their order."""
        of = self.contributions(dataset, form)
        given, traces = all_placed(of, groups)
        restricted = self._over_groups(form, of)
        with stopped():
            table = restricted.tables({"groups": given})
        found = rows_and_places(table, restricted.lowered)
        trace = Tracing({id(restricted.over["groups"]): traces.__getitem__}).tracer(restricted.lowered)
        return Traced([row for row, _ in found], [trace(place) for _, place in found])

    # By key

    def changes_by_key(
        self, form: ByKey, touched: TouchedRows, tables: Tables, after: Tables, limit: int
    ) -> tuple[Changeset, bool]:
        """What a step does to a dataset whose rows depend on those with their keys; whether that is all."""
        if id(form) not in self._restricted:
            keyed = Restricted(form.below, self.run.session, self.run.session_sources, self._scans(form.below))
            keyed.finish = lambda frame: with_key_text(frame, form.keys)
            self._restricted[id(form)] = keyed
        texts = list(dict.fromkeys(self._begun(self._restricted[id(form)], touched, tables)().column(KEY).to_pylist()))
        if not texts:
            return (), True
        lower = Lower(self.run.session, self.run.session_sources, traced=True)
        scans = self._scans(form.plan)
        with stopped():
            found = tables_of_keys(form, texts, scans, (tables, after), self.run.planning, lower, limit)
        if any(table.num_rows > limit for table, _ in found):
            return (), False
        sides = [self._traced(table, one, of) for (table, one), of in zip(found, (tables, after), strict=True)]
        return changes_of_rows(*sides), True

    def _traced(self, table: pa.Table, moved: Moved, tables: Tables) -> dict[Id, Row]:
        ids: dict[int, Ids] = {id(source): _ids(tables[name]) for name, source in moved.sources.items()}
        ordered = rows_and_places(table, moved.plan)
        traces = Tracing(ids).traces(moved.plan, [place for _, place in ordered])
        return dict(zip(traces, [row for row, _ in ordered], strict=True))

    def all_groups(self, dataset: str, form: ByGroup, tables: Tables) -> dict[str, GroupState]:
        """The groups of all rows that the sources have."""
        of = self.contributions(dataset, form)
        lower = Lower(self.run.session, self.run.session_sources, traced=True)
        scans = {
            id(scan.source): scan_like(scan, tables[name], self.run.planning, lower)
            for name, scan in self._scans(of.plan).items()
        }
        frame = of.finished(lower.frame(with_scans(of.plan, scans), position=True))
        with stopped():
            if any(tables[name].scanned is not None for name in self._scans(of.plan)):
                return states_of_frame(of, frame)
            return states_of_table(of, frame.toArrow())

    def group_table(self, dataset: str, form: ByGroup, tables: Tables) -> SourceTable:
        return table_of_groups(dataset, self.all_groups(dataset, form, tables))


def _below(form: ByRow | ByGroup | ByKey | Whole) -> Plan:
    """The part of a plan that goes by row."""
    match form:
        case ByRow(plan):
            return plan
        case ByGroup(_, group):
            return group.upstream
        case ByKey(_, below):
            return below
        case Whole():
            raise AssertionError("nothing of it goes by row")
        case _:
            assert_never(form)


def _ids(table: SourceTable) -> Ids:
    def id_at(place: int) -> Id:
        found = table.id_at(place)
        assert isinstance(found, (int, float, str))
        return found

    return id_at


class Sides:
    """Tells rows as they were from rows as they are, by the places that they were given."""

    def __init__(self) -> None:
        self.side = 0

    def ids(self, touched: Mapping[Trace, Touched]) -> Ids:
        """The ids of the rows of a source."""
        known = {one.place: one.id for of in touched.values() for one in (of.before, of.after) if one is not None}

        def id_at(place: int) -> Id:
            self.side = place & 1
            found = known[place >> 1]
            assert isinstance(found, (int, float, str))
            return found

        return id_at

    def numbered(self, traces: Sequence[Id]) -> Ids:
        """Traces by number."""

        def trace_at(place: int) -> Id:
            self.side = place & 1
            return traces[place >> 1]

        return trace_at

    def split(self, table: pa.Table, plan: Plan, tracing: Tracing) -> tuple[dict[Id, Row], dict[Id, Row]]:
        """The rows before and after."""
        trace = tracing.tracer(plan)
        ordered = rows_and_places(table, plan)
        found: tuple[list[tuple[Id, Row]], list[tuple[Id, Row]]] = ([], [])
        for row, place in ordered:
            told = trace(place)
            found[self.side].append((told, row))
        before, after = (dict(zip(told_apart([id for id, _ in side]), [row for _, row in side], strict=True)) for side in found)
        return before, after


def rows_and_places(table: pa.Table, plan: Plan) -> list[tuple[Row, Any]]:
    """Rows with their places, in order."""
    from sheliak.engines.spark.results import in_order

    ordered = in_order(table)
    return list(zip(rows_of_table(ordered, plan), ordered.column(POSITION).to_pylist(), strict=True))


def _given(touched: Mapping[Trace, Touched]) -> tuple[dict[Id, Row], dict[Id, Row]]:
    """The rows of a source that stay as they are."""
    before: dict[Id, Row] = {}
    after: dict[Id, Row] = {}
    for id, one in touched.items():
        assert isinstance(id, (int, float, str))
        for version, side in ((one.before, before), (one.after, after)):
            if version is not None and version.row is not None:
                side[id] = version.row
    return before, after


def _changes_given(touched: Mapping[Trace, Touched]) -> Changeset:
    """The changes of such rows, removes first."""
    removes: list[Change] = []
    others: list[Change] = []
    for id, (before, after) in touched.items():
        change = change_between(id, None if before is None else before.row, None if after is None else after.row)
        if change is not None:
            (removes if after is None else others).append(change)
    return (*removes, *others)


def _changed_rows(touched: Mapping[Trace, Touched], scan: Scan) -> PlacedRows:
    rows: list[Row] = []
    places: list[int] = []
    for one in touched.values():
        for version, side in ((one.before, 0), (one.after, 1)):
            if version is not None and version.row is not None:
                rows.append(version.row)
                places.append(2 * version.place + side)
    return placed_rows(rows, places, scan.schema)


def _all_rows(table: SourceTable, scan: Scan) -> PlacedRows:
    versions = table.all()
    return placed_rows([one.row or {} for one in versions], [one.place for one in versions], scan.schema)


def _shaky(run: LiveSparkRun) -> frozenset[Vertex]:
    """The vertices that may mean something else for other rows: those whose parameters, signals or scales depend on rows."""
    found = set(run.asked) | {vertex for vertex, step in run.engines.items() if step.engine != "spark"}
    for vertex in run.graph.order:
        if (
            vertex.kind in _READING
            and any(one.kind == "source" for one in run.graph.behind(vertex))
            or vertex.kind == "transform"
            and _reads_rows(run, vertex)
        ):
            found.add(vertex)
    return frozenset(found)


def _reads_rows(run: LiveSparkRun, vertex: Vertex) -> bool:
    """A transform whose expressions read the rows of datasets; `lookup` reads them row by row."""
    step = run.graph.definitions.by_dataset[vertex.name].transforms[vertex.index]
    others = run.graph.needs[vertex][1:]
    return step.type != "lookup" and any(need.kind in ("source", "transform", "dataset") for need in others)
