"""How wide a text is when nobody can ask a browser: the advance widths of a plain sans-serif face, with some room to spare."""

from __future__ import annotations

from functools import lru_cache
from itertools import accumulate

# Thousandths of the size of the face, for the characters from blank to tilde.
_ADVANCES = (
    *(278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278),
    *(556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556),
    *(1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778),
    *(667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556),
    *(333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556),
    *(556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584),
)
_OTHER, _WIDE = 620, 1050
# Where the first face of the list is not installed, another one is a little wider.
_SLACK = 1.03
ELLIPSIS = "…"


def _advance(character: str) -> int:
    code = ord(character)
    if 32 <= code < 127:
        return _ADVANCES[code - 32]
    if code < 0x1100:
        return _OTHER
    from unicodedata import category, east_asian_width

    if category(character) in ("Mn", "Me", "Cf"):
        return 0
    return _WIDE if east_asian_width(character) in "WF" or code > 0xFFFF else _OTHER if code != 0x2026 else 1000


@lru_cache(maxsize=1 << 14)
def text_width(text: str, size: float, bold: bool = False) -> float:
    """The width of a text in pixels."""
    return sum(map(_advance, text)) * size * (1.07 if bold else 1.0) * _SLACK / 1000


@lru_cache(maxsize=1 << 14)
def shortened(text: str, size: float, widest: float, bold: bool = False) -> str:
    """The text, or as much of its beginning as fits, and an ellipsis."""
    if len(text) < 1 << 12 and text_width(text, size, bold) <= widest:
        return text
    room = (widest / (size * (1.07 if bold else 1.0) * _SLACK / 1000)) - 1000
    kept = sum(1 for width in accumulate(map(_advance, text[: 1 << 12])) if width <= room)
    return text[:kept].rstrip() + ELLIPSIS


@lru_cache(maxsize=1 << 14)
def shortened_inside(text: str, size: float, widest: float, bold: bool = False) -> str:
    """The text, or its beginning and its end with an ellipsis between them: long names often differ in their ends."""
    if len(text) < 1 << 12 and text_width(text, size, bold) <= widest:
        return text
    end = ""
    for character in reversed(text[-40:]):
        if text_width(character + end, size, bold) > widest * 0.45:
            break
        end = character + end
    return shortened(text, size, widest - text_width(end, size, bold), bold) + end.lstrip()


def shortened_to(text: str, most: int) -> str:
    """The text, or its beginning with an ellipsis, in at most so many characters."""
    return text if len(text) <= most else text[: most - 1].rstrip() + ELLIPSIS
