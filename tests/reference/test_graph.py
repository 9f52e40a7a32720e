"""The graph of a spec: the order is the one that Vega's own ranks gave for these specs."""

from __future__ import annotations

import pytest

from sheliak.dataflow.definitions import BUILT_IN_SIGNALS
from sheliak.dataflow.graph import Graph, Vertex, build_graph
from sheliak.source.tree import Node

ROW = [{"x": 1}]


def graph(**spec: object) -> Graph:
    return build_graph(Node(spec))


def order(of: Graph) -> list[str]:
    """The signals, scales and datasets in their order."""
    named = (vertex for vertex in of.order if vertex.kind in ("signal", "scale", "dataset"))
    return [f"{vertex.kind} {vertex.name}" for vertex in named if vertex.name not in BUILT_IN_SIGNALS]


def test_what_waits_for_a_later_signal_comes_after_everything_made_before() -> None:
    signals = [{"name": "a", "update": "b + 1"}, {"name": "b", "value": 2}, {"name": "c", "update": "length(data('u'))"}]
    t = {"name": "t", "values": ROW, "transform": [{"type": "formula", "as": "y", "expr": "datum.x + a"}]}
    u = {"name": "u", "source": "t", "transform": [{"type": "extent", "field": "x", "signal": "e"}]}
    found = graph(signals=signals, data=[t, u, {"name": "v", "values": [1]}])
    assert order(found) == ["signal b", "dataset v", "signal a", "dataset t", "signal e", "dataset u", "signal c"]


def test_a_dataset_may_run_after_one_that_is_defined_later() -> None:
    t = {"name": "t", "values": ROW, "transform": [{"type": "filter", "expr": "datum.x < late"}]}
    found = graph(
        signals=[{"name": "late", "update": "data('v').length"}],
        data=[t, {"name": "u", "source": "t"}, {"name": "v", "values": [1]}],
        scales=[{"name": "s", "domain": {"data": "u", "field": "x"}}],
    )
    assert order(found) == ["dataset v", "signal late", "dataset t", "dataset u", "scale s"]


def test_a_signal_comes_after_what_its_handlers_listen_to() -> None:
    heard = {"name": "heard", "value": 0, "on": [{"events": {"signal": "far"}, "update": "1"}]}
    found = graph(
        signals=[heard, {"name": "far", "update": "domain('s')[1]"}, {"name": "near", "value": 1}],
        data=[{"name": "t", "values": [1], "transform": [{"type": "bin", "field": "data", "extent": {"signal": "[0, near]"}}]}],
        scales=[{"name": "s", "domain": {"data": "t", "field": "data"}, "range": "width"}],
    )
    assert order(found) == ["signal near", "dataset t", "scale s", "signal far", "signal heard"]
    assert Vertex("signal", "far") not in found.needs[Vertex("signal", "heard")]


def test_a_signal_that_does_not_react_may_stand_on_a_circle() -> None:
    kept = {"name": "kept", "react": False, "update": "shown"}
    scale = {"name": "s", "type": "ordinal", "domain": {"signal": "kept"}, "range": [1]}
    found = graph(signals=[{"name": "shown", "update": "domain('s')"}, kept], scales=[scale])
    assert order(found) == ["signal kept", "scale s", "signal shown"]
    assert found.problems == ()


def test_needs_are_what_a_vertex_reads() -> None:
    lookup = {"type": "lookup", "from": "t", "key": "x", "fields": ["k"], "values": [{"signal": "name"}]}
    found = graph(
        signals=[{"name": "name", "value": "x"}],
        data=[{"name": "t", "values": ROW}, {"name": "u", "values": [{"k": 1}], "transform": [lookup]}],
    )
    needs = found.needs[Vertex("transform", "u", 0)]
    assert needs == (Vertex("source", "u"), Vertex("source", "t"), Vertex("signal", "name"))
    assert found.behind(Vertex("dataset", "u")) >= {Vertex("source", "t"), Vertex("signal", "name")}
    assert Vertex("dataset", "t") not in found.behind(Vertex("dataset", "u"))


def test_only_datasets_declared_so_far_are_waited_for() -> None:
    reads = {"type": "formula", "as": "n", "expr": "length(data('late') || [])"}
    found = graph(data=[{"name": "t", "values": ROW, "transform": [reads]}, {"name": "late", "values": ROW}])
    assert Vertex("dataset", "late") not in found.behind(Vertex("dataset", "t"))


def test_signals_inside_of_values_are_data() -> None:
    found = graph(data=[{"name": "t", "values": [{"signal": "nobody"}]}])
    assert found.problems == ()


@pytest.mark.parametrize(
    ("spec", "problem"),
    [
        ({"data": [{"name": "t", "source": "zz"}]}, 'Undefined data set name: "zz"'),
        ({"data": [{"name": "t"}, {"name": "t"}]}, 'Duplicate data set name: "t"'),
        ({"signals": [{"name": "a", "update": "zz"}]}, 'Unrecognized signal name: "zz"'),
        ({"signals": [{"name": "a", "update": "b"}, {"name": "b", "update": "a"}]}, "Cycle detected in dataflow graph."),
        ({"data": [{"name": "t", "transform": [{"type": "zz"}]}]}, "Unrecognized transform type: zz"),
        ({"data": [{"name": "t", "transform": [{"type": "filter"}]}]}, 'Missing required "filter" parameter: "expr"'),
        ({"data": [{"name": "t", "transform": [{"type": "filter", "expr": "foo(1)"}]}]}, "Unrecognized function: foo"),
        ({"scales": [{"name": "s", "domain": {"data": "zz", "field": "x"}}]}, 'Undefined data set name: "zz"'),
        ({"data": [{"name": "t", "transform": [{"type": "fold", "fields": "x"}]}]}, "value.map is not a function"),
    ],
)
def test_what_vega_refuses(spec: dict[str, object], problem: str) -> None:
    assert graph(**spec).problems[0] == problem


def test_a_long_chain_is_ordered_without_recursion() -> None:
    count = 3_000
    signals = [{"name": f"s{index}", "update": f"s{index + 1} + 1"} for index in range(count)]
    found = graph(signals=[*signals, {"name": f"s{count}", "value": 0}])
    assert order(found) == [f"signal s{index}" for index in range(count, -1, -1)]
