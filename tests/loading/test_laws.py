"""What the loader says of rows is true of every row."""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from loading.pages import inhabits, load
from sheliak.loading import DataFolders, row_type
from sheliak.types.operations import text_type
from sheliak.types.shapes import NUMERIC_TEXT, STRING, TEXTS, WORDS, Record

TEXT = st.one_of(
    st.text(max_size=5), st.sampled_from(["1", "-2.5", "", " ", "0x1F", "2020-01-01", "1/2/2003", "Infinity", "1\0002"])
)
PLAIN = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), TEXT)
NAMES = st.sampled_from(["a", "b", "c", "a.b", "", "__proto__", "é"])
VALUES = st.recursive(PLAIN, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3), max_leaves=8)
ROWS = st.lists(st.dictionaries(NAMES, VALUES, max_size=4), min_size=1, max_size=6)


@given(ROWS)
def test_every_row_inhabits_the_record(rows: list[dict[str, object]]) -> None:
    record = row_type(rows)
    assert all(inhabits(row, record) for row in rows)


@given(ROWS)
def test_every_field_of_the_record_is_in_some_row_and_the_optional_ones_are_not_in_all(rows: list[dict[str, object]]) -> None:
    record = row_type(rows)
    assert record.fields.keys() == {name for row in rows for name in row}
    assert record.optional == {name for name in record.fields if not all(name in row for row in rows)}


@given(ROWS)
def test_inline_values_have_the_record_of_their_rows(rows: list[dict[str, object]]) -> None:
    loaded, problems = load({"values": rows})
    if any(rows):
        assert (loaded.record, problems, loaded.rows) == (row_type(rows), [], len(rows))
    else:
        assert loaded.record.open


@given(st.sets(TEXT, min_size=1))
def test_the_kind_of_a_column_of_texts_is_that_of_its_texts(texts: set[str]) -> None:
    kinds = {text_type(text) for text in texts if text.strip()}
    expected = kinds.pop() if len(kinds) == 1 else WORDS if kinds else STRING
    assert row_type([{"a": text} for text in texts]).fields["a"] == expected


@given(rows=ROWS)
def test_a_file_has_the_record_of_the_same_rows_inline(rows: list[dict[str, object]], tmp_path_factory: object) -> None:
    folder = Path(str(tmp_path_factory.mktemp("rows")))
    (folder / "rows.json").write_text(json.dumps(rows), encoding="utf-8")
    from_file, _ = load({"url": "rows.json"}, DataFolders(folder))
    inline, _ = load({"values": rows})
    assert from_file.record == inline.record


@given(ROWS, st.dictionaries(NAMES, st.sampled_from(["number", "boolean", "date", "string", "unknown", "utc:'%Y'"]), max_size=3))
def test_parse_leaves_no_parsed_column_optional(rows: list[dict[str, object]], parse: dict[str, str]) -> None:
    loaded, _ = load({"values": rows, "format": {"parse": parse}})
    if not loaded.record.open:
        assert parse.keys() <= loaded.record.fields.keys()
        assert not parse.keys() & loaded.record.optional


@given(st.lists(TEXT.filter(lambda text: '"' not in text and text.isprintable()), min_size=1))
def test_auto_never_makes_words_of_numbers(texts: list[str]) -> None:
    loaded, _ = load({"values": [{"a": text} for text in texts], "format": {"parse": "auto"}})
    of = loaded.record.fields["a"]
    if of in TEXTS and of is not NUMERIC_TEXT:
        assert any(not text.strip() or text_type(text) is not NUMERIC_TEXT for text in texts)


def test_a_record_of_many_fields_is_open() -> None:
    record = row_type([{"map": {f"k{index}": 1 for index in range(2000)}}]).fields["map"]
    assert isinstance(record, Record)
    assert record.open
    assert len(record.fields) == 1000
