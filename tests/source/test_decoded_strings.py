"""From a place inside a decoded string back to its escapes."""

import pytest

from sheliak.source import Place, Source, Span, read_document


def _raw(text: str, start: int, end: int) -> str:
    span = read_document(Source("x", text)).span_of(Place(()).within(start, end))
    return text[span.start : span.end]


@pytest.mark.parametrize(
    ("text", "start", "end", "raw"),
    [
        ('"datum.price"', 6, 11, "price"),
        (r'"datum[\"price\"]"', 6, 13, r"\"price\""),
        (r'"a\nbc"', 2, 4, "bc"),
        (r'"a\u0062c"', 1, 2, r"\u0062"),
        (r'"\ud83d\ude00x"', 0, 1, r"\ud83d\ude00"),
        (r'"\ud83d\ude00x"', 1, 2, "x"),
        (r'"\ud83d\u0041x"', 1, 2, r"\u0041"),
        (r'"\ude00\ud83dx"', 2, 3, "x"),
        (r'"\\u0041x"', 1, 6, "u0041"),
        ('"\U0001f600x"', 1, 2, "x"),
    ],
)
def test_a_stretch_is_written_as(text: str, start: int, end: int, raw: str) -> None:
    assert _raw(text, start, end) == raw


def test_an_empty_stretch_is_a_point() -> None:
    document = read_document(Source("x", r'"\na"'))
    assert document.span_of(Place(()).within(1, 1)) == Span(3, 3)
    assert document.span_of(Place((), start=1)) == Span(3, 3)


def test_a_stretch_beyond_the_string_ends_at_its_closing_quote() -> None:
    assert _raw('"abc"', 1, 99) == "bc"
    assert _raw('"abc"', 7, 9) == ""


def test_a_stretch_of_a_key_is_found_too() -> None:
    text = r'{"a\tb": 1}'
    span = read_document(Source("x", text)).span_of(Place(("a\tb",), on_key=True).within(2, 3))
    assert text[span.start : span.end] == "b"


def test_a_stretch_of_something_that_is_no_string_is_the_whole_value() -> None:
    assert _raw("[1, 2]", 0, 1) == "[1, 2]"
