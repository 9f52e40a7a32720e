"""The full format: the cases of full_text.md, and what no page can show well."""

import re
from pathlib import Path

import pytest

from sheliak.api import check_spec
from sheliak.rendering.full_text import render_finding
from sheliak.source.text import Source

PAGE = (Path(__file__).parent / "full_text.md").read_text(encoding="utf-8")
CASES = re.findall(r"^## (.*)\n(?:.*\n)*?```vega\n((?:.*\n)*?)```\n\n```text\n((?:.*\n)*?)```$", PAGE, re.MULTILINE)


def rendered(text: str, columns: int = 100) -> str:
    """The findings of a spec, called chart.vg.json."""
    report = check_spec(text, {}, None, strict=False)
    source = Source("chart.vg.json", text)
    lines = [line for finding in report.diagnostics for line in (*render_finding(finding, source, columns=columns), "")]
    return "\n".join(lines).replace("<text>", "chart.vg.json")


@pytest.mark.parametrize(("spec", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_a_typical_mistake_looks_as_the_page_shows(spec: str, expected: str) -> None:
    assert rendered(spec).rstrip("\n") == expected.rstrip("\n")


def test_every_case_of_the_page_is_read() -> None:
    assert len(CASES) == PAGE.count("\n## ") == 8


def with_field(name: str) -> str:
    return f'{{"data": [{{"name": "t", "values": [{{"a": 1}}], "transform": [{{"type": "extent", "field": "{name}"}}]}}]}}'


def test_control_characters_of_a_spec_do_not_reach_the_terminal() -> None:
    shown = rendered(with_field("\\u001b[31mred\\u202e"))
    assert "\x1b" not in shown and "\u202e" not in shown
    assert "`\\x1b[31mred\\u202e`" in shown


def test_a_raw_escape_in_the_text_is_shown_escaped() -> None:
    shown = rendered('{"width": 1 \x1b[2J}')
    assert "\x1b" not in shown and "\\x1b[2J" in shown


@pytest.mark.parametrize("columns", [40, 60, 100, 250])
def test_no_line_of_the_spec_is_shown_wider_than_the_terminal(columns: int) -> None:
    wide = with_field("日本語" * 30).replace('{"a": 1}', '{"a": 1}, ' * 50 + '{"a": 2}')
    snippet = [line for line in rendered(wide, columns).splitlines() if re.match(r" *\d* \|", line)]
    assert len(snippet) == 3
    assert max(len(line) + len(re.findall("[日本語]", line)) for line in snippet) <= columns


def test_the_underline_stands_below_its_text_in_a_cut_line() -> None:
    text = with_field("zebra").replace('{"a": 1}', '{"a": 1}, ' * 50 + '{"a": 2}')
    source, marks = (line for line in rendered(text).splitlines() if re.match(r"(1 \| .*zebra|  \| +\^)", line))
    assert source[marks.index("^") : marks.rindex("^") + 1] == '"zebra"'
