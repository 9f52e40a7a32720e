"""Rows that are one object in several places, so that what is written into them shows in all of these: they stay with the driver."""

from __future__ import annotations

from collections.abc import Iterator

from sheliak.compiler.mentions import texts_below
from sheliak.dataflow.definitions import DatasetDefinition, Step
from sheliak.dataflow.graph import Graph, Vertex
from sheliak.transforms._contract import Transform
from sheliak.transforms._running import makes_rows, writes_into_its_input

_WRITES_INTO_OTHERS = frozenset({"crossfilter", "force"})
"""Transforms that write into the rows they are given, which other datasets may share."""
_MAKES_ANEW = frozenset({"aggregate", "countpattern", "density", "kde", "loess", "pivot", "quantile", "regression"})
"""Transforms whose rows hold nothing of the rows they are given but numbers and keys, unless an operation answers rows."""


def shared_vertices(graph: Graph) -> frozenset[Vertex]:
    """The vertices with rows that a transform writes into though another dataset shows them."""
    vertices = [vertex for definition in graph.definitions.datasets for vertex in _writers(definition)]
    return graph.behind(*vertices) | _with_the_same_rows(graph)


def may_compare(step: Step) -> bool:
    """An expression of a transform may ask whether two values are the same."""
    return any(sign in text for _, text in texts_below(step.node.value) for sign in ("==", "!=", "indexof"))


def _writers(definition: DatasetDefinition) -> Iterator[Vertex]:
    for index, step in enumerate(definition.transforms):
        if step.type in _WRITES_INTO_OTHERS:
            yield Vertex("transform", definition.name, index)


def _with_the_same_rows(graph: Graph) -> frozenset[Vertex]:
    """All that show the rows which a dataset writes into without having copied them, which it does behind `sequence`."""
    beside: dict[Vertex, set[Vertex]] = {}
    for definition in graph.definitions.datasets:
        for one, other in _kept_rows(definition, graph):
            beside.setdefault(one, set()).add(other)
            beside.setdefault(other, set()).add(one)
    found: set[Vertex] = set()
    pending = [Vertex("source", one.name) for one in graph.definitions.datasets if _writes_behind_sequence(one)]
    while pending:
        vertex = pending.pop()
        if vertex not in found:
            found.add(vertex)
            pending += beside.get(vertex, ())
    return frozenset(found)


def _kept_rows(definition: DatasetDefinition, graph: Graph) -> Iterator[tuple[Vertex, Vertex]]:
    """The neighbours in a pipeline that have rows in common."""
    source = Vertex("source", definition.name)
    if definition.origin == "source" and not writes_into_its_input(definition.classes):
        yield from ((upstream, source) for upstream in graph.needs[source])
    before = source
    for index, step in enumerate(definition.transforms):
        vertex = Vertex("transform", definition.name, index)
        if step.type == "sequence" or not _makes_rows(step):
            yield before, vertex
        before = vertex
    yield before, Vertex("dataset", definition.name)


def _writes_behind_sequence(definition: DatasetDefinition) -> bool:
    if definition.origin != "source" or writes_into_its_input(definition.classes):
        return False
    is_behind = False
    for step in definition.transforms:
        if step.type == "sequence":
            is_behind = True
        elif _makes_rows(step):
            return False
        elif is_behind and step.cls is not None and step.cls.writes:
            return True
    return False


def _makes_rows(step: Step) -> bool:
    return step.cls is not None and makes_rows(step.cls)


def ties_rows(transform: Transform) -> bool:
    """Its results hold the rows that they are written into."""
    return transform.type in ("joinaggregate", "window") and _holds_rows(transform)


def passes_on(transform: Transform) -> bool:
    """Its rows may hold values of the rows it is given as they are."""
    return transform.type not in _MAKES_ANEW or _holds_rows(transform)


def _holds_rows(transform: Transform) -> bool:
    """An operation answers rows."""
    parameters = transform.parameters()
    operations = [*(parameters.elements("ops") or []), parameters.value("op")]
    return any(one in ("values", "argmin", "argmax") for one in operations)
