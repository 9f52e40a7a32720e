"""Lines, columns and encodings."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sheliak.source import Place, Source, Span, decode_text, read_document, read_text


def test_lines_end_with_any_of_the_three_line_breaks() -> None:
    source = Source("x", "a\nbc\r\nd\re")
    assert [source.line_text(line) for line in range(1, source.line_count + 1)] == ["a", "bc", "d", "e"]
    assert [source.line_column(offset) for offset in (0, 2, 6, 8)] == [(1, 1), (2, 1), (3, 1), (4, 1)]


def test_the_end_of_the_text_is_a_place_too_and_offsets_beyond_it_mean_the_end() -> None:
    source = Source("x", "ab\n")
    assert source.line_column(3) == source.line_column(99) == (2, 1)
    assert source.line_column(-5) == (1, 1)
    assert source.line_text(2) == source.line_text(3) == source.line_text(0) == ""


def test_other_separators_of_unicode_do_not_end_a_line() -> None:
    assert Source("x", "a\u2028b\x0cc\x85d").line_count == 1


def test_a_character_outside_the_basic_plane_is_one_column_and_two_utf16_units() -> None:
    source = Source("x", "\n\U0001f600é]")
    assert source.line_column(3) == (2, 3)
    assert source.line_column_utf16(3) == (2, 4)


@given(st.text(alphabet="ab\r\n\U0001f600", max_size=30), st.integers(0, 30))
def test_line_and_column_lead_back_to_the_offset(text: str, offset: int) -> None:
    source = Source("x", text)
    offset = min(offset, len(text))
    line, column = source.line_column(offset)
    starts = [0, *(found.end() for found in re.finditer(r"\r\n|\r|\n", text))]
    assert starts[line - 1] + column - 1 == offset
    assert line == len(starts) or offset < starts[line]


def test_a_byte_order_mark_is_not_part_of_the_text() -> None:
    assert Source("x", "\ufeff{}").text == "{}"
    assert decode_text("x", b"\xef\xbb\xbf{}").text == "{}"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_each_encoding_of_unicode_is_recognised(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "spec.json"
    path.write_bytes('{"é": 1}\r\n'.encode(encoding))
    source = read_text(path)
    assert source.text == '{"é": 1}\r\n'
    assert source.name == str(path)
    assert source.encoding_fault is None


def test_bytes_that_are_not_utf8_are_located_and_the_rest_is_read() -> None:
    document = read_document(decode_text("latin.json", b'{"n": "caf\xe9", "w": 1}'))
    [problem] = document.problems
    assert problem.kind == "encoding"
    assert problem.message == "this is not UTF-8 text (found 0xE9): save the file as UTF-8"
    assert document.source.text[problem.span.start] == "\ufffd"
    assert document.value == {"n": "caf\ufffd", "w": 1}
    assert document.span_of(Place(("w",))) == Span(19, 20)


def test_half_a_unit_of_utf16_is_located_at_the_end() -> None:
    source = decode_text("x", "\ufeff[1]".encode("utf-16-le") + b"\x20")
    assert source.encoding_fault is not None
    assert source.encoding_fault.span == Span(3, 4)


@given(st.binary(max_size=40))
def test_no_bytes_can_make_reading_raise(content: bytes) -> None:
    source = decode_text("x", content)
    document = read_document(source)
    assert document.readable or document.problems
    if source.encoding_fault is not None:
        assert source.text[source.encoding_fault.span.start] == "\ufffd"
