"""No file makes the loader crash or hang: what cannot be read is reported, and its record is open."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from loading.pages import load
from sheliak.loading import DataFolders, Loaded
from sheliak.types.render import render_record

MEGABYTE = 1 << 20


def read(folder: Path, content: bytes, name: str = "rows.json", **format: object) -> tuple[Loaded, list[str]]:
    (folder / name).write_bytes(content)
    loaded, problems = load({"url": name, "format": format}, DataFolders(folder))
    return loaded, [problem.message() for problem in problems]


def test_deep_nesting(tmp_path: Path) -> None:
    loaded, messages = read(tmp_path, b"[" * 200_000)
    assert loaded.record.open
    assert messages == ["the data of `rows.json` cannot be read: it is nested too deeply"]


def test_deep_nesting_in_a_large_file(tmp_path: Path) -> None:
    loaded, messages = read(tmp_path, b'[{"a":' * MEGABYTE)
    assert loaded.record.open
    assert len(messages) == 1


def test_a_deep_row_is_unknown_below_a_limit(tmp_path: Path) -> None:
    loaded, messages = read(tmp_path, b'[{"a":' + b"[" * 100 + b"]" * 100 + b"}]")
    assert messages == []
    assert render_record(loaded.record).endswith("unknown" + "]" * 11 + "}")


@pytest.mark.parametrize("digits", [20, 400, 5_000])
def test_huge_numbers(tmp_path: Path, digits: int) -> None:
    loaded, messages = read(tmp_path, b'[{"a": ' + b"9" * digits + b"}]")
    assert (render_record(loaded.record), messages) == ("{a: number}", [])


def test_a_huge_number_before_a_mistake(tmp_path: Path) -> None:
    _, messages = read(tmp_path, b'[{"a": ' + b"9" * 5_000 + b"} nonsense")
    assert len(messages) == 1
    assert "it is not JSON" in messages[0]


def test_bytes_that_are_not_text(tmp_path: Path) -> None:
    loaded, messages = read(tmp_path, b'[{"a\xff": "\xfe\xfd"}]')
    assert (list(loaded.record.fields), messages) == (["a\ufffd"], [])


def test_a_byte_order_mark_is_dropped(tmp_path: Path) -> None:
    assert list(read(tmp_path, b'\xef\xbb\xbf[{"a": 1}]')[0].record.fields) == ["a"]
    assert list(read(tmp_path, b"\xef\xbb\xbfa,b\n1,2", "rows.csv", type="csv")[0].record.fields) == ["a", "b"]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_other_encodings_are_not_json(tmp_path: Path, encoding: str) -> None:
    assert len(read(tmp_path, '[{"a": 1}]'.encode(encoding))[1]) == 1


def test_an_empty_file(tmp_path: Path) -> None:
    assert len(read(tmp_path, b"")[1]) == 1
    assert read(tmp_path, b"", "rows.csv", type="csv")[1] == []


def test_a_large_file_that_is_cut_off(tmp_path: Path) -> None:
    rows = json.dumps([{"id": index, "text": "x" * 50} for index in range(10_000)]).encode()
    loaded, messages = read(tmp_path, rows[:-30_000])
    assert (render_record(loaded.record), messages) == ("{id: number, text: string}", [])


def test_one_row_without_end(tmp_path: Path) -> None:
    assert len(read(tmp_path, b'[{"a": "' + b"x" * 2 * MEGABYTE)[1]) == 1
    assert len(read(tmp_path, b"x" * 2 * MEGABYTE, "rows.csv", type="csv")[1]) in (0, 1)


def test_a_file_too_large_to_read_whole(tmp_path: Path) -> None:
    with (tmp_path / "rows.json").open("wb") as file:
        file.write(b'{"a": "')
        file.truncate(100 * MEGABYTE)
    loaded, problems = load({"url": "rows.json"}, DataFolders(tmp_path))
    assert loaded.record.open
    assert ["too large" in problem.message() for problem in problems] == [True]


def test_a_large_table_without_lines(tmp_path: Path) -> None:
    with (tmp_path / "rows.csv").open("wb") as file:
        file.truncate(30 * MEGABYTE)
    _, problems = load({"url": "rows.csv", "format": {"type": "csv"}}, DataFolders(tmp_path))
    assert [problem.message() for problem in problems] == [
        "the data of `rows.csv` cannot be read: its first lines are longer than 8 MB"
    ]


def test_a_hundred_thousand_columns(tmp_path: Path) -> None:
    loaded, messages = read(tmp_path, b"," * 100_000 + b"\n" + b"," * 100_000, "rows.csv", type="csv")
    assert messages == []
    assert loaded.record.fields.keys() == {""}


def test_more_columns_than_anybody_looks_at(tmp_path: Path) -> None:
    loaded, _ = read(tmp_path, ",".join(f"c{index}" for index in range(20_000)).encode() + b"\n", "rows.csv", type="csv")
    assert loaded.record.open


@pytest.mark.skipif(os.geteuid() == 0 if hasattr(os, "geteuid") else True, reason="the superuser may read everything")
def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    (tmp_path / "rows.json").write_text("[]")
    (tmp_path / "rows.json").chmod(0)
    _, problems = load({"url": "rows.json"}, DataFolders(tmp_path))
    assert [problem.message() for problem in problems] == ["the data of `rows.json` cannot be read: permission denied"]


FORMATS = [
    {},
    {"type": "csv"},
    {"type": "tsv", "parse": "auto"},
    {"type": "topojson", "feature": "a"},
    {"property": "a.b"},
    {"type": "arrow"},
]
PIECES = st.lists(
    st.sampled_from([b"[", b"]", b"{", b"}", b'"', b'"a"', b":", b",", b"1", b"null", b"\n", b"\\", b"\xff", b"objects"])
)


@given(st.binary(max_size=60) | PIECES.map(b"".join), st.sampled_from(FORMATS))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300)
def test_any_bytes_in_any_format(tmp_path: Path, content: bytes, format: dict[str, object]) -> None:
    loaded, _ = read(tmp_path, content, "rows.json", **format)
    assert loaded.record.lineage is not None


ANY_TEXT = st.sampled_from(["", "a", "csv", "auto", "signal", "type", "parse", "values", "[1]", "a,b\n1,2", "\ud800"])
ANY_VALUE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ANY_TEXT, inner, max_size=3),
    max_leaves=6,
)


@given(ANY_VALUE)
@settings(max_examples=200)
def test_any_definition(value: object) -> None:
    for definition in (
        {"values": value},
        {"values": [{"a": 1}], "format": value},
        {"url": value},
        {"values": value, "format": {"parse": "auto"}},
    ):
        loaded, problems = load(definition)
        assert loaded.record.lineage is not None
        assert all(problem.message() for problem in problems)
