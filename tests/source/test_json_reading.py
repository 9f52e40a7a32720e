"""What is accepted, how numbers are read, comments, and the cost of finding a place."""

import json
import math
import subprocess
import sys
import time

import pytest

from sheliak.source import Comment, Document, Place, Source, Span, read_document


def _read(text: str) -> Document:
    return read_document(Source("spec.json", text))


def test_strict_json_has_no_problem_and_no_comment() -> None:
    document = _read('{"a": [1, 2.5, "x // y", true, null]}')
    assert document.value == {"a": [1, 2.5, "x // y", True, None]}
    assert document.problems == ()
    assert not document.has_comments


def test_null_is_a_value_and_an_empty_text_is_none() -> None:
    assert (_read("null").value, _read("null").readable) == (None, True)
    assert (_read("").value, _read("").readable) == (None, False)


def test_comments_and_trailing_commas_are_accepted_silently() -> None:
    document = _read('// head\n{"a": [1, 2,], /* inner */ "b": "/* no */",\n}')
    assert document.value == {"a": [1, 2], "b": "/* no */"}
    assert document.problems == ()
    assert document.comments() == (Comment(Span(0, 7), "head"), Comment(Span(23, 34), "inner"))


@pytest.mark.parametrize("text", ["[,]", "{,}", "[1,,]", '{"a":1,,}', ",", "[1],"])
def test_a_comma_needs_a_value_before_it_and_a_container_around_it(text: str) -> None:
    assert not _read(text).readable


@pytest.mark.parametrize("tolerant", [False, True])
@pytest.mark.parametrize(
    ("digits", "number"),
    [
        ("1e999", math.inf),
        ("-1e999", -math.inf),
        ("999999999999999", 999999999999999),
        ("9007199254740993", 9007199254740992.0),
        ("9" * 400, math.inf),
        ("-" + "9" * 5000, -math.inf),
        ("1e-999", 0.0),
        ("1E+2", 100.0),
    ],
)
def test_numbers_are_the_ones_javascript_reads(digits: str, number: float, tolerant: bool) -> None:
    assert _read(f"[{digits}{',' if tolerant else ''}]").value == [number]


@pytest.mark.parametrize("text", ["[-0]", "[-0,]"])
def test_minus_zero_keeps_its_sign(text: str) -> None:
    value = _read(text).value
    assert isinstance(value, list)
    assert math.copysign(1, value[0]) == -1


def test_a_lone_surrogate_is_a_character_as_in_javascript() -> None:
    assert _read(r'"\ud800"').value == _read(r'"\ud800" // c').value == "\ud800"


@pytest.mark.parametrize("bracket", ["[", '{"a":'])
def test_512_levels_are_read_and_one_more_is_told_where_it_opens(bracket: str) -> None:
    closing = "]" if bracket == "[" else "}"
    assert _read(bracket * 511 + "[]" + closing * 511).readable
    [problem] = _read(bracket * 512 + "[]" + closing * 512).problems
    assert (problem.kind, problem.span) == ("depth", Span(len(bracket) * 512, len(bracket) * 512 + 1))
    assert problem.message == "brackets are nested more than 512 levels deep"


@pytest.mark.parametrize(
    "text", ["[" * 100_000, "[" * 700 + "]" * 700, "// c\n" + '[{"a":' * 50_000, '[1,{"b":' * 600 + "0" + "}]" * 600]
)
def test_no_depth_exhausts_the_stack(text: str) -> None:
    document = _read(text)
    assert [problem.kind for problem in document.problems] == ["depth"]
    assert document.span_of(Place((0,))) == document.problems[0].span


def test_the_last_of_several_equal_keys_is_the_one_that_is_found() -> None:
    document = _read('{"a": {"x": 1}, "b": 0, "a": {"x": 2}}')
    assert document.value == {"a": {"x": 2}, "b": 0}
    assert document.span_of(Place(("a", "x"))) == Span(35, 36)
    assert document.span_of(Place(("a",), on_key=True)) == Span(24, 27)


def test_a_key_written_with_escapes_is_found_by_its_decoded_name() -> None:
    assert _read(r'{"\u0061\n": 1}').span_of(Place(("a\n",))) == Span(13, 14)


def test_deeply_nested_siblings_are_skipped() -> None:
    deep = "[" * 100 + "]" * 100
    text = f'{{"a": {deep}, "b": {{"c": [[[[[[1]]]]], "]"]}}, "d": 2}}'
    document = _read(text)
    assert document.span_of(Place(("d",))) == Span(len(text) - 2, len(text) - 1)
    assert document.span_of(Place(("b", "c", 1))) == Span(text.index('"]"'), text.index('"]"') + 3)


def test_a_place_behind_ten_megabytes_of_rows_is_found_quickly() -> None:
    row = {"Name": "chevrolet chevelle malibu", "Miles": 18, "Year": "1970-01-01", "at": [1.5, [2.5]], "Origin": "USA"}
    text = json.dumps({"data": [{"values": [row] * 91_000}], "marks": [{"type": "rect"}]})
    document = _read(text)
    assert len(text) > 10_000_000
    started = time.process_time()
    span = document.span_of(Place(("marks", 0, "type")))
    took = time.process_time() - started
    assert text[span.start : span.end] == '"rect"'
    # Measured 0.16 to 0.20 s; the bound leaves room for a busy machine.
    assert took < 1.5


def test_a_place_before_the_rows_does_not_pay_for_them() -> None:
    text = json.dumps({"data": [{"name": "t", "values": [{"a": 1}] * 200_000}]})
    document = _read(text)
    document.span_of(Place(("data", 0, "name")))
    started = time.process_time()
    span = document.span_of(Place(("data", 0, "values", 3, "a")))
    assert text[span.start : span.end] == "1"
    assert time.process_time() - started < 0.05


def test_reading_a_strict_spec_imports_neither_the_tolerant_reader_nor_the_locator() -> None:
    script = (
        "import sys; from sheliak.source import Source, read_document; assert read_document(Source('x', '{}')).readable;"
        "print([name for name in sys.modules if name.endswith(('tolerant_json', 'locate', 'json_tokens', 'json_faults'))])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
