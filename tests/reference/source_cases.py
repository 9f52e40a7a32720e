"""Where rows come from: formats, parsers, properties, topologies, urls, and what happens when they cannot be read."""

from __future__ import annotations

import json
from collections.abc import Iterator

from reference.case import Case, dataset

_CSV = 'a,b,c\n1,x,2020-01-01\n2,"y, ""z""",2020-01-02T03:04:05\n,,\n3'
_MIXED = "n,d,b,t,e\n1,2020-01-01,true,Sector 7,\n2.5,2020-02-01,false,Sector 8,\n0x1f,2020-03-01,true,Sector 9,"
_SQUARES = {
    "type": "Topology",
    "transform": {"scale": [0.5, 0.25], "translate": [10, -5]},
    "arcs": [
        [[0, 0], [4, 0]],
        [[4, 0], [0, 4], [-4, 0], [0, -4]],
        [[4, 0], [4, 0], [0, 4], [-4, 0], [0, -4]],
        [[20, 20], [0, 0]],
        [[8, 4], [1, 1], [2, 3]],
    ],
    "objects": {
        "land": {
            "type": "GeometryCollection",
            "geometries": [
                {"type": "Polygon", "arcs": [[0, 1]], "id": 1, "properties": {"name": "west"}},
                {"type": "MultiPolygon", "arcs": [[[-2]], [[2]]], "properties": None},
                {"type": "Point", "coordinates": [3, 4], "bbox": [0, 0, 1, 1]},
                {"type": "MultiPoint", "coordinates": [[3, 4], [5, 6]], "id": "p"},
                {"type": "LineString", "arcs": [4, -5], "id": None},
                {"type": "MultiLineString", "arcs": [[3], [4]]},
                {"type": "GeometryCollection", "geometries": [{"type": "LineString", "arcs": [3]}]},
                {"type": None},
            ],
        },
        "one": {"type": "Polygon", "arcs": [[3]], "id": 0},
        "borders": {
            "type": "GeometryCollection",
            "geometries": [
                {"type": "Polygon", "arcs": [[0, 1]]},
                {"type": "Polygon", "arcs": [[-1, 2]]},
                {"type": "LineString", "arcs": [3, 4]},
            ],
        },
    },
}
_PLAIN_TOPOLOGY = {
    "type": "Topology",
    "arcs": [[[0, 0], [1, 0]], [[1, 0], [1, 1]], [[1, 1], [0, 0]], [[1, 1], [2, 2, 9]]],
    "objects": {
        "o": {"type": "MultiLineString", "arcs": [[2, 0], [1], [-4], [3]]},
        "empty": {"type": "GeometryCollection", "geometries": []},
    },
}


def cases() -> Iterator[Case]:
    for name, values, format in _formats():
        yield Case(f"source: {name}", {"data": [dataset("t", values, **({"format": format} if format is not None else {}))]})
    for name, text, format in _texts():
        url = "data:text/plain," + "".join(f"%{byte:02x}" for byte in text.encode())
        yield Case(f"url: {name}", {"data": [{"name": "t", "url": url, **({"format": format} if format is not None else {})}]})
    for zone in ("America/New_York", "Asia/Kolkata"):
        parse = {"a": "date", "b": "date:'%Y-%m-%d %H:%M'", "c": "utc:'%Y-%m-%d %H:%M'", "d": "date"}
        rows = [{"a": "2020-03-08", "b": "2020-03-08 02:30", "c": "2020-03-08 02:30", "d": "2020-11-01T01:30"}]
        yield Case(f"source: dates in {zone}", {"data": [dataset("t", rows, format={"parse": parse})]}, zone)
    yield from _signals()
    yield from _origins()


def _formats() -> Iterator[tuple[str, object, object]]:
    rows = [{"a": 1, "b": "x"}, {"a": "2", "c": None}]
    yield "rows", rows, None
    yield "plain values", [1, "b", True, 2.5], None
    yield "arrays as rows", [[1, 2], [3]], None
    yield "one object", {"a": 1}, None
    yield "null among rows", [{"a": 1}, None], None
    yield "JSON text", json.dumps(rows), None
    yield "JSON text of a number", "5", None
    yield "broken JSON text", "[1, 2", None
    yield "a property", {"x": {"y": rows}}, {"property": "x.y"}
    yield "a property with brackets", {"x": [{"y z": rows}]}, {"property": "x[0]['y z']"}
    yield "a property that is not there", {"x": 1}, {"property": "y"}
    yield "a property below nothing", {"x": 1}, {"property": "y.z"}
    yield "a property that is null", {"x": None}, {"property": "x"}
    yield "a copy", rows, {"copy": True}
    yield "an unknown format", rows, {"type": "zz"}
    yield "csv", _CSV, {"type": "csv"}
    yield "csv with a header", "1,x\n2,y", {"type": "csv", "header": ["p", 'q"r']}
    yield "csv with carriage returns", "a,b\r\n1,2\r\n\r\n3,4\r\n", {"type": "csv"}
    yield "csv with two columns of one name", "a,a\n1,2", {"type": "csv"}
    yield "csv of nothing", "", {"type": "csv"}
    yield "csv of a header only", "a,b", {"type": "csv"}
    yield "csv with an odd quote", 'a,b\n"x"y,2\n"open,3', {"type": "csv"}
    yield "csv of an array of texts", ["a,b", "1,2"], {"type": "csv"}
    yield "tsv", "a\tb\n1\tx y\n", {"type": "tsv"}
    yield "dsv", "a|b\n1|2", {"type": "dsv", "delimiter": "|"}
    yield "dsv without a delimiter", "a|b\n1|2", {"type": "dsv"}
    yield from _parsed()
    yield from _geographic()


def _parsed() -> Iterator[tuple[str, object, object]]:
    cells = [
        1,
        0,
        -2.5,
        "1",
        "0",
        "",
        " ",
        "x",
        "no",
        "false",
        "true",
        True,
        False,
        None,
        [5],
        {"a": 1},
        "2020-01-01",
        "12/31/2019 10:00",
    ]
    rows: list[object] = [{"i": index, "v": value} for index, value in enumerate(cells)]
    for how in ("number", "integer", "boolean", "string", "date", "unknown"):
        yield f"parse {how}", [*rows, {"i": "absent"}], {"parse": {"v": how}}
    yield (
        "parse by a pattern",
        [{"d": text} for text in ("2020-02-30", "1999-12-31", "20-1-1", "", None, 5)],
        {"parse": {"d": "date:%Y-%m-%d"}},
    )
    yield (
        "parse by a quoted pattern",
        [{"d": "Jan 5 2020 1:02 PM"}],
        {"parse": {"d": "utc:'%b %e %Y %I:%M %p'", "q": 'date:"%Y"'}},
    )
    yield "parse of an absent column", [{"a": 1}], {"parse": {"q": "number", "r": "string", "s": "date:%Y"}}
    yield "parse by an unknown type", [{"a": 1}], {"parse": {"a": "zz"}}
    yield "parse of no rows", [], {"parse": {"a": "zz"}}
    yield "parse of one object", {"a": "1"}, {"parse": {"a": "number"}}
    yield "parse of plain values", [1, 2], {"parse": {"a": "number"}}
    yield "auto on text", _MIXED, {"type": "csv", "parse": "auto"}
    yield "auto on rows", [{"a": "1"}, {"a": "2", "b": "3"}, {"a": None}], {"parse": "auto"}
    yield (
        "auto on texts",
        [{"a": "true", "b": "1e3", "c": "2020", "d": "x"}, {"a": "false", "b": "", "c": "y", "d": None}],
        {"parse": "auto"},
    )
    yield "auto on nothing but null", [{"a": None}, {"a": None}], {"parse": "auto"}
    yield "auto with gaps", "n,d,b\n1,2020-01-01,true\n,,", {"type": "csv", "parse": "auto"}


def _geographic() -> Iterator[tuple[str, object, object]]:
    for name in ("land", "one", "borders"):
        yield f"features of {name}", _SQUARES, {"type": "topojson", "feature": name}
        yield f"mesh of {name}", _SQUARES, {"type": "topojson", "mesh": name}
    for kept in ("interior", "exterior", "zz"):
        yield f"{kept} mesh", _SQUARES, {"type": "topojson", "mesh": "borders", "filter": kept}
    yield "features without a transform", _PLAIN_TOPOLOGY, {"type": "topojson", "feature": "o"}
    yield "mesh without a transform", _PLAIN_TOPOLOGY, {"type": "topojson", "mesh": "o"}
    yield "features of an empty collection", _PLAIN_TOPOLOGY, {"type": "topojson", "feature": "empty"}
    yield "features under a property", {"in": _PLAIN_TOPOLOGY}, {"type": "topojson", "feature": "o", "property": "in"}
    yield "an unknown topology object", _PLAIN_TOPOLOGY, {"type": "topojson", "feature": "zz"}
    yield "a topology without feature or mesh", _PLAIN_TOPOLOGY, {"type": "topojson"}
    yield "parsed features", _SQUARES, {"type": "topojson", "feature": "land", "parse": {"id": "string"}}
    yield "a feature collection is one row", {"type": "FeatureCollection", "features": [{"type": "Feature"}]}, None


def _texts() -> Iterator[tuple[str, str, object]]:
    yield "json", '[{"a": 1e3, "b": -0.0, "é": "\\u00e9\\ud83d\\ude00"}]', None
    yield "one object", '{"a": 1}', {"type": "json"}
    yield "csv read as JSON", "a,b\n1,2\n", None
    yield "csv", _CSV, {"type": "csv", "parse": {"a": "number"}}
    yield "a property that is not there", '{"x": []}', {"property": "y.z"}
    yield "a null property", '{"x": null}', {"property": "x"}
    yield "an unknown parser", '[{"a": 1}]', {"parse": {"a": "zz"}}
    yield "an unknown format", "[]", {"type": "zz"}
    yield "plain values", "[1, [2], true]", None


def _signals() -> Iterator[Case]:
    values = {"a": [{"x": "1"}], "b": [{"x": "2"}, {"x": "3"}]}
    given: list[tuple[str, object, dict[str, object]]] = [
        ("property", {"signal": "p"}, {"values": values, "format": {"property": {"signal": "p"}}}),
        ("parser", {"signal": "q"}, {"values": values["b"], "format": {"parse": {"x": {"signal": "q"}}}}),
        ("values", None, {"values": {"signal": "rows"}}),
        ("plain values", None, {"values": {"signal": "[1, 'a', null]"}}),
        ("url", None, {"url": {"signal": "'data:,' + '[{\"u\":' + p2 + '}]'"}}),
    ]
    base = [
        {"name": "p", "value": "b"},
        {"name": "q", "value": "number"},
        {"name": "rows", "value": [{"r": 1}]},
        {"name": "p2", "update": "length(p)"},
    ]
    for name, _, definition in given:
        yield Case(f"source by signal: {name}", {"signals": base, "data": [{"name": "t", **definition}]})


def _origins() -> Iterator[Case]:
    one, two = dataset("one", [{"a": 1}, {"a": 2}]), dataset("two", [{"b": 1}])
    yield Case(
        "values before url before source", {"data": [one, {"name": "t", "values": [], "url": "data:,[1]", "source": "one"}]}
    )
    yield Case("url before source", {"data": [one, {"name": "t", "url": "data:,[5]", "source": "one"}]})
    yield Case("null values count as none", {"data": [one, {"name": "t", "values": None, "source": "one"}]})
    yield Case("several sources", {"data": [one, two, {"name": "t", "source": ["two", "one", "two"]}]})
    written = {"type": "formula", "as": "c", "expr": "1"}
    yield Case(
        "several sources written into", {"data": [one, two, {"name": "t", "source": ["one", "two"], "transform": [written]}]}
    )
    yield Case("no source at all", {"data": [{"name": "t"}, {"name": "u", "source": "t", "transform": [{"type": "aggregate"}]}]})
    yield Case("an unknown source", {"data": [one, {"name": "t", "source": "zz"}]})
    yield Case("a dataset without a name", {"data": [{"values": [1]}]})
