"""Random specs with more of a graph: signals and scales that read data, datasets that read signals, scales and each other."""

from __future__ import annotations

import json
from random import Random

from fuzzing.transform_expressions import quoted
from fuzzing.transform_specs import Json, Object, Specs

SIGNALS: dict[str, str] = {
    "size": "length(data('t'))",
    "half": "size / 2",
    "even": "size % 2 === 0",
    "firsts": "slice(pluck(data('t'), {f}), 0, 2)",
    "there": "indata('t', {f}, 1)",
    "span": "extent(pluck(data('t'), {f}))",
}
EXPRESSIONS = (
    "+datum[{f}] < size",
    "datum[{f}] == half",
    "even || datum[{f}]",
    "indexof(firsts, datum[{f}]) >= 0",
    "indata('t', {f}, datum[{f}])",
    "scale('x', datum[{f}])",
    "domain('x')[0]",
    "invert('x', 5)",
    "span[1] - span[0]",
    "data('groups')[0]",
    "there ? 1 : size",
    "datum[{f}] < low",
    "datum[{f}] + low",
)


def with_readers(specs: Specs, spec: Object, random: Random) -> Object:
    """The spec, and datasets that read what depends on its data."""
    field = random.choice([*specs.kinds])
    path, text = specs.path(field), quoted(field)
    readers = [_reader(random, path, text, number) for number in range(random.randint(1, 2))]
    groups: Object = {
        "name": "groups",
        "source": "t",
        "transform": [{"type": "aggregate", "groupby": [path], "ops": ["count"], "fields": [None], "as": ["n"]}],
    }
    named = json.dumps(readers)
    signals: list[Json] = [{"name": name, "update": update.format(f=text)} for name, update in SIGNALS.items() if name in named]
    if any("half" in str(signal) or "even" in str(signal) for signal in signals) and "size" not in named:
        signals.append({"name": "size", "update": SIGNALS["size"]})
    scale: Object = {
        "name": "x",
        "type": random.choice(["linear", "band", "ordinal", "sqrt"]),
        "domain": {"data": "t", "field": path},
        "range": [0, 100],
    }
    given, data = spec.get("signals", []), spec["data"]
    assert isinstance(given, list) and isinstance(data, list)
    if "low" in named and '"low"' not in json.dumps(given):
        signals.append({"name": "low", "value": 0})
    return {**spec, "signals": [*given, *signals], "scales": [scale], "data": [*data, groups, *readers]}


def _reader(random: Random, path: str, text: str, number: int) -> Object:
    steps: list[Json] = []
    for index in range(random.randint(1, 3)):
        expression = random.choice(EXPRESSIONS).format(f=text)
        steps.append(
            random.choice(
                [
                    {"type": "filter", "expr": expression},
                    {"type": "formula", "expr": expression, "as": f"r{index}"},
                    {"type": "lookup", "from": "groups", "key": path, "fields": [path], "values": ["n"], "as": [f"l{index}"]},
                ]
            )
        )
    return {"name": f"reader{number}", "source": "t", "transform": steps}
