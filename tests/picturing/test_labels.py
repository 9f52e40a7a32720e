"""Transforms in words."""

import pytest

from sheliak.picturing.labels import label_of, readable

LABELS = [
    ({"type": "filter", "expr": "datum.x > 3"}, "filter datum.x > 3"),
    ({"type": "formula", "expr": "datum.a\n  + 1", "as": "b"}, "b = datum.a + 1"),
    ({"type": "aggregate", "groupby": ["carrier"], "ops": ["mean"], "fields": ["delay"]}, "aggregate mean(delay) by carrier"),
    ({"type": "aggregate", "groupby": [{"field": "a"}, {"signal": "key"}]}, "aggregate count by a, key"),
    ({"type": "aggregate", "ops": ["count", "max"], "fields": [None, "x"], "as": ["n"]}, "aggregate count as n, max(x)"),
    (
        {"type": "window", "ops": ["rank"], "sort": {"field": ["a", "b"], "order": ["descending"]}, "groupby": ["k"]},
        "window rank by k sorted by a desc, b",
    ),
    ({"type": "collect", "sort": {"field": "a"}}, "sort by a"),
    ({"type": "collect"}, "collect"),
    ({"type": "lookup", "from": "t", "key": "k", "fields": ["a"], "values": ["v"], "as": ["w"]}, "lookup v in t by a as w"),
    ({"type": "project", "fields": ["a", "b"], "as": ["a", "c"]}, "keep a, b as c"),
    ({"type": "timeunit", "field": "da\\.te", "units": ["year", "month"]}, "timeunit year-month of da.te"),
    ({"type": "bin", "field": "a\\.b", "extent": [0, 1]}, "bin a.b"),
    ({"type": "pivot", "field": "k", "value": "v", "groupby": ["g"]}, "pivot k to sum(v) by g"),
    ({"type": "impute", "field": "v", "key": "k", "value": 0}, "impute v with value 0 per k"),
    ({"type": "impute", "field": "v", "key": "k", "method": "mean"}, "impute v with mean per k"),
    ({"type": "regression", "x": "a", "y": "b", "method": "log"}, "regression b on a (log)"),
    ({"type": "stack", "field": "v", "sort": {"field": [], "order": []}}, "stack v"),
    ({"type": "stratify", "key": "id", "parentKey": "parent"}, "stratify id under parent"),
    ({"type": "sequence", "start": 0, "stop": {"signal": "n"}, "step": 2}, "sequence 0 to n step 2"),
    ({"type": "FILTER", "expr": "true"}, "filter true"),
    ({"type": "nosuch", "field": "f"}, "nosuch f"),
    ({}, "no type"),
    ({"type": 3}, "3"),
    ({"type": "aggregate", "ops": {"a": 1}, "fields": 7, "groupby": True}, 'aggregate {"a": 1}(7) by true'),
    ("text", "text"),
    (None, "null"),
]


@pytest.mark.parametrize(("transform", "label"), LABELS, ids=[label for _, label in LABELS])
def test_a_transform_in_words(transform: object, label: str) -> None:
    assert label_of(transform) == label


READABLE = [
    ('datum["a"] + datum["b c"]', 'datum.a + datum["b c"]'),
    ('isValid(datum["a"]) && isFinite(+datum["a"])', "datum.a is a number"),
    ('isValid(datum["a (b)"]) && isFinite(+datum["a (b)"])', 'datum["a (b)"] is a number'),
    ('isValid(datum["a"]) && isFinite(+datum["b"])', "isValid(datum.a) && isFinite(+datum.b)"),
    (
        '(isDate(datum["t"]) || (isValid(datum["t"]) && isFinite(+datum["t"])))',
        "datum.t is a date or a number",
    ),
    ('!length(data("brush_store")) || vlSelectionTest("brush_store", datum)', "in selection brush"),
    ('(!(length(data("b_store"))) || (vlSelectionIdTest("b_store", datum)))', "in selection b"),
    ('length(data("b_store")) && vlSelectionTest("b_store", datum)', "in selection b"),
    ('!length(data("a_store")) || vlSelectionTest("b_store", datum)', '!length(data("a_store")) || in selection b'),
]


@pytest.mark.parametrize(("expression", "text"), READABLE)
def test_an_expression_as_people_say_it(expression: str, text: str) -> None:
    assert readable(expression) == text
