"""A run over the rows that sources have now, whose rows keep their traces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from sheliak.dataflow.definitions import DatasetDefinition, Step
from sheliak.dataflow.graph import Graph, Vertex
from sheliak.engines.reference.inputs import Inputs, Surroundings
from sheliak.engines.reference.running import TransformRunning
from sheliak.engines.spark.arrivals import identified, kept_as_they_are
from sheliak.engines.spark.failures import stopped
from sheliak.engines.spark.fetch import collected_together
from sheliak.engines.spark.live.large_sources import plan_of_source, scan_like
from sheliak.engines.spark.live.source_table import SourceTable
from sheliak.engines.spark.live.traces import Id, Ids, Tracing, told_apart
from sheliak.engines.spark.lower import Lower
from sheliak.engines.spark.results import in_order, rows_of_table
from sheliak.engines.spark.run import SparkRun
from sheliak.engines.spark.sources import SessionSources
from sheliak.engines.spark.summaries import POSITION
from sheliak.expressions.values import Row
from sheliak.plan.column_types import ColumnType
from sheliak.plan.operators import Field, Plan, Scan, Schema, Source
from sheliak.plan.rewrite import rewritten
from sheliak.transforms._contract import Transform

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import SparkSession

Types: TypeAlias = dict[str, ColumnType]
"""By the names of fields, in their order."""
_TOGETHER = 12
"""More frames than this are not one job: Spark would plan longer than it saves."""


@dataclass(frozen=True, slots=True)
class Traced:
    """Rows in their order, and which ones they are."""

    rows: list[Row]
    traces: list[Id]

    def by_trace(self) -> dict[Id, Row]:
        return dict(zip(self.traces, self.rows, strict=True))


class LiveSparkRun(SparkRun):
    """The run over sources at one moment. Sources with many rows are read where they lie, the rows of others are at hand."""

    def __init__(
        self,
        graph: Graph,
        surroundings: Surroundings,
        inputs: Inputs,
        tables: Mapping[str, SourceTable],
        session: SparkSession,
        given_types: Mapping[str, Types],
    ) -> None:
        self.tables = tables
        self.given_types = given_types
        """By the names of sources, what their columns hold. Groups and traces are told by what is in a column: rows that have gone count."""
        self.session = session
        self.session_sources = SessionSources(session)
        super().__init__(graph, surroundings, replace(inputs, files={}), Lower(session, self.session_sources, traced=True), {})
        self.traces: dict[Vertex, list[Id]] = {}
        """Of rows that the driver holds."""
        self.leaves: dict[int, Ids] = {}
        """By the identity of a plan's source, which row is at a place."""
        self.named: dict[int, str] = {}
        """By the identity of a plan's source, the dataset whose rows it has."""
        self.scans: dict[str, Scan] = {}
        """The scans of sources."""
        self.asked: set[Vertex] = set()
        """The vertices for which rows were computed while the run was planned: for other rows they may mean something else."""

    # Rows and their traces

    def traced(self, vertices: Sequence[Vertex], limit: int | None = None) -> dict[Vertex, Traced]:
        """The rows of vertices with their traces; with a limit at most one more of each."""
        found = {vertex: held for vertex in vertices if (held := self._held(vertex)) is not None}
        planned = [vertex for vertex in vertices if vertex not in found]
        if not planned:
            return found
        plans = rewritten([self.plans[vertex] for vertex in planned], with_all_keys=True)
        with self.told(*planned), stopped():
            tables = self._tables(plans, limit)
        for vertex, plan, table in zip(planned, plans, tables, strict=True):
            found[vertex] = self.traced_table(table, plan)
        return found

    def traced_table(self, table: pa.Table, plan: Plan) -> Traced:
        """The rows of a plan that came with their places."""
        ordered = in_order(table)
        traces = Tracing(self.leaves).traces(plan, ordered.column(POSITION).to_pylist())
        return Traced(rows_of_table(ordered, plan), traces)

    def _tables(self, plans: Sequence[Plan], limit: int | None) -> list[pa.Table]:
        frames = [self.lower.frame(plan, position=True) for plan in plans]
        if limit is not None:
            frames = [frame.limit(limit + 1) for frame in frames]
        tables: list[pa.Table] = []
        for start in range(0, len(frames), _TOGETHER):
            some = frames[start : start + _TOGETHER]
            tables += [some[0].toArrow()] if len(some) == 1 else collected_together(some)
        return tables

    def _held(self, vertex: Vertex) -> Traced | None:
        """Rows that are at hand: the driver's, and those of a source that stays as it is."""
        if dict.__contains__(self.rows, vertex) and vertex in self.traces:
            return Traced(self.rows[vertex], self.traces[vertex])
        plan = self.plans.get(vertex)
        if not isinstance(plan, Scan) or plan.source.rows is None or id(plan.source) not in self.leaves:
            return None
        ids = self.leaves[id(plan.source)]
        return Traced([dict(row) for row in plan.source.rows], [ids(place) for place in range(len(plan.source.rows))])

    def rows_at(self, vertex: Vertex) -> list[Row]:
        self._ask()
        twin = self.twin(vertex)
        if twin is not None and twin in self.traces:
            self.traces[vertex] = self.traces[twin]
            return kept_as_they_are(self.rows[twin])
        found = self.traced([vertex])[vertex]
        self.traces[vertex] = found.traces
        return found.rows

    def _ask(self) -> None:
        if self.at is not None:
            self.asked.add(self.at)

    def computed(self, plan: Plan) -> list[Row]:
        self._ask()
        return super().computed(plan)

    def plan_of(self, vertex: Vertex) -> Plan:
        known = vertex in self.plans
        plan = super().plan_of(vertex)
        if not known and isinstance(plan, Scan):
            traces = self.traces[vertex]
            self.leaves[id(plan.source)] = traces.__getitem__
        return plan

    # What vertices start with

    def given_plan(self, definition: DatasetDefinition) -> Plan | None:
        table = self.tables.get(definition.name)
        if table is None or definition.name in self.given:
            return None
        plan, ids = self._scan(table)
        self.leaves[id(plan.source)] = ids
        self.named[id(plan.source)] = definition.name
        self.scans[definition.name] = plan
        return plan

    def _scan(self, table: SourceTable) -> tuple[Scan, Ids]:
        fields = self._given_fields(table.name)
        if table.scanned is not None:
            plan = plan_of_source(table, self.planning, self.lower)
            if fields is not None and _types(fields) != _types(plan.schema.fields):
                plan = scan_like(Scan(plan.source, Schema(fields)), table, self.planning, self.lower)
            return plan, lambda place: _id(table.id_at(place))
        versions = table.all()
        rows = [one.row or {} for one in versions]
        if fields is None:
            found = self.planning.rows(table.name, rows)
            assert isinstance(found, Scan)
        else:
            found = Scan(Source(table.name, rows, count=len(rows)), Schema(fields))
        ids = [_id(one.id) for one in versions]
        return found, ids.__getitem__

    def _given_fields(self, name: str) -> tuple[Field, ...] | None:
        if name not in self.given_types:
            return None
        return tuple([Field(field, self.planning.column(), of) for field, of in self.given_types[name].items()])

    @property
    def types(self) -> dict[str, Types]:
        """By the names of sources, what their columns hold."""
        return {name: _types(scan.schema.fields) for name, scan in self.scans.items()}

    def _run(self, vertex: Vertex) -> None:
        super()._run(vertex)
        if vertex.kind in ("source", "dataset") and dict.__contains__(self.rows, vertex):
            self.traces[vertex] = self._traces_of(vertex)

    def _traces_of(self, vertex: Vertex) -> list[Id]:
        if vertex.kind == "dataset":
            return self.traces_at(self.graph.needs[vertex][0])
        definition = self.graph.definitions.by_dataset[vertex.name]
        upstream = [self.graph.outputs[name] for name in definition.upstream]
        if definition.origin != "source" or vertex.name in self.given:
            return [number + 1 for number in range(len(self.rows[vertex]))]
        if len(upstream) == 1:
            return self.traces_at(upstream[0])
        return [f"{number}: {trace}" for number, one in enumerate(upstream) for trace in self.traces_at(one)]

    def traces_at(self, vertex: Vertex) -> list[Id]:
        """The traces of a vertex's rows, which the driver holds or can ask for."""
        if vertex not in self.traces:
            found = self.traced([vertex])[vertex]
            self.traces[vertex] = found.traces
        return self.traces[vertex]

    def _run_again(self, vertex: Vertex) -> None:
        self.traces.pop(vertex, None)
        super()._run_again(vertex)
        if vertex.kind != "transform":
            self.traces[vertex] = self._traces_of(vertex)

    def _run_on_driver(self, transform: Transform, vertex: Vertex, upstream: Vertex, step: Step) -> None:
        self._ask()
        rows, traces = self.rows[upstream], self.traces_at(upstream)
        if upstream in self.plans:
            with self.told(vertex), stopped():
                rows = identified(rows, self.plans[upstream], self.lower)
        places = {id(row): place for place, row in enumerate(rows)}
        made = transform.rows(rows, TransformRunning(self, step.signal, step))
        self.rows[vertex] = made
        found: list[Id] = []
        for row in made:
            place = places.get(id(row))
            found.append(f"{transform.type}({len(found)})" if place is None else traces[place])
        self.traces[vertex] = told_apart(found)

    def close(self) -> None:
        self.session_sources.close()


def _types(fields: Sequence[Field]) -> Types:
    return {field.name: field.of for field in fields}


def _id(trace: object) -> Id:
    assert isinstance(trace, (int, float, str))
    return trace
