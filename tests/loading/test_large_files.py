"""A large file is looked at in part, and says so; before a field counts as absent the whole file is asked."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import pytest

from loading.pages import load
from sheliak.diagnostics.fields import missing_field
from sheliak.loading import DataFolders, Loaded
from sheliak.source.place import Place
from sheliak.types.render import render_record
from sheliak.types.shapes import Record, Unknown


def write_rows(path: Path, rows: list[dict[str, object]]) -> None:
    path.write_text(json.dumps(rows, separators=(",", ":")), encoding="utf-8")


def loaded_from(path: Path, **definition: object) -> Loaded:
    return load({"url": path.name, **definition}, DataFolders(path.parent))[0]


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """60 000 rows, of which only the last but one has `rare` and `né/e`, and one row in the middle has text in `late`."""
    rows: list[dict[str, object]] = [{"id": index, "name": f"n{index}", "late": None} for index in range(60_000)]
    rows[-2] |= {"rare": 1, "né/e": {"inner": 1}}
    path = tmp_path_factory.mktemp("large") / "rows.json"
    write_rows(path, rows)
    return path


def test_the_first_rows_tell_the_columns(large: Path) -> None:
    loaded = loaded_from(large)
    assert loaded.sampled
    assert loaded.rows is None
    assert render_record(loaded.record) == "{id: number, name: string, late: unknown}"


def test_the_note_says_how_much_was_looked_at(large: Path) -> None:
    note = loaded_from(large).note
    assert note is not None
    assert re.fullmatch(r"looked at \d,\d{3} of about [56]\d,000 rows of `rows.json`", note)


def test_the_whole_file_is_asked_before_a_field_is_absent(large: Path) -> None:
    record = loaded_from(large).record
    assert missing_field(Place(()), "rare", record) is None
    assert missing_field(Place(()), "né/e", record) is None
    assert missing_field(Place(()), "inner", record) is None
    assert missing_field(Place(()), "rar", record) is not None
    assert missing_field(Place(()), "n59998", record) is not None, "a value is no name"


@pytest.mark.parametrize("ascii_only", [True, False])
def test_names_are_found_however_they_are_escaped(tmp_path: Path, ascii_only: bool) -> None:
    rows = [{"id": index, "text": "x" * 40} for index in range(20_000)] + [{'Größe/"m"': 1}]
    (tmp_path / "rows.json").write_text(json.dumps(rows, ensure_ascii=ascii_only), encoding="utf-8")
    may_hold = loaded_from(tmp_path / "rows.json").record.lineage.may_hold
    assert may_hold('Größe/"m"')
    assert not may_hold("Größe")


def test_nested_records_ask_too(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [{"p": {"x": index}, "l": [{"y": "t" * 20}]} for index in range(30_000)]
    rows[-1]["p"] = {"z": 1}
    write_rows(tmp_path / "rows.json", rows)
    inner = loaded_from(tmp_path / "rows.json").record.fields["p"]
    assert isinstance(inner, Record)
    assert missing_field(Place(()), "z", inner) is None
    assert missing_field(Place(()), "q", inner) is not None


def test_parse_of_a_rare_column_is_no_mistake(large: Path) -> None:
    loaded = loaded_from(large, format={"parse": {"rare": "number", "rar": "number"}})
    assert isinstance(loaded.record.fields["rare"], Unknown)
    assert [problem.place.pointer for problem in loaded.problems] == ["/data/0/format/parse/rar"]


def test_rows_of_the_middle_and_the_end_are_looked_at(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [{"id": index, "code": "1" if index < 50_000 else "x"} for index in range(60_000)]
    write_rows(tmp_path / "rows.json", rows)
    assert render_record(loaded_from(tmp_path / "rows.json").record) == "{id: number, code: string}"


def test_the_rows_of_a_property(tmp_path: Path) -> None:
    rows = [{"id": index, "name": "n" * 30} for index in range(20_000)]
    document = {"meta": {"rows": 3, "list": [1, 2]}, "data": {"rows": rows}, "tail": 1}
    (tmp_path / "rows.json").write_text(json.dumps(document), encoding="utf-8")
    loaded = loaded_from(tmp_path / "rows.json", format={"property": "data.rows"})
    assert loaded.sampled
    assert render_record(loaded.record) == "{id: number, name: string}"


def test_rows_that_stand_far_in_are_read_whole(tmp_path: Path) -> None:
    document = {"before": ["x" * 100] * 10_000, "rows": [{"a": 1}]}
    (tmp_path / "rows.json").write_text(json.dumps(document), encoding="utf-8")
    loaded = loaded_from(tmp_path / "rows.json", format={"property": "rows"})
    assert (loaded.sampled, loaded.rows) == (False, 1)


def test_a_large_document_without_rows_is_one_row(tmp_path: Path) -> None:
    (tmp_path / "one.json").write_text(json.dumps({"values": list(range(200_000)), "width": 3}), encoding="utf-8")
    assert render_record(loaded_from(tmp_path / "one.json").record) == "{values: [number], width: number}"


def test_a_large_delimited_file(tmp_path: Path) -> None:
    lines = ["id,code,note"] + [f"{index},{'1' if index < 30_000 else 'x'},plain text {index}" for index in range(40_000)]
    (tmp_path / "rows.csv").write_text("\n".join(lines), encoding="utf-8")
    loaded = loaded_from(tmp_path / "rows.csv", format={"type": "csv", "parse": "auto"})
    assert loaded.sampled
    assert render_record(loaded.record) == "{id: number, code: string, note: unknown}"
    assert loaded.record.lineage is not None
    assert loaded.record.lineage.may_hold is None, "the header names all columns"


def test_a_large_file_with_quoted_lines(tmp_path: Path) -> None:
    lines = ["id,note"] + [f'{index},"two\nlines, {index}"' for index in range(40_000)]
    (tmp_path / "rows.csv").write_text("\n".join(lines), encoding="utf-8")
    loaded = loaded_from(tmp_path / "rows.csv", format={"type": "csv"})
    assert render_record(loaded.record) == "{id: string (numeric), note: string}"


def test_a_header_longer_than_the_sample(tmp_path: Path) -> None:
    names = [f"column number {index}" for index in range(9_000)]
    text = ",".join(names) + "\n" + ("1," * 8_999 + "1\n") * 10
    (tmp_path / "wide.csv").write_text(text, encoding="utf-8")
    record = loaded_from(tmp_path / "wide.csv", format={"type": "csv"}).record
    assert list(record.fields) == names
    assert not record.open


def test_a_file_of_a_gigabyte_costs_little(tmp_path: Path) -> None:
    """A sparse file: the rows are at its start, and nothing behind them is read."""
    path = tmp_path / "rows.json"
    with path.open("wb") as file:
        file.write(b"[" + b",".join(b'{"id": %d, "name": "n"}' % index for index in range(20_000)) + b",")
        file.truncate(1 << 30)
    start = time.process_time()
    loaded = loaded_from(path)
    assert time.process_time() - start < 1
    assert render_record(loaded.record) == "{id: number, name: string}"


def test_one_reading_serves_all_specs_until_the_file_changes(tmp_path: Path) -> None:
    path = tmp_path / "rows.json"
    write_rows(path, [{"a": 1}])
    folders = DataFolders(tmp_path)
    first, second = (load({"url": "rows.json"}, folders)[0].record for _ in range(2))
    assert first.fields is second.fields
    write_rows(path, [{"a": 1, "b": 2}])
    assert "b" in load({"url": "rows.json"}, folders)[0].record.fields
