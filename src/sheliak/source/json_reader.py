"""From the text of a spec to its values, in one pass of the C decoder when the text is strict JSON.

Positions are not kept: `Document.span_of` finds them again for the few places that are reported
(docs/decisions/0003-lazy-spans.md).
"""

from typing import TYPE_CHECKING

from sheliak.source.declared import dataclass
from sheliak.source.place import Place
from sheliak.source.problem import DEPTH_LIMIT, Problem
from sheliak.source.strict_json import REFUSED, STRICT, is_nested_deeper
from sheliak.source.text import Source, Span
from sheliak.source.tree import Node

if TYPE_CHECKING:
    from sheliak.source.locate import Locator

__all__ = ["Comment", "Document", "Problem", "read_document"]


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment of the text; `text` is what it says, without its marks."""

    span: Span
    text: str


class Document:
    """A spec as read: its value, and what is wrong with its text. Not `readable` means that there is no value."""

    __slots__ = ("_comments", "_locator", "problems", "readable", "root", "source", "strict", "value")

    def __init__(self, source: Source, value: object, problems: tuple[Problem, ...], readable: bool, strict: bool) -> None:
        self.source = source
        self.value = value
        self.problems = problems
        self.readable = readable
        self.strict = strict
        self.root = Node(value)
        self._locator: Locator | None = None
        self._comments: tuple[Comment, ...] | None = () if strict else None

    def span_of(self, place: Place) -> Span:
        """The text of a place; for a path that leads nowhere, of the nearest value above it."""
        if not self.readable:
            return self.problems[0].span
        if self._locator is None:
            self._locator = _locator(self)
        return self._locator.span_of(place)

    @property
    def has_comments(self) -> bool:
        return bool(self.comments())

    def comments(self) -> tuple[Comment, ...]:
        """The comments of the text in their order; strict JSON has none, and is not searched."""
        if self._comments is None:
            self._comments = _comments_of(self.source.text)
        return self._comments


def read_document(source: Source) -> Document:
    """Reads JSON, comments and trailing commas allowed. Never raises: what is wrong is among the `problems`."""
    unreadable_bytes = _problems_of_encoding(source)
    try:
        value = STRICT.decode(source.text)
    except REFUSED:
        return _read_tolerantly(source, unreadable_bytes)
    if _is_too_deep(source.text, value):
        return _read_tolerantly(source, unreadable_bytes)
    return Document(source, value, unreadable_bytes, readable=True, strict=True)


def _is_too_deep(text: str, value: object) -> bool:
    # Most specs have fewer brackets than levels allowed, and need no walk.
    return text.count("{") + text.count("[") > DEPTH_LIMIT and is_nested_deeper(value, DEPTH_LIMIT)


# The three below import when called: a clean strict spec needs none of it, and compiling the patterns takes a while.


def _read_tolerantly(source: Source, unreadable_bytes: tuple[Problem, ...]) -> Document:
    from sheliak.source.tolerant_json import read_tolerantly

    value, problems, readable = read_tolerantly(source)
    return Document(source, value, unreadable_bytes + problems, readable, strict=False)


def _locator(document: Document) -> "Locator":
    from sheliak.source.locate import Locator

    repeated = any(problem.kind == "duplicate-key" for problem in document.problems)
    return Locator(document.source.text, repeated)


def _comments_of(text: str) -> tuple[Comment, ...]:
    from sheliak.source.json_tokens import comments

    return tuple(Comment(Span(start, end), said) for start, end, said in comments(text))


def _problems_of_encoding(source: Source) -> tuple[Problem, ...]:
    fault = source.encoding_fault
    if fault is None:
        return ()
    found = " ".join(f"0x{byte:02X}" for byte in fault.found)
    name = fault.encoding.removesuffix("-sig").upper()
    message = f"this is not {name} text (found {found}): save the file as UTF-8"
    return (Problem(message, fault.span, (), "encoding"),)
