"""The sound specs that are broken: the corpus where it is at hand, and the repository's own examples and pages."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from fuzzing.odd_values import Json

_ROOT = Path(__file__).resolve().parents[2]
_FENCE = re.compile(r"^```vega[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LARGEST = 45_000
_SAMPLES = 40


def own_specs() -> list[str]:
    """The examples, and the specs and transforms of the literate pages."""
    examples = [path.read_text("utf-8") for path in sorted((_ROOT / "examples").glob("*.vg.json"))]
    pages = sorted([*(_ROOT / "tests").rglob("*.md"), *(_ROOT / "src").rglob("explanations/*.md")])
    return examples + [text for page in pages for fence in _FENCE.findall(page.read_text("utf-8")) for text in _as_spec(fence)]


def _as_spec(fence: str) -> Iterator[str]:
    """A whole spec as it is; a transform, or a list of them, on rows of its own."""
    try:
        value = json.loads(fence)
    except ValueError:
        yield fence
        return
    if isinstance(value, dict) and "type" not in value:
        yield fence
    else:
        rows: Json = [{"a": 1, "b": "x", "c": "2020-01-01", "d": [1, 2]}, {"a": 2, "b": "y", "c": None, "d": []}]
        yield json.dumps(
            {"data": [{"name": "table", "values": rows, "transform": value if isinstance(value, list) else [value]}]}
        )


def vega_lite_specs() -> list[str]:
    """The specs that the tests of the Vega-Lite checker call valid."""
    from vegalite.composed import COMPOSED, PARAMETERS
    from vegalite.gallery import MARKS, TRANSFORMS

    return [json.dumps(spec) for specs in (MARKS, TRANSFORMS, COMPOSED, PARAMETERS) for spec in specs.values()]


def specs_below(folder: Path | None) -> list[str]:
    """The specs of a folder that are not too large to be broken thousands of times."""
    if folder is None:
        return []
    return [path.read_text("utf-8") for path in sorted(folder.rglob("*.json")) if path.stat().st_size <= _LARGEST]


def samples_by_key(texts: list[str]) -> dict[str, list[Json]]:
    """Key -> some of the values that specs have under it: what is put in the place of another value under that key."""
    found: dict[str, list[Json]] = {}
    for text in texts:
        try:
            _gather(json.loads(text), found)
        except ValueError:
            continue
    return found


def _gather(value: Json, found: dict[str, list[Json]]) -> None:
    if isinstance(value, dict):
        for key, member in value.items():
            samples = found.setdefault(key, [])
            if len(samples) < _SAMPLES and len(json.dumps(member)) < 2000:
                samples.append(member)
            if key != "values":
                _gather(member, found)
    elif isinstance(value, list):
        for element in value:
            _gather(element, found)
