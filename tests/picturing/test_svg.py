"""The picture as SVG and as a page: the same every time, nothing over anything else, no text of the spec taken for markup."""

import copy
import json
import os
import re
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from picturing.specs import FACETS, PIPELINE, ROWS, Spec, pictured, pictured_file
from sheliak.picturing.arranging import Arrangement, PlacedBox, arranged
from sheliak.picturing.boxes import PADDING, SIZE
from sheliak.picturing.formats import written
from sheliak.picturing.page import page_of
from sheliak.picturing.picture import Picture
from sheliak.picturing.svg import svg_of
from sheliak.picturing.text_width import shortened, shortened_inside, text_width

GOLDEN = Path(__file__).with_name("golden")


@pytest.mark.parametrize(("name", "spec"), [("pipeline", PIPELINE), ("facets", FACETS)])
def test_the_picture_is_the_one_that_was_approved(name: str, spec: Spec) -> None:
    """With SHELIAK_BLESS set, the picture of today is written as the approved one."""
    file = GOLDEN / f"{name}.svg"
    drawn = svg_of(pictured(spec))
    if os.environ.get("SHELIAK_BLESS"):
        file.write_text(drawn, encoding="utf-8")
    assert drawn == file.read_text(encoding="utf-8")


HOSTILE = [
    "</svg><script>alert(1)</script>",
    "<title>\"'&amp;&#60;]]>",
    "--><!DOCTYPE x [<!ENTITY a 'b'>]>",
    "👩‍👩‍👧 família 漢字 \u202eturned",
    "\x00\x1b[31m\x7f\ufffe\ud800",
    "javascript:alert(1)",
    "x" * 5000,
    '"]; n0 -->|"',
    '"] click n0 "javascript:alert(1)"',
    "\\",
]


def hostile_spec(name: str) -> Spec:
    """A spec whose every free text is the same."""
    rows = [{name: 1, "kind": "a"}]
    data = [
        {"name": name, "values": rows},
        {
            "name": "next",
            "source": name,
            "transform": [
                {"type": "formula", "as": name, "expr": f"datum[{json.dumps(name)}] + later"},
                {"type": name},
                {"type": "lookup", "from": name, "key": name, "fields": [name]},
            ],
        },
        {"name": "file", "url": name, "transform": [{"type": "filter", "expr": name}]},
    ]
    mark = {"type": name, "from": {"data": "next"}, "encode": {"update": {name: {"field": name}}}}
    group = {"type": "group", "name": name, "data": [{"name": "in", "source": name}], "marks": [mark]}
    scale = {"name": name, "type": name, "domain": {"data": "next", "field": name}}
    signals = [{"name": "later", "update": name}, {"name": name, "bind": {"input": name}}]
    return {"signals": signals, "data": data, "scales": [scale], "marks": [mark, group]}


ALLOWED = {"svg", "title", "style", "rect", "g", "text", "path"}
ATTRIBUTES = {"class", "d", "x", "y", "width", "height", "rx", "viewBox", "role", "transform"}


def check_markup(svg: str) -> ElementTree.Element:
    root = ElementTree.fromstring(svg)
    for element in root.iter():
        assert element.tag.removeprefix("{http://www.w3.org/2000/svg}") in ALLOWED
        assert set(element.attrib) <= ATTRIBUTES
    return root


@pytest.mark.parametrize("name", HOSTILE)
def test_no_text_of_a_spec_is_taken_for_markup(name: str) -> None:
    picture = pictured(hostile_spec(name))
    check_markup(svg_of(picture))
    page = page_of(picture)
    assert page.count("<script") == page.count("</script") == 1
    assert page.count("<style") == 2


@pytest.mark.parametrize("name", HOSTILE)
def test_no_text_of_a_spec_is_taken_for_mermaid_or_dot(name: str) -> None:
    picture = pictured(hostile_spec(name))
    for line in written(picture, "mermaid").decode().splitlines():
        # Quotes come in pairs around labels, and inside of them nothing is left that Mermaid or HTML could read.
        inside = re.findall(r'"([^"]*)"', line)
        assert line.count('"') == 2 * len(inside)
        assert not any(set(label.replace("<br/>", "")) & set('<>"`[]{}|\\&') for label in inside)
    dot = written(picture, "dot").decode()
    outside = re.sub(r'"(?:[^"\\]|\\.)*"', "", dot)
    assert re.fullmatch(r"[\w\s\[\]{}=,;>-]*", outside)
    assert all(len(line) < 4000 for line in dot.splitlines())


@given(st.text(max_size=30))
def test_any_name_gives_xml_that_can_be_read(name: str) -> None:
    spec = {"data": [{"name": name, "values": [{name: 1}], "transform": [{"type": "filter", "expr": name}]}]}
    check_markup(svg_of(pictured(spec)))


def test_json_and_text_hold_any_name() -> None:
    for name in HOSTILE:
        picture = pictured(hostile_spec(name))
        nodes = json.loads(written(picture, "json"))["nodes"]
        assert nodes[0]["name"] == name
        assert "\x1b" not in written(picture, "text").decode()


def test_a_page_runs_its_own_script_and_loads_nothing() -> None:
    page = page_of(pictured(PIPELINE))
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy is not None
    assert "default-src &#x27;none&#x27;" in policy[1]
    assert "unsafe" not in policy[1]
    assert len(re.findall("sha256-", policy[1])) == 3
    assert not re.search(r"\b(?:src|href|style)=", page)


def test_the_same_spec_gives_the_same_files() -> None:
    for spec in (PIPELINE, FACETS, hostile_spec("a")):
        for name in ("svg", "html", "mermaid", "dot", "json", "text"):
            assert written(pictured(spec), name) == written(pictured(copy.deepcopy(spec)), name)


# Where things stand


def overlap(one: PlacedBox, other: PlacedBox) -> bool:
    return (
        one.x < other.x + other.box.width
        and other.x < one.x + one.box.width
        and one.y < other.y + other.box.height
        and other.y < one.y + one.box.height
    )


def check_places(at: Arrangement) -> None:
    """No box over another, all of them inside of the picture, their texts inside of them, no straight line through them."""
    assert not [(one.box.id, other.box.id) for one, other in combinations(at.boxes, 2) if overlap(one, other)]
    for placed in at.boxes:
        box = placed.box
        assert -0.1 <= placed.x <= placed.x + box.width <= at.width + 0.1
        assert -0.1 <= placed.y <= placed.y + box.height <= at.height + 0.1
        for row in box.rows:
            used = text_width(row.left, SIZE) + (text_width(row.right, SIZE) + PADDING if row.right else 0)
            assert used <= box.width - 2 * PADDING + 1
    for stroke in at.strokes:
        for start, end in ((stroke.start, stroke.turn), (stroke.bend, stroke.end)):
            assert not [placed.box.id for placed in at.boxes if is_through(placed, start, end)]


def is_through(placed: PlacedBox, start: tuple[float, float], end: tuple[float, float]) -> bool:
    left, right = sorted((start[0], end[0]))
    top, bottom = sorted((start[1], end[1]))
    return (
        left < placed.x + placed.box.width - 1
        and right > placed.x + 1
        and top < placed.y + placed.box.height - 1
        and bottom > placed.y + 1
    )


def test_boxes_have_room() -> None:
    for spec in (PIPELINE, FACETS, *(hostile_spec(name) for name in HOSTILE)):
        check_places(arranged(pictured(spec)))


def chain(length: int, fan: int, *, marks: bool = True) -> Picture:
    data: list[Spec] = [{"name": "d0", "values": ROWS}]
    data += [{"name": f"d{number}", "source": f"d{(number - 1) // fan}"} for number in range(1, length)]
    drawn = [{"type": "symbol", "from": {"data": f"d{number}"}} for number in range(length)]
    return pictured({"data": data, "marks": drawn}, marks=marks)


@pytest.mark.parametrize("fan", [1, 2, 40])
def test_a_large_picture_has_room(fan: int) -> None:
    check_places(arranged(chain(120, fan)))


def test_a_picture_fits_a_screen_where_it_can() -> None:
    at = arranged(chain(40, 40, marks=False))
    assert 0.5 < at.width / at.height < 4


def test_texts_are_shortened_to_their_room() -> None:
    assert shortened("short", SIZE, 100) == "short"
    for text in ("a long text " * 40, "漢字" * 200, "👩" * 200, "W" * 9000):
        assert text_width(shortened(text, SIZE, 100), SIZE) <= 100
        assert text_width(shortened_inside(text, SIZE, 100), SIZE) <= 101
    assert shortened_inside("bin_maxbins_20_distance_end", SIZE, 100).endswith("end")


@pytest.mark.needs_shared
def test_every_spec_of_the_corpus_has_a_picture(shared: Path) -> None:
    files = sorted((shared / "corpus/valid").glob("*.json"))
    assert files
    for file in files:
        picture = pictured_file(file, shared / "corpus/data")
        check_markup(svg_of(picture))
        check_places(arranged(picture))
