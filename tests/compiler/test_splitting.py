"""Which datasets the drawn part of a spec needs, which of their columns, and where they are cut."""

from sheliak.compiler.domains import Domain, only_domains
from sheliak.compiler.liveness import live_signals, live_vertices
from sheliak.compiler.mentions import mentioned, written_anywhere
from sheliak.compiler.splitting import Splitting
from sheliak.compiler.used_columns import unused_columns
from sheliak.dataflow.graph import Vertex, build_graph
from sheliak.source.tree import Node

SPEC: dict[str, object] = {
    "signals": [{"name": "least", "value": 0, "bind": {"input": "range"}}],
    "data": [
        {"name": "raw", "url": "data/raw.json"},
        {
            "name": "shown",
            "source": "raw",
            "transform": [
                {"type": "formula", "as": "b", "expr": "datum.a * 2"},
                {"type": "filter", "expr": "datum.b > least"},
                {"type": "aggregate"},
            ],
        },
        {"name": "unused", "source": "raw", "transform": [{"type": "aggregate"}]},
    ],
    "marks": [{"type": "symbol", "from": {"data": "shown"}}],
}


def splitting(**given: object) -> Splitting:
    graph = build_graph(Node(SPEC))
    return Splitting(graph, lambda vertex: True, live_vertices(graph), **given)  # type: ignore[arg-type]


def test_datasets_are_mentioned_where_they_are_named() -> None:
    names = {"a", "b", "c", "title"}
    part = {"marks": [{"from": {"data": "a"}}], "signals": [{"update": "data('b').length"}], "axes": [{"title": "title"}]}
    assert mentioned(part, names) == {"a", "b"}


def test_written_datasets_are_found_in_handlers() -> None:
    assert written_anywhere({"on": [{"update": 'modify("store", x)'}]}) == {"store"}


def test_what_a_reader_can_change_is_live() -> None:
    graph = build_graph(Node(SPEC))
    live = live_vertices(graph)
    assert live_signals(graph) == {"least"}
    assert Vertex("transform", "shown", 1) in live and Vertex("transform", "shown", 2) in live
    assert Vertex("transform", "shown", 0) not in live and Vertex("dataset", "raw") not in live


def test_a_dataset_is_cut_before_what_can_change() -> None:
    cuts = splitting().cuts(SPEC["marks"])
    assert list(cuts) == ["shown"]
    assert (cuts["shown"].done, cuts["shown"].inline, cuts["shown"].live) == (1, True, True)


def test_a_frozen_dataset_is_cut_at_its_end() -> None:
    cuts = splitting(frozen={"shown"}).cuts(SPEC["marks"])
    assert (cuts["shown"].done, cuts["shown"].live) == (3, False)


def test_without_the_rows_it_stays_as_it_is() -> None:
    graph = build_graph(Node(SPEC))
    cuts = Splitting(graph, lambda vertex: False, frozenset()).cuts(SPEC["marks"])
    assert {name: cut.inline for name, cut in cuts.items()} == {"raw": False, "shown": False}


def test_columns_that_no_text_names_are_unused() -> None:
    rest = {"marks": [{"encode": {"update": {"x": {"scale": "x", "field": "a"}, "text": {"signal": "datum.b + datum['c d']"}}}}]}
    assert unused_columns(rest, ["a", "b", "c d", "other", "_vgsid_"]) == {"other"}


def test_whole_rows_and_computed_names_use_every_column() -> None:
    for text in ("datum", "datum[field]", "data('d')", "parent.x", "item.datum"):
        assert unused_columns({"encode": {"tooltip": {"signal": text}}}, ["other"]) == frozenset()
    assert unused_columns({"encode": {"x": {"field": {"signal": "name"}}}}, ["other"]) == frozenset()
    assert unused_columns({"encode": {"x": {"signal": "vlSelectionTest('s', datum) ? 1 : 2"}}}, ["other"]) == {"other"}


def test_transforms_of_the_renderer_use_every_column() -> None:
    assert unused_columns({"marks": [{"transform": [{"type": "geoshape"}]}]}, ["geometry"]) == frozenset()
    assert unused_columns({"marks": [{"data": [{"transform": [{"type": "aggregate"}]}]}]}, ["geometry"]) == {"geometry"}


def scales(*given: dict[str, object]) -> dict[str, object]:
    return {"scales": list(given)}


def test_scales_alone_need_ends_or_distinct_values() -> None:
    linear: dict[str, object] = {"name": "x", "type": "linear", "domain": {"data": "d", "field": "a"}}
    band: dict[str, object] = {"name": "y", "type": "band", "domain": {"data": "d", "field": "b", "sort": True}}
    assert only_domains("d", scales(linear), []) == Domain("extents", ("a",))
    assert only_domains("d", {"marks": [scales(band)]}, []) == Domain("distinct values", ("b",))
    assert only_domains("d", scales(linear, band), []) is None
    assert only_domains("d", {**scales(linear), "marks": [{"from": {"data": "d"}}]}, []) is None
    assert only_domains("d", scales(linear), [{"name": "e", "source": "d"}]) is None
    assert only_domains("d", scales({**linear, "type": "quantile"}), []) is None


def test_sorting_by_a_count_needs_all_rows() -> None:
    def band(sort: object) -> dict[str, object]:
        return scales({"name": "y", "type": "band", "domain": {"data": "d", "field": "b", "sort": sort}})

    assert only_domains("d", band({"op": "count"}), []) is None
    assert only_domains("d", band({"op": "max", "field": "g"}), []) == Domain("distinct values", ("b",), ("max", "g"))
