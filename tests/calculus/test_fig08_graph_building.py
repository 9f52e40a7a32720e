"""Fig. 7 and 8."""

import doctest

import pytest

from sheliak.calculus import graph_building
from sheliak.calculus.graph_building import (
    Graph,
    Input,
    Output,
    Vertex,
    build,
    build_dataset,
    build_spec,
    build_transform,
    with_outputs,
)
from sheliak.calculus.syntax import Cross, Data, Datum, Filter

FILTER, CROSS = Filter(Datum()), Cross("a", "b")
SOURCE = Vertex("src", Input("src"))
START = Graph((SOURCE,), ())


def test_fig_7_is_the_doctest() -> None:
    results = doctest.testmod(graph_building)
    assert results.attempted >= 5
    assert results.failed == 0


def test_build_t_adds_a_vertex_and_an_edge() -> None:
    graph, v = build_transform(START, SOURCE, FILTER)
    assert v == Vertex(1, FILTER)
    assert graph == Graph((SOURCE, v), (("src", 1),))


def test_build_t_labels_equal_transforms_apart() -> None:
    graph, first = build_transform(START, SOURCE, FILTER)
    graph, second = build_transform(graph, SOURCE, FILTER)
    assert first.label != second.label
    assert graph.edges == (("src", first.label), ("src", second.label))


def test_build_d_is_a_chain() -> None:
    graph, lookup = build_dataset(START, {"src": SOURCE}, Data("src", "out", (FILTER, CROSS)))
    assert graph.edges == (("src", 1), (1, 2))
    assert lookup == {"src": SOURCE, "out": Vertex(2, CROSS)}


def test_build_d_without_transforms_is_another_name() -> None:
    graph, lookup = build_dataset(START, {"src": SOURCE}, Data("src", "out", ()))
    assert graph == START
    assert lookup["out"] == SOURCE


def test_build_d_is_undefined_for_an_unknown_source() -> None:
    with pytest.raises(KeyError):
        build_dataset(START, {"src": SOURCE}, Data("other", "out", ()))


def test_build_s_goes_on_from_what_was_built() -> None:
    spec = (Data("src", "a", (FILTER,)), Data("a", "b", (CROSS,)), Data("a", "c", (FILTER,)))
    graph, lookup = build_spec(START, {"src": SOURCE}, spec)
    assert graph.edges == (("src", 1), (1, 2), (1, 3))
    assert [lookup[name].label for name in "abc"] == [1, 2, 3]


def test_build_makes_one_input_vertex_per_source() -> None:
    graph, lookup = build(["x", "y"], (Data("y", "z", (FILTER,)),))
    assert [v.label for v in graph.vertices] == ["x", "y", 2]
    assert lookup["y"].transform == Input("y")


def test_every_edge_goes_forward() -> None:
    spec = (Data("src", "a", (FILTER, CROSS)), Data("src", "b", (CROSS,)), Data("a", "c", (FILTER,)))
    graph, _ = build(["src"], spec)
    order = [v.label for v in graph.vertices]
    assert all(order.index(source) < order.index(target) for source, target in graph.edges)


def test_outputs_hang_on_every_dataset() -> None:
    graph, outputs = with_outputs(*build(["src"], (Data("src", "a", (FILTER,)), Data("src", "b", ()))))
    assert [v.transform for v in outputs.values()] == [Output("src"), Output("a"), Output("b")]
    assert graph.edges == (("src", 1), ("src", 2), (1, 3), ("src", 4))
