"""Laws of reading: whatever the style of a text, its values are those of `json`, and every place is where it was printed."""

import json
from random import Random
from typing import NoReturn

from hypothesis import given, settings
from hypothesis import strategies as st

from sheliak.source import Document, Node, Place, Source, Span, read_document
from sheliak.source.tolerant_json import read_tolerantly
from source.printed_json import Printed, Printer

# A high surrogate directly before a low one is not a Python string that JSON can say, so lone ones are kept apart.
_texts = st.one_of(
    st.text(max_size=8), st.sampled_from(["", 'say "x"', "a\\b", "{", "]", "//", "/*", "\ud83d", "\U0001f600é\n", "datum.a"])
)
_scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**14), 10**14),
    st.floats(allow_nan=False, allow_infinity=False),
    _texts,
)
_values = st.recursive(
    _scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(_texts, inner, max_size=4)),
    max_leaves=20,
)
_printers = st.builds(Printer, st.randoms(use_true_random=False), st.booleans())


def _read(text: str) -> Document:
    return read_document(Source("spec.json", text))


def _nodes(node: Node) -> list[Node]:
    inner = [*node.elements(), *(member for _, member in node.members())]
    return [node, *(deeper for child in inner for deeper in _nodes(child))]


def _print(value: object, printer: Printer) -> tuple[Printed, Document]:
    printed = printer.print(value)
    return printed, _read(printed.text)


@given(_values, _printers)
def test_a_value_printed_in_any_style_is_read_back_without_a_problem(value: object, printer: Printer) -> None:
    _, document = _print(value, printer)
    assert document.readable
    assert document.problems == ()
    assert document.value == value


@given(_values, st.randoms(use_true_random=False))
def test_strict_text_is_read_as_json_reads_it_by_either_reader(value: object, random: Random) -> None:
    printed = Printer(random, tolerant=False).print(value)
    expected = json.loads(printed.text)
    assert _read(printed.text).value == expected
    assert read_tolerantly(Source("spec.json", printed.text)) == (expected, (), True)


@given(_values, _printers)
def test_each_value_and_each_key_is_found_where_it_was_printed(value: object, printer: Printer) -> None:
    printed, document = _print(value, printer)
    for node in _nodes(document.root):
        assert document.span_of(node.place) == printed.values[node.path]
        assert document.span_of(node.key_place) == printed.keys.get(node.path, printed.values[node.path])


@given(_values, _printers, st.randoms(use_true_random=False))
def test_places_are_found_in_any_order_of_asking(value: object, printer: Printer, random: Random) -> None:
    printed, document = _print(value, printer)
    nodes = _nodes(document.root)
    random.shuffle(nodes)
    assert [document.span_of(node.place) for node in nodes] == [printed.values[node.path] for node in nodes]


@given(_values, _printers)
def test_the_text_of_a_place_decodes_to_its_value_and_that_of_a_key_to_the_key(value: object, printer: Printer) -> None:
    printed, document = _print(value, printer)
    for node in _nodes(document.root):
        assert _read(_cut(printed.text, document.span_of(node.place))).value == node.value
        if node.parent is not None and node.parent.is_object:
            assert json.loads(_cut(printed.text, document.span_of(node.key_place))) == node.key


def _cut(text: str, span: Span) -> str:
    return text[span.start : span.end]


@given(_values, _printers, st.data())
def test_a_stretch_of_a_string_is_found_through_its_escapes(value: object, printer: Printer, data: st.DataObject) -> None:
    printed, document = _print(value, printer)
    for path, offsets in printed.characters.items():
        start = data.draw(st.integers(0, len(offsets) - 1))
        end = data.draw(st.integers(start, len(offsets) - 1))
        assert document.span_of(Place(path).within(start, end)) == Span(offsets[start], offsets[end])


@given(_values, _printers, st.lists(st.one_of(_texts, st.integers(-1, 5)), max_size=4))
def test_a_path_that_leads_nowhere_is_reported_at_the_nearest_value_above(
    value: object, printer: Printer, path: list[str | int]
) -> None:
    printed, document = _print(value, printer)
    existing = next(tuple(path[:length]) for length in range(len(path), -1, -1) if tuple(path[:length]) in printed.values)
    if len(existing) < len(path):
        places = [Place(tuple(path)), Place(tuple(path), on_key=True), Place(tuple(path)).within(0, 1)]
        assert [document.span_of(place) for place in places] == [printed.values[existing]] * 3


_FRAGMENTS = [
    "",
    '"',
    "'",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\\",
    "\\u",
    "/*",
    "//",
    "\x00",
    "\ufeff",
    "NaN",
    "-",
    "01",
    "tru",
    "None",
    "\ud800",
    "\n",
    "a",
]


@st.composite
def _corrupted(draw: st.DrawFn) -> str:
    text = draw(_printers).print(draw(_values)).text
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 6)))
        text = text[:start] + draw(st.one_of(st.sampled_from(_FRAGMENTS), st.text(max_size=3))) + text[end:]
    return text


@settings(max_examples=300)
@given(_corrupted())
def test_a_corrupted_text_is_read_or_told_and_never_raises(text: str) -> None:
    document = _read(text)
    assert document.readable or document.problems
    assert document.readable or document.value is None
    for problem in document.problems:
        assert 0 <= problem.span.start <= problem.span.end <= len(document.source.text)
        assert "?" not in problem.message.split("`")[0]
        problem.message.encode("utf-8")
    for place in (Place(()), Place(("a", 0)), Place((0,), on_key=True).within(0, 3)):
        span = document.span_of(place)
        assert 0 <= span.start <= span.end <= len(document.source.text)


@settings(max_examples=200)
@given(_corrupted())
def test_a_text_is_strict_and_without_problems_exactly_when_json_takes_it(text: str) -> None:
    document = _read(text)
    assert (document.strict and not document.problems) == _json_takes(text.removeprefix("\ufeff"))


def _json_takes(text: str) -> bool:
    try:
        json.loads(text, object_pairs_hook=_without_repetition, parse_constant=_refused)
    except ValueError:
        return False
    return True


def _without_repetition(members: list[tuple[str, object]]) -> dict[str, object]:
    return dict(members) if len(dict(members)) == len(members) else _refused("a repeated key")


def _refused(what: str) -> NoReturn:
    raise ValueError(what)
