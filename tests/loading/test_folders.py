"""Which file a url means: only regular files below the given folders."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from loading.pages import load
from sheliak.loading import DataFolders


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """spec/data/cars.json, spec/cars.csv, more/cars.json, more/deep/trees.json, secret.json"""
    for name in ("spec/data/cars.json", "spec/cars.csv", "more/cars.json", "more/deep/trees.json", "secret.json"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text('[{"a": 1}]', encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("url", "file"),
    [
        ("data/cars.json", "spec/data/cars.json"),
        ("./data/cars.json", "spec/data/cars.json"),
        ("data/../data/cars.json", "spec/data/cars.json"),
        ("/data/cars.json", "spec/data/cars.json"),
        ("data/cars.json?version=2", "spec/data/cars.json"),
        ("data/c%61rs.json", "spec/data/cars.json"),
        ("cars.csv", "spec/cars.csv"),
        ("data/trees.json", None),
        ("../secret.json", None),
        ("data/../../secret.json", None),
        ("data", None),
        ("", None),
        ("data\0cars.json", None),
        ("data:text/csv,a", None),
        ("https://example.org/data/cars.json", None),
        ("//example.org/data/cars.json", None),
    ],
)
def test_below_the_folder_of_the_spec(tree: Path, url: str, file: str | None) -> None:
    assert DataFolders(tree / "spec").resolve(url) == (tree / file if file else None)


@pytest.mark.parametrize(
    ("url", "file"),
    [
        ("data/cars.json", "more/cars.json"),
        ("deep/trees.json", "more/deep/trees.json"),
        ("any/thing/deep/trees.json", "more/deep/trees.json"),
        ("https://example.org/path/data/cars.json", "more/cars.json"),
        ("https://example.org/cars.json?raw=true#top", "more/cars.json"),
        ("https://example.org/../../secret.json", None),
        ("trees.json", None),
    ],
)
def test_below_a_given_folder_also_without_leading_directories(tree: Path, url: str, file: str | None) -> None:
    assert DataFolders(None, tree / "more").resolve(url) == (tree / file if file else None)


def test_the_folder_of_the_spec_comes_first(tree: Path) -> None:
    assert DataFolders(tree / "spec", tree / "more").resolve("data/cars.json") == tree / "spec/data/cars.json"


def test_a_path_and_a_file_url_into_the_folder(tree: Path) -> None:
    folders, path = DataFolders(tree / "spec"), tree / "spec/data/cars.json"
    assert folders.resolve(str(path)) == path
    assert folders.resolve(f"file://{path}") == path
    assert folders.resolve(str(tree / "secret.json")) is None


def test_a_link_out_of_the_folder_is_not_followed(tree: Path) -> None:
    (tree / "spec/link.json").symlink_to(tree / "secret.json")
    (tree / "spec/data/inner").symlink_to(tree)
    folders = DataFolders(tree / "spec")
    assert folders.resolve("link.json") is None
    assert folders.resolve("data/inner/secret.json") is None
    _, problems = load({"url": "link.json"}, folders)
    assert [problem.message() for problem in problems] == [
        "the data of `link.json` cannot be read: a link leads out of the folders that may be read"
    ]


def test_a_link_within_the_folder_is_followed(tree: Path) -> None:
    (tree / "spec/link.json").symlink_to(tree / "spec/data/cars.json")
    assert DataFolders(tree / "spec").resolve("link.json") == tree / "spec/data/cars.json"


def test_a_folder_linked_into_the_folder_belongs_to_it(tree: Path) -> None:
    (tree / "spec/linked").symlink_to(tree / "more")
    assert DataFolders(tree / "spec").resolve("linked/cars.json") == tree / "more/cars.json"
    assert DataFolders(tree / "spec", linked=False).resolve("linked/cars.json") is None
    assert DataFolders(tree / "spec").resolve("linked/../secret.json") is None


def test_a_link_in_a_linked_folder_does_not_lead_further(tree: Path) -> None:
    (tree / "spec/linked").symlink_to(tree / "more")
    (tree / "more/out.json").symlink_to(tree / "secret.json")
    assert DataFolders(tree / "spec").resolve("linked/out.json") is None


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_not_read(tree: Path) -> None:
    os.mkfifo(tree / "spec/pipe.json")
    loaded, problems = load({"url": "pipe.json"}, DataFolders(tree / "spec"))
    assert loaded.record.open
    assert [problem.message() for problem in problems] == ["the data of `pipe.json` cannot be read: it is not a regular file"]


def test_a_folder_is_not_read(tree: Path) -> None:
    _, problems = load({"url": "data"}, DataFolders(tree / "spec"))
    assert [problem.code for problem in problems] == ["unreadable-data"]
