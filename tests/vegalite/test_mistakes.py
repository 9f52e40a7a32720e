"""Mistakes that people make in Vega-Lite: where each is told of, and how."""

from pathlib import Path

import pytest

from sheliak.diagnostics.registry import Severity
from vegalite.reading import check, found, one_finding
from vegalite.tables import CARS, CITIES, COUNTRIES, STOCKS, SURVEY, Json, count, n, o, q, t, unit

pytest.importorskip("vl_convert")

XY: Json = {"x": q("mpg"), "y": q("weight")}
ESCAPED = """{
    "data": {"values": [{"a": 1}]},
    "transform": [{"filter": "datum[\\"\\u0061b\\"] > 0"}],
    "mark": "bar",
    "encoding": {"x": {"field": "a", "type": "quantitative"}}
}"""

WORDS = {
    "a mark": (unit(CARS, "barr", XY), "unknown-option", "/mark", '"barr"'),
    "a mark in other letters": (unit(CARS, {"type": "Bar"}, XY), "unknown-option", "/mark/type", '"Bar"'),
    "a view without a mark": ({"data": CARS, "encoding": XY}, "incomplete-definition", "/encoding", '"encoding"'),
    "layers that are no list": ({"data": CARS, "layer": "x"}, "wrong-kind", "/layer", '"x"'),
    "a channel": (unit(CARS, "bar", {**XY, "colour": n("origin")}), "unknown-channel", "/encoding/colour", '"colour"'),
    "a type": (
        unit(CARS, "bar", {"x": {"field": "mpg", "type": "quantitativ"}, "y": n("name")}),
        "unknown-option",
        "/encoding/x/type",
        '"quantitativ"',
    ),
    "an operation": (
        unit(CARS, "bar", {"x": q("mpg", aggregate="avg"), "y": n("name")}),
        "unknown-option",
        "/encoding/x/aggregate",
        '"avg"',
    ),
    "a time unit": (
        unit(CARS, "bar", {"x": t("built", timeUnit="yearmont"), "y": q("mpg")}),
        "unknown-option",
        "/encoding/x/timeUnit",
        '"yearmont"',
    ),
    "a scale": (
        unit(CARS, "bar", {"x": q("mpg", scale={"type": "lineer"}), "y": n("name")}),
        "unknown-option",
        "/encoding/x/scale/type",
        '"lineer"',
    ),
    "a selection": (
        unit(CARS, "point", XY, params=[{"name": "brush", "select": "intervl"}]),
        "unknown-option",
        "/params/0/select",
        '"intervl"',
    ),
    "a channel of a selection": (
        unit(CARS, "point", XY, params=[{"name": "brush", "select": {"type": "interval", "encodings": ["xx"]}}]),
        "unknown-channel",
        "/params/0/select/encodings/0",
        '"xx"',
    ),
    "a transform": (
        unit(CARS, "point", XY, {"calcualte": "1", "as": "one"}),
        "ignored-transform",
        "/transform/0",
        '{\n   "calcualte": "1",\n   "as": "one"\n  }',
    ),
    "a transform without a part": (
        unit(CARS, "point", XY, {"lookup": "name"}),
        "missing-parameter",
        "/transform/0/lookup",
        '"lookup"',
    ),
    "an operation of a window": (
        unit(CARS, "point", XY, {"window": [{"op": "rnk", "as": "place"}]}),
        "unknown-option",
        "/transform/0/window/0/op",
        '"rnk"',
    ),
    "a list to repeat": (
        {
            "data": CARS,
            "repeat": ["mpg"],
            "spec": unit(None, "bar", {"x": {"field": {"repeat": "colum"}, "type": "quantitative"}}),
        },
        "unknown-option",
        "/spec/encoding/x/field/repeat",
        '"colum"',
    ),
    "a field that is no text": (
        unit(CARS, "bar", {"x": {"field": None, "type": "nominal"}, "y": q("mpg")}),
        "wrong-kind",
        "/encoding/x/field",
        "null",
    ),
    "a parse type": (
        unit({"values": [{"a": "1"}], "format": {"parse": {"a": "int"}}}, "point", {"x": q("a")}),
        "unknown-parse-type",
        "/data/format/parse/a",
        '"int"',
    ),
}

EXPRESSIONS = {
    "an assignment": (
        unit(CARS, "point", XY, {"filter": "datum.origin = 'USA'"}),
        "expression-syntax",
        "/transform/0/filter",
        "=",
    ),
    "a method": (
        unit(CARS, "point", XY, {"calculate": "datum.name.toUpperCase()", "as": "loud"}),
        "illegal-call",
        "/transform/0/calculate",
        "toUpperCase",
    ),
    "a field without datum": (unit(CARS, "point", XY, {"filter": "mpg > 3"}), "unknown-param", "/transform/0/filter", "mpg"),
    "a parameter of a mark": (
        unit(CARS, {"type": "point", "size": {"expr": "sze"}}, XY, params=[{"name": "size", "value": 3}]),
        "unknown-param",
        "/mark/size/expr",
        "sze",
    ),
    "a label": (
        unit(CARS, "bar", {"x": n("origin", axis={"labelExpr": "datum.labl"}), "y": q("mpg")}),
        "unknown-field",
        "/encoding/x/axis/labelExpr",
        "labl",
    ),
    "an escaped expression": (ESCAPED, "unknown-field", "/transform/0/filter", "\\u0061b"),
    "the filter of an event": (
        unit(CARS, "point", XY, params=[{"name": "pick", "select": {"type": "point", "on": "click[evnt.shiftKey]"}}]),
        "unknown-param",
        "/params/0/select/on",
        "evnt",
    ),
}

FIELDS = {
    "text on a channel of numbers": (
        unit(CARS, "point", {"x": q("origin"), "y": q("mpg")}),
        "text-in-scale",
        "/encoding/x/field",
        '"origin"',
    ),
    "text that is stacked": (
        unit(CARS, "bar", {"x": n("origin"), "y": q("name")}),
        "text-in-scale",
        "/encoding/y/field",
        '"name"',
    ),
    "text in bins": (unit(CARS, "bar", {"x": q("name", bin=True), "y": count()}), "text-in-scale", "/encoding/x/field", '"name"'),
    "dates along a line of numbers": (
        unit(STOCKS, "line", {"x": q("day"), "y": q("price")}),
        "text-in-scale",
        "/encoding/x/field",
        '"day"',
    ),
    "a sum of text": (
        unit(CARS, "bar", {"x": n("origin"), "y": q("name", aggregate="sum")}),
        "text-in-transform",
        "/encoding/y/field",
        '"name"',
    ),
    "a key of another table": (
        unit(
            CITIES, "bar", {"x": n("city")}, {"lookup": "country", "from": {"data": COUNTRIES, "key": "cod", "fields": ["label"]}}
        ),
        "unknown-field",
        "/transform/0/from/key",
        '"cod"',
    ),
    "a sort": (
        unit(CARS, "bar", {"x": n("origin", sort={"field": "mgp", "op": "mean"}), "y": q("mpg", aggregate="mean")}),
        "unknown-field",
        "/encoding/x/sort/field",
        '"mgp"',
    ),
    "a detail that nothing is grouped by": (
        unit(CARS, "point", {**XY, "detail": n("nmae")}),
        "unknown-field",
        "/encoding/detail/field",
        '"nmae"',
    ),
    "a tooltip": (unit(CARS, "point", {**XY, "tooltip": n("nmae")}), "unknown-field", "/encoding/tooltip/field", '"nmae"'),
    "a field of a value": (
        unit(CARS, "point", {"x": q("mpg.city"), "y": q("weight")}),
        "field-of-a-value",
        "/encoding/x/field",
        "city",
    ),
    "a nested field": (unit(SURVEY, "point", {"x": q("answers.maybe")}), "unknown-field", "/encoding/x/field", "maybe"),
    "rows that are no shapes": (unit(CARS, "geoshape", {"color": q("mpg")}), "unknown-field", "/mark", '"geoshape"'),
    "a path that does not end": (
        unit(CARS, "point", {"x": q("mpg["), "y": q("weight")}),
        "vega-lite-error",
        "/encoding/x/field",
        '"mpg["',
    ),
}

ALL = {**WORDS, **EXPRESSIONS, **FIELDS}


@pytest.mark.parametrize("name", ALL)
def test_the_place_of(name: str) -> None:
    spec, code, pointer, text = ALL[name]
    assert found(spec) == [(code, pointer, text)]


def test_a_dropped_field_leads_to_the_transform_that_dropped_it() -> None:
    total = {"aggregate": [{"op": "sum", "field": "weight", "as": "total"}], "groupby": ["origin"]}
    finding = one_finding(unit(CARS, "bar", {"x": n("origin"), "y": q("mpg")}, {"filter": "datum.mpg > 1"}, total))
    assert (finding.code, finding.pointer) == ("dropped-field", "/encoding/y/field")
    assert [related.location.pointer for related in finding.related] == ["/transform/1"]
    assert finding.notes == ("after the `aggregate` only `origin`, `total` remain",)


def test_an_aggregated_encoding_keeps_only_the_fields_of_its_channels() -> None:
    color = {"condition": {"test": "datum.weight > 3000", "value": "red"}, "value": "grey"}
    finding = one_finding(unit(CARS, "bar", {"x": n("origin"), "y": q("mpg", aggregate="mean"), "color": color}))
    assert (finding.code, finding.pointer) == ("dropped-field", "/encoding/color/condition/test")
    assert [related.location.pointer for related in finding.related] == ["/encoding/y"]
    assert finding.help == "add `weight` as a channel, for example as `detail`, or aggregate it too"


def test_the_fields_that_are_listed_are_those_of_the_author() -> None:
    finding = one_finding(
        unit(STOCKS, "bar", {"x": t("day", timeUnit="month"), "y": q("volme", aggregate="sum"), "color": n("symbol")})
    )
    assert finding.message == "the data has no field `volme`"
    assert finding.notes == ("the fields here are `symbol`, `day`, `price`, `volume`",)
    assert finding.help == "a field with a similar name exists: `volume`"


def test_data_is_called_by_its_name_or_its_url(tmp_path: Path) -> None:
    (tmp_path / "cars.csv").write_text("mpg,origin\n18,USA\n")
    encoding = {"x": q("mgp"), "y": n("origin")}
    named = unit({"name": "cars", **CARS}, "bar", encoding)
    assert one_finding(named).message == "dataset `cars` has no field `mgp`"
    assert one_finding(unit({"url": "cars.csv"}, "bar", encoding), tmp_path).message == "`cars.csv` has no field `mgp`"


def test_a_name_with_a_dot_is_written_with_a_backslash() -> None:
    finding = one_finding(unit({"values": [{"a.b": 1, "c": 2}]}, "point", {"x": q("a.b"), "y": q("c")}))
    assert finding.message == "`a.b` leads into a nested field, and the data has no field `a`"
    assert finding.help == "the field of that name is written `a\\\\.b`"


def test_a_predicate_that_compares_text_with_a_number() -> None:
    finding = one_finding(unit(CARS, "point", XY, {"filter": {"field": "name", "gt": 3}}))
    assert (finding.pointer, finding.severity) == ("/transform/0/filter/field", Severity.WARNING)
    assert finding.message == "`name` is string: compared with a number it is neither less nor greater"


def test_a_column_to_parse_that_is_not_there() -> None:
    finding = one_finding(unit({"values": [{"a": 1}], "format": {"parse": {"b": "number"}}}, "point", {"x": q("a")}))
    assert (finding.code, finding.pointer, finding.severity) == (
        "parse-of-absent-column",
        "/data/format/parse/b",
        Severity.WARNING,
    )


def test_a_row_that_is_null_is_told_of_in_the_data() -> None:
    assert [entry[:2] for entry in found(unit({"values": [{"a": 1}, None]}, "point", {"x": q("a")}))] == [
        ("null-row", "/data/values")
    ]


def test_a_key_that_stands_twice() -> None:
    text = '{"mark": "bar", "mark": "point", "data": {"values": [{"a": 1}]}, "encoding": {"x": {"field": "a"}}}'
    assert [entry[:2] for entry in found(text)] == [("duplicate-key", "/mark")]


def test_several_wrong_words_are_told_of_at_once() -> None:
    spec = unit(
        CARS, "bar", {**XY, "colour": n("origin"), "sise": q("mpg")}, {"filtr": "1"}, {"calc": "1"}, {"filter": "datum.mgp > 1"}
    )
    assert [entry[:2] for entry in found(spec)] == [
        ("ignored-transform", "/transform/0"),
        ("ignored-transform", "/transform/1"),
        ("unknown-field", "/transform/2/filter"),
        ("unknown-channel", "/encoding/colour"),
        ("unknown-channel", "/encoding/sise"),
    ]


def test_a_spec_of_too_many_views_is_not_compiled() -> None:
    lists = {"row": ["mpg"] * 40, "column": ["weight"] * 40}
    spec = {"data": CARS, "repeat": lists, "spec": unit(None, "point", {"x": {"field": {"repeat": "row"}}})}
    assert found(spec) == [("too-many-views", "/repeat", '"repeat"')]


def test_a_report_counts_its_errors() -> None:
    assert check(unit(CARS, "point", XY)).ok
    assert not check(unit(CARS, "point", {**XY, "size": o("cylnders")})).ok
