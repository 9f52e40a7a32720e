"""Lines of a spec with parts of them underlined, as compilers show them.

    46 |       "domain": {"data": "hundreds", "field": "language"},
       |                                               ^^^^^^^^^^

A line that is too long is shown in part, around what is underlined: many specs are one line of many thousand letters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sheliak.rendering.paint import Paint, prose
from sheliak.rendering.visible import visible, width
from sheliak.source.declared import dataclass
from sheliak.source.text import Source, Span

_CUT = "…"
_LEAST_WIDTH = 30


@dataclass(frozen=True)
class Label:
    """A stretch of the text to underline, and what to say about it."""

    span: Span
    message: str = ""
    role: str = "secondary"
    mark: str = "-"


@dataclass(frozen=True)
class _Marked:
    """A part of one line: its columns count from 0, and the line above it is shown when the part opens there."""

    line: int
    start: int
    end: int
    label: Label
    opening: int | None = None


@dataclass(frozen=True)
class _Window:
    """What is shown of a line, cuts marked: the text before the underlined part, the part, and the text after it."""

    before: str
    part: str
    after: str
    is_cut: bool


def is_shown_in_part(source: Source, line: int, columns: int) -> bool:
    """The line is too long to be shown whole."""
    return width(visible(source.line_text(line)[: 2 * columns])) > columns


def gutter_width(source: Source, labels: Sequence[Label]) -> int:
    """How wide the line numbers beside a snippet are."""
    return max((len(str(_marked(source, label).line)) for label in labels), default=1)


def snippet(source: Source, labels: Sequence[Label], columns: int, gutter: int, paint: Paint) -> Iterator[str]:
    """The lines that the labels stand in, each once if it can be shown whole, in the order of the text."""
    room = max(columns - gutter - 4, _LEAST_WIDTH)
    shown, whole = 0, False
    yield _row(paint, "", gutter)
    for marked in sorted((_marked(source, label) for label in labels), key=_position):
        window = _window(source.line_text(marked.line), marked, room)
        if not (whole and not window.is_cut and shown == marked.line):
            first = marked.opening or marked.line
            if shown and first > shown + 1:
                yield paint("gutter", "..." if gutter < 2 else "..." + " " * (gutter - 2))
            if marked.opening is not None and marked.opening != shown:
                yield _row(paint, str(marked.opening), gutter, paint("text", _shortened(source.line_text(marked.opening), room)))
            yield _row(paint, str(marked.line), gutter, _source_text(paint, window))
        yield _row(paint, "", gutter, _underline(paint, window, marked.label))
        shown, whole = marked.line, not window.is_cut


def _position(marked: _Marked) -> tuple[int, int]:
    return marked.line, marked.start


def _row(paint: Paint, number: str, gutter: int, text: str = "") -> str:
    bar = paint("gutter", f"{number:>{gutter}} |")
    return f"{bar} {text}" if text else bar


def _source_text(paint: Paint, window: _Window) -> str:
    return paint("text", window.before + window.part + window.after)


def _underline(paint: Paint, window: _Window, label: Label) -> str:
    marks = paint(label.role, label.mark * max(width(window.part), 1))
    said = " " + prose(paint, visible(label.message), label.role) if label.message else ""
    return paint("text", " " * width(window.before)) + marks + said


def _marked(source: Source, label: Label) -> _Marked:
    """The part of the first line of the span; of an object over several lines, its first member."""
    line, column = source.line_column(label.span.start)
    text = source.line_text(line)
    start = column - 1
    end = min(start + label.span.end - label.span.start, len(text))
    is_bracket_alone = text[start:].strip() in ("{", "[") and label.span.end > label.span.start + 1
    following = source.line_text(line + 1)
    if is_bracket_alone and following.strip():
        indent = len(following) - len(following.lstrip())
        inside = label.span.start + len(text) - start + 1
        length = min(len(following.rstrip().rstrip(",")), max(label.span.end - inside, indent + 1))
        return _Marked(line + 1, indent, length, label, line)
    return _Marked(line, start, max(end, start), label)


def _window(text: str, marked: _Marked, room: int) -> _Window:
    """As much of the line as there is room for, so that what is said behind the underline fits as well."""
    # What is further away than this cannot be shown, and a line may have millions of letters.
    reach = 2 * room
    first, last = max(marked.start - reach, 0), min(marked.end, marked.start + reach)
    before, part = visible(text[first : marked.start]), visible(text[marked.start : last])
    after = visible(text[last : last + reach])
    said = width(visible(marked.label.message)) + 1 if marked.label.message else 0
    underlined = width(before) + width(part)
    if max(underlined + width(after), underlined + said) <= room:
        return _Window(before, part, after, is_cut=False)
    before, after = before.lstrip(), after.rstrip()
    room -= 2
    if width(part) > room * 2 // 3:
        part = _head(part, room * 2 // 3) + _CUT
    spare = room - width(part)
    ahead = min(width(before), max(spare * 2 // 3, spare - width(after)), max(spare - said, 0))
    behind = min(width(after), spare - ahead)
    return _Window(
        before if ahead >= width(before) else _CUT + _tail(before, ahead),
        part,
        after if behind >= width(after) else _head(after, behind) + _CUT,
        is_cut=True,
    )


def _shortened(text: str, room: int) -> str:
    shown = visible(text)
    return shown if width(shown) <= room else _head(shown, room - 1) + _CUT


def _head(text: str, columns: int) -> str:
    """As much of the start as fits."""
    end = columns
    while width(text[:end]) > columns:
        end -= 1
    return text[:end]


def _tail(text: str, columns: int) -> str:
    """As much of the end as fits."""
    start = max(len(text) - columns, 0)
    while width(text[start:]) > columns:
        start += 1
    return text[start:]
