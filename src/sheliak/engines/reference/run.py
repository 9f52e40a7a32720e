"""One run: the vertices of the graph in Vega's order, each from the values of those it needs, as on a chart's first pulse."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import cast

from sheliak.dataflow.definitions import DatasetDefinition
from sheliak.dataflow.graph import Graph, Vertex
from sheliak.engines.failures import RunFailure
from sheliak.engines.protocol import Unavailable
from sheliak.engines.reference.environment import RunEnvironment, value_of_text
from sheliak.engines.reference.inputs import Inputs, Surroundings, load_url
from sheliak.engines.reference.parameters import replaced_signals, scale_without_signals, with_values
from sheliak.engines.reference.resorted import ReadingOrders
from sheliak.engines.reference.running import TransformRunning
from sheliak.engines.reference.scales.building import Definition, build_scale
from sheliak.engines.reference.sources import are_objects
from sheliak.engines.reference.triggers import Changes, ingestible, listed, parts_of
from sheliak.expressions.environment import Scale, counted
from sheliak.expressions.random_source import RandomSource
from sheliak.expressions.values import UNDEFINED, EvaluationError, Row, Value
from sheliak.loading.rows import LoadedRows, LoadFailure, parsed_values, value_of_json
from sheliak.plan.budget import OverBudget
from sheliak.source.tree import Node
from sheliak.transforms._contract import Transform
from sheliak.transforms._reading import read_transform
from sheliak.transforms._running import IdentifiedRow, begin, ingest


@dataclass(slots=True)
class Run:
    """The values of vertices so far. A vertex that only the renderer can compute has a reason instead of a value."""

    graph: Graph
    surroundings: Surroundings
    inputs: Inputs
    signals: dict[str, Value] = field(default_factory=dict)
    texts: dict[str, Value] = field(default_factory=dict)
    """The values of the expressions in signal objects."""
    rows: dict[Vertex, list[Row]] = field(default_factory=dict)
    finished: dict[str, list[Row]] = field(default_factory=dict)
    """The rows of the datasets that are done."""
    scales: dict[str, Scale] = field(default_factory=dict)
    counted: dict[tuple[str, str], Mapping[str, int]] = field(default_factory=dict)
    """How many rows of a dataset have each value of a field, for `indata`."""
    reasons: dict[Vertex, str] = field(default_factory=dict)
    published: dict[str, Value] = field(default_factory=dict)
    changes: dict[str, Changes] = field(default_factory=dict)
    """What triggers and `modify` did to datasets; it takes effect when the run is over."""
    given: dict[str, list[Row]] = field(default_factory=dict)
    """Rows that `setdata` gave to datasets."""
    warnings: list[str] = field(default_factory=list)
    error: str | None = None
    """What stopped the run; later vertices then have neither value nor reason."""
    last_identifier: float = 0.0
    orders: ReadingOrders | None = None
    """Which lists of rows are sorted where they lie; None where only changes go through the graph."""
    taken_in: dict[str, list[Row]] = field(default_factory=dict)
    """Rows of sources that have their numbers, and that no dataset has started with yet."""
    environment: RunEnvironment = field(init=False)

    def __post_init__(self) -> None:
        around = self.surroundings
        self.environment = RunEnvironment(self, around.zone, around.now, RandomSource(around.seed))
        for signal in self.graph.definitions.signals:
            value = signal.node.get("value")
            self.signals[signal.name] = UNDEFINED if value is None else value_of_json(value.value)
        self.signals |= around.signals

    def first(self) -> Run:
        """Runs all vertices as a chart does when it starts: all sources are taken in before, those of files behind the others."""
        self.orders = ReadingOrders(self.graph)
        for definition in sorted(self.graph.definitions.datasets, key=lambda one: one.origin == "url"):
            rows = self.inputs.rows.get(definition.name)
            if rows is not None and are_objects(rows):
                self.taken_in[definition.name] = [ingest(row) for row in rows]
        return self.run()

    def run(self, only: frozenset[Vertex] | None = None) -> Run:
        """Runs all vertices, or only some, up to an error."""
        for vertex in self.graph.order if only is None else [one for one in self.graph.order if one in only]:
            try:
                self._run(vertex)
            except Unavailable as reason:
                self._leave_to_renderer(vertex, str(reason))
            except EvaluationError as error:
                self.error = str(error)
                break
            except OverBudget as problem:
                raise RunFailure(str(problem), help=problem.help).at(*self._place(vertex)) from problem
            except RecursionError:
                self._leave_to_renderer(vertex, "its values are nested too deeply")
        return self

    def next_identifier(self) -> float:
        """One more number for `identifier`."""
        self.last_identifier += 1
        return self.last_identifier

    def latest_identifier(self) -> float:
        return self.last_identifier

    def _place(self, vertex: Vertex) -> tuple[str | None, str | None]:
        """The dataset and the transform that a vertex belongs to."""
        if vertex.kind == "transform":
            return vertex.name, self.graph.definitions.by_dataset[vertex.name].transforms[vertex.index].type
        return (vertex.name if vertex.kind in ("source", "dataset", "trigger") else None), None

    def _leave_to_renderer(self, vertex: Vertex, reason: str) -> None:
        self.reasons[vertex] = reason
        if vertex.kind == "signal":
            self.signals.pop(vertex.name, None)

    def _run(self, vertex: Vertex) -> None:
        match vertex.kind:
            case "signal":
                self._run_signal(vertex)
            case "expression":
                self.texts[vertex.name] = value_of_text(vertex.name, self.environment)
            case "scale":
                self._run_scale(vertex)
            case "projection":
                raise Unavailable("projections belong to the renderer")
            case "source":
                self.rows[vertex] = self._source_rows(self.graph.definitions.by_dataset[vertex.name])
            case "transform":
                self._run_transform(vertex)
            case "trigger":
                self._run_trigger(vertex)
            case "dataset" | "domain":
                self._pass_on(vertex)

    def _pass_on(self, vertex: Vertex) -> None:
        """A dataset is what its last transform gave; a domain waits for the datasets it is made from."""
        for need in self.graph.needs[vertex]:
            self._require(need)
        if vertex.kind == "dataset":
            self.rows[vertex] = self.finished[vertex.name] = self.rows[self.graph.needs[vertex][0]]

    def _require(self, vertex: Vertex) -> None:
        if vertex in self.reasons:
            raise Unavailable(self.reasons[vertex])

    # Signals and scales

    def _run_signal(self, vertex: Vertex) -> None:
        name = vertex.name
        definition = self.graph.definitions.by_signal.get(name)
        if name in self.surroundings.signals:
            return
        if definition is None:
            self._require(self.graph.needs[vertex][0])
            self.signals[name] = self.published.get(name, UNDEFINED)
        elif self._is_fitted(name):
            raise Unavailable(f"`{name}` is fitted to the chart when it is drawn")
        elif definition.expression is not None:
            self.signals[name] = value_of_text(definition.expression, self.environment)

    def _is_fitted(self, name: str) -> bool:
        """Vega changes `width` and `height` once it has laid out a chart that has to fit into them, padding included or not."""
        autosize = self.signals.get("autosize")
        if name not in ("width", "height") or not isinstance(autosize, dict):
            return False
        kind = autosize.get("type")
        if kind == "none":
            return autosize.get("contains") == "padding"
        return kind in ("fit", "fit-x" if name == "width" else "fit-y")

    def _run_scale(self, vertex: Vertex) -> None:
        for need in self.graph.needs[vertex]:
            self._require(need)
        given = scale_without_signals(self.graph.definitions.scales[vertex.name].value, self.signal_object)
        ranges = self.graph.definitions.root.descend("config", "range")
        named = ranges.value if ranges is not None and isinstance(ranges.value, dict) else {}
        self.scales[vertex.name] = build_scale(Definition(given, named, self, self.signal, self.surroundings.zone))

    def output(self, name: str) -> list[Row]:
        """The rows of a dataset after its last transform."""
        vertex = self.graph.outputs.get(name)
        if vertex is None:
            raise EvaluationError(f'Undefined data set name: "{name}"')
        self._require(vertex)
        return self.rows[vertex]

    def running(self) -> TransformRunning:
        """For aggregates that no transform asks for: those a scale sorts its domain by."""
        return TransformRunning(self, None)

    # Datasets

    def _source_rows(self, definition: DatasetDefinition) -> list[Row]:
        vertex = Vertex("source", definition.name)
        for need in self.graph.needs[vertex]:
            self._require(need)
        if definition.name in self.given:
            return self._begun(definition, self.given[definition.name])
        if definition.name in self.inputs.reasons:
            raise Unavailable(self.inputs.reasons[definition.name])
        if definition.name in self.inputs.rows:
            return self._begun(definition, self.taken_in.pop(definition.name, self.inputs.rows[definition.name]))
        if definition.origin == "source":
            return self._begun(definition, [row for rows in self._upstream_rows(definition) for row in rows])
        if definition.origin == "none":
            return []
        return self._begun(definition, self._loaded_by_signals(definition))

    def sources_of(self, definition: DatasetDefinition) -> list[Vertex]:
        """The vertices with the rows that a derived dataset starts with, in the order in which it finds them."""
        own = [self.graph.outputs[name] for name in definition.upstream]
        found = own if self.orders is None else self.orders.reads[definition.name]
        return [vertex if vertex in self.rows else plain for vertex, plain in zip(found, own, strict=True)]

    def _upstream_rows(self, definition: DatasetDefinition) -> Iterator[list[Row]]:
        for name, vertex in zip(definition.upstream, self.sources_of(definition), strict=True):
            yield self.output(name) if vertex == self.graph.outputs[name] else self.rows[vertex]

    def _begun(self, definition: DatasetDefinition, rows: list[Row]) -> list[Row]:
        if not are_objects(rows):
            if definition.transforms:
                raise Unavailable("rows that are not objects are left to the renderer")
            return rows
        return begin(definition.classes, rows, derived=definition.origin == "source")

    def _loaded_by_signals(self, definition: DatasetDefinition) -> list[Row]:
        """The rows of a source of which a signal decides the values, the url or the format."""
        given, format = self.source_by_signals(definition)
        if definition.origin == "url":
            loaded = load_url(given, format, self.surroundings, definition.name)
            assert isinstance(loaded, LoadedRows)
            self.warnings += [loaded.warning] if loaded.warning is not None else []
            return loaded.rows
        try:
            # Plain values given through a signal are not made into objects.
            return cast("list[Row]", parsed_values(given, format, self.surroundings.zone))
        except LoadFailure as error:
            raise EvaluationError(str(error)) from error

    def source_by_signals(self, definition: DatasetDefinition) -> tuple[Value, Node | None]:
        """The values or the url of a dataset, and its format, with the values that signals have."""
        signal = definition.given.get("signal") if isinstance(definition.given, dict) else None
        given = self.signal_object(signal) if isinstance(signal, str) and signal else value_of_json(definition.given)
        format_value = replaced_signals(definition.format, self.signal_object)
        return given, Node(format_value, definition.node, "format") if format_value is not None else None

    def _run_transform(self, vertex: Vertex) -> None:
        definition = self.graph.definitions.by_dataset[vertex.name]
        step = definition.transforms[vertex.index]
        upstream = self.graph.needs[vertex][0]
        self._require(upstream)
        if step.cls is None or step.cls.rows is Transform.rows:
            raise Unavailable(f"`{step.type}` runs in the renderer")
        transform = read_transform(with_values(step, self.signal_object))
        self.rows[vertex] = transform.rows(self.rows[upstream], TransformRunning(self, step.signal, step))
        self._turn(vertex)

    def _turn(self, vertex: Vertex) -> None:
        """Puts the dataset whose list a `collect` has sorted in that order too."""
        owner = None if self.orders is None else self.orders.turned.get(vertex)
        if owner is not None:
            self.rows[self.graph.outputs[owner]][:] = self.rows[vertex]

    def _run_trigger(self, vertex: Vertex) -> None:
        definition = self.graph.definitions.by_dataset[vertex.name]
        parts = parts_of(definition.triggers[vertex.index], self.environment)
        if parts is not None:
            self.modify(vertex.name, *parts)

    def set_data(self, dataset: str, rows: Value) -> float:
        """The function `setdata`: new rows for a dataset that is still to run in this run; otherwise they come too late."""
        self._require_defined(dataset)
        source = Vertex("source", dataset)
        if source not in self.rows and source not in self.reasons:
            self.given[dataset] = [ingestible(row) for row in listed(rows)]
        return 1.0

    def modify(self, dataset: str, *parts: Value) -> float:
        """The function `modify`, which triggers call too: 1 when there is something to do after the run."""
        self._require_defined(dataset)
        insert, remove, toggle, modify, values = (*parts, *[UNDEFINED] * 5)[:5]
        rows = self.rows.get(Vertex("source", dataset), [])
        changes = self.changes.setdefault(dataset, Changes())
        return float(changes.add(rows, insert, remove, toggle, modify, values))

    def _require_defined(self, dataset: str) -> None:
        if dataset not in self.graph.definitions.by_dataset:
            raise EvaluationError("Cannot read properties of undefined (reading 'input')")

    # Names, for expressions

    def signal_object(self, text: str) -> Value:
        """The value of `{signal: text}`."""
        return self.signal(text) if Vertex("signal", text) in self.graph.needs else self._text(text)

    def _text(self, text: str) -> Value:
        self._require(Vertex("expression", text))
        if text not in self.texts:
            raise EvaluationError(f"{text} is not known here")
        return self.texts[text]

    def is_computed(self, text: str) -> bool:
        """Whether a signal object's value was computed: by an expression of its own, by its signal's or by a transform."""
        definition = self.graph.definitions.by_signal.get(text)
        return definition is None or definition.expression is not None

    def signal(self, name: str) -> Value:
        # Asked for at every row: the reason is looked for only where there is no value.
        if name in self.signals:
            return self.signals[name]
        self._require(Vertex("signal", name))
        raise EvaluationError(f"{name} is not defined")

    def dataset(self, name: str) -> list[Row] | None:
        """The rows of a dataset; null when it is still to run, none when there is no such dataset."""
        if name in self.finished:
            return self.finished[name]
        vertex = Vertex("dataset", name)
        self._require(vertex)
        return None if vertex in self.graph.needs else []

    def counts(self, dataset: str, field: str) -> Mapping[str, int]:
        found = self.counted.get((dataset, field))
        if found is None:
            found = self.counted[dataset, field] = counted(self.output(dataset), field, self.surroundings.zone)
        return found

    def scale(self, name: str) -> Scale | None:
        if name in self.scales:
            return self.scales[name]
        self._require(Vertex("scale", name))
        self._require(Vertex("projection", name))
        return None

    def is_row(self, value: Value) -> bool:
        return isinstance(value, IdentifiedRow)

    def warn(self, text: str) -> None:
        self.warnings.append(text)
