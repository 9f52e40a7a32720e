"""Event selectors: what they mean, where their parts stand, and what is none."""

import pytest

from sheliak.expressions.selectors import NestedStream, SelectorSyntaxError, Stream, parse_selector


def only(selector: str) -> Stream:
    (stream,) = parse_selector(selector)
    assert isinstance(stream, Stream)
    return stream


def test_an_event_of_the_view() -> None:
    stream = only("click")
    assert (stream.type.text, stream.source, stream.origin, stream.consume) == ("click", "view", None, False)


def test_the_default_source_can_be_the_scope() -> None:
    (stream,) = parse_selector("click", "scope")
    assert isinstance(stream, Stream)
    assert stream.source == "scope"


def test_a_mark_name_has_its_place_without_the_sign() -> None:
    stream = only("  @brush : pointerdown")
    assert (stream.markname, stream.marktype, stream.source) == ("brush", None, "view")
    assert stream.origin is not None
    assert (stream.origin.text, stream.origin.start, stream.origin.end) == ("brush", 3, 8)


def test_a_mark_type() -> None:
    assert only("rect:click").marktype == "rect"
    assert only("*:click").marktype == "*"


def test_other_origins_are_sources() -> None:
    assert only("window:keydown").source == "window"
    assert only("#slider:input").source == "#slider"


def test_an_exclamation_mark_consumes() -> None:
    stream = only("wheel!")
    assert (stream.consume, stream.type.text, stream.type.end) == (True, "wheel", 5)


def test_filters_have_their_text_and_place() -> None:

    stream = only("click[ event.shiftKey ][!datum]")
    assert [(part.text, part.start, part.end) for part in stream.filters] == [("event.shiftKey", 7, 21), ("!datum", 24, 30)]


def test_throttle_and_debounce() -> None:
    stream = only("pointermove{50, 1e2}")
    assert (stream.throttle, stream.debounce) == (50.0, 100.0)
    assert only("pointermove{50}").debounce == 0.0


def test_streams_are_merged_by_commas() -> None:
    streams = parse_selector("click, rect:wheel[a, b], timer{1,2},")
    assert [stream.type.text for stream in streams if isinstance(stream, Stream)] == ["click", "wheel", "timer"]


def test_between() -> None:
    stream = only("[@a:pointerdown, window:pointerup] > window:pointermove!")
    assert stream.between is not None
    first, last = stream.between
    assert isinstance(first, Stream) and isinstance(last, Stream)
    assert (first.markname, last.source, stream.source, stream.consume) == ("a", "window", "window", True)


def test_between_within_between() -> None:
    (stream,) = parse_selector("[a, b] > [c, d] > e")
    assert isinstance(stream, NestedStream)
    assert isinstance(stream.stream, Stream)
    assert stream.stream.between is not None


REJECTED = {
    "": ("the event selector is empty", 0, 0),
    "  ": ("the event selector is empty", 2, 2),
    "click,,wheel": ("expected the type of an event", 6, 6),
    "click]": ("`]` is not allowed in the type of an event", 0, 6),
    "click[a": ("the `[` has no closing `]`", 5, 7),
    "click[a]b": ("expected `[` or the end of the selector after `]`", 8, 9),
    "click[x[0]]": ("expected `[` or the end of the selector after `]`", 10, 11),
    "click[a ? b : c]": ("`]` is not allowed in the type of an event", 14, 16),
    "click}": ("the `}` has no opening `{`", 5, 6),
    "click{x}": ("expected one or two numbers between `{` and `}`", 5, 8),
    "click{}": ("expected one or two numbers between `{` and `}`", 5, 7),
    "{5}": ("expected the type of an event", 0, 0),
    "[a, b": ("the `[` has no closing `]`", 0, 5),
    "[a] > b": ("expected two streams between `[` and `]`, found 1", 0, 3),
    "[a, b] c": ("expected `>` and a stream after `]`", 7, 8),
    "[a, b] >": ("expected the type of an event", 8, 8),
}


@pytest.mark.parametrize("selector", REJECTED)
def test_rejection_says_what_is_wrong_and_where(selector: str) -> None:
    with pytest.raises(SelectorSyntaxError) as caught:
        parse_selector(selector)
    assert (caught.value.message, caught.value.offset, caught.value.end) == REJECTED[selector]


@pytest.mark.parametrize("selector", ["[" * 5000 + "a,b]>c", "[a,b]>" * 5000 + "c"])
def test_deep_nesting_is_said_cleanly(selector: str) -> None:
    with pytest.raises(SelectorSyntaxError):
        parse_selector(selector)


def test_the_same_text_gives_the_same_streams() -> None:
    assert parse_selector("@same:click") is parse_selector("@same:click")
