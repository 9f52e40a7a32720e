"""Every finding has a page, and its page is right: the first spec has exactly this finding, the second has none."""

import re
from importlib.resources import files
from pathlib import Path

import pytest

from diagnostics.explanation_pages import page_of
from sheliak.diagnostics.catalogue import FAMILIES, all_codes, entries, families


@pytest.mark.parametrize("code", all_codes())
def test_the_first_spec_of_the_page_has_exactly_this_finding(code: str, tmp_path: Path) -> None:
    page = page_of(code)
    page.write_files(tmp_path)
    assert [finding.code for finding in page.wrong.findings(tmp_path)] == [code]


@pytest.mark.parametrize("code", all_codes())
def test_the_second_spec_of_the_page_has_none(code: str, tmp_path: Path) -> None:
    page = page_of(code)
    page.write_files(tmp_path)
    assert [finding.message for finding in page.right.findings(tmp_path)] == []


@pytest.mark.parametrize("code", all_codes())
def test_the_page_says_what_vega_does(code: str) -> None:
    page = page_of(code)
    assert page.text.startswith(f"# {code}\n\n")
    assert "**What Vega does.** " in page.text
    assert max(len(line) for line in page.text.splitlines() if not line.startswith((" ", "{"))) <= 120


def test_there_is_no_page_without_a_finding() -> None:
    folder = files("sheliak.diagnostics") / "explanations"
    assert sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".md")) == [
        f"{code}.md" for code in sorted(all_codes())
    ]


def test_every_family_has_a_title() -> None:
    assert list(families()) == list(FAMILIES.values())


@pytest.mark.parametrize("code", all_codes())
def test_codes_and_titles_keep_to_their_form(code: str) -> None:
    entry = entries()[code]
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", code)
    assert entry.title and not entry.title.endswith(".") and "?" not in entry.title
