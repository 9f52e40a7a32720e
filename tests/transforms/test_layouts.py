"""Trees, links, geometry and words: what their pages cannot show, because it takes two datasets, a mark or a table of cases."""

from __future__ import annotations

import pytest

from sheliak.source.place import Place
from sheliak.transforms._hierarchy import certainly_without_tree, tree_source
from sheliak.types.render import render_type
from sheliak.types.shapes import NUMBER, OPEN_RECORD, UNKNOWN, WORDS, Array, Lineage, Literal, Record, Union
from transforms.checking import PipelineChecking, record_of

STRATIFY = {"type": "stratify", "key": "id", "parentKey": "parent"}
NODES = record_of([{"id": 1, "name": "root"}, {"id": 2, "parent": 1, "name": "leaf", "size": 3}])
ITEM = Record({"datum": NODES, "x": NUMBER, "y": NUMBER}, open=True)


def told(transforms: list[object], record: Record = NODES, checking: PipelineChecking | None = None) -> list[str]:
    checking = checking or PipelineChecking()
    checking.run(transforms, record)
    return checking.told()


# Trees


@pytest.mark.parametrize("layout", ["tree", "treemap", "partition", "pack"])
def test_a_layout_needs_a_tree_of_its_own_pipeline(layout: str) -> None:
    reason = "it needs a `stratify` or a `nest` before it in the same list of transforms"
    assert told([{"type": layout}]) == [f"transform-not-allowed /0/type: `{layout}` cannot be used here: {reason}"]
    assert told([STRATIFY, {"type": layout}]) == []
    assert told([{"type": "nest", "keys": ["name"]}, {"type": layout}]) == []


@pytest.mark.parametrize(
    ("steps", "source"),
    [
        ((), None),
        (("stratify",), "stratify"),
        (("stratify", "formula", "filter", "collect", "lookup", "impute", "graticule"), "stratify"),
        (("stratify", "nest"), "nest"),
        (("stratify", "aggregate"), None),
        (("stratify", "project"), None),
        (("stratify", "fold"), None),
        (("stratify", "sample"), None),
        (("stratify", "treelinks"), None),
        (("aggregate", "stratify"), "stratify"),
    ],
)
def test_a_tree_lives_until_a_step_makes_new_rows(steps: tuple[str, ...], source: str | None) -> None:
    assert tree_source(steps) == source


def test_links_find_the_tree_of_the_source_dataset() -> None:
    stratified = PipelineChecking("nodes").run([STRATIFY, {"type": "tree"}], NODES)
    links = PipelineChecking("links")
    linked = links.run([{"type": "treelinks"}, {"type": "linkpath"}], stratified)
    assert links.told() == []
    assert list(linked.fields) == ["source", "target", "path"]


def test_links_without_any_tree_are_reported() -> None:
    assert certainly_without_tree(NODES, ())
    assert certainly_without_tree(NODES, ("stratify", "aggregate"))
    assert told([{"type": "treelinks"}])[0].startswith("transform-not-allowed /0/type")


def test_links_of_data_whose_history_nobody_knows_are_not_reported() -> None:
    assert not certainly_without_tree(OPEN_RECORD, ())
    assert not certainly_without_tree(Record({}, lineage=Lineage("source")), ())


def test_a_second_layout_may_sort_by_what_the_first_one_left_on_the_node() -> None:
    assert told([STRATIFY, {"type": "tree"}, {"type": "pack", "sort": {"field": "y"}}]) == []


def test_the_sort_of_a_layout_reads_nested_fields_of_the_row() -> None:
    transforms = [STRATIFY, {"type": "tree", "sort": {"field": "data.nmae"}}]
    assert told(transforms) == ["unknown-field /1/sort/field: the datum has no field `nmae`"]


def test_nodes_of_a_nest_have_a_key_and_no_id() -> None:
    nest = {"type": "nest", "keys": ["name"]}
    assert told([nest, {"type": "tree", "sort": {"field": "data.key"}}]) == []
    assert told([nest, {"type": "tree", "sort": {"field": "id"}}]) == [
        "unknown-field /1/sort/field: the node of a tree has no field `id`"
    ]


def test_a_row_field_in_a_sort_can_be_repaired() -> None:
    checking = PipelineChecking()
    checking.run([STRATIFY, {"type": "treemap", "sort": {"field": "size"}}], NODES)
    (finding,) = checking.findings
    assert finding.help() == "to read the field of the row, write `data.size`"
    repair = finding.repair()
    assert repair is not None and repair.replacement == "data.size"


# Force


def force(**link: object) -> list[object]:
    return [{"type": "force", "static": True, "forces": [{"force": "link", "links": "links", **link}]}]


def with_links(record: Record) -> PipelineChecking:
    return PipelineChecking("nodes", datasets={"links": record})


NUMBERED = record_of([{"source": 0, "target": 1, "value": 2}])
NAMED = record_of([{"source": "root", "target": "leaf"}])


def test_a_link_force_puts_the_nodes_into_the_links() -> None:
    checking = with_links(NUMBERED)
    nodes = checking.run([*force(), {"type": "formula", "as": "later", "expr": "1"}], NODES)
    (rewrite,) = checking.rewritten
    assert rewrite.dataset.text == "links"
    assert rewrite.record.fields == {"source": nodes, "target": nodes, "value": NUMBER, "index": NUMBER}
    assert {"x", "y", "vx", "vy", "index", "later"} <= set(nodes.fields)


def test_the_distance_of_a_link_reads_the_link_and_the_nodes_at_its_ends() -> None:
    expr = {"expr": "datum.value + datum.source.size + datum.index"}
    assert told(force(distance=expr), checking=with_links(NUMBERED)) == []
    assert told(force(distance={"field": "size"}), checking=with_links(NUMBERED)) == [
        "unknown-field /0/forces/0/distance/field: the datum has no field `size`"
    ]


def test_links_without_ends_are_reported_once() -> None:
    links = record_of([{"from": 0, "to": 1}])
    assert told(force(), checking=with_links(links)) == ["unknown-field /0/forces/0/links: dataset `links` has no field `source`"]


def test_ends_are_matched_without_coercion() -> None:
    assert told(force(), checking=with_links(NUMBERED)) == []
    assert told(force(id="name"), checking=with_links(NAMED)) == []
    assert told(force(), checking=with_links(NAMED)) == [
        "text-in-transform /0/forces/0/links: the `link` force needs the number of a node, but `source` is string"
    ]
    numeric_text = record_of([{"source": "0", "target": "1"}])
    assert told(force(id="id"), checking=with_links(numeric_text)) == [
        "text-in-transform /0/forces/0/links: the `link` force needs the `id` of a node, but `source` is string (numeric)"
    ]


def test_ends_that_are_nodes_already_are_left_alone() -> None:
    assert told(force(id="name"), checking=with_links(Record({"source": NODES, "target": NODES}))) == []


def test_the_id_of_a_link_force_reads_the_node() -> None:
    assert told(force(id="nmae"), checking=with_links(NAMED))[0] == (
        "unknown-field /0/forces/0/id: dataset `nodes` has no field `nmae`"
    )


def test_the_dataset_of_the_links_must_exist() -> None:
    assert told(force(), checking=PipelineChecking("nodes")) == ["unknown-dataset /0/forces/0/links: there is no dataset `links`"]


def test_a_force_on_a_mark_reads_the_item() -> None:
    forces = [{"force": "x", "x": "datum.size"}, {"force": "collide", "radius": {"expr": "datum.datum.nmae"}}]
    checking = PipelineChecking(None)
    item = checking.run([{"type": "force", "forces": forces}], ITEM)
    assert checking.told() == ["unknown-field /0/forces/1/radius/expr: the datum has no field `nmae`"]
    assert item.fields["vx"] == NUMBER


# Geometry on marks


def test_a_shape_draws_the_row_of_its_item() -> None:
    feature = record_of([{"type": "Feature", "properties": {"mag": 3}, "geometry": {"type": "Point", "coordinates": [1, 2]}}])
    radius = {"expr": "datum.properties.mag"}
    transforms = [{"type": "geoshape", "projection": "p", "pointRadius": radius}]
    item = Record({"datum": feature, "x": NUMBER})
    assert told(transforms, item, PipelineChecking(None, projections=("p",))) == []
    assert told(transforms, feature, PipelineChecking("shapes", projections=("p",))) == []


def test_a_shape_of_rows_that_are_no_geometry_is_reported() -> None:
    item = Record({"datum": NODES})
    assert told([{"type": "geoshape"}], item, PipelineChecking(None)) == ["unknown-field /0/type: the datum has no field `type`"]


def test_the_path_of_an_item_without_field_is_not_judged() -> None:
    assert told([{"type": "geopath"}], Record({"datum": NODES}), PipelineChecking(None)) == []


def test_a_heatmap_colour_sees_the_pixel_and_the_row() -> None:
    grids = PipelineChecking().run([{"type": "kde2d", "x": "id", "y": "id", "size": [10, 10], "groupby": ["name"]}], NODES)
    colour = {"expr": "datum.$value + datum.$max + datum.datum.name"}
    heatmap = {"type": "heatmap", "field": "datum.grid", "color": colour, "opacity": {"expr": "datum.$z"}}
    assert told([heatmap], Record({"datum": grids}), PipelineChecking(None)) == [
        "unknown-field /0/opacity/expr: the datum has no field `$z`"
    ]


def test_voronoi_cells_of_items() -> None:
    cells = {"type": "voronoi", "x": "datum.x", "y": {"expr": "datum.datum.size"}, "size": [10, 10]}
    assert told([cells], Record({"datum": NODES, "x": NUMBER}), PipelineChecking(None)) == [
        "unknown-field /0/x: the datum has no field `x`"
    ]


def test_marks_to_avoid_are_named_like_datasets() -> None:
    label = {"type": "label", "size": [10, 10], "avoidMarks": ["points", "lines"], "sort": {"field": "datum.size"}}
    assert told([label], ITEM, PipelineChecking(None, datasets={"points": ITEM})) == [
        "unknown-dataset /0/avoidMarks/1: there is no dataset `lines`"
    ]


# Names that a signal decides


@pytest.mark.parametrize(
    "transform",
    [
        {"type": "pie", "as": [{"signal": "a"}, "end"]},
        {"type": "voronoi", "x": "id", "y": "id", "as": {"signal": "a"}},
        {"type": "geopoint", "projection": "p", "fields": ["id", "id"], "as": {"signal": "all"}},
        {"type": "isocontour", "field": "grid", "as": {"signal": "a"}},
    ],
)
def test_an_output_whose_name_a_signal_decides_opens_the_record(transform: dict[str, object]) -> None:
    record = Record({**NODES.fields, "grid": UNKNOWN})
    checking = PipelineChecking(projections=("p",), signals={"all": Array(WORDS)})
    assert checking.run([transform], record).open
    assert checking.told() == []


def test_a_signal_with_one_text_is_a_name() -> None:
    checking = PipelineChecking(signals={"a": Literal("start")})
    assert list(checking.run([{"type": "pie", "as": [{"signal": "a"}, "end"]}], NODES).fields)[-2:] == ["start", "end"]


def test_a_field_that_a_signal_chooses_is_checked_for_every_option() -> None:
    options = [Literal(name, Place(("signals", 0, "bind", "options", index))) for index, name in enumerate(("size", "weight"))]
    checking = PipelineChecking(signals={"f": Union(tuple(options))})
    assert told([{"type": "pie", "field": {"signal": "f"}}], checking=checking) == [
        "unknown-field /signals/0/bind/options/1: dataset `table` has no field `weight`"
    ]


# The published values


@pytest.mark.parametrize(
    ("transform", "published"),
    [
        ({"type": "geojson", "fields": ["id", "id"]}, '{type: "FeatureCollection", features: [unknown]}'),
        ({"type": "graticule"}, '[{type: "MultiLineString", coordinates: [[[number]]]}]'),
        ({"type": "pie", "field": "id"}, "[number]"),
        (
            {"type": "contour", "size": [1, 1], "x": "id", "y": "id"},
            '[{type: "MultiPolygon", value: number, coordinates: [[[[number]]]]}]',
        ),
        ({"type": "force"}, "unknown"),
    ],
)
def test_the_value_that_the_signal_of_a_transform_publishes(transform: dict[str, object], published: str) -> None:
    from sheliak.source.tree import Node
    from sheliak.transforms import transform_class
    from sheliak.transforms._elaborate import elaborate

    cls = transform_class(str(transform["type"]))
    assert cls is not None
    checking = PipelineChecking()
    made = elaborate(cls, Node(transform), NODES, checking)
    assert made is not None
    assert render_type(made.signal_type(NODES, checking)) == published
    assert checking.told() == []
