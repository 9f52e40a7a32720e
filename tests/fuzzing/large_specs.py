"""Specs that are sound or nearly so, and large in one direction: deep, long, wide, circular."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random

from fuzzing.odd_values import Json, deep

_SIZES = (30, 300, 2000)
_SMALLER_SIZES = (10, 40, 150)


def _data(rows: Json, *transforms: Json) -> Json:
    return {"data": [{"name": "t", "values": rows, "transform": list(transforms)}]}


def nested_values(random: Random) -> Json:
    return {"data": [{"name": "t", "values": [deep(random.choice((100, 490, 600)), random.choice(("array", "a")))]}], "marks": []}


def nested_groups(random: Random) -> Json:
    """Groups in groups, each with a facet, a dataset and a scale."""
    spec: dict[str, Json] = {"type": "text", "from": {"data": "f"}, "encode": {"enter": {"text": {"field": "zz"}}}}
    for number in range(random.choice((5, 40, 110))):
        facet: Json = {"facet": {"name": "f", "data": "f" if number else "t", "groupby": ["a"]}}
        spec = {"type": "group", "name": f"g{number}", "from": facet, "marks": [spec], "signals": [{"name": "s", "update": "s"}]}
    return {"data": [{"name": "t", "values": [{"a": 1, "b": "x"}]}], "marks": [spec]}


def signal_chain(random: Random) -> Json:
    """Each signal reads the next, so that none can be typed in order; sometimes they close a circle."""
    count = random.choice((100, 1000, 4000))
    last = "s0" if random.random() < 0.4 else "1"
    signals: list[Json] = [{"name": f"s{i}", "update": f"s{i + 1} + 1" if i + 1 < count else last} for i in range(count)]
    if random.random() < 0.5:
        signals.reverse()
    return {"signals": signals}


def dataset_chain(random: Random) -> Json:
    count = random.choice((50, 400, 1500))
    data: list[Json] = [{"name": "d0", "values": [{"a": 1}]}]
    data += [
        {"name": f"d{i}", "source": f"d{i - 1}", "transform": [{"type": "formula", "as": f"f{i % 40}", "expr": "datum.a"}]}
        for i in range(1, count)
    ]
    if random.random() < 0.3:
        data[0] = {"name": "d0", "source": f"d{count - 1}"}
    return {"data": data}


def scale_circle(random: Random) -> Json:
    count = random.choice((2, 20, 300))
    domain = [{"signal": f"domain('s{(i + 1) % count}')"} for i in range(count)]
    return {"scales": [{"name": f"s{i}", "domain": of, "range": "width"} for i, of in enumerate(domain)]}


def crossed(random: Random) -> Json:
    """cross doubles the record: its paths are two to the number of crosses."""
    crosses: list[Json] = [{"type": "cross"}] * random.choice((3, 12, 40))
    tail: Json = {
        "type": "formula",
        "as": "z",
        "expr": random.choice(("datum", "[datum, datum.a]", "datum.b.nope", "datum == datum.a")),
    }
    return _data(
        [{"x": 1, "y": "a"}], *crosses, tail, {"type": "fold", "fields": ["a", "b"]}, {"type": "flatten", "fields": ["z"]}
    )


def grown_formula(random: Random) -> Json:
    """Each formula holds the one before twice."""
    each = random.choice(
        ("[datum.v, datum.v]", "{a: datum.v, b: datum.v}", "datum.x ? [datum.v] : {v: datum.v}", "merge(datum, {v: datum})")
    )
    steps: list[Json] = [{"type": "formula", "as": "v", "expr": each} for _ in range(random.choice((5, 15, 60)))]
    return _data(
        [{"x": 1, "v": 1}], *steps, {"type": "aggregate", "groupby": ["v"], "ops": ["max", "values"], "fields": ["v", "v"]}
    )


def wide_rows(random: Random) -> Json:
    """Rows that share no field, or one field of every kind."""
    count = random.choice(_SIZES)
    rows: list[Json] = [{f"c{i}": i, "v": deep(i % 30, "a"), "k": f"k{i}"} for i in range(count)]
    pivot: Json = {"type": "pivot", "field": "k", "value": "v"}
    nest: Json = {"type": "nest", "keys": ["k", "v"]}
    return _data(
        rows,
        *random.choice(
            ((), (pivot,), (nest,), (pivot, {"type": "fold", "fields": ["k1"]}), ({"type": "flatten", "fields": ["v"]},))
        ),
    )


def many_options(random: Random) -> Json:
    """A signal with many options that is used as a field, twice in one path."""
    options: list[Json] = [f"o{i}" for i in range(random.choice(_SIZES))]
    signal: Json = {"name": "s", "value": "o0", "bind": {"input": "select", "options": options}}
    expr = random.choice(
        ("datum[s]", "datum[s][s]", "datum[s + s]", "datum[s + s + s]", "datum[s] + datum[s]", "indata('t', s, s)")
    )
    steps: Json = [{"type": "formula", "as": {"signal": "s"}, "expr": expr}, {"type": "aggregate", "groupby": [{"signal": "s"}]}]
    return {"signals": [signal], "data": [{"name": "t", "values": [{"o1": 1, "o2": "x"}], "transform": steps}]}


def long_expression(random: Random) -> Json:
    count = random.choice((100, 1000, 9000))
    text = random.choice(_LONG_EXPRESSIONS)(count)
    return {"signals": [{"name": "x", "update": text}], **dict(_data([{"a": 1}], {"type": "formula", "as": "v", "expr": text}))}  # type: ignore[arg-type]


_LONG_EXPRESSIONS: tuple[Callable[[int], str], ...] = (
    lambda count: "(" * count + "1" + ")" * count,
    lambda count: "[" * count + "]" * count,
    lambda count: "!" * count + "datum.a",
    lambda count: "datum" + ".a" * count,
    lambda count: "datum" + "[0]" * count,
    lambda count: " + ".join(["datum.a"] * count),
    lambda count: " && ".join(["datum.a"] * count),
    lambda count: "".join(f"datum.a == {i} ? '{i}' : " for i in range(count)) + "{}",
    lambda count: "abs(" * count + "1" + ")" * count,
    lambda count: "[" + ", ".join(f"{{c{i}: {i}}}" for i in range(count)) + "]",
    lambda count: "{" + ", ".join(f"c{i}: [{i}]" for i in range(count)) + "}",
    lambda count: "'" + "\\u0061" * count + "' + 1",
    lambda count: "/" + "(a+)+" * min(count, 200) + "$/.test('" + "a" * min(count, 40) + "!')",
    lambda count: "merge(" + ", ".join(["datum"] * count) + ")",
    lambda count: "datum.a ? " * count,
    lambda count: "1" * count,
    lambda count: "pad('', 1e9, 'x') + repeat('x', 1e9) + sequence(0, 1e12) + split('a', '')" + " " * count,
)


def long_selector(random: Random) -> Json:
    count = random.choice((20, 400, 3000))
    text = random.choice(
        (
            "[" * count + "click" + "]" * count,
            ",".join(["click"] * count),
            "click" + "[event.x]" * count,
            "[a, b] > " * count + "c",
        )
    )
    return {"signals": [{"name": "s", "on": [{"events": text, "update": "1"}]}]}


def many_transforms(random: Random) -> Json:
    """One pipeline of many steps, and marks that all read a field that it lost."""
    step: Json = random.choice(
        (
            {"type": "formula", "as": "v", "expr": "datum.v + 1"},
            {"type": "window", "ops": ["lag"], "fields": ["v"]},
            {"type": "stack", "field": "v"},
            {"type": "fold", "fields": ["v", "w"]},
            {"type": "impute", "key": "v", "field": "w"},
            {"type": "lookup", "from": "t", "key": "v", "fields": ["v"], "as": ["o"]},
        )
    )
    count = random.choice(_SMALLER_SIZES)
    mark: Json = {
        "type": "rect",
        "from": {"data": "t"},
        "encode": {"update": {"x": {"field": "lost"}, "y": {"scale": "none", "field": "v"}}},
    }
    marks: list[Json] = [mark] * count
    return {"data": [{"name": "t", "values": [{"v": 1, "w": "a"}], "transform": [step] * count}], "marks": marks}


def huge_sequence(random: Random) -> Json:
    size = random.choice((1e3, 1e7, 1e12, 1e300, -1, "x"))
    steps: list[Json] = [{"type": "sequence", "start": 0, "stop": size, "step": random.choice((1, 0, 1e-9, -1))}]
    return {
        "data": [{"name": "t", "transform": [*steps, {"type": "bin", "field": "data", "extent": [0, size], "maxbins": size}]}]
    }


def parents(random: Random) -> Json:
    """A tree whose rows are their own parents, or all children of the one before."""
    count = random.choice(_SIZES)
    rows: list[Json] = [{"id": i, "parent": i - 1 if i else random.choice((None, count - 1, "x"))} for i in range(count)]
    return _data(rows, {"type": "stratify", "key": "id", "parentKey": "parent"}, {"type": "treelinks"}, {"type": "linkpath"})


_MAKERS: tuple[Callable[[Random], Json], ...] = (
    *(nested_values, nested_groups, signal_chain, dataset_chain, scale_circle, crossed, grown_formula, wide_rows, many_options),
    *(long_expression, long_expression, long_selector, many_transforms, huge_sequence, parents),
)


def large_spec(random: Random) -> Json:
    return random.choice(_MAKERS)(random)


def deep_text(random: Random) -> str:
    """JSON that is nested deeper than any reader may follow, closed or not."""
    opening, closing = random.choice(
        (("[", "]"), ('{"a":', "}"), ('{"marks":[', "]}"), ('[{"a":', "}]"), ("/*", "*/"), ("[//\n", "]"))
    )
    levels = random.choice((600, 5000, 100_000))
    return (
        opening * levels
        + random.choice(("", "1", "null"))
        + closing * (levels if random.random() < 0.6 else random.randrange(levels))
    )


def large_text(random: Random) -> str:
    """Texts that are long in a way that JSON values do not show."""
    spec = json.dumps(large_spec(random))
    return random.choice(
        (
            lambda: '{"width": ' + "9" * 20_000 + "}",
            lambda: '{"' + "a" * 200_000 + '": 1}',
            lambda: "{" + '"a": 1, ' * 3000 + '"b": 2}',
            lambda: "\n" * 50_000 + spec,
            lambda: spec + " " * 100_000,
            lambda: "// x\n" * 5000 + spec,
            lambda: '"' + "\\ud800" * 5000,
            lambda: "[" + "1," * 20_000 + "]",
            lambda: '{"signals": [' + '{"name": "s"},' * 2000 + "]}",
        )
    )()
