"""What is read in pieces is what is read at once."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sheliak.expressions.values import UNDEFINED, Row
from sheliak.expressions.zones import UTC
from sheliak.loading import batches, streams
from sheliak.loading.batches import Batch, FileBatches
from sheliak.loading.delimited import cells_of
from sheliak.loading.rows import rows_of_file, usable_format
from sheliak.loading.streams import Unstreamable, json_elements, rows_of_lines
from sheliak.source.tree import Node

PIECES = ["a", "b", "é", "1", " ", ",", ",", '"', '"', '""', "\n", "\n", "\r", "\r\n", "😀"]
odd_text = st.lists(st.sampled_from(PIECES), min_size=2, max_size=40).map("".join)


def physical_lines(text: str) -> list[str]:
    import io

    return list(io.StringIO(text, newline=""))


@given(odd_text)
def test_cells_of_lines_are_the_cells_of_the_text(text: str) -> None:
    # A text that is nothing but the end of a line has no lines at all; no such file is read in pieces.
    whole = [cells or [""] for cells in cells_of(text, ",")]
    assert list(rows_of_lines(physical_lines(text), ",")) == (whole or ([[""]] if text else []))


json_value = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**40), 2**40)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)


@settings(max_examples=60)
@given(st.lists(json_value, max_size=6), st.booleans(), st.sampled_from([None, 1]), st.sampled_from([5, 33, 1 << 20]))
def test_elements_in_pieces_are_the_elements(
    tmp_path_factory: pytest.TempPathFactory, rows: list[object], inside: bool, indent: int | None, piece: int
) -> None:
    path = tmp_path_factory.mktemp("json") / "rows.json"
    document: object = {"first": [1, 2], "rows": rows, "last": {"rows": 3}} if inside else rows
    path.write_text(json.dumps(document, indent=indent, ensure_ascii=False), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(streams, "_PIECE", piece)
        found = [element for some in json_elements(path, ("rows",) if inside else ()) for element in some]
    assert found == rows


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[1, 2",
        "[1 2]",
        "[1,]",
        '{"a": 1}',
        "[1] x",
        '[{"a": 1}, {"a"}]',
        "[NaN]",
        '{"rows": [1], "rows": [2]}',
        "[" * 100_000,
    ],
)
def test_what_is_no_array_in_json_is_not_read_in_pieces(tmp_path: Path, text: str) -> None:
    path = tmp_path / "rows.json"
    path.write_text(text)
    with pytest.raises(Unstreamable):
        list(json_elements(path, ("rows",) if "rows" in text else ()))


def test_a_mistake_far_from_the_end_is_found_without_reading_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "rows.json"
    path.write_text('[{"a": oops},' + '{"a": 1},' * 10_000 + "1]")
    monkeypatch.setattr(streams, "_PIECE", 256)
    reads: list[int] = []
    more = streams._JsonReader.more

    def counted(reader: streams._JsonReader) -> bool:
        reads.append(1)
        return more(reader)

    monkeypatch.setattr(streams._JsonReader, "more", counted)
    with pytest.raises(Unstreamable, match="not JSON"):
        list(json_elements(path, ()))
    assert len(reads) < 4


def rows_of_batch(batch: Batch) -> list[Row]:
    if not batch.columns:
        return [{} for _ in range(batch.count)]
    rows = (dict(zip(batch.columns, values, strict=True)) for values in zip(*batch.columns.values(), strict=True))
    return [{name: value for name, value in row.items() if value is not UNDEFINED} for row in rows]


cell = st.sampled_from(["", "1", "2.5", "true", "false", "x", "2020-01-01", "Jan 5 2020", " ", "NaN", "0x10"])
parse = st.sampled_from([None, "auto", {"a": "number"}, {"a": "boolean", "z": "number"}, {"b": "date"}, {"b": "utc:'%Y-%m-%d'"}])


@settings(max_examples=60)
@given(st.lists(st.lists(cell, max_size=4), min_size=1, max_size=8), parse, st.sampled_from([1, 2, 100]))
def test_batches_of_delimited_text_hold_the_rows(
    tmp_path_factory: pytest.TempPathFactory, lines: list[list[str]], how: object, size: int
) -> None:
    path = tmp_path_factory.mktemp("csv") / "rows.csv"
    path.write_text("\n".join(["a,b,c", *(",".join(line) for line in lines)]) + "\n")
    _check(path, {"type": "csv", "parse": how}, size)


value = st.sampled_from([None, 1, 2.5, "1", "true", True, "2020-01-01", "", "x"])
row = st.dictionaries(st.sampled_from("abc"), value, max_size=3)


@settings(max_examples=60)
@given(st.lists(row, min_size=1, max_size=8), parse, st.sampled_from([1, 2, 100]))
def test_batches_of_json_hold_the_rows(
    tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, object]], how: object, size: int
) -> None:
    path = tmp_path_factory.mktemp("json") / "rows.json"
    path.write_text(json.dumps(rows))
    _check(path, {"type": "json", "parse": how}, size)


def _check(path: Path, format: dict[str, object], size: int) -> None:
    node = Node(format)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batches, "ROWS", size)
        found = [row for batch in FileBatches(path, usable_format(node), UTC) for row in rows_of_batch(batch)]
    meant = rows_of_file(path, path.name, node).rows
    assert [repr(sorted(row.items())) for row in found] == [repr(sorted(row.items())) for row in meant]
