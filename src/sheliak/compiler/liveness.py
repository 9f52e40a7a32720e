"""What a reader of the chart can change: signals with handlers or inputs, datasets that are written into, and all that depends on them."""

from __future__ import annotations

from collections.abc import Iterator

from sheliak.compiler.mentions import objects_below, written_anywhere
from sheliak.dataflow.graph import Graph, Vertex


def live_vertices(graph: Graph) -> frozenset[Vertex]:
    """The vertices whose values may change after a chart's first run, because somebody uses the chart."""
    return dependents(graph, _changeable(graph))


def live_signals(graph: Graph) -> frozenset[str]:
    """The signals that a reader of the chart changes directly."""
    return frozenset(vertex.name for vertex in _changeable(graph) if vertex.kind == "signal")


def dependents(graph: Graph, roots: Iterator[Vertex] | set[Vertex]) -> frozenset[Vertex]:
    """The roots that the graph has, and everything that reads them, directly or not."""
    readers: dict[Vertex, list[Vertex]] = {}
    for vertex, needs in graph.needs.items():
        for need in needs:
            readers.setdefault(need, []).append(vertex)
    found: set[Vertex] = set()
    pending = [vertex for vertex in roots if vertex in graph.needs]
    while pending:
        vertex = pending.pop()
        if vertex not in found:
            found.add(vertex)
            pending += readers.get(vertex, ())
    return frozenset(found)


def _changeable(graph: Graph) -> Iterator[Vertex]:
    root = graph.definitions.root.value
    pushed = {item.get("name") for item in objects_below(root) if item.get("push") == "outer"}
    for signal in graph.definitions.signals:
        if signal.is_interactive or signal.name in pushed:
            yield Vertex("signal", signal.name)
    written = written_anywhere(root)
    for dataset in graph.definitions.datasets:
        if dataset.triggers or dataset.name in written:
            yield Vertex("source", dataset.name)
