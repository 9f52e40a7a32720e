"""Text by UTF-16 units, which is how JavaScript counts and cuts it.

A text is cut in its form of units, where a character above U+FFFF is two surrogates, and then joined again.
"""

from __future__ import annotations

from sheliak.expressions.values import joined

__all__ = ["joined", "length_of", "units_of"]


def units_of(text: str) -> str:
    """The text with a character for each UTF-16 unit."""
    if text.isascii() or max(text) < "\U00010000":
        return text
    return "".join([character if character < "\U00010000" else _pair(ord(character) - 0x10000) for character in text])


def _pair(offset: int) -> str:
    return chr(0xD800 + (offset >> 10)) + chr(0xDC00 + (offset & 0x3FF))


def length_of(text: str) -> int:
    """The number of UTF-16 units."""
    return len(text) if text.isascii() else len(units_of(text))
