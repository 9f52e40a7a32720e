"""Scales and selections, read by expressions."""

from __future__ import annotations

from collections.abc import Iterator

from reference.case import Case, dataset, formula, signals

_ROWS = [
    {"k": "b", "v": 3, "t": 1577836800000},
    {"k": "a", "v": 8.4, "t": 1580601600000},
    {"k": "c", "v": -2, "t": 1583193600000},
    {"k": "a", "v": 1, "t": 1585000000000},
    {"k": None, "v": "7", "t": None},
]
_VALUES = "[0, 3, -2, 8.4, 0.5, '2', null, 'a', 'c', NaN, 1580601600000]"


def _asks(name: str = "s") -> list[dict[str, object]]:
    """Everything that an expression can ask about a scale."""
    places = [f"scale('{name}', values[{index}])" for index in range(11)]
    return [
        *signals(values=_VALUES, domain=f"domain('{name}')", range=f"range('{name}')", band=f"bandwidth('{name}')"),
        {"name": "places", "update": f"[{', '.join(places)}]"},
    ]


def cases() -> Iterator[Case]:
    for name, scale in _scales():
        renderer = ("places", "range") if name == "colours" else ()
        yield Case(f"scale: {name}", _spec(scale, _asks()), renderer=renderer)
    for name, scale in _invertible():
        inverted = signals(
            at="invert('s', 10)", out="invert('s', 1000)", stretch="invert('s', [80, 5])", none="invert('s', [null, 1])"
        )
        yield Case(f"inverted scale: {name}", _spec(scale, inverted))
    for zone in ("America/New_York", "Asia/Kolkata"):
        nice = {"type": "time", "domain": {"data": "t", "field": "t"}, "range": [0, 100], "nice": True}
        yield Case(f"scale: nice time in {zone}", _spec(nice, _asks()), zone)
    used = formula("x", "scale('s', datum.v)")
    yield Case(
        "a scale of an earlier dataset",
        {
            "data": [dataset("t", _ROWS), dataset("u", _ROWS, used)],
            "scales": [_named({"domain": {"data": "t", "field": "v"}, "range": [0, 10]})],
        },
    )
    yield Case(
        "a scale that does not exist",
        {"signals": signals(a="scale('zz', 1)", b="domain('zz')", c="range('zz')", d="bandwidth('zz')", e="invert('zz', 1)")},
    )
    yield from _selections()


def _named(scale: dict[str, object]) -> dict[str, object]:
    return {"name": "s", **scale}


def _spec(scale: dict[str, object], asked: list[dict[str, object]]) -> dict[str, object]:
    return {
        "width": 200,
        "height": 100,
        "data": [dataset("t", _ROWS), dataset("u", [{"k": "z", "v": 100}])],
        "scales": [_named(scale)],
        "signals": asked,
    }


_OF_V: dict[str, object] = {"data": "t", "field": "v"}


def _scales() -> Iterator[tuple[str, dict[str, object]]]:
    yield from _linear()
    yield from _bent()
    yield from _temporal()
    yield from _ordinal()
    yield from _bands()
    yield from _stepped()


def _linear() -> Iterator[tuple[str, dict[str, object]]]:
    yield "linear", {"domain": [1, 9], "range": [0, 80]}
    yield "linear of data", {"domain": _OF_V, "range": "width"}
    yield "linear without a domain", {"range": [0, 10]}
    yield "linear without a range", {"domain": [0, 4]}
    yield (
        "linear without zero",
        {"domain": {"data": "t", "fields": ["v", {"data": "u", "field": "v"}]}, "zero": False, "range": "height"},
    )
    yield "linear and nice", {"domain": _OF_V, "nice": True, "range": [0, 100]}
    yield "linear and nice by count", {"domain": [0.13, 0.97], "zero": False, "nice": 3, "range": [0, 100]}
    yield "linear backwards and nice", {"domain": [97.3, 1.2], "nice": True, "range": [0, 100]}
    yield "linear with ends", {"domain": _OF_V, "domainMin": -10, "domainMax": {"signal": "width"}, "range": [0, 100]}
    yield "linear with a middle", {"domain": [0, 10], "domainMid": 2, "range": [0, 50, 100]}
    yield "linear in pieces", {"domain": [0, 3, 10], "range": [0, 50, 60]}
    yield (
        "linear with clamp, round and reverse",
        {"domain": [0, 3], "range": [0, 10.4], "clamp": True, "round": True, "reverse": True},
    )
    yield "linear with padding", {"domain": [0, 3], "range": [0, 100], "padding": 10}
    yield "linear of a raw domain", {"domain": _OF_V, "domainRaw": {"signal": "[5, 6]"}, "range": [0, 100], "nice": True}
    yield "linear of no rows", {"domain": {"data": "t", "field": "q"}, "range": [0, 100]}
    yield "linear with bins", {"domain": [1, 9], "bins": [1, 5, 9], "range": [0, 80]}


def _bent() -> Iterator[tuple[str, dict[str, object]]]:
    yield "log", {"type": "log", "domain": [0.3, 70], "range": [0, 100], "nice": True}
    yield "log of base two", {"type": "log", "base": 2, "domain": [3, 70], "range": [0, 100], "nice": True}
    yield "log below zero", {"type": "log", "domain": [-70, -3], "range": [0, 100], "nice": True}
    yield "pow", {"type": "pow", "exponent": 3, "domain": [-2, 10], "range": [0, 100]}
    yield "sqrt", {"type": "sqrt", "domain": _OF_V, "range": [0, 100], "nice": True, "padding": 5}
    yield "symlog", {"type": "symlog", "constant": 2, "domain": [-5, 50], "range": [0, 100]}


def _temporal() -> Iterator[tuple[str, dict[str, object]]]:
    yield "utc", {"type": "utc", "domain": {"data": "t", "field": "t"}, "range": [0, 100]}
    yield "utc and nice", {"type": "utc", "domain": {"data": "t", "field": "t"}, "range": [0, 100], "nice": True}
    yield "utc and nice by interval", {"type": "utc", "domain": {"data": "t", "field": "t"}, "range": [0, 100], "nice": "month"}
    for count, ends in (
        (5, [0, 1e12]),
        (4, [1577836800123, 1577836800456]),
        (10, [1577836811000, 1577840000000]),
        (3, [1577836811000, 1580000000000]),
    ):
        yield f"utc and nice by {count} from {ends[0]}", {"type": "utc", "domain": ends, "range": [0, 100], "nice": count}
    yield "colours", {"type": "linear", "domain": [0, 10], "range": ["red", "blue"]}


def _ordinal() -> Iterator[tuple[str, dict[str, object]]]:
    yield "ordinal", {"type": "ordinal", "domain": {"data": "t", "field": "k"}, "range": [10, 20]}
    yield "ordinal of numbers", {"type": "ordinal", "domain": [3, "3", 0, None], "range": ["x", "y", "z", "w"]}
    yield "ordinal without a domain", {"type": "ordinal", "range": ["x", "y"]}
    yield "ordinal with an implicit domain", {"type": "ordinal", "domain": ["a"], "domainImplicit": True, "range": ["x", "y"]}
    yield "ordinal with a range of data", {"type": "ordinal", "domain": ["a", "c"], "range": {"data": "t", "field": "v"}}


def _bands() -> Iterator[tuple[str, dict[str, object]]]:
    for sort in (
        True,
        {"op": "count", "order": "descending"},
        {"op": "mean", "field": "v"},
        {"field": "v"},
        {"op": "max", "field": "v", "order": {"signal": "'descending'"}},
    ):
        yield f"band sorted by {sort}", {"type": "band", "domain": {"data": "t", "field": "k", "sort": sort}, "range": [0, 100]}
    several = {"fields": [{"data": "t", "field": "k"}, {"data": "u", "field": "k"}, ["y", "a"], {"signal": "['q']"}]}
    yield "band of several fields", {"type": "band", "domain": several, "range": [0, 100]}
    yield (
        "band of several fields, sorted",
        {"type": "band", "domain": {"data": "t", "fields": ["k", "v"], "sort": True}, "range": [0, 100]},
    )
    yield (
        "band of several fields, by count",
        {
            "type": "band",
            "domain": {"data": "t", "fields": ["k", "v"], "sort": {"op": "count", "order": "descending"}},
            "range": [0, 100],
        },
    )
    yield (
        "band with paddings",
        {"type": "band", "domain": ["a", "b", "c"], "range": "width", "padding": 0.2, "paddingInner": 0.5, "align": 0.1},
    )
    yield (
        "band, round and backwards",
        {"type": "band", "domain": ["a", "b", "c"], "range": [100, 0], "round": True, "paddingOuter": 0.3},
    )
    yield "band by steps", {"type": "band", "domain": ["a", "b", "c"], "range": {"step": 20}, "paddingInner": 0.1}
    yield "point", {"type": "point", "domain": {"data": "t", "field": "k"}, "range": [0, 100], "padding": 0.5}
    yield "point of one value", {"type": "point", "domain": ["a"], "range": [0, 100]}


def _stepped() -> Iterator[tuple[str, dict[str, object]]]:
    yield "quantize", {"type": "quantize", "domain": _OF_V, "range": ["x", "y", "z"]}
    yield "quantize and nice", {"type": "quantize", "domain": [0.3, 9.2], "nice": True, "range": [1, 2, 3, 4]}
    yield "quantile", {"type": "quantile", "domain": _OF_V, "range": ["x", "y", "z"]}
    yield "threshold", {"type": "threshold", "domain": [0, 3], "range": ["x", "y", "z"]}
    yield "bin-ordinal", {"type": "bin-ordinal", "domain": [0, 2, 4], "range": ["x", "y"]}
    yield "bin-ordinal of bins", {"type": "bin-ordinal", "bins": {"start": 0, "stop": 10, "step": 5}, "range": ["x", "y"]}
    yield "identity", {"type": "identity", "domain": [0, 10]}


def _invertible() -> Iterator[tuple[str, dict[str, object]]]:
    yield "linear", {"domain": [1, 9], "range": [0, 80]}
    yield "linear with clamp", {"domain": [1, 9], "range": [80, 0], "clamp": True}
    yield "log", {"type": "log", "domain": [1, 100], "range": [0, 100]}
    yield "pow", {"type": "pow", "exponent": 2, "domain": [0, 10], "range": [0, 100]}
    yield "symlog", {"type": "symlog", "domain": [-10, 10], "range": [0, 100]}
    yield "utc", {"type": "utc", "domain": [0, 86400000], "range": [0, 100]}
    yield "band", {"type": "band", "domain": ["a", "b", "c", "d"], "range": [0, 100], "padding": 0.2}
    yield "band backwards", {"type": "band", "domain": ["a", "b", "c", "d"], "range": [100, 0], "padding": 0.2}
    yield "point", {"type": "point", "domain": ["a", "b", "c"], "range": [0, 100]}
    yield "quantize", {"type": "quantize", "domain": [0, 9], "range": [10, 20, 80]}
    yield "quantile", {"type": "quantile", "domain": [1, 2, 3, 4, 5], "range": [10, 20, 80]}
    yield "threshold", {"type": "threshold", "domain": [3, 4], "range": [10, 20, 80]}
    yield "identity", {"type": "identity"}


# Selections


def _selections() -> Iterator[Case]:
    rows = [{"a": 1, "d": "x", "_vgsid_": 1}, {"a": 2, "d": "y", "_vgsid_": 2}, {"a": 3, "d": "x", "_vgsid_": 3}, {"d": None}]
    points = [_entry("p", [1], ("a", "E")), _entry("q", [3, "x"], ("a", "E"), ("d", "E"))]
    stores: dict[str, list[dict[str, object]]] = {
        "none": [],
        "points": points,
        "the same unit twice": [_entry("p", [1], ("a", "E")), _entry("p", [2], ("a", "E")), _entry("q", [["x"]], ("d", "E"))],
        "identities": [{"unit": "p", "_vgsid_": 1}, {"unit": "q", "_vgsid_": 1}, {"unit": "p", "_vgsid_": 3}],
    }
    for kind in ("R", "R-E", "R-LE", "R-RE"):
        stores[f"a range {kind}"] = [_entry("", [[3, 1]], ("a", kind)), _entry("u", [[2, 5]], ("a", kind))]
    for kind in ("E-LT", "E-LTE", "E-GT", "E-GTE", "E-VALID"):
        stores[f"a test {kind}"] = [_entry("", [2], ("a", kind))]
    stores["one of several"] = [_entry("", [[2, 3]], ("a", "E-ONE"))]
    for name, store in stores.items():
        tests = [
            formula("any", "vlSelectionTest('store', datum)"),
            formula("all", "vlSelectionTest('store', datum, 'intersect')"),
        ]
        tests += [
            formula("id", "vlSelectionIdTest('store', datum)"),
            formula("ids", "vlSelectionIdTest('store', datum, 'intersect')"),
        ]
        by_field = tests[:2] if name != "identities" else tests[2:]
        resolved = signals(union="vlSelectionResolve('store')", multi="vlSelectionResolve('store', 'union', true, true)")
        resolved += signals(common="vlSelectionResolve('store', 'intersect', true)") if name != "identities" else []
        yield Case(
            f"selection: {name}",
            {
                "data": [dataset("store", store), dataset("t", rows, *by_field)],
                "signals": resolved if name != "identities" else [],
            },
        )


def _entry(unit: str, values: list[object], *fields: tuple[str, str]) -> dict[str, object]:
    return {"unit": unit, "fields": [{"field": field, "type": kind} for field, kind in fields], "values": values}
