"""Schemas state a record: JSON Schema, Spark's, Table Schema, Arrow and Parquet; others are refused with the reason."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from loading.pages import load
from sheliak.loading import DataFolders, SchemaError, read_schema, record_of_arrow_schema
from sheliak.types.render import render_record
from sheliak.types.shapes import Unseen

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
ipc = pytest.importorskip("pyarrow.ipc", reason="pyarrow is not installed")

TABLE = pa.table(
    {
        "id": pa.array([1, 2], pa.int64()),
        "name": pa.array(["a", None]),
        "day": pa.array([0, 1], pa.date32()),
        "at": pa.array([0, 1], pa.timestamp("us", "UTC")),
        "price": pa.array([None, None], pa.decimal128(10, 2)),
        "kind": pa.array(["x", "y"]).dictionary_encode(),
        "tags": pa.array([["a"], []]),
        "at_home": pa.array([{"yes": True}, {"yes": False}]),
    }
)


def read_text(folder: Path, schema: object) -> str:
    path = folder / "schema.json"
    path.write_text(json.dumps(schema), encoding="utf-8")
    return render_record(read_schema(path, "table"))


def test_json_schema_of_a_row(tmp_path: Path) -> None:
    schema = {
        "type": "object",
        "properties": {
            "id": {"type": "integer"},
            "name": {"type": ["string", "null"]},
            "day": {"type": "string", "format": "date"},
            "kind": {"enum": ["a", "b", 3]},
            "size": {"anyOf": [{"type": "number"}, {"type": "boolean"}]},
            "inner": {"$ref": "#/$defs/inner"},
            "list": {"type": "array", "items": {"type": "number"}},
            "any": {},
        },
        "required": ["id", "name"],
        "$defs": {"inner": {"properties": {"x": {"type": "number"}}}},
    }
    assert read_text(tmp_path, schema) == (
        "{id: number, name: string | null, day?: string (date), kind?: number | string, size?: number | boolean, "
        "inner?: {x: number}, list?: [number], any?: unknown}"
    )


def test_json_schema_of_an_array_of_rows(tmp_path: Path) -> None:
    schema = {"type": "array", "items": {"type": "object", "properties": {"a": {"type": "string"}}}}
    assert read_text(tmp_path, schema) == "{a: string}"


def test_a_schema_that_allows_more_is_open(tmp_path: Path) -> None:
    assert read_text(tmp_path, {"properties": {"a": {"type": "number"}}, "additionalProperties": True}) == "{a: number, …}"
    assert read_schema(tmp_path / "schema.json", "table").unseen == Unseen("table")


def test_a_schema_that_refers_to_itself_ends(tmp_path: Path) -> None:
    schema = {"properties": {"child": {"$ref": "#"}, "a": {"type": "number"}}}
    assert read_text(tmp_path, schema).startswith("{child: {child: {child: ")


def test_spark_schema(tmp_path: Path) -> None:
    schema = {
        "type": "struct",
        "fields": [
            {"name": "id", "type": "long", "nullable": False, "metadata": {}},
            {"name": "price", "type": "decimal(10,2)", "nullable": True, "metadata": {}},
            {"name": "at", "type": "timestamp", "nullable": False, "metadata": {}},
            {"name": "tags", "type": {"type": "array", "elementType": "string", "containsNull": False}, "nullable": False},
            {"name": "in", "type": {"type": "struct", "fields": [{"name": "x", "type": "double"}]}, "nullable": False},
            {"name": "map", "type": {"type": "map", "keyType": "string", "valueType": "long"}, "nullable": False},
        ],
    }
    assert read_text(tmp_path, schema) == (
        "{id: number, price: number | null, at: date, tags: [string], in: {x: number}, map: {…}}"
    )


def test_table_schema(tmp_path: Path) -> None:
    fields = [{"name": "a", "type": "integer"}, {"name": "b", "type": "datetime"}, {"name": "c", "type": "string"}]
    assert read_text(tmp_path, {"schema": {"fields": fields}, "data": []}) == "{a: number, b: date, c: string}"


ARROW_RECORD = (
    "{id: number | null, name: string | null, day: date | null, at: date | null, price: number | null, kind: string | null, "
    "tags: [string] | null, at_home: {yes: boolean | null} | null}"
)


def test_arrow_schema() -> None:
    assert render_record(record_of_arrow_schema(TABLE.schema)) == ARROW_RECORD
    assert render_record(record_of_arrow_schema([pa.field("a", pa.int8(), nullable=False)])) == "{a: number}"


def write_arrow(path: Path) -> None:
    with ipc.new_file(str(path), TABLE.schema) as writer:
        writer.write_table(TABLE)


def test_an_arrow_file_states_its_schema(tmp_path: Path) -> None:
    write_arrow(tmp_path / "rows.arrow")
    assert render_record(read_schema(tmp_path / "rows.arrow", "table")) == ARROW_RECORD
    with ipc.new_stream(str(tmp_path / "rows.arrows"), TABLE.schema) as writer:
        writer.write_table(TABLE)
    assert render_record(read_schema(tmp_path / "rows.arrows", "table")) == ARROW_RECORD


def test_a_parquet_file_knows_which_columns_have_no_null(tmp_path: Path) -> None:
    parquet.write_table(TABLE.select(["id", "name", "day"]), tmp_path / "rows.parquet")
    assert render_record(read_schema(tmp_path / "rows.parquet", "table")) == "{id: number, name: string | null, day: date}"


@pytest.mark.parametrize("format", [{}, {"type": "parquet"}])
def test_a_url_of_a_parquet_file(tmp_path: Path, format: dict[str, object]) -> None:
    parquet.write_table(TABLE.select(["id"]), tmp_path / "rows.parquet")
    loaded, problems = load({"url": "rows.parquet", "format": format}, DataFolders(tmp_path))
    assert (render_record(loaded.record), loaded.rows, problems) == ("{id: number}", 2, [])


def test_a_url_of_an_arrow_file_with_parse(tmp_path: Path) -> None:
    write_arrow(tmp_path / "rows.arrow")
    format = {"type": "arrow", "parse": {"id": "date", "idd": "number"}}
    loaded, problems = load({"url": "rows.arrow", "format": format}, DataFolders(tmp_path))
    assert render_record(loaded.record).startswith("{id: date, ")
    assert [problem.code for problem in problems] == ["parse-of-absent-column"]


def test_without_pyarrow_nothing_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "other.parquet").write_bytes(b"PAR1")
    monkeypatch.setattr("sheliak.loading.columnar.is_installed", lambda: False)
    loaded, problems = load({"url": "other.parquet"}, DataFolders(tmp_path))
    assert loaded.record.open
    assert loaded.note == "`other.parquet` was not looked at: reading its schema needs pyarrow"
    assert problems == []


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"{", "it is not JSON (line 1, column 2: Expecting property name enclosed in double quotes)"),
        (b"[]", "a schema is a JSON object"),
        (b"{}", "it describes no rows: neither `properties`, nor `items` with `properties`, nor `fields`"),
        (b'{"type": "string"}', "it describes no rows: neither `properties`, nor `items` with `properties`, nor `fields`"),
        (b'{"fields": [{"type": "long"}]}', "an entry of `fields` has no name"),
        (b"PAR1 and nothing more", "it is not a readable Arrow or Parquet file"),
    ],
)
def test_a_schema_that_cannot_be_used(tmp_path: Path, content: bytes, reason: str) -> None:
    (tmp_path / "schema").write_bytes(content)
    with pytest.raises(SchemaError) as raised:
        read_schema(tmp_path / "schema", "table")
    assert f"cannot be used: {reason}" in str(raised.value)


def test_a_schema_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SchemaError, match="no such file or directory"):
        read_schema(tmp_path / "schema.json", "table")
    with pytest.raises(SchemaError, match="not a regular file"):
        read_schema(tmp_path, "table")
