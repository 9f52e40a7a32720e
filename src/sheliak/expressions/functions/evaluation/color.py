"""Colours, and how they stand out from each other."""

from __future__ import annotations

from sheliak.expressions.arithmetic import largest, power, smallest
from sheliak.expressions.colors import Color, Space, converted, no_color, read_color
from sheliak.expressions.functions.evaluation.meaning import Meanings, declared
from sheliak.expressions.values import UNDEFINED, Undefined, Value, divided, to_number, to_text
from sheliak.expressions.zones import Zone

MEANINGS: Meanings = {}
local = declared(MEANINGS, "zone")


def _in_space(space: Space) -> None:
    def color(zone: Zone, *channels: Value) -> Value:
        """A colour from its text or another colour, or from the channels of this space."""
        if len(channels) == 1:
            return _converted(channels[0], space, zone)
        first, second, third, opacity = [*channels, *[UNDEFINED] * 4][:4]
        opaque = opacity is None or isinstance(opacity, Undefined)
        return Color(space, to_number(first), to_number(second), to_number(third), 1.0 if opaque else to_number(opacity))

    local(space)(color)


_in_space("rgb")
_in_space("hsl")
_in_space("lab")
_in_space("hcl")


def _converted(value: Value, space: Space, zone: Zone) -> Color:
    color = value if isinstance(value, Color) else read_color(to_text(value, zone))
    return no_color(space) if color is None else converted(color, space)


@local("luminance")
def luminance(zone: Zone, color: Value) -> Value:
    """Of WCAG 2: from 0 for black to 1 for white."""
    return _luminance(zone, color)


def _luminance(zone: Zone, color: Value) -> float:
    red, green, blue = [_linear(channel / 255) for channel in _converted(color, "rgb", zone).channels()]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(share: float) -> float:
    return share / 12.92 if share <= 0.03928 else power((share + 0.055) / 1.055, 2.4)


@local("contrast")
def contrast(zone: Zone, one: Value, other: Value) -> Value:
    """Of WCAG 2: from 1 to 21."""
    first, second = _luminance(zone, one), _luminance(zone, other)
    return divided(largest(first, second) + 0.05, smallest(first, second) + 0.05)
