"""The roles that pieces of a message have, and how each is painted: not at all, or in the colours of a terminal."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

Paint = Callable[[str, str], str]
"""(role, text) -> the text in the look of the role. Every piece of text passes through it, so that it may also escape."""

_STYLES: dict[str, dict[str, str | bool]] = {
    "error": {"fg": "red", "bold": True},
    "warning": {"fg": "yellow", "bold": True},
    "hint": {"fg": "cyan", "bold": True},
    "title": {"bold": True},
    "gutter": {"fg": "blue", "bold": True},
    "secondary": {"fg": "blue", "bold": True},
    "help": {"fg": "green", "bold": True},
    "name": {"fg": "cyan"},
    "good": {"fg": "green"},
    "faint": {"dim": True},
}


def plain(role: str, text: str) -> str:
    """No paint."""
    return text


def coloured(role: str, text: str) -> str:
    """The colours of a terminal."""
    style = _STYLES.get(role)
    if style is None or not text:
        return text
    from click import style as click_style

    return click_style(text, **style)  # type: ignore[arg-type]


def prose(paint: Paint, text: str, role: str = "text") -> str:
    """A sentence whose `names` have a look of their own."""
    return "".join(paint(kind, piece) for kind, piece in _pieces(text, role))


_NAME = re.compile(r"(`[^`]+`)")


def _pieces(text: str, role: str) -> Iterator[tuple[str, str]]:
    for number, piece in enumerate(_NAME.split(text)):
        if piece:
            yield ("name" if number % 2 else role), piece
