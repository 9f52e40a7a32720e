"""Event selectors, such as `@brush:pointerdown[event.shiftKey]{100}, [pointerdown, window:pointerup] > window:pointermove!`.

Accepts exactly what Vega's own parser (vega-event-selector 4) accepts, which is more than it should: a colon inside a filter splits the
selector there, an opening bracket may come last, brackets need not match before the colon. An empty event type is read here
and rejected by Vega later.
"""

from __future__ import annotations

from functools import lru_cache
from math import isnan
from typing import Final, TypeAlias

from sheliak.expressions.numerals import SPACES, text_number
from sheliak.source.declared import dataclass, field, replace

MAX_NESTING: Final = 200

_MARK_WORDS = """
    * arc area group image line path rect rule shape symbol text trail
    constructor __defineGetter__ __defineSetter__ hasOwnProperty __lookupGetter__ __lookupSetter__ isPrototypeOf
    propertyIsEnumerable toString valueOf __proto__ toLocaleString
"""
# The names in the last two lines are no mark types; Vega takes them for such since every JavaScript object has them.
_MARK_TYPES = frozenset(_MARK_WORDS.split())


class SelectorSyntaxError(Exception):
    """The text is no event selector; `offset` and `end` enclose the part at fault."""

    def __init__(self, message: str, offset: int, end: int) -> None:
        super().__init__(message)
        self.message: Final = message
        self.offset: Final = offset
        self.end: Final = end


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of the selector's text, and where it stands."""

    text: str
    start: int = field(compare=False)
    end: int = field(compare=False)


@dataclass(frozen=True, slots=True)
class Stream:
    """Events of one type.

    `origin` is what stands before the colon: a mark's name (without its `@`), a mark type, or a source (`view`, `window`, `scope` or a
    CSS selector); it says which by appearing again as `markname`, `marktype` or `source`.
    """

    type: Piece
    source: str
    marktype: str | None = None
    markname: str | None = None
    origin: Piece | None = None
    filters: tuple[Piece, ...] = ()
    throttle: float = 0.0
    debounce: float = 0.0
    consume: bool = False
    between: tuple[EventStream, EventStream] | None = None


@dataclass(frozen=True, slots=True)
class NestedStream:
    """A stream that has its own `between`, limited once more: `[a, b] > [c, d] > e`."""

    between: tuple[EventStream, EventStream]
    stream: EventStream


EventStream: TypeAlias = Stream | NestedStream


@lru_cache(maxsize=1 << 12)
def parse_selector(text: str, default_source: str = "view") -> tuple[EventStream, ...]:
    """The streams that the selector merges. Raises SelectorSyntaxError."""
    reader = _Reader(text, default_source)
    return tuple([reader.stream(part, 0) for part in reader.merged(reader.trimmed((0, len(text))))])


_Window: TypeAlias = tuple[int, int]


class _Reader:
    """Works on windows (start, end) of the one text, so that every part keeps its place."""

    __slots__ = ("default_source", "text")

    def __init__(self, text: str, default_source: str) -> None:
        self.text = text
        self.default_source = default_source

    def trimmed(self, window: _Window) -> _Window:
        inside = self.text[slice(*window)]
        start = window[0] + len(inside) - len(inside.lstrip(SPACES))
        return start, start + len(inside.strip(SPACES))

    def piece(self, window: _Window) -> Piece:
        return Piece(self.text[slice(*window)], *window)

    def fail(self, message: str, window: _Window) -> SelectorSyntaxError:
        return SelectorSyntaxError(message, *window)

    def found(self, mark: str, window: _Window) -> int:
        """Where a mark is first; the end of the window if it is not there."""
        at = self.text.find(mark, *window)
        return window[1] if at < 0 else at

    def found_outside(self, mark: str, window: _Window, opening: str, closing: str) -> int:
        """Where a mark is first outside brackets. A closing bracket too many hides all that follows."""
        depth = 0
        for at in range(*window):
            letter = self.text[at]
            if depth == 0 and letter == mark:
                return at
            if letter in closing:
                depth -= 1
            elif letter in opening:
                depth += 1
        return window[1]

    def merged(self, window: _Window) -> list[_Window]:
        """The parts between commas; a last comma is ignored."""
        at, end = window
        parts = []
        while at < end:
            comma = self.found_outside(",", (at, end), "[{", "]}")
            parts.append(self.trimmed((at, comma)))
            at = comma + 1
        if not parts:
            raise self.fail("the event selector is empty", window)
        return parts

    def stream(self, window: _Window, nesting: int) -> EventStream:
        if nesting > MAX_NESTING:
            raise self.fail(f"the event selector nests more than {MAX_NESTING} levels deep", window)
        return self.limited(window, nesting) if self.text.startswith("[", *window) else self.plain(window)

    def limited(self, window: _Window, nesting: int) -> EventStream:
        """`[first, last] > stream`."""
        start, end = window
        close = self.found_outside("]", (start + 1, end), "[", "]")
        if close == end:
            raise self.fail("the `[` has no closing `]`", window)
        bounds = self.merged((start + 1, close))
        if len(bounds) != 2:
            raise self.fail(f"expected two streams between `[` and `]`, found {len(bounds)}", (start, close + 1))
        arrow = self.trimmed((close + 1, end))
        if not self.text.startswith(">", *arrow):
            raise self.fail("expected `>` and a stream after `]`", arrow)
        first, last = [self.stream(bound, nesting + 1) for bound in bounds]
        inner = self.stream(self.trimmed((arrow[0] + 1, end)), nesting + 1)
        if isinstance(inner, Stream) and inner.between is None:
            return replace(inner, between=(first, last))
        return NestedStream((first, last), inner)

    def plain(self, window: _Window) -> Stream:
        """`origin:type[filter][filter]{throttle, debounce}`."""
        window, throttle, debounce = self.throttled(window)
        start, end = window
        if start == end:
            raise self.fail("expected the type of an event", window)
        colon = self.found(":", (start + self.text.startswith("@", start), end))
        head = start if colon == end else colon + 1
        bracket = self.found("[", (head, end))
        filters = self.filters(bracket, end)
        type_window = self.trimmed((head, bracket))
        if wrong := [mark for mark in "[]{}" if mark in self.text[slice(*type_window)]]:
            raise self.fail(f"`{wrong[0]}` is not allowed in the type of an event", type_window)
        consume = self.text.endswith("!", *type_window)
        stream = Stream(
            type=self.piece((type_window[0], type_window[1] - consume)),
            source=self.default_source,
            filters=filters,
            throttle=throttle,
            debounce=debounce,
            consume=consume,
        )
        return stream if colon == end else self.with_origin(stream, self.trimmed((start, colon)))

    def with_origin(self, stream: Stream, window: _Window) -> Stream:
        if self.text.startswith("@", *window):
            origin = self.piece((window[0] + 1, window[1]))
            return replace(stream, markname=origin.text, origin=origin)
        origin = self.piece(window)
        if origin.text in _MARK_TYPES:
            return replace(stream, marktype=origin.text, origin=origin)
        return replace(stream, source=origin.text, origin=origin)

    def filters(self, bracket: int, end: int) -> tuple[Piece, ...]:
        """What stands in the brackets from an opening one to the end."""
        filters: list[Piece] = []
        while bracket < end:
            close = self.found("]", (bracket + 1, end))
            if close == end:
                raise self.fail("the `[` has no closing `]`", (bracket, end))
            filters.append(self.piece(self.trimmed((bracket + 1, close))))
            bracket = close + 1
            if bracket < end and self.text[bracket] != "[":
                raise self.fail("expected `[` or the end of the selector after `]`", (bracket, end))
            if bracket == end - 1:
                break  # Vega overlooks a last opening bracket after a filter
        return tuple(filters)

    def throttled(self, window: _Window) -> tuple[_Window, float, float]:
        """The window without the `{throttle, debounce}` at its end, and the two numbers."""
        start, end = window
        if not self.text.endswith("}", *window):
            return window, 0.0, 0.0
        brace = self.text.rfind("{", *window)
        if brace < 0:
            raise self.fail("the `}` has no opening `{`", (end - 1, end))
        inside = self.text[brace + 1 : end - 1]
        numbers = [text_number(part) for part in inside.split(",")]
        if not inside or len(numbers) > 2 or any(map(isnan, numbers)):
            raise self.fail("expected one or two numbers between `{` and `}`", (brace, end))
        return self.trimmed((start, brace)), numbers[0], numbers[1] if len(numbers) == 2 else 0.0
