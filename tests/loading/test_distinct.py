"""The texts a column takes, as JavaScript writes them; the numbers' texts are those of node."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from loading.pages import load
from sheliak.loading import DataFolders, Loaded
from sheliak.loading.distinct import js_text


def distinct(loaded: Loaded, name: str) -> frozenset[str] | None:
    lineage = loaded.record.lineage
    assert lineage is not None
    assert lineage.distinct is not None
    return lineage.distinct(name)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.0, "1"),
        (-0.0, "0"),
        (0.1, "0.1"),
        (100, "100"),
        (1e21, "1e+21"),
        (1e20, "100000000000000000000"),
        (123456789012345680000, "123456789012345680000"),
        (12345678901234567890, "12345678901234567000"),
        (0.000001, "0.000001"),
        (0.0000015, "0.0000015"),
        (-1.5e-6, "-0.0000015"),
        (1e-7, "1e-7"),
        (1.5e-7, "1.5e-7"),
        (5e-324, "5e-324"),
        (float("nan"), "NaN"),
        (float("-inf"), "-Infinity"),
        (True, "true"),
        (None, "null"),
        ("x", "x"),
    ],
)
def test_texts_of_values(value: object, text: str) -> None:
    assert js_text(value) == text


def test_plain_values_of_all_kinds() -> None:
    rows = [{"k": "x"}, {"k": 1}, {"k": True}, {"k": 1.0}, {"k": None}, {}]
    assert distinct(load({"values": rows})[0], "k") == {"x", "1", "true", "null", "undefined"}


def test_values_after_their_parser() -> None:
    text = "n,b,s,d\n1.0,no,x,2020\nInfinity,0,,2021\n0x10,,,2022\nz,1,,2023"
    parse = {"n": "number", "b": "boolean", "s": "string", "d": "date"}
    loaded, _ = load({"values": text, "format": {"type": "csv", "parse": parse}})
    assert distinct(loaded, "n") == {"1", "Infinity", "16", "NaN"}
    assert distinct(loaded, "b") == {"true", "false", "null"}
    assert distinct(loaded, "s") == {"x", "null"}
    assert distinct(loaded, "d") is None


def test_values_after_inference() -> None:
    loaded, _ = load({"values": "n,s\n1.50,x\n2,y", "format": {"type": "csv", "parse": "auto"}})
    assert distinct(loaded, "n") == {"1.5", "2"}
    assert distinct(loaded, "s") == {"x", "y"}


def test_objects_have_no_texts_that_anybody_wants() -> None:
    assert distinct(load({"values": [{"k": [1]}]})[0], "k") is None


def test_too_many_texts_are_none() -> None:
    assert distinct(load({"values": [{"k": index} for index in range(1001)]})[0], "k") is None
    assert len(distinct(load({"values": [{"k": index} for index in range(1000)]})[0], "k") or ()) == 1000


def test_an_unknown_column_has_none() -> None:
    assert distinct(load({"values": [{"k": 1}]})[0], "q") is None


def test_a_sampled_file_is_read_whole_for_them(tmp_path: Path) -> None:
    rows = [{"id": index, "kind": "even" if index % 2 else "odd"} for index in range(40_000)] + [{"id": 0, "kind": "last"}]
    (tmp_path / "rows.json").write_text(json.dumps(rows), encoding="utf-8")
    loaded, _ = load({"url": "rows.json"}, DataFolders(tmp_path))
    assert loaded.sampled
    assert distinct(loaded, "kind") == {"even", "odd", "last"}


def test_a_file_that_is_gone_has_none(tmp_path: Path) -> None:
    (tmp_path / "rows.json").write_text('[{"a": 1}]', encoding="utf-8")
    loaded, _ = load({"url": "rows.json"}, DataFolders(tmp_path))
    (tmp_path / "rows.json").unlink()
    assert distinct(loaded, "a") is None
