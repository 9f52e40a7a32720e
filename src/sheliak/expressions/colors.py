"""Colours in the spaces rgb, hsl, lab and hcl: reading them from CSS text, and from one space to another.

A channel that has no value is NaN: the hue of a grey, all of `transparent` but its opacity.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from math import isnan, nan, pi
from typing import ClassVar, Final, Literal, TypeAlias

from sheliak.expressions.arithmetic import angle, cosine, largest, power, rounded, sine, smallest, square_root
from sheliak.expressions.numerals import SPACES, number_text, text_number
from sheliak.expressions.values import Instance, remainder, to_number

Space: TypeAlias = Literal["rgb", "hsl", "lab", "hcl"]
_CHANNELS: Final[dict[Space, str]] = {"rgb": "rgb", "hsl": "hsl", "lab": "lab", "hcl": "hcl"}


class Color(Instance):
    """A colour: an object with its channels and its opacity, which prints as a CSS colour."""

    __slots__ = ("space",)
    methods: ClassVar[str] = "copy displayable hex formatHex formatHex8 formatHsl formatRgb brighter darker rgb clamp"

    def __init__(self, space: Space, first: float, second: float, third: float, opacity: float) -> None:
        super().__init__(zip((*_CHANNELS[space], "opacity"), (first, second, third, opacity), strict=True))
        self.space: Final = space

    def channels(self) -> tuple[float, float, float]:
        """The three values of its space."""
        first, second, third = [to_number(self[name]) for name in _CHANNELS[self.space]]
        return first, second, third

    @property
    def opacity(self) -> float:
        return to_number(self["opacity"])

    def text(self) -> str:
        """`rgb(r, g, b)` or `rgba(r, g, b, opacity)` with whole channels from 0 to 255."""
        shown = converted(self, "rgb")
        opacity = 1.0 if isnan(shown.opacity) else largest(0.0, smallest(1.0, shown.opacity))
        channels = ", ".join([number_text(_byte(channel)) for channel in shown.channels()])
        return f"rgb({channels})" if opacity == 1 else f"rgba({channels}, {number_text(opacity)})"

    def enumerable(self) -> Iterable[str]:
        names = [*self.methods.split(), "toString", "constructor"]
        return names if self.space in ("rgb", "hsl") else [name for name in names if name != "clamp"]


def _byte(channel: float) -> float:
    whole = rounded(channel)
    return largest(0.0, smallest(255.0, 0.0 if isnan(whole) else whole))


def no_color(space: Space) -> Color:
    """What becomes of text that is no colour."""
    return Color(space, nan, nan, nan, nan)


# Reading

_S: Final = f"[{re.escape(SPACES)}]*"
_WHOLE: Final = rf"{_S}([+-]?[0-9]+){_S}"
_REAL: Final = rf"{_S}([+-]?(?:[0-9]*\.)?[0-9]+(?:[eE][+-]?[0-9]+)?){_S}"
_PERCENT: Final = rf"{_S}([+-]?(?:[0-9]*\.)?[0-9]+(?:[eE][+-]?[0-9]+)?)%{_S}"
_HEX: Final = re.compile(r"#([0-9a-f]{3,8})")
_RGB: Final = re.compile(rf"rgb\({_WHOLE},{_WHOLE},{_WHOLE}\)|rgba\({_WHOLE},{_WHOLE},{_WHOLE},{_REAL}\)")
_RGB_PERCENT: Final = re.compile(rf"rgb\({_PERCENT},{_PERCENT},{_PERCENT}\)|rgba\({_PERCENT},{_PERCENT},{_PERCENT},{_REAL}\)")
_HSL: Final = re.compile(rf"hsl\({_REAL},{_PERCENT},{_PERCENT}\)|hsla\({_REAL},{_PERCENT},{_PERCENT},{_REAL}\)")


def read_color(text: str) -> Color | None:
    """A CSS colour: a name, `#rgb`, `#rrggbb` (with opacity: 4 or 8 digits), rgb(), rgba(), hsl() or hsla()."""
    text = text.strip(SPACES).lower()
    if text in NAMED:
        return _of_number(NAMED[text], 255)
    if text == "transparent":
        return Color("rgb", nan, nan, nan, 0.0)
    if found := _HEX.fullmatch(text):
        return _of_digits(found[1])
    if found := _RGB.fullmatch(text):
        return _rgb(found, 1.0)
    if found := _RGB_PERCENT.fullmatch(text):
        return _rgb(found, 255 / 100)
    if found := _HSL.fullmatch(text):
        return _hsl(found)
    return None


def _of_digits(digits: str) -> Color | None:
    if len(digits) in (3, 4):
        digits = "".join([digit * 2 for digit in digits])
    if len(digits) == 6:
        return _of_number(int(digits, 16), 255)
    return _of_number(int(digits[:6], 16), int(digits[6:], 16)) if len(digits) == 8 else None


def _of_number(code: int, opacity: int) -> Color:
    if not opacity:
        return Color("rgb", nan, nan, nan, 0.0)
    return Color("rgb", float(code >> 16), float(code >> 8 & 255), float(code & 255), opacity / 255)


def _numbers(found: re.Match[str]) -> tuple[float, float, float, float]:
    groups = [text_number(group) for group in found.groups() if group is not None]
    first, second, third, opacity = [*groups, 1.0][:4]
    return first, second, third, opacity


def _rgb(found: re.Match[str], scale: float) -> Color:
    *channels, opacity = _numbers(found)
    if opacity <= 0:
        return Color("rgb", nan, nan, nan, opacity)
    red, green, blue = channels if scale == 1 else [channel * 255 / 100 for channel in channels]
    return Color("rgb", red, green, blue, opacity)


def _hsl(found: re.Match[str]) -> Color:
    hue, saturation, lightness, opacity = _numbers(found)
    saturation, lightness = saturation / 100, lightness / 100
    if opacity <= 0:
        return Color("hsl", nan, nan, nan, opacity)
    if lightness <= 0 or lightness >= 1:
        return Color("hsl", nan, nan, lightness, opacity)
    return Color("hsl", nan if saturation <= 0 else hue, saturation, lightness, opacity)


# From space to space


def converted(color: Color, space: Space) -> Color:
    """The same colour in another space."""
    if color.space == space:
        return Color(space, *color.channels(), color.opacity)
    match space:
        case "rgb":
            return _to_rgb(color)
        case "hsl":
            return _rgb_to_hsl(_to_rgb(color))
        case "lab":
            return _hcl_to_lab(color) if color.space == "hcl" else _rgb_to_lab(_to_rgb(color))
        case _:
            return _lab_to_hcl(converted(color, "lab"))


def _to_rgb(color: Color) -> Color:
    match color.space:
        case "hsl":
            return _hsl_to_rgb(color)
        case "lab":
            return _lab_to_rgb(color)
        case "hcl":
            return _lab_to_rgb(_hcl_to_lab(color))
        case _:
            return color


def _rgb_to_hsl(color: Color) -> Color:
    red, green, blue = [channel / 255 for channel in color.channels()]
    low, high = smallest(red, green, blue), largest(red, green, blue)
    width, lightness = high - low, (high + low) / 2
    if not width or isnan(width):
        return Color("hsl", nan, 0.0 if 0 < lightness < 1 else nan, lightness, color.opacity)
    if red == high:
        hue = (green - blue) / width + (6 if green < blue else 0)
    elif green == high:
        hue = (blue - red) / width + 2
    else:
        hue = (red - green) / width + 4
    return Color("hsl", hue * 60, width / (high + low if lightness < 0.5 else 2 - high - low), lightness, color.opacity)


def _hsl_to_rgb(color: Color) -> Color:
    hue, saturation, lightness = color.channels()
    hue = remainder(hue, 360.0) + (360 if hue < 0 else 0)
    saturation = 0.0 if isnan(hue) or isnan(saturation) else saturation
    high = lightness + (lightness if lightness < 0.5 else 1 - lightness) * saturation
    low = 2 * lightness - high
    red, green, blue = (hue - 240 if hue >= 240 else hue + 120), hue, (hue + 240 if hue < 120 else hue - 120)
    return Color("rgb", _channel(red, low, high), _channel(green, low, high), _channel(blue, low, high), color.opacity)


def _channel(turn: float, low: float, high: float) -> float:
    if turn < 60:
        return (low + (high - low) * turn / 60) * 255
    if turn < 180:
        return high * 255
    return (low + (high - low) * (240 - turn) / 60) * 255 if turn < 240 else low * 255


_WHITE: Final = (0.96422, 1.0, 0.82521)
_T0: Final = 4 / 29
_T1: Final = 6 / 29
_T2: Final = 3 * _T1 * _T1
_T3: Final = _T1 * _T1 * _T1


def _rgb_to_lab(color: Color) -> Color:
    red, green, blue = [_linear(channel) for channel in color.channels()]
    y = _lightness((0.2225045 * red + 0.7168786 * green + 0.0606169 * blue) / _WHITE[1])
    x = z = y
    if not red == green == blue:
        x = _lightness((0.4360747 * red + 0.3850649 * green + 0.1430804 * blue) / _WHITE[0])
        z = _lightness((0.0139322 * red + 0.0971045 * green + 0.7141733 * blue) / _WHITE[2])
    return Color("lab", 116 * y - 16, 500 * (x - y), 200 * (y - z), color.opacity)


def _lab_to_rgb(color: Color) -> Color:
    lightness, a, b = color.channels()
    y = (lightness + 16) / 116
    x, z = y if isnan(a) else y + a / 500, y if isnan(b) else y - b / 200
    x, y, z = [white * _distance(value) for white, value in zip(_WHITE, (x, y, z), strict=True)]
    red = _gamma(3.1338561 * x - 1.6168667 * y - 0.4906146 * z)
    green = _gamma(-0.9787684 * x + 1.9161415 * y + 0.0334540 * z)
    return Color("rgb", red, green, _gamma(0.0719453 * x - 0.2289914 * y + 1.4052427 * z), color.opacity)


def _lightness(value: float) -> float:
    return power(value, 1 / 3) if value > _T3 else value / _T2 + _T0


def _distance(value: float) -> float:
    return value * value * value if value > _T1 else _T2 * (value - _T0)


def _gamma(value: float) -> float:
    return 255 * (12.92 * value if value <= 0.0031308 else 1.055 * power(value, 1 / 2.4) - 0.055)


def _linear(channel: float) -> float:
    share = channel / 255
    return share / 12.92 if share <= 0.04045 else power((share + 0.055) / 1.055, 2.4)


def _lab_to_hcl(color: Color) -> Color:
    lightness, a, b = color.channels()
    if a == 0 and b == 0:
        return Color("hcl", nan, 0.0 if 0 < lightness < 100 else nan, lightness, color.opacity)
    hue = angle(b, a) * (180 / pi)
    return Color("hcl", hue + 360 if hue < 0 else hue, square_root(a * a + b * b), lightness, color.opacity)


def _hcl_to_lab(color: Color) -> Color:
    hue, chroma, lightness = color.channels()
    if isnan(hue):
        return Color("lab", lightness, 0.0, 0.0, color.opacity)
    radians = hue * (pi / 180)
    return Color("lab", lightness, cosine(radians) * chroma, sine(radians) * chroma, color.opacity)


_NAMES: Final = """
    aliceblue=f0f8ff antiquewhite=faebd7 aqua=00ffff aquamarine=7fffd4 azure=f0ffff beige=f5f5dc bisque=ffe4c4 black=000000
    blanchedalmond=ffebcd blue=0000ff blueviolet=8a2be2 brown=a52a2a burlywood=deb887 cadetblue=5f9ea0 chartreuse=7fff00
    chocolate=d2691e coral=ff7f50 cornflowerblue=6495ed cornsilk=fff8dc crimson=dc143c cyan=00ffff darkblue=00008b
    darkcyan=008b8b darkgoldenrod=b8860b darkgray=a9a9a9 darkgreen=006400 darkgrey=a9a9a9 darkkhaki=bdb76b
    darkmagenta=8b008b darkolivegreen=556b2f darkorange=ff8c00 darkorchid=9932cc darkred=8b0000 darksalmon=e9967a
    darkseagreen=8fbc8f darkslateblue=483d8b darkslategray=2f4f4f darkslategrey=2f4f4f darkturquoise=00ced1
    darkviolet=9400d3 deeppink=ff1493 deepskyblue=00bfff dimgray=696969 dimgrey=696969 dodgerblue=1e90ff firebrick=b22222
    floralwhite=fffaf0 forestgreen=228b22 fuchsia=ff00ff gainsboro=dcdcdc ghostwhite=f8f8ff gold=ffd700 goldenrod=daa520
    gray=808080 green=008000 greenyellow=adff2f grey=808080 honeydew=f0fff0 hotpink=ff69b4 indianred=cd5c5c indigo=4b0082
    ivory=fffff0 khaki=f0e68c lavender=e6e6fa lavenderblush=fff0f5 lawngreen=7cfc00 lemonchiffon=fffacd lightblue=add8e6
    lightcoral=f08080 lightcyan=e0ffff lightgoldenrodyellow=fafad2 lightgray=d3d3d3 lightgreen=90ee90 lightgrey=d3d3d3
    lightpink=ffb6c1 lightsalmon=ffa07a lightseagreen=20b2aa lightskyblue=87cefa lightslategray=778899 lightslategrey=778899
    lightsteelblue=b0c4de lightyellow=ffffe0 lime=00ff00 limegreen=32cd32 linen=faf0e6 magenta=ff00ff maroon=800000
    mediumaquamarine=66cdaa mediumblue=0000cd mediumorchid=ba55d3 mediumpurple=9370db mediumseagreen=3cb371
    mediumslateblue=7b68ee mediumspringgreen=00fa9a mediumturquoise=48d1cc mediumvioletred=c71585 midnightblue=191970
    mintcream=f5fffa mistyrose=ffe4e1 moccasin=ffe4b5 navajowhite=ffdead navy=000080 oldlace=fdf5e6 olive=808000
    olivedrab=6b8e23 orange=ffa500 orangered=ff4500 orchid=da70d6 palegoldenrod=eee8aa palegreen=98fb98 paleturquoise=afeeee
    palevioletred=db7093 papayawhip=ffefd5 peachpuff=ffdab9 peru=cd853f pink=ffc0cb plum=dda0dd powderblue=b0e0e6
    purple=800080 rebeccapurple=663399 red=ff0000 rosybrown=bc8f8f royalblue=4169e1 saddlebrown=8b4513 salmon=fa8072
    sandybrown=f4a460 seagreen=2e8b57 seashell=fff5ee sienna=a0522d silver=c0c0c0 skyblue=87ceeb slateblue=6a5acd
    slategray=708090 slategrey=708090 snow=fffafa springgreen=00ff7f steelblue=4682b4 tan=d2b48c teal=008080 thistle=d8bfd8
    tomato=ff6347 turquoise=40e0d0 violet=ee82ee wheat=f5deb3 white=ffffff whitesmoke=f5f5f5 yellow=ffff00
    yellowgreen=9acd32
"""
NAMED: Final = {name: int(code, 16) for name, _, code in [entry.partition("=") for entry in _NAMES.split()]}
"""CSS's colours by name."""
