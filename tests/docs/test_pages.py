"""What pages show of a terminal or of Python is what a terminal or Python shows."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import sheliak
from docs.playing import PICTURES, ROOT, entries, needs_spark, pages, played, saved_pictures

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PLAIN = [page for page in pages() if not needs_spark(page)]
ON_SPARK = [page for page in pages() if needs_spark(page)]
ANEW = "make pages, or PYTHONPATH=src:tests python -m docs.record"


@pytest.fixture
def as_altair_shows() -> Iterator[None]:
    """A page that breaks off leaves charts to Altair."""
    yield
    sheliak.altair.disable()


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def check(page: Path, folder: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert played(text, folder) == text, f"{ANEW} {name_of(page)}"
    for picture in saved_pictures(folder):
        assert picture.read_bytes() == (PICTURES / picture.name).read_bytes(), f"{ANEW} {name_of(page)}"


@pytest.mark.parametrize("page", PLAIN, ids=name_of)
def test_a_page_shows_what_happens(page: Path, tmp_path: Path) -> None:
    check(page, tmp_path)


@pytest.mark.parametrize("page", ON_SPARK, ids=name_of)
def test_a_page_shows_what_happens_on_spark(page: Path, tmp_path: Path, spark: "SparkSession", as_altair_shows: None) -> None:
    check(page, tmp_path)


def test_the_pages_that_newcomers_read_show_commands() -> None:
    tutorials = sorted((ROOT / "docs" / "tutorials").glob("*.md"))
    assert len(tutorials) == 4
    assert {ROOT / "README.md", ROOT / "docs" / "index.md", *tutorials} <= set(pages())


def test_what_is_typed_is_told_from_what_is_printed(tmp_path: Path) -> None:
    assert list(entries(">>> for n in [1]:\n...     n\n1\n\n2\n>>> 3\n", ">>> ", "... ")) == [
        ">>> for n in [1]:\n...     n\n",
        ">>> 3\n",
    ]


def test_a_page_that_lies_is_found_out(tmp_path: Path) -> None:
    lie = "```console\n$ echo two\nthree\n```\n\n```pycon\n>>> 1 + 1\n3\n>>> 1 / 0\n```\n"
    truth = (
        "```console\n$ echo two\ntwo\n```\n\n"
        "```pycon\n>>> 1 + 1\n2\n>>> 1 / 0\nTraceback (most recent call last):\n  ...\nZeroDivisionError: division by zero\n```\n"
    )
    assert played(lie, tmp_path) == truth
