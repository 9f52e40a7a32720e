"""What is in a picture, by its JSON form."""

import copy
import json
from pathlib import Path

import pytest

from picturing.specs import FACETS, PIPELINE, Spec, arrows, named, pictured, pictured_file
from sheliak.picturing.formats import written
from sheliak.picturing.json_form import as_object


def changed(spec: Spec, **sections: object) -> Spec:
    return {**copy.deepcopy(spec), **sections}


def test_datasets_have_their_rows_fields_and_transforms() -> None:
    nodes = named(pictured(PIPELINE))
    assert nodes["books"]["rows_from"] == "values, 2 rows"
    assert nodes["books"]["fields"] == [
        {"name": "kind", "type": "string", "made_here": False},
        {"name": "words", "type": "number", "made_here": False},
        {"name": "title", "type": "string", "made_here": False},
    ]
    transforms = nodes["long"]["transforms"]
    assert isinstance(transforms, list)
    assert [step["text"] for step in transforms] == [
        "filter datum.words > least && datum.words < most",
        "pages = datum.words / 300",
    ]
    assert [step["pointer"] for step in transforms] == ["/data/1/transform/0", "/data/1/transform/1"]


def test_what_runs_on_spark_ends_at_the_first_transform_without_a_plan() -> None:
    nodes = named(pictured(PIPELINE))
    assert {name: nodes[name]["runs_on"] for name in ("books", "long", "totals")} == {
        "books": "spark",
        "long": "spark",
        "totals": "renderer",
    }
    transforms = nodes["totals"]["transforms"]
    assert isinstance(transforms, list)
    assert [(step["type"], step["runs_on"]) for step in transforms] == [("aggregate", "spark"), ("wordcloud", "renderer")]


def test_nothing_after_a_transform_without_a_plan_runs_on_spark() -> None:
    data = [{"name": "a", "values": [{"x": 1}], "transform": [{"type": "wordcloud"}, {"type": "filter", "expr": "datum.x"}]}]
    nodes = as_object(pictured({"data": data}))["nodes"]
    assert isinstance(nodes, list)
    assert [step["runs_on"] for step in nodes[-1]["transforms"]] == ["renderer", "renderer"]


def test_what_looks_up_rows_of_the_renderer_stays_there_too() -> None:
    lookup = {"type": "lookup", "from": "cloud", "key": "x", "fields": ["x"], "values": ["angle"]}
    extent = {"type": "extent", "field": "x", "signal": "reach"}
    cloud = {"name": "cloud", "values": [{"x": 1}], "transform": [{"type": "wordcloud"}, extent]}
    bins = {"type": "bin", "field": "x", "extent": {"signal": "reach"}}
    data = [cloud, *({"name": step["type"], "values": [{"x": 1}], "transform": [step]} for step in (lookup, bins))]
    picture = pictured({"data": data})
    assert [node.on_spark for node in picture.nodes if node.name in ("lookup", "bin")] == [False] * 4


def test_signals_that_the_same_transforms_use_share_a_box_and_others_are_left_out() -> None:
    nodes = named(pictured(PIPELINE))
    assert nodes["signals"]["signals"] == [{"name": "least", "detail": "range"}, {"name": "most", "detail": "= 9000"}]
    assert "unused" not in json.dumps(as_object(pictured(PIPELINE)))


def test_arrows_of_rows_and_signals() -> None:
    assert arrows(pictured(PIPELINE)) == {
        ("books", "long", "rows"),
        ("long", "totals", "rows"),
        ("totals", "marks and scales", "rows"),
        ("signals", "long", "signal"),
    }


def test_marks_and_scales_of_one_dataset_share_a_box() -> None:
    drawing = named(pictured(PIPELINE))["marks and scales"]
    assert drawing["marks"] == ["rect x: kind, y: mean_pages"]
    assert drawing["scales"] == [
        {"name": "x", "detail": "band of kind"},
        {"name": "y", "detail": "linear of mean_pages"},
    ]


def test_marks_can_be_left_out() -> None:
    picture = pictured(PIPELINE, marks=False)
    assert {node.kind for node in picture.nodes} == {"dataset", "signal"}


def test_rows_before_transforms_have_a_box_of_their_own() -> None:
    data = [{"name": "sales", "url": "data/2024/sales.csv", "transform": [{"type": "filter", "expr": "datum.x"}]}]
    source, dataset = pictured({"data": data}).nodes
    assert (source.kind, source.name, source.detail) == ("source", "sales.csv", "url data/2024/sales.csv")
    assert (dataset.kind, dataset.name, dataset.detail) == ("dataset", "sales", "")


def test_rows_that_a_transform_makes_have_no_source() -> None:
    data = [{"name": "steps", "transform": [{"type": "sequence", "start": 0, "stop": 5}]}]
    (only,) = pictured({"data": data}).nodes
    assert (only.detail, [step.text for step in only.steps], only.on_spark) == ("", ["sequence 0 to 5"], True)


def test_a_group_with_data_is_a_frame_and_a_facet_that_only_draws_is_a_line() -> None:
    picture = pictured(FACETS)
    assert [frame.title for frame in picture.frames] == ["cells, for each kind"]
    inside = {node.name for node in picture.nodes if node.frame}
    assert inside == {"cell", "placed", "marks"}
    lines = [line for node in picture.nodes for line in node.marks]
    assert lines == ["symbol y: y0", "line x: words per kind"]
    assert ("kinds", "placed", "reads") in arrows(picture)


def test_what_is_in_a_group_stays_with_the_renderer() -> None:
    assert {node.name for node in pictured(FACETS).nodes if node.on_spark} == set()


def test_a_frame_around_one_drawing_becomes_its_name() -> None:
    mark = {"type": "symbol", "from": {"data": "books"}}
    picture = pictured(
        {"data": [{"name": "books", "values": [{"a": 1}]}], "marks": [{"type": "group", "name": "left_group", "marks": [mark]}]}
    )
    assert picture.frames == ()
    assert [(node.kind, node.name) for node in picture.nodes] == [("dataset", "books"), ("drawing", "left")]


def test_a_published_signal_that_goes_with_the_rows_has_no_second_arrow() -> None:
    extent = {"type": "extent", "field": "a", "signal": "range"}
    bins = {"type": "bin", "field": "a", "extent": {"signal": "range"}}
    data = [
        {"name": "one", "values": [{"a": 1}], "transform": [extent, bins]},
        {"name": "two", "source": "one", "transform": [bins]},
    ]
    assert {node.kind for node in pictured({"data": data}).nodes} == {"source", "dataset"}
    data.append({"name": "three", "values": [{"a": 1}], "transform": [bins]})
    assert {("one", "range", "signal"), ("range", "three", "signal")} <= arrows(pictured({"data": data}))


def test_errors_belong_to_the_part_that_has_them() -> None:
    wrong = json.loads(
        json.dumps(PIPELINE).replace("datum.words >", "datum.word >").replace('"mean_pages"}, "range"', '"mean_page"}, "range"')
    )
    wrong["axes"] = [{"scale": "z", "orient": "left"}]
    picture = pictured(wrong)
    nodes = named(picture)
    step = nodes["long"]["transforms"][0]  # type: ignore[index]
    assert [problem["code"] for problem in step["problems"]] == ["unknown-field"]
    assert nodes["long"]["problems"] == []
    drawing = nodes["marks and scales"]["problems"]
    assert isinstance(drawing, list)
    assert [problem["message"] for problem in drawing] == ["dataset `totals` has no field `mean_page`"]
    assert [problem.code for problem in picture.problems] == ["unknown-scale"]


def test_no_finding_is_lost_when_the_marks_are() -> None:
    wrong = json.loads(json.dumps(PIPELINE).replace('"field": "kind"}, "y"', '"field": "kin"}, "y"'))
    with_marks, without = pictured(wrong), pictured(wrong, marks=False)
    assert [problem.code for _, problem in with_marks.placed_problems()] == ["unknown-field"]
    assert [problem.code for problem in without.problems] == ["unknown-field"]


def test_a_cycle_of_names_is_drawn() -> None:
    data = [
        {"name": "a", "source": "b"},
        {"name": "b", "source": "a", "transform": [{"type": "filter", "expr": "length(data('c'))"}]},
    ]
    data.append({"name": "c", "source": "b", "transform": [{"type": "filter", "expr": "length(data('b'))"}]})
    picture = pictured({"data": data})
    assert ("c", "b", "reads") in arrows(picture)
    assert b"<svg" in written(picture, "svg")


@pytest.mark.parametrize("spec", [{}, {"data": []}, {"data": 3}, {"marks": [1]}, {"data": [{}], "marks": {"type": "group"}}])
def test_odd_specs_have_pictures_in_every_format(spec: object) -> None:
    for name in ("text", "svg", "html", "mermaid", "dot", "json"):
        assert written(pictured(spec), name)


def test_a_deep_spec_has_a_picture() -> None:
    spec: Spec = {"type": "symbol", "from": {"data": "a"}}
    for depth in range(150):
        spec = {"type": "group", "data": [{"name": f"d{depth}", "source": "a"}], "marks": [spec]}
    picture = pictured({"data": [{"name": "a", "values": [{"x": 1}]}], "marks": [spec]})
    assert len(picture.frames) == 150
    assert written(picture, "svg").count(b'class="frame"') == 150
    assert written(picture, "mermaid").count(b"subgraph") == 150


@pytest.mark.needs_shared
def test_the_crossfilter_of_vega(shared: Path) -> None:
    picture = pictured_file(shared / "corpus/valid/vg-test-crossfilter-multi.json", shared / "corpus/data")
    assert [frame.title for frame in picture.frames] == ["delay", "time", "dist"]
    flights = next(node for node in picture.nodes if node.kind == "dataset" and node.name == "flights")
    assert [step.on_spark for step in flights.steps] == [True, True, True, False]
    assert {node.name for node in picture.nodes if node.frame} >= {"delay-bins", "time-bins", "dist-bins"}
    assert list(picture.placed_problems()) == []
