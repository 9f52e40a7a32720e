"""Fig. 8: buildT, buildD, buildS and build.

Fig. 7 is the example. (Erratum E22: the figure leaves out `datum.`, and prints `round` where `contains` is meant.)

>>> from sheliak.calculus.surface import parse_program
>>> program = parse_program('''
... input(books, {classification: string, words: number})
... data(books, aggs, agg(datum.classification, avg datum.words as avg_words, count as book_count))
... data(aggs, hundreds, formula(round(datum.avg_words / 100), avg_hundreds))
... data(aggs, english, filter(contains(datum.classification, "English")))
... ''')
>>> graph, lookup = build(["books"], program.spec)
>>> [(v.label, type(v.transform).__name__) for v in graph.vertices]
[('books', 'Input'), (1, 'Agg'), (2, 'Formula'), (3, 'Filter')]
>>> graph.edges
(('books', 1), (1, 2), (1, 3))
>>> {name: v.label for name, v in lookup.items()}
{'books': 'books', 'aggs': 1, 'hundreds': 2, 'english': 3}
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from sheliak.calculus.syntax import Data, Spec, Transform


@dataclass(frozen=True, slots=True)
class Input:
    """The source vertex of an input dataset."""

    name: str


@dataclass(frozen=True, slots=True)
class Output:
    """Collects a dataset. Erratum E16: without it the tuples that a vertex without successors sends are recorded nowhere."""

    name: str


Label: TypeAlias = str | int


@dataclass(frozen=True, slots=True)
class Vertex:
    """(l, t): labels are unique."""

    label: Label
    transform: Transform | Input | Output


@dataclass(frozen=True, slots=True)
class Graph:
    """(V, E). The vertices stand in the order they were built, which is a topological order ≺."""

    vertices: tuple[Vertex, ...]
    edges: tuple[tuple[Label, Label], ...]


Lookup: TypeAlias = Mapping[str, Vertex]


def build_transform(graph: Graph, v: Vertex, t: Transform | Output) -> tuple[Graph, Vertex]:
    """buildT: a vertex with a fresh label, and an edge to it. Erratum E8: the printed E' is E."""
    new = Vertex(len(graph.vertices), t)
    return Graph((*graph.vertices, new), (*graph.edges, (v.label, new.label))), new


def build_dataset(graph: Graph, lookup: Lookup, d: Data) -> tuple[Graph, Lookup]:
    """buildD: a chain of vertices from lookup(n_in) on. Erratum E8: the printed result has a third part that buildS ignores."""
    v = lookup[d.source]
    for t in d.transforms:
        graph, v = build_transform(graph, v, t)
    return graph, {**lookup, d.name: v}


def build_spec(graph: Graph, lookup: Lookup, spec: Spec) -> tuple[Graph, Lookup]:
    """buildS: every dataset, in order."""
    for d in spec:
        graph, lookup = build_dataset(graph, lookup, d)
    return graph, lookup


def build(sources: Iterable[str], spec: Spec) -> tuple[Graph, Lookup]:
    """build(S, spec): from one vertex per input dataset."""
    lookup = {name: Vertex(name, Input(name)) for name in sources}
    return build_spec(Graph(tuple(lookup.values()), ()), lookup, spec)


def with_outputs(graph: Graph, lookup: Lookup) -> tuple[Graph, dict[str, Vertex]]:
    """Beyond the paper: one `Output` vertex behind every dataset, by name; its observed tuples are the dataset."""
    outputs: dict[str, Vertex] = {}
    for name, v in lookup.items():
        graph, outputs[name] = build_transform(graph, v, Output(name))
    return graph, outputs
