"""A run whose datasets are plans of Spark as long as they can be."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from operator import itemgetter

from sheliak.compiler.planning import ChartPlanning, Identifiers
from sheliak.dataflow.definitions import DatasetDefinition, Step
from sheliak.dataflow.graph import Graph, Vertex
from sheliak.engines.failures import RowLimit, RunFailure
from sheliak.engines.protocol import Progress, TransformRun, silent
from sheliak.engines.reference.inputs import (
    Inputs,
    Surroundings,
    decided_by_signals,
    in_words,
    load_url,
)
from sheliak.engines.reference.parameters import with_values
from sheliak.engines.reference.run import Run
from sheliak.engines.reference.running import TransformRunning
from sheliak.engines.reference.sources import FileAtHand
from sheliak.engines.spark.arrivals import are_identified, identified, kept_as_they_are, plan_of_rows, turns_of, united
from sheliak.engines.spark.domain_rows import rows_for_scale
from sheliak.engines.spark.failures import StoppedRun, stopped, told
from sheliak.engines.spark.fetch import fetch
from sheliak.engines.spark.given import Given, GivenRows, with_format
from sheliak.engines.spark.lower import Lower
from sheliak.engines.spark.planned_values import FinishedDatasets, PlannedDatasets, PlannedRows, PublishedSignals
from sheliak.engines.spark.reading.files import FileReading, is_apart
from sheliak.engines.spark.reading.uses import uses_of
from sheliak.engines.spark.shared_rows import may_compare, passes_on, shared_vertices, ties_rows
from sheliak.engines.spark.sources import SessionSources
from sheliak.engines.spark.tables import scan_table
from sheliak.expressions.values import EvaluationError, Row, Value
from sheliak.loading.rows import rows_of_file
from sheliak.plan.building import fresh
from sheliak.plan.column_types import has_identity
from sheliak.plan.operators import Fresh, Group, Plan, Union
from sheliak.plan.rewrite.pruned_columns import in_reading_order
from sheliak.plan.single_objects import are_single
from sheliak.plan.stopping import reasons_of_stops
from sheliak.plan.unplannable import ByIdentity, Unplannable
from sheliak.transforms._contract import Transform
from sheliak.transforms._reading import read_transform
from sheliak.transforms._running import writes_into_its_input


class SparkRun(Run):
    """A run whose datasets are plans as long as they can be."""

    row_limit: int | None = None
    """More rows than this are not brought to the driver."""
    progress: Progress = staticmethod(silent)
    at: Vertex | None = None
    """The vertex that is run just now."""

    def __init__(
        self, graph: Graph, surroundings: Surroundings, inputs: Inputs, lower: Lower, frames: Mapping[str, Given]
    ) -> None:
        super().__init__(graph, surroundings, inputs)
        self.lower = lower
        self.frames = frames
        self.plans: dict[Vertex, Plan] = {}
        self.later: dict[str, Callable[[], Value]] = {}
        """What transforms publish, once somebody asks."""
        self.engines: dict[Vertex, TransformRun] = {}
        self.random_at: dict[Vertex, tuple[float, float]] = {}
        """Where random numbers began for the transforms."""
        self.numbers_at: dict[Vertex, Identifiers] = {}
        """Which numbers `identifier` had given before the transforms."""
        self.tied: set[Vertex] = set()
        """The vertices whose rows hold other rows of the same dataset."""
        self.signals = self.lazy = PublishedSignals(self.signals)
        self.rows = PlannedRows(self)
        self.finished = FinishedDatasets(self)
        self.planning = ChartPlanning(surroundings.zone, self.environment, self.computed, PlannedDatasets(self))
        self.shared = shared_vertices(graph)
        self.read = graph.behind(*(vertex for vertex in graph.needs if vertex.kind != "scale"))
        """What datasets and signals depend on: the other scales would bring rows to the driver for nothing."""
        assert isinstance(lower.sources, SessionSources)
        self.reading = FileReading(lower.sources, surroundings.zone, uses_of(graph.definitions.root.value))

    def again(self, surroundings: Surroundings, changed: frozenset[Vertex]) -> SparkRun:
        """The run for other surroundings, of which only the changed vertices are run anew."""
        run = SparkRun(self.graph, surroundings, self.inputs, self.lower, self.frames)
        run.row_limit, run.progress, run.orders = self.row_limit, self.progress, self.orders
        run.planning.columns = self.planning.columns
        run.plans |= {vertex: plan for vertex, plan in self.plans.items() if vertex not in changed}
        run.engines |= {vertex: step for vertex, step in self.engines.items() if vertex not in changed}
        run.reasons |= {vertex: reason for vertex, reason in self.reasons.items() if vertex not in changed}
        run.rows.update({vertex: rows for vertex, rows in self.rows.items() if vertex not in changed})
        run.tied |= self.tied - changed
        run.random_at |= self.random_at
        run.numbers_at |= self.numbers_at
        for name in [*self.signals, *self.lazy.later]:
            if Vertex("signal", name) not in changed:
                if name in self.lazy.later:
                    run.lazy.later[name] = self.lazy.later[name]
                else:
                    run.signals[name] = self.signals[name]
        run.texts |= {text: value for text, value in self.texts.items() if Vertex("expression", text) not in changed}
        run.scales |= {name: scale for name, scale in self.scales.items() if Vertex("scale", name) not in changed}
        run.run(changed)
        return run

    def computed(self, plan: Plan) -> list[Row]:
        """The rows of a plan."""
        with self.told(self.at), stopped(self.place_of_stop), self.progress(self._waited_for()):
            return fetch({"": plan}, self.lower)[""]

    def _waited_for(self) -> str:
        dataset, transform = self._place(self.at) if self.at is not None else (None, None)
        return f"{dataset}: what {transform or 'it'} depends on" if dataset is not None else "what signals depend on"

    def told(self, *vertices: Vertex | None) -> AbstractContextManager[None]:
        """A block in which a failing job is a RunFailure; of one vertex, it is that dataset's and transform's."""
        vertex = vertices[0] if len(vertices) == 1 else None
        if vertex is not None and vertex.kind == "dataset":
            vertex = self.graph.needs[vertex][0]
        return told(*(self._place(vertex) if vertex is not None else (None, None)))

    def place_of_stop(self, reason: str) -> tuple[str | None, str | None]:
        """The dataset and the transform that stop a run for this reason, where only one can; else the dataset."""
        found = {self._place(vertex) for vertex in dict.keys(self.plans) if reason in self._reasons_of_stops(vertex)}
        if len(found) == 1:
            return found.pop()
        datasets = {dataset for dataset, _ in found}
        return (datasets.pop() if len(datasets) == 1 else None), None

    def _reasons_of_stops(self, vertex: Vertex) -> set[str]:
        if vertex.kind != "transform":
            return set()
        below = [self.plans[one] for one in self.graph.needs[vertex] if one in self.plans]
        return reasons_of_stops(self.plans[vertex], below)

    def label(self, vertices: Iterable[Vertex]) -> str:
        """What is computed, for people who wait: the datasets with their transforms."""
        return "; ".join(dict.fromkeys(self._label(vertex) for vertex in vertices))

    def _label(self, vertex: Vertex) -> str:
        steps = self.graph.definitions.by_dataset[vertex.name].transforms
        types = ", ".join(dict.fromkeys(step.type for step in steps))
        return f"{vertex.name}: {types}" if types else vertex.name

    def rows_at(self, vertex: Vertex) -> list[Row]:
        """The rows of a vertex that is a plan, brought to the driver; where another with this plan was, with the very same objects in them."""
        twin = self.twin(vertex)
        if twin is not None:
            return kept_as_they_are(self.rows[twin])
        return self.fetched({vertex: self.plans[vertex]}, "something that Spark cannot run reads them")[vertex]

    def bring(self, vertices: Iterable[Vertex]) -> None:
        """The groups of several datasets at once, in as few passes as those of a chart; where that fails, each is brought when it is read."""
        wanted: dict[int, Vertex] = {}
        for vertex in vertices:
            plan = self.plans.get(vertex)
            if plan is not None and not dict.__contains__(self.rows, vertex) and self.twin(vertex) is None and _groups(plan):
                wanted.setdefault(id(_bare(plan)), vertex)
        if len(wanted) > 1:
            with suppress(RunFailure, StoppedRun):
                plans = {vertex: self.plans[vertex] for vertex in wanted.values()}
                self.rows.update(self.fetched(plans, "they are asked for"))

    def twin(self, vertex: Vertex) -> Vertex | None:
        """Another vertex with the plan of this one, whose rows were brought to the driver."""
        plan = _bare(self.plans[vertex])
        held = (one for one in dict.keys(self.rows) if one != vertex and one in self.plans and _bare(self.plans[one]) is plan)
        return next((one for one in held if not are_identified(self.rows[one])), None)

    def output(self, name: str) -> list[Row]:
        """The rows of a dataset; of one with too many, for a scale, those that give it the same domain."""
        try:
            return super().output(name)
        except RowLimit:
            rows = rows_for_scale(self, name)
            if rows is None:
                raise
            return rows

    def fetched(self, plans: Mapping[Vertex, Plan], use: str, limit: int | None = None) -> dict[Vertex, list[Row]]:
        """The rows of several plans at once. Raises RowLimit for one that has too many."""
        most = self.row_limit if limit is None else limit
        by_name = {str(number): plan for number, plan in enumerate(plans.values())}
        with self.told(*plans), stopped(self.place_of_stop), self.progress(self.label(plans)):
            found = fetch(by_name, self.lower, limit=most)
        rows = dict(zip(plans, (found[number] for number in by_name), strict=True))
        for vertex, of in rows.items():
            if most is not None and len(of) > most:
                raise RowLimit(vertex.name, most, use)
        return rows

    def plan_of(self, vertex: Vertex) -> Plan:
        """The plan of a vertex; of rows that the driver holds, a scan of them."""
        if vertex not in self.plans:
            rows = kept_as_they_are(self.rows[vertex]) if vertex in self.shared else self.rows[vertex]
            self.plans[vertex] = plan_of_rows(vertex.name, rows, self.planning)
        return self.plans[vertex]

    def _run(self, vertex: Vertex) -> None:
        self.at = vertex
        if vertex.kind == "trigger":
            return  # the plain run before has asked them
        if vertex.kind == "scale" and vertex not in self.read:
            return
        if vertex.kind == "source" and self._plan_source(self.graph.definitions.by_dataset[vertex.name], vertex):
            return
        super()._run(vertex)

    def _plan_source(self, definition: DatasetDefinition, vertex: Vertex) -> bool:
        """Whether a dataset starts with a plan: a frame, or the plans of other datasets."""
        for need in self.graph.needs[vertex]:
            self._require(need)
        given = self.given_plan(definition)
        if given is not None:
            self.plans[vertex] = given
            return True
        if definition.origin != "source":
            return False
        upstream = self.sources_of(definition)
        if any(one in self.tied for one in upstream):
            self.tied.add(vertex)
        if all(one not in self.plans for one in upstream):
            return False
        try:
            if vertex in self.shared or vertex in self.tied:
                raise Unplannable("its rows are shown elsewhere, and what is written into them")
            plan = united([self.plan_of(one) for one in upstream], self.planning)
        except Unplannable:
            self._take_in(definition)
            return False
        if isinstance(plan, Union) and len(upstream) > 1:
            plan = replace(plan, turns=turns_of(definition.upstream, self.graph.definitions))
        self.plans[vertex] = fresh(plan) if writes_into_its_input(definition.classes) else plan
        return True

    def _take_in(self, definition: DatasetDefinition, among: Collection[Vertex] | None = None) -> None:
        """Numbers the rows of plans that the driver puts together, each once, in the turn of their datasets; or some of them."""
        turns = turns_of(definition.upstream, self.graph.definitions)
        taken: dict[int, Vertex] = {}
        for _, vertex in sorted(zip(turns, self.sources_of(definition), strict=True), key=itemgetter(0)):
            if vertex not in self.plans or (among is not None and vertex not in among):
                continue
            one = taken.setdefault(id(self.plans[vertex]), vertex)
            if one != vertex:  # the rows of another dataset, which this one passes on as they are
                self.rows[vertex] = kept_as_they_are(self.rows[one])
            elif not are_identified(self.rows[vertex]):
                with self.told(vertex), stopped(self.place_of_stop):
                    self.rows[vertex] = identified(self.rows[vertex], self.plans[vertex], self.lower)

    def _take_in_before(self, vertex: Vertex) -> None:
        """Numbers the rows that those of a vertex are copies of, if a dataset will show both: they were there first."""
        behind = self.graph.behind(vertex)
        for definition in self.graph.definitions.datasets:
            if len(definition.upstream) > 1:
                self._take_in(definition, behind)

    def given_plan(self, definition: DatasetDefinition) -> Plan | None:
        """The plan of a dataset that Spark reads: a frame, rows or a file that the caller gives, or a file of the spec."""
        name = definition.name
        given = self.frames.get(name) or self.inputs.files.get(name) or self._file_by_signals(definition)
        if isinstance(given, FileAtHand) and name in self.frames:
            given = with_format(given, definition.node.get("format"))
        if isinstance(given, FileAtHand):
            with told(name):
                plan = self.reading.plan(name, given, self.planning)
            if plan is None:
                self.inputs.rows[name] = self._rows_of_file(name, given)
            return plan
        if isinstance(given, GivenRows):
            return self.planning.rows(name, given.rows)
        return None if given is None else scan_table(name, given, self.planning, used=self.reading.used)

    def _file_by_signals(self, definition: DatasetDefinition) -> FileAtHand | None:
        """The file that Spark reads where signals give the url or the format."""
        if definition.origin != "url" or not decided_by_signals(definition) or definition.name in self.inputs.reasons:
            return None
        if definition.name in self.inputs.rows or definition.name in self.given:
            return None
        loaded = load_url(*self.source_by_signals(definition), self.surroundings, definition.name, is_apart)
        return loaded if isinstance(loaded, FileAtHand) else None

    def _rows_of_file(self, name: str, file: FileAtHand) -> list[Row]:
        loaded = rows_of_file(file.path, file.url, file.format, self.surroundings.zone)
        if loaded.warning is not None and self.surroundings.strict_files:
            raise RunFailure(in_words(loaded.warning, file.url), dataset=name)
        self.warnings += [loaded.warning] if loaded.warning is not None else []
        return loaded.rows

    def _pass_on(self, vertex: Vertex) -> None:
        for need in self.graph.needs[vertex]:
            self._require(need)
        if vertex.kind == "dataset":
            need = self.graph.needs[vertex][0]
            if need in self.plans and not dict.__contains__(self.rows, need):
                self.plans[vertex] = self.plans[need]
            else:
                self.rows[vertex] = self.rows[need]

    def _run_transform(self, vertex: Vertex) -> None:
        step = self.graph.definitions.by_dataset[vertex.name].transforms[vertex.index]
        upstream = self.graph.needs[vertex][0]
        self._require(upstream)
        if step.cls is None or not step.cls.runs():
            super()._run_transform(vertex)
            return
        transform = read_transform(with_values(step, self.signal_object))
        self.random_at[vertex] = self.environment.random.state
        self.numbers_at[vertex] = replace(self.planning.identifiers)
        try:
            if vertex in self.shared:
                raise Unplannable("a later transform writes into these very rows")
            if upstream in self.tied and passes_on(transform):
                raise Unplannable("the rows hold each other, and show what is written into them")
            self.planning.computed = TransformRunning(self, step.signal, step).is_computed
            self.plans[vertex] = self._planned(transform, upstream, step.signal)
            self.engines[vertex] = TransformRun(step.type, "spark")
            self._turn(vertex)
        except (Unplannable, EvaluationError) as reason:
            self.planning.identifiers = replace(self.numbers_at[vertex])
            if isinstance(reason, ByIdentity) or may_compare(step):
                self._bring_down(upstream, others=self._reads_other_rows(vertex))
            self.engines[vertex] = TransformRun(step.type, "driver", str(reason))
            self._run_on_driver(transform, vertex, upstream, step)
            if ties_rows(transform) or (upstream in self.tied and passes_on(transform)):
                self.tied.add(vertex)

    def _reads_other_rows(self, vertex: Vertex) -> bool:
        """A transform reads signals or datasets that may hold what its own rows hold."""
        _, *others = self.graph.needs[vertex]
        return any(one.kind == "source" for one in self.graph.behind(*others))

    def _bring_down(self, vertex: Vertex, *, others: bool) -> None:
        """The driver itself makes rows that hold an object in several places, for a transform that tells it from copies.

        Others may hold it too: then it makes all rows, from those that were brought to it.
        """
        if vertex not in self.plans or (are_single(self.plans[vertex]) and not (others and self._is_derived(vertex))):
            return
        if dict.__contains__(self.rows, vertex) and (others or are_identified(self.rows[vertex])):
            return
        if others and self.twin(vertex) is not None:
            return
        for need in self.graph.needs[vertex]:
            self._bring_down(need, others=others)
        del self.plans[vertex]
        self.rows.pop(vertex, None)
        self._run_again(vertex)

    def _is_derived(self, vertex: Vertex) -> bool:
        """Its rows are made from those of other vertices, and hold what can be compared by identity."""
        if vertex.kind == "source" and self.graph.definitions.by_dataset[vertex.name].origin != "source":
            return False
        return any(has_identity(field.of) for field in self.plans[vertex].schema.fields)

    def _run_again(self, vertex: Vertex) -> None:
        """A vertex on the driver, which was planned before."""
        if vertex.kind == "transform":
            step = self.graph.definitions.by_dataset[vertex.name].transforms[vertex.index]
            self.engines[vertex] = TransformRun(
                step.type, "driver", "a later transform compares dates, lists or objects of these rows by identity"
            )
            random = self.environment.random
            drawn, random.state = random.state, self.random_at[vertex]
            given, self.planning.identifiers = self.planning.identifiers, replace(self.numbers_at[vertex])
            self._run_on_driver(read_transform(with_values(step, self.signal_object)), vertex, self.graph.needs[vertex][0], step)
            random.state, self.planning.identifiers = drawn, given
        else:
            if vertex.kind == "source":
                self._take_in(self.graph.definitions.by_dataset[vertex.name])
            super()._run(vertex)

    def _planned(self, transform: Transform, upstream: Vertex, signal: str | None) -> Plan:
        self.planning.published = None
        plan = transform.plan(self.plan_of(upstream), self.planning)
        if signal is not None:
            if self.planning.published is None:
                raise Unplannable("its signal holds what only a run on the driver has")
            self.later[signal] = self.planning.published
        return plan

    def _run_on_driver(self, transform: Transform, vertex: Vertex, upstream: Vertex, step: Step) -> None:
        rows = self.rows[upstream]
        if upstream in self.plans:
            self._take_in_before(upstream)
            # Rows of a plan belong to nobody else, but may be asked for again.
            with self.told(vertex), stopped(self.place_of_stop):
                rows = identified(self.rows[upstream], self.plans[upstream], self.lower)
        self.rows[vertex] = transform.rows(rows, TransformRunning(self, step.signal, step))
        self._turn(vertex)

    def next_identifier(self) -> float:
        return self.planning.identifiers.following()

    def latest_identifier(self) -> float:
        return self.planning.identifiers.latest()

    def _turn(self, vertex: Vertex) -> None:
        owner = None if self.orders is None else self.orders.turned.get(vertex)
        for shown in () if owner is None else (self.graph.outputs[owner], Vertex("dataset", owner)):
            if shown in self.rows:
                self.plans.pop(shown, None)
                self.rows.pop(shown, None)
                if vertex in self.plans:
                    self.plans[shown] = self.plans[vertex]
                else:
                    self.rows[shown] = self.rows[vertex]

    def _run_signal(self, vertex: Vertex) -> None:
        later = self.later.pop(vertex.name, None)
        if later is None or vertex.name in self.surroundings.signals:
            super()._run_signal(vertex)
        else:
            self._require(self.graph.needs[vertex][0])
            self.signals.pop(vertex.name, None)
            self.lazy.later[vertex.name] = later


def _groups(plan: Plan) -> bool:
    return any(isinstance(below, Group) for below in in_reading_order([plan]))


def _bare(plan: Plan) -> Plan:
    """A plan whose rows are the same, but for their numbers."""
    return plan.upstream if isinstance(plan, Fresh) else plan
