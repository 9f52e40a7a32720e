"""Whatever is done to a spec, its check ends with a report."""

import json
import random
from copy import deepcopy

import pytest

from vegalite.composed import COMPOSED, PARAMETERS
from vegalite.gallery import MARKS, TRANSFORMS
from vegalite.reading import Path_, check

pytest.importorskip("vl_convert")

SPECS = [*MARKS.values(), *TRANSFORMS.values(), *COMPOSED.values(), *PARAMETERS.values()]
VALUES: list[object] = [
    *(None, True, 0, -1, 1e308, "", "x", "datum.", "datum.mpg", "a[", '"', "\\", "__proto__", "constructor", "\ud800", "count"),
    *([], {}, [None], [[[]]], {"expr": "x"}, {"param": "p"}, {"repeat": "row"}, {"field": "a.b[0]"}, {"signal": "1+"}),
    float("nan"),
]


def paths(value: object, path: Path_ = ()) -> list[Path_]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [*([path] if path else []), *(found for key, child in inner for found in paths(child, (*path, key)))]


def broken(spec: object, chance: random.Random) -> object:
    """A copy with one part taken out or replaced."""
    copy = deepcopy(spec)
    *above, last = chance.choice(paths(copy))
    holder: object = copy
    for key in above:
        holder = holder[key]  # type: ignore[index]
    if chance.random() < 0.3:
        del holder[last]  # type: ignore[attr-defined]
    else:
        holder[last] = deepcopy(chance.choice(VALUES))  # type: ignore[index]
    return copy


@pytest.mark.parametrize("seed", range(10))
def test_every_place_of_every_finding_is_in_the_text(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(25):
        report = check(json.dumps(broken(chance.choice(SPECS), chance)))
        for finding in report.diagnostics:
            assert 0 <= finding.location.span.start <= finding.location.span.end <= len(report.source.text)
            assert finding.message
