"""Text as a terminal shows it: how wide it is, and nothing in it that could command the terminal.

A spec is untrusted: its names may hold escape sequences, or marks that turn the direction of the text around.
"""

from __future__ import annotations

TAB = "    "
_TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def visible(text: str) -> str:
    """The text with tabs as blanks and with everything that does not print escaped."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_visible(character) for character in text)


def _visible(character: str) -> str:
    if character == "\t":
        return TAB
    if character.isprintable():
        return character
    from unicodedata import category

    kind = category(character)
    if kind == "Zs" or (kind == "Cf" and character not in _TURNING and character != "\ufeff"):
        # Blanks of other widths, and the joiners that emoji and some scripts are written with.
        return character
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def width(text: str) -> int:
    """How many columns a visible text takes."""
    if text.isascii():
        return len(text)
    from unicodedata import category, east_asian_width

    columns = 0
    for character in text:
        if category(character) not in ("Mn", "Me", "Cf"):
            columns += 2 if east_asian_width(character) in "WF" else 1
    return columns
