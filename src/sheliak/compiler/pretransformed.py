"""The spec that is drawn: the original with the rows of its datasets in place of what made them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sheliak.compiler.inlining import Inlined, NotInlinable, signal_of
from sheliak.compiler.splitting import Cut, kept_of
from sheliak.dataflow.graph import Graph, Vertex
from sheliak.dataflow.references import UnreadableExpression, reads_of
from sheliak.expressions.values import Json, Value
from sheliak.source.tree import Node


def drawn_part(graph: Graph, signals: list[object]) -> dict[str, object]:
    """The spec without its datasets."""
    root = graph.definitions.root.value
    assert isinstance(root, dict)
    drawn = {name: part for name, part in root.items() if name not in ("data", "signals")}
    return {**drawn, "signals": signals} if signals else drawn


@dataclass(frozen=True, slots=True)
class SettledSignals:
    """What the signals of a spec become."""

    graph: Graph
    values: Mapping[str, Value]
    live: frozenset[Vertex]
    forced: Mapping[str, Value]
    """Values that the caller gave: the chart starts with them."""

    def signals(self) -> list[object]:
        """The spec's signals; one that is computed from datasets and cannot change any more is its value."""
        given = self.graph.definitions.root.get("signals")
        nodes = list(given.elements()) if given is not None else []
        return [_forced(node, self.forced) or _settled(node, self.graph, self.values, self.live) for node in nodes]


def _forced(node: Node, forced: Mapping[str, Value]) -> object | None:
    named = node.get("name")
    name = named.text if named is not None else None
    if name is None or name not in forced or not isinstance(node.value, dict):
        return None
    kept = {key: part for key, part in node.value.items() if key not in ("value", "init", "update")}
    return {**signal_of(name, forced[name]), **kept}


def _settled(node: Node, graph: Graph, values: Mapping[str, Value], live: frozenset[Vertex]) -> object:
    name = node.get("name")
    definition = graph.definitions.by_signal.get(name.text or "") if name is not None else None
    if definition is None or definition.built_in or definition.expression is None:
        return node.value
    vertex = Vertex("signal", definition.name)
    if vertex in live or definition.name not in values or not _reads_datasets(definition.expression):
        return node.value
    assert isinstance(node.value, dict)
    others = {key: part for key, part in node.value.items() if key in ("description", "push")}
    try:
        return {**signal_of(definition.name, values[definition.name]), **others}
    except NotInlinable:
        return node.value


def _reads_datasets(expression: str) -> bool:
    try:
        reads = reads_of(expression)
    except UnreadableExpression:
        return False
    return bool(reads.datasets or reads.indexed)


def published_signals(graph: Graph, cuts: Mapping[str, Cut], values: Mapping[str, Value]) -> list[Json]:
    """The signals of transforms that are not run any more. Raises NotInlinable for one that no spec can hold."""
    made: list[Json] = []
    for definition in graph.definitions.datasets:
        done = cuts[definition.name].done if definition.name in cuts else len(definition.transforms)
        for step in definition.transforms[:done]:
            if step.signal is not None and step.signal in values:
                made.append(signal_of(step.signal, values[step.signal]))
    return made


def assembled(
    graph: Graph, cuts: Mapping[str, Cut], rows: Mapping[str, Inlined], signals: list[object], published: list[Json]
) -> dict[str, object]:
    """The spec that is drawn, its parts in the order of the original."""
    root = graph.definitions.root.value
    assert isinstance(root, dict)
    parts: dict[str, object] = {"signals": [*signals, *published], "data": [_dataset(cut, rows) for cut in cuts.values()]}
    order = [*root, *(name for name in parts if name not in root)]
    spec = {name: parts.get(name, root.get(name)) for name in order}
    return {name: part for name, part in spec.items() if name not in parts or part}


def _dataset(cut: Cut, rows: Mapping[str, Inlined]) -> object:
    kept = kept_of(cut)
    if not cut.inline:
        return kept
    inlined = rows[cut.definition.name]
    rest = [*inlined.restoring, *cut.rest]
    made: dict[str, object] = {"name": kept["name"], "values": inlined.values, **kept}
    return {**made, "transform": rest} if rest else made
