"""The example charts do what the demo says of them, drawn by Vega itself."""

import json
from collections.abc import Iterator
from pathlib import Path

import vl_convert

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples"


def bars_of(example: str) -> list[dict[str, float | None]]:
    """The items of the mark `bars`, as Vega places them."""
    spec = json.loads((EXAMPLES / example).read_text(encoding="utf-8"))
    (bars,) = [mark for mark in marks_in(vl_convert.vega_to_scenegraph(spec)) if mark.get("name") == "bars"]
    return bars["items"]


def marks_in(node: object) -> Iterator[dict]:
    if isinstance(node, dict):
        yield node
    for part in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from marks_in(part)


def test_the_sound_chart_has_a_bar_for_each_kind() -> None:
    bars = bars_of("books.vg.json")
    assert len({bar["x"] for bar in bars}) == 4
    assert all(bar["height"] > 0 for bar in bars)


def test_the_misspelt_field_leaves_no_bar_a_height() -> None:
    assert [bar.get("height") for bar in bars_of("books-broken.vg.json")] == [None] * 4


def test_the_dropped_field_puts_all_bars_in_one_place() -> None:
    assert len({bar["x"] for bar in bars_of("books-language.vg.json")}) == 1
