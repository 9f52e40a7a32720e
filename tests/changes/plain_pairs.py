"""Random pairs of a plain spec and a long stream: columns of one kind each, so that plans stand, and changes go through them by row,
by group and by key. Values are few, so that groups come and go; some are very large, and leave again."""

from __future__ import annotations

import json
from random import Random

from changes.streams import PulseObjects
from fuzzing.transform_specs import Json, Object

_OPS = ("count", "sum", "mean", "variance", "stdevp", "min", "max", "valid", "missing", "average")
_ANY_OPS = (*_OPS, "median", "distinct", "q1", "product")
_LARGE = (1e15, -1e15, 1e300)


def row_of(random: Random) -> Object:
    """A row of the source: a text, a number that may be missing, another one, a list."""
    number: Json = random.choice([None, *range(-3, 8)]) if random.random() < 0.9 else random.choice(_LARGE)
    return {
        "g": random.choice(["a", "b", "c", "d|e"]),
        "x": number,
        "y": round(random.uniform(-5, 5), 2),
        "l": [float(random.randint(0, 3)) for _ in range(random.randint(0, 3))],
    }


def spec_of(random: Random) -> Object:
    steps = _rows(random)
    totals: Object = {"name": "u", "source": "t", "transform": [*steps, *_groups(random)]}
    other: Object = {"name": "o", "values": [{"k": name, "w": index} for index, name in enumerate(("a", "b", "x"))]}
    return {"data": [{"name": "t", "values": [row_of(random) for _ in range(random.randint(0, 25))]}, other, totals]}


def _rows(random: Random) -> list[Json]:
    """What goes by row."""
    known: list[Json] = [
        {"type": "filter", "expr": random.choice(["datum.y > -1", "datum.x > 0", "datum.g != 'b'"])},
        {"type": "formula", "as": "z", "expr": random.choice(["2 * datum.y + 1", "datum.x * datum.y", "datum.g + datum.g"])},
        {"type": "fold", "fields": ["x", "y"]},
        {"type": "flatten", "fields": ["l"], "as": ["x"]},
        {"type": "lookup", "from": "o", "key": "k", "fields": ["g"], "values": ["w"]},
        {"type": "bin", "field": "y", "extent": [-5, 5], "as": ["b0", "b1"]},
        {"type": "project", "fields": ["g", "x", "y", "l"]},
    ]
    return random.sample(known, random.randint(0, 3))


def _groups(random: Random) -> list[Json]:
    """What goes by group or by key, or not at all."""
    keys = random.choice([["g"], ["g"], ["x"], ["g", "x"], []])
    ops = random.sample(_OPS if random.random() < 0.6 else _ANY_OPS, random.randint(1, 4))
    fields: list[Json] = [None if op == "count" else random.choice(["x", "y"]) for op in ops]
    groupby: list[Json] = [*keys]
    listed: Object = {"groupby": groupby, "ops": [*ops], "fields": fields, "as": [f"m{index}" for index in range(len(ops))]}
    return random.choice(
        [
            [],
            [{"type": "aggregate", **listed}],
            [{"type": "aggregate", **listed}],
            [{"type": "aggregate", **listed}, {"type": "collect", "sort": {"field": "m0", "order": "descending"}}],
            [{"type": "aggregate", **listed}, {"type": "formula", "as": "twice", "expr": "datum.m0 * 2"}],
            [{"type": "joinaggregate", **listed}],
            [{"type": "stack", "groupby": groupby, "field": "y", "sort": {"field": "y"}}],
            [{"type": "window", "groupby": groupby, "ops": ["rank", "sum"], "fields": [None, "y"], "sort": {"field": "y"}}],
            [{"type": "quantile", "groupby": groupby, "field": "y", "probs": [0.25, 0.5]}],
            [{"type": "collect", "sort": {"field": "y"}}],
        ]
    )


def stream_of(random: Random, spec: Object, most: int) -> list[PulseObjects]:
    data = spec["data"]
    assert isinstance(data, list) and isinstance(data[0], dict) and isinstance(data[0]["values"], list)
    there, next = [*range(1, len(data[0]["values"]) + 1)], 100
    pulses: list[PulseObjects] = []
    for _ in range(random.randint(2, most)):
        pulse: PulseObjects = []
        for _ in range(random.choice([1, 2, 6, 12])):
            roll = random.random()
            if roll < 0.4 or not there:
                pulse.append({"data": "t", "id": next, "add": row_of(random)})
                there.append(next)
                next += 1
            elif roll < 0.7:
                pulse.append({"data": "t", "id": random.choice(there), "update": row_of(random)})
            else:
                pulse.append({"data": "t", "id": there.pop(random.randrange(len(there))), "remove": True})
        pulses.append(pulse)
    if random.random() < 0.2:
        pulses.append([{"data": "o", "id": 1, "update": {"k": "b", "w": 9}}])
    return pulses


def plain_pair(seed: int, most: int) -> tuple[Object, list[PulseObjects]]:
    """The spec and the stream that a seed names."""
    random = Random(f"plain {seed}")
    spec = json.loads(json.dumps(spec_of(random)))
    return spec, stream_of(random, spec, most)
