"""Datasets, signals, scales, projections and marks: what is in scope where."""

import pytest

from checker.specs import books, found

T = {"name": "t", "values": [{"a": 1, "g": "x"}]}
SCALE = {"name": "s", "type": "linear", "domain": {"data": "t", "field": "a"}, "range": "width"}
MARK = {"name": "m", "type": "rect", "from": {"data": "t"}}

CASES = {
    "a source is defined earlier": ({"data": [{"name": "u", "source": "t"}]}, [("unknown-dataset", "/data/0/source")]),
    "a source defined later is said to be later": (
        {"data": [{"name": "u", "source": "t"}, T]},
        [("dataset-used-too-early", "/data/0/source")],
    ),
    "dataset names are unique": ({"data": [T, T]}, [("duplicate-name", "/data/1/name")]),
    "signals may refer to later signals": ({"signals": [{"name": "a", "update": "b + 1"}, {"name": "b", "value": 1}]}, []),
    "a cycle of signals": (
        {"signals": [{"name": "a", "update": "b + 1"}, {"name": "b", "update": "a"}]},
        [("cycle", "/signals/0/update")],
    ),
    "a signal may refer to itself": ({"signals": [{"name": "a", "value": 1, "update": "a + 1"}]}, []),
    "an unknown signal": ({"signals": [{"name": "a", "update": "zz"}]}, [("unknown-signal", "/signals/0/update")]),
    "width is a signal": ({"signals": [{"name": "a", "update": "width / 2"}]}, []),
    "signal names are unique": (
        {"signals": [{"name": "a", "value": 1}, {"name": "a", "value": 2}]},
        [("duplicate-name", "/signals/1/name")],
    ),
    "a handler needs events": (
        {"signals": [{"name": "a", "value": 1, "on": [{"update": "1"}]}]},
        [("incomplete-definition", "/signals/0/on/0")],
    ),
    "a handler on a mark that does not exist": (
        {"signals": [{"name": "a", "value": 1, "on": [{"events": "@nobody:click", "update": "1"}]}]},
        [("unknown-mark", "/signals/0/on/0/events")],
    ),
    "a handler's datum is that of its mark": (
        {
            "data": [T],
            "marks": [MARK],
            "signals": [{"name": "a", "value": 1, "on": [{"events": "@m:click", "update": "datum.q"}]}],
        },
        [("unknown-field", "/signals/0/on/0/update")],
    ),
    "a domain over an unknown dataset": (
        {"scales": [{**SCALE, "domain": {"data": "zz", "field": "a"}}]},
        [("unknown-dataset", "/scales/0/domain/data")],
    ),
    "an axis needs a known scale": ({"axes": [{"orient": "left", "scale": "zz"}]}, [("unknown-scale", "/axes/0/scale")]),
    "a legend needs a scale": ({"legends": [{}]}, [("incomplete-definition", "/legends/0")]),
    "scales and projections share their names": (
        {"data": [T], "scales": [SCALE], "projections": [{"name": "s"}]},
        [("duplicate-name", "/scales/0/name")],
    ),
    "an unknown scale in an encode entry": (
        {"data": [T], "marks": [{**MARK, "encode": {"enter": {"x": {"scale": "zz", "field": "a"}}}}]},
        [("unknown-scale", "/marks/0/encode/enter/x/scale")],
    ),
    "a later mark is not visible": (
        {"data": [T], "marks": [{"type": "text", "from": {"data": "m"}}, MARK]},
        [("dataset-used-too-early", "/marks/0/from/data")],
    ),
    "an earlier mark feeds a later one with its items": (
        {
            "data": [T],
            "marks": [MARK, {"type": "text", "from": {"data": "m"}, "encode": {"enter": {"text": {"field": "datum.g"}}}}],
        },
        [],
    ),
    "a field of an item that no item has": (
        {"data": [T], "marks": [MARK, {"type": "text", "from": {"data": "m"}, "encode": {"enter": {"text": {"field": "g"}}}}]},
        [("unknown-field", "/marks/1/encode/enter/text/field")],
    ),
    "an unknown projection": (
        {"data": [{**T, "transform": [{"type": "geopoint", "projection": "p", "fields": ["a", "a"]}]}]},
        [("unknown-projection", "/data/0/transform/0/projection")],
    ),
    "an expression cannot use a signal that a later transform publishes": (
        books({"type": "filter", "expr": "e[0] > 1"}, {"type": "extent", "field": "words", "signal": "e"}),
        [("unknown-signal", "/data/0/transform/0/expr")],
    ),
    "a signal object can": (
        {
            "data": [
                {**T, "transform": [{"type": "bin", "field": "a", "extent": {"signal": "e"}}]},
                {**T, "name": "u", "transform": [{"type": "extent", "field": "a", "signal": "e"}]},
            ]
        },
        [],
    ),
    "a dataset that uses a scale computed from it": (
        {"data": [{**T, "transform": [{"type": "formula", "as": "x", "expr": "scale('s', datum.a)"}]}], "scales": [SCALE]},
        [("cycle", "/data/0/transform/0/expr")],
    ),
}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_names(case):
    spec, expected = CASES[case]
    assert found(spec) == expected


def group(**inner: object) -> dict[str, object]:
    return {"data": [T], "marks": [{"type": "group", **inner}]}


GROUPS = {
    "an inner scope sees the outer datasets": (group(data=[{"name": "u", "source": "t"}]), []),
    "an outer scope does not see the inner ones": (
        {
            "data": [T],
            "marks": [{"type": "group", "data": [{"name": "u", "source": "t"}]}, {"type": "rect", "from": {"data": "u"}}],
        },
        [("unknown-dataset", "/marks/1/from/data")],
    ),
    "the rows of a facet": (
        group(
            **{
                "from": {"facet": {"name": "f", "data": "t", "groupby": "g"}},
                "marks": [
                    {"type": "rect", "from": {"data": "f"}, "encode": {"enter": {"x": {"field": "a"}, "y": {"field": "q"}}}}
                ],
            }
        ),
        [("unknown-field", "/marks/0/marks/0/encode/enter/y/field")],
    ),
    "parent is the cell of a facet": (
        group(
            **{
                "from": {"facet": {"name": "f", "data": "t", "groupby": "g"}},
                "signals": [{"name": "n", "update": "parent.g + parent.count"}, {"name": "m", "update": "parent.a"}],
            }
        ),
        [("dropped-field", "/marks/0/signals/1/update")],
    ),
    "a facet groups by a field that exists": (
        group(**{"from": {"facet": {"name": "f", "data": "t", "groupby": "q"}}}),
        [("unknown-field", "/marks/0/from/facet/groupby")],
    ),
    "push writes to a signal further out": (
        {
            **group(signals=[{"name": "a", "push": "outer", "on": [{"events": "click", "update": "1"}]}]),
            "signals": [{"name": "a"}],
        },
        [],
    ),
    "push needs a signal further out": (
        group(signals=[{"name": "a", "push": "outer", "on": [{"events": "click", "update": "1"}]}]),
        [("unknown-signal", "/marks/0/signals/0/push")],
    ),
}


@pytest.mark.parametrize("case", GROUPS, ids=str)
def test_groups(case):
    spec, expected = GROUPS[case]
    assert found(spec) == expected
