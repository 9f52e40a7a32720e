"""Colours: objects with their channels as fields, which print as CSS colours."""

from __future__ import annotations

from sheliak.expressions.functions.signature import signature
from sheliak.types.shapes import NUMBER, Record

_CHANNELS = "a:color b?:number c?:number opacity?:number"


def _color(channels: str) -> Record:
    """Open: a colour also has methods, and prints itself as text."""
    return Record({**dict.fromkeys(channels, NUMBER), "opacity": NUMBER}, open=True)


FUNCTIONS = (
    *(signature(space, _CHANNELS, _color(space)) for space in ("rgb", "hsl", "hcl")),
    signature("lab", _CHANNELS, _color("lab")),
    signature("contrast", "color1:color color2:color", NUMBER),
    signature("luminance", "color:color", NUMBER),
)
