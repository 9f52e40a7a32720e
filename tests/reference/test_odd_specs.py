"""Specs with something odd in them are run, left to the renderer or refused; nothing is raised."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator

import pytest

from reference.record import all_cases
from sheliak.engines.reference import run_reference

ODD: list[object] = [
    *(None, 0, -1, 1e308, "", "x", "a.b", "[0]", "datum", "1 +", "9" * 30, True, [], {}, [None], [[]], [1, "a", None]),
    *({"signal": text} for text in ("zz", "1", "null", "[1, 2]", "{a: 1}", "'k'", "NaN", "datum.x")),
    *({"expr": "datum.x.y"}, {"field": "q"}, {"data": "t"}),
]
SPECS = [case.spec for case in all_cases()]
PER_CHUNK = 150


def places(value: object) -> Iterator[tuple[object, object]]:
    """Every object or list in a value with a key or index of it."""
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield value, key
            yield from places(inner)


def damaged(spec: object, chance: random.Random) -> dict[str, object]:
    """A copy of a spec with one to three odd values."""
    made = copy.deepcopy(spec)
    assert isinstance(made, dict)
    for _ in range(chance.choice((1, 1, 2, 3))):
        holder, key = chance.choice(list(places(made)))
        if isinstance(holder, dict) and chance.random() < 0.2:
            del holder[key]
        else:
            holder[key] = copy.deepcopy(chance.choice(ODD))  # type: ignore[index]
        if not made:
            break
    return made


@pytest.mark.parametrize("seed", range(8))
def test_no_spec_raises(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(PER_CHUNK):
        result = run_reference(damaged(chance.choice(SPECS), chance), now=0.0)
        assert all((dataset.rows is None) == (dataset.reason is not None) for dataset in result.datasets.values())
