"""The dataflow graph of a spec's top level: signals, scales and datasets, what each waits for, and the order Vega runs them in.

Nothing here runs anything: every engine walks the same graph. Groups, marks and guides are left out, because no dataset of the top
level can depend on them.

Vega makes its operators in the order in which it reads a spec and ranks them so; an operator that turns out to wait for one of
higher rank gets a new rank after all others, and everything that waits for it follows. That order decides which datasets exist when
an error stops a run, what `data()` of a later dataset sees, and who draws which random number, so it is followed exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from sheliak.dataflow.definitions import DatasetDefinition, Definitions, SignalDefinition, Step, definitions_of
from sheliak.dataflow.ranking import Ranking
from sheliak.dataflow.references import (
    ANY_SCALE,
    Reads,
    UnreadableExpression,
    reads_of,
    references_below,
    references_of_transform,
)
from sheliak.source.tree import Node

Kind: TypeAlias = Literal["signal", "expression", "scale", "domain", "projection", "source", "transform", "trigger", "dataset"]


@dataclass(frozen=True, slots=True)
class Vertex:
    """Something that gets a value during a run.

    signal      a declared, built-in or published signal
    expression  the expression of a signal object, by its text; all objects with one text share it
    scale       a scale; its `domain` is what it takes from datasets (extents and distinct values), a vertex of its own
    projection
    source      the rows of a dataset before its transforms
    transform   the rows after transform `index` of a dataset
    trigger     trigger `index` of a dataset
    dataset     the rows of a dataset, as `data()` and every reader see them
    """

    kind: Kind
    name: str
    index: int = 0


@dataclass(frozen=True, slots=True)
class Graph:
    """Vertices in Vega's order, and for each the vertices whose values it reads."""

    order: tuple[Vertex, ...]
    needs: Mapping[Vertex, tuple[Vertex, ...]]
    definitions: Definitions
    outputs: Mapping[str, Vertex]
    """For each dataset the vertex with its finished rows, which derived datasets and domains read."""
    problems: tuple[str, ...] = ()
    """Why Vega refuses the spec, as far as this level shows it; then nothing runs."""

    def behind(self, *vertices: Vertex) -> frozenset[Vertex]:
        """The vertices and all that they wait for, directly or not."""
        found: set[Vertex] = set()
        pending = list(vertices)
        while pending:
            vertex = pending.pop()
            if vertex not in found:
                found.add(vertex)
                pending += self.needs.get(vertex, ())
        return frozenset(found)


def build_graph(root: Node) -> Graph:
    """The graph of a spec's root."""
    building = _Building(definitions_of(root))
    building.build()
    ranking = Ranking(building.made, building.needs, building.deaf)
    for source, target in building.heard:
        if source in building.needs:
            ranking.follow(source, target)
    problems = [*building.problems, *(["Cycle detected in dataflow graph."] if ranking.has_cycle else [])]
    return Graph(ranking.order(), building.needs, building.definitions, building.outputs, tuple(problems))


@dataclass(slots=True)
class _Building:
    """Reads a spec in the order in which Vega's parser does."""

    definitions: Definitions
    made: list[Vertex] = field(default_factory=list)
    """In the order of their making."""
    needs: dict[Vertex, tuple[Vertex, ...]] = field(default_factory=dict)
    deaf: set[Vertex] = field(default_factory=set)
    """Signals with `react: false`: they wait for what they read, and are not told of its changes."""
    signals: dict[str, Vertex] = field(default_factory=dict)
    outputs: dict[str, Vertex] = field(default_factory=dict)
    """The last vertex of each dataset that is declared so far, before the dataset itself."""
    heard: list[tuple[Vertex, Vertex]] = field(default_factory=list)
    """What the handlers of a signal listen to, and the signal: it is ranked after that, though it waits for nothing."""
    problems: list[str] = field(default_factory=list)

    def build(self) -> None:
        for signal in self.definitions.signals:
            self.signals[signal.name] = self._make(Vertex("signal", signal.name))
            if not signal.reacts:
                self.deaf.add(self.signals[signal.name])
        for name, node in self.definitions.projections.items():
            needs = self._wants(_signal_texts(node.value))
            self.needs[self._make(Vertex("projection", name))] = needs
        for name in self.definitions.scales:
            self._make(Vertex("scale", name))
        for dataset in self.definitions.datasets:
            self._add_dataset(dataset)
        self._finish()

    def _make(self, vertex: Vertex) -> Vertex:
        if vertex not in self.needs:
            self.made.append(vertex)
            self.needs[vertex] = ()
        return vertex

    def _finish(self) -> None:
        """What is read only when everything is declared: scales, signals, and the expressions of signal objects."""
        for name, node in self.definitions.scales.items():
            self.needs[Vertex("scale", name)] = self._of_scale(name, node)
        for signal in self.definitions.signals:
            self.needs[self.signals[signal.name]] = self._of_signal(signal)
            self.heard += [(self._heard(kind, text), self.signals[signal.name]) for kind, text in signal.listens_to()]
        # An expression may refer to no further signal object, so the list does not grow.
        for vertex in [vertex for vertex in self.made if vertex.kind == "expression"]:
            self.needs[vertex] = self._of_expression(vertex.name)

    # Datasets

    def _add_dataset(self, definition: DatasetDefinition) -> None:
        name = definition.name
        if name in self.outputs or name == "root":
            self.problems.append(f'Duplicate data set name: "{name}"')
        wanted = [self._of_transform(definition, index) for index in range(len(definition.transforms))]
        triggers = [self._of_trigger(definition, index) for index in range(len(definition.triggers))]
        last = self._make(Vertex("source", name))
        self.needs[last] = self._of_source(definition)
        for index, needs in enumerate(wanted):
            vertex = self._make(Vertex("transform", name, index))
            self.needs[vertex] = _unique((last, *needs))
            last = vertex
        for index, needs in enumerate(triggers):
            self.needs[Vertex("trigger", name, index)] = needs
        self.outputs[name] = last
        self.needs[self._make(Vertex("dataset", name))] = (last,)

    def _of_source(self, definition: DatasetDefinition) -> tuple[Vertex, ...]:
        if definition.origin == "source":
            return _unique(self._output(name) for name in definition.upstream)
        # Signals inside of values are data; only a signal for the whole, or in the format, is looked at.
        given = definition.given if isinstance(definition.given, dict) else {}
        whole = [given["signal"]] if isinstance(given.get("signal"), str) and given["signal"] else []
        return self._wants([*whole, *_signal_texts(definition.format)])

    def _output(self, name: str) -> Vertex:
        if name not in self.outputs:
            self.problems.append(f'Undefined data set name: "{name}"')
        return self.outputs.get(name, Vertex("dataset", name))

    def _of_transform(self, definition: DatasetDefinition, index: int) -> tuple[Vertex, ...]:
        """What a transform waits for besides the rows; the signal that it publishes exists from here on."""
        step = definition.transforms[index]
        if step.cls is None:
            self.problems.append(f"Unrecognized transform type: {step.type}")
            return ()
        needs: list[Vertex] = []
        self.problems += _refused_parameters(step)
        for reference in references_of_transform(step.cls, step.node):
            match reference.kind:
                case "signal":
                    needs.append(self._signal_object(reference.text))
                case "dataset":
                    needs.append(self._output(reference.text))
                case "projection":
                    needs += self._projection(reference.text)
                case _:
                    needs += self._of_expression(reference.text)
        if step.signal is not None:
            self._publish(step.signal, Vertex("transform", definition.name, index))
        return _unique(needs)

    def _projection(self, name: str) -> Iterator[Vertex]:
        """Scales and projections share their names, and Vega takes any of them here."""
        for vertex in (Vertex("projection", name), Vertex("scale", name)):
            if vertex in self.needs:
                yield vertex
                return
        self.problems.append(f'Unrecognized scale name: "{name}"')

    def _publish(self, name: str, publisher: Vertex) -> None:
        if name in self.signals:
            self.problems.append(f'Duplicate signal name: "{name}"')
        self.signals[name] = self._make(Vertex("signal", name))
        self.needs[self.signals[name]] = (publisher,)

    def _of_trigger(self, definition: DatasetDefinition, index: int) -> tuple[Vertex, ...]:
        self._make(Vertex("trigger", definition.name, index))
        return _unique(need for text in definition.triggers[index].texts() for need in self._of_expression(text))

    # Scales and signals

    def _of_scale(self, name: str, node: Node) -> tuple[Vertex, ...]:
        domain, given = node.get("domain"), node.get("range")
        needs = list(self._wants(_signal_texts(node.value)))
        needs += [self.signals[given.text]] if given is not None and given.text in ("width", "height") else []
        parts = [domain, given] if given is not None and _is_of_data(node, given) else [domain]
        datasets = _unique(self._output(dataset) for part in parts for dataset in _datasets_of_domain(part))
        if datasets:
            needs.append(self._make(Vertex("domain", name)))
            self.needs[needs[-1]] = datasets
        return _unique(needs)

    def _of_signal(self, signal: SignalDefinition) -> tuple[Vertex, ...]:
        own = self.signals[signal.name]
        if signal.expression is None:
            return self.needs[own]
        return tuple(need for need in self._of_expression(signal.expression) if need != own)

    def _heard(self, kind: Literal["signal", "scale"], text: str) -> Vertex:
        return self._signal_object(text) if kind == "signal" else Vertex(kind, text)

    # References

    def _wants(self, texts: Iterable[str]) -> tuple[Vertex, ...]:
        return _unique(self._signal_object(text) for text in texts)

    def _signal_object(self, text: str) -> Vertex:
        """`{signal: text}`: the signal of that name, else an expression, which is read at the end."""
        return self.signals.get(text) or self._make(Vertex("expression", text))

    def _of_expression(self, text: str) -> tuple[Vertex, ...]:
        """What an expression that is read now waits for: of the datasets, those declared so far."""
        try:
            reads = reads_of(text)
        except UnreadableExpression as error:
            self.problems.append(str(error))
            return ()
        return _unique([*self._read_signals(reads), *self._read_datasets(reads), *self._read_scales(reads)])

    def _read_signals(self, reads: Reads) -> Iterator[Vertex]:
        for name in reads.signals:
            if name in self.signals:
                yield self.signals[name]
            else:
                self.problems.append(f'Unrecognized signal name: "{name}"')

    def _read_datasets(self, reads: Reads) -> Iterator[Vertex]:
        yield from (Vertex("dataset", name) for name in reads.datasets if name in self.outputs)
        yield from (self._output(name) for name in reads.indexed)

    def _read_scales(self, reads: Reads) -> Iterator[Vertex]:
        for name in reads.scales:
            for known in (*self.definitions.projections, *self.definitions.scales) if name == ANY_SCALE else (name,):
                kind: Kind = "projection" if known in self.definitions.projections else "scale"
                if Vertex(kind, known) in self.needs:
                    yield Vertex(kind, known)


def _refused_parameters(step: Step) -> Iterator[str]:
    """What Vega's parser does not take: a missing parameter (nested objects may be missing), something else than a list."""
    for param in step.cls.params if step.cls is not None else ():
        given = step.node.get(param.name)
        if given is None:
            if param.required and param.kind != "param":
                yield f'Missing required "{step.type}" parameter: "{param.name}"'
        elif param.array and param.kind != "param" and not given.is_array and not (given.is_object and given.get("signal")):
            yield "value.map is not a function"


def _signal_texts(value: object) -> list[str]:
    return [reference.text for reference in references_below(value) if reference.kind == "signal"]


def _datasets_of_domain(part: Node | None) -> Iterator[str]:
    """The datasets that a domain, or a range of values, is computed from; what names none is no dataset's name either."""
    if part is None or not part.is_object or part.get("signal") is not None:
        return
    fields = part.get("fields")
    owners = [part]
    if fields is not None and fields.is_array:
        owners = [part if field.is_string else field for field in fields.elements()]
    for owner in owners:
        if not owner.is_array and owner.get("signal") is None:
            data = owner.get("data")
            yield data.text if data is not None and data.text is not None else str(data.value if data is not None else None)


def _is_of_data(node: Node, given: Node) -> bool:
    """Only a discrete scale takes its range from a dataset; a scheme and a step are no datasets."""
    kind = node.get("type")
    is_discrete = kind is not None and kind.text in ("ordinal", "band", "point", "bin-ordinal")
    return is_discrete and given.get("scheme") is None and given.get("step") is None


def _unique(vertices: Iterable[Vertex]) -> tuple[Vertex, ...]:
    return tuple(dict.fromkeys(vertices))
