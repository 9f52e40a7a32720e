"""The picture as pixels, drawn of its SVG by the package that also draws charts."""

from __future__ import annotations

import math

from sheliak.picturing.picture import Picture
from sheliak.picturing.svg import svg_of

_SCALE = 2.0
_MOST_PIXELS = 60_000_000


class CannotDraw(Exception):
    """The package is not installed, or it refuses; the text says what to do."""


def png_of(picture: Picture) -> bytes:
    """A PNG file, on white, at twice the size unless that is too large for anybody to open."""
    try:
        import vl_convert
    except ImportError as error:
        raise CannotDraw("a png is drawn by a package that is not installed: pip install 'sheliak[charts]'") from error
    # It knows no media queries: there is one theme.
    svg = svg_of(picture, themes=("light",))
    try:
        drawn: bytes = vl_convert.svg_to_png(svg, scale=_scale(svg))
    except ValueError as error:
        raise CannotDraw(f"the png cannot be drawn: {error}") from error
    return drawn


def _scale(svg: str) -> float:
    width, height = (float(part.partition('"')[0]) for part in svg.split('="', 4)[2:4])
    return min(_SCALE, math.sqrt(_MOST_PIXELS / (width * height)))
