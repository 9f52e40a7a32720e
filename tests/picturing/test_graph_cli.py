"""`sheliak graph`."""

import builtins
import json
import sys
from pathlib import Path
from unittest.mock import patch

import pytest

from front_ends.commands import run_apart, run_here, write
from picturing.specs import PIPELINE

CHART = json.dumps(PIPELINE, indent=1)
BROKEN = CHART.replace("datum.words >", "datum.word >")


@pytest.mark.parametrize(
    ("ending", "start"),
    [
        ("svg", b"<svg xmlns="),
        ("png", b"\x89PNG"),
        ("html", b"<!DOCTYPE html>"),
        ("mmd", b"flowchart LR\n"),
        ("dot", b"digraph "),
        ("json", b"{"),
        ("txt", b"books  Spark\n"),
    ],
)
def test_the_ending_says_how_to_draw(ending: str, start: bytes, tmp_path: Path) -> None:
    if ending == "png":
        pytest.importorskip("vl_convert")
    folder = write(tmp_path, chart_vg_json=CHART)
    ended = run_here(folder, "graph", "chart.vg.json", "-o", f"flow.{ending}")
    assert (ended.code, ended.out, ended.err) == (0, "", "")
    assert (folder / f"flow.{ending}").read_bytes().startswith(start)
    assert sorted(path.name for path in folder.iterdir()) == ["chart.vg.json", f"flow.{ending}"]


def test_without_a_file_the_terminal_shows_an_outline(tmp_path: Path) -> None:
    ended = run_apart(write(tmp_path, chart_vg_json=BROKEN), "graph", "chart.vg.json")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == (
        "books  Spark\n"
        "    values, 2 rows\n"
        "    kind: string\n"
        "    words: number\n"
        "    title: string\n"
        "\n"
        "long  Spark\n"
        "  from books\n"
        "  ▸ filter datum.word > least && datum.words < most\n"
        "    error[unknown-field] the datum has no field `word`\n"
        "  ▸ pages = datum.words / 300\n"
        "  using least, most\n"
        "    kind: string\n"
        "    words: number\n"
        "    title: string\n"
        "    pages: number\n"
        "\n"
        "totals\n"
        "  from long\n"
        "  ▸ aggregate mean(pages) by kind\n"
        "  ▹ wordcloud\n"
        "    mean_pages: number\n"
        "    x: number\n"
        "    y: number\n"
        "    font: string\n"
        "    fontSize: number\n"
        "    + 4 more\n"
        "\n"
        "marks and scales\n"
        "  from totals\n"
        "    rect x: kind, y: mean_pages\n"
        "    x: band of kind\n"
        "    y: linear of mean_pages\n"
    )


def test_other_formats_can_go_to_standard_output(tmp_path: Path) -> None:
    ended = run_here(tmp_path, "graph", "-", "--output-format", "mermaid", "--no-marks", stdin=CHART.encode())
    assert ended.out.startswith("flowchart LR\n  n0[")
    assert "rect" not in ended.out
    assert json.loads(run_here(tmp_path, "graph", "-", "--output-format", "json", stdin=CHART.encode()).out)["title"] == "<stdin>"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("chart.vg.json", "-o", "flow.bmp"), "'flow.bmp' does not say how to draw"),
        (("chart.vg.json", "-o", "absent/flow.svg"), "there is no folder 'absent'"),
        (("chart.vg.json", "-o", "folder.svg"), "it is a folder"),
        (("chart.vg.json", "--output-format", "png"), "a png goes to a file"),
        (("absent.vg.json",), "'absent.vg.json' does not exist"),
        (("broken.json",), "broken.json:1:"),
        (("list.json",), "list.json:1:1: "),
        (("chart.vg.json", "--data-dir", "absent"), "'absent' is not a folder"),
    ],
)
def test_what_cannot_be_done_exits_with_2_and_one_message(arguments: tuple[str, ...], message: str, tmp_path: Path) -> None:
    folder = write(tmp_path, chart_vg_json=CHART, broken_json='{"data": ', list_json="[1]")
    (folder / "folder.svg").mkdir()
    ended = run_here(folder, "graph", *arguments)
    assert (ended.code, ended.out) == (2, "")
    assert message in ended.err
    assert ended.err.count("error:") == 1


def test_a_png_needs_a_package_and_says_so(tmp_path: Path) -> None:
    real = builtins.__import__

    def refusing(name: str, *rest: object, **named: object) -> object:
        if name == "vl_convert":
            raise ImportError(name)
        return real(name, *rest, **named)  # type: ignore[arg-type]

    folder = write(tmp_path, chart_vg_json=CHART)
    with patch.dict(sys.modules), patch.object(builtins, "__import__", refusing):
        sys.modules.pop("vl_convert", None)
        ended = run_here(folder, "graph", "chart.vg.json", "-o", "flow.png")
    assert (ended.code, "pip install 'sheliak[charts]'" in ended.err) == (2, True)
    assert not (folder / "flow.png").exists()


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    folder = write(tmp_path, chart_vg_json=CHART, flow_svg="old")
    assert run_here(folder, "graph", "chart.vg.json", "-o", "flow.svg").code == 0
    assert (folder / "flow.svg").read_text(encoding="utf-8").endswith("</svg>\n")


def test_help_shows_examples(tmp_path: Path) -> None:
    out = run_here(tmp_path, "graph", "--help").out
    assert "sheliak graph chart.vg.json -o flow.svg" in out


VEGA_LITE = """\
{
  "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
  "data": {"url": "data/cars.csv"},
  "transform": [{"filter": "datum.power > 3"}],
  "hconcat": [
    {"mark": "point", "encoding": {"x": {"field": "power", "type": "quantitative"}}},
    {"mark": "bar", "encoding": {"x": {"field": "orign"}, "y": {"aggregate": "count"}}}
  ]
}
"""


def test_vega_lite_is_drawn_as_its_author_knows_it(tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "cars.csv").write_text("power,origin\n4,Japan\n", encoding="utf-8")
    folder = write(tmp_path, chart_vl_json=VEGA_LITE)
    picture = json.loads(run_here(folder, "graph", "chart.vl.json", "--output-format", "json").out)
    names = [node["name"] for node in picture["nodes"]]
    assert names[:2] == ["cars.csv", "cars.csv, transformed"]
    assert {"concat_0", "concat_1"} <= set(names)
    assert picture["nodes"][1]["transforms"][0]["text"] == "filter datum.power > 3"
    found = [step for node in picture["nodes"] for step in node.get("transforms", ()) if step["problems"]]
    assert [(step["type"], step["problems"][0]["message"]) for step in found] == [
        ("aggregate", "`data/cars.csv` has no field `orign`")
    ]


def test_vega_lite_that_cannot_be_compiled(tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    spec = '{"$schema": "https://vega.github.io/schema/vega-lite/v5.json", "layer": [{"mark": "point"}, 3]}'
    ended = run_here(write(tmp_path, chart_vl_json=spec), "graph", "chart.vl.json", "-o", "flow.svg")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith("error: chart.vl.json:1:")
    assert ended.err.count("\n") == 1
