"""The colours of a picture, on light and on dark."""

from __future__ import annotations

from collections.abc import Mapping

_LIGHT = {
    "paper": "#ffffff",
    "ink": "#1f2933",
    "faint": "#66727f",
    "line": "#7b8794",
    "box": "#f7f9fb",
    "border": "#9aa5b1",
    "steps": "#ffffff",
    "steps-border": "#dfe4ea",
    "frame": "#f2f4f7",
    "frame-border": "#c3cbd5",
    "spark": "#fff1e3",
    "spark-border": "#d9731a",
    "spark-bar": "#e8862f",
    "renderer-bar": "#aab4c0",
    "signal": "#f3eefb",
    "signal-border": "#8b6fc7",
    "drawing": "#edf6f0",
    "drawing-border": "#5b9a76",
    "error": "#c81e2b",
    "error-fill": "#fdecec",
    "warning": "#9a6700",
    "made": "#0b6b4f",
}
_DARK = {
    "paper": "#14181d",
    "ink": "#e4e7eb",
    "faint": "#9aa5b1",
    "line": "#7b8794",
    "box": "#1f252c",
    "border": "#5c6875",
    "steps": "#14181d",
    "steps-border": "#303943",
    "frame": "#1a1f25",
    "frame-border": "#3e4a57",
    "spark": "#3a2512",
    "spark-border": "#e8862f",
    "spark-bar": "#e8862f",
    "renderer-bar": "#5c6875",
    "signal": "#2a2338",
    "signal-border": "#a78bda",
    "drawing": "#1b2b22",
    "drawing-border": "#6fb38c",
    "error": "#ff6b74",
    "error-fill": "#3d1a1d",
    "warning": "#e3b341",
    "made": "#6fd3ac",
}
_THEMES: Mapping[str, Mapping[str, str]] = {"light": _LIGHT, "dark": _DARK}

_SHAPES = """
text{font-family:Helvetica,Arial,"Liberation Sans",sans-serif;font-size:11px;white-space:pre}
.heading{font-size:13px;font-weight:bold}
.frame-title{font-weight:bold}
.end{text-anchor:end}
.line{fill:none;stroke-width:1.4}
.line.reads{stroke-dasharray:5 3}
.line.signal{stroke-dasharray:2 3}
.source .shape{stroke-dasharray:4 2}
.box.error .shape,.frame.error{stroke-width:2.2}
"""

# (selector, property, name of the colour)
_COLOURS = (
    (".paper", "fill", "paper"),
    ("text", "fill", "ink"),
    (".faint,.type,.frame-title,.scale", "fill", "faint"),
    (".made", "fill", "made"),
    (".shape", "fill", "box"),
    (".shape", "stroke", "border"),
    (".rule", "stroke", "steps-border"),
    (".steps .shape", "fill", "steps"),
    (".steps .shape", "stroke", "steps-border"),
    (".frame,.behind", "fill", "frame"),
    (".frame", "stroke", "frame-border"),
    (".spark .shape", "fill", "spark"),
    (".spark .shape", "stroke", "spark-border"),
    (".signal .shape,.key.signal", "fill", "signal"),
    (".signal .shape,.key.signal", "stroke", "signal-border"),
    (".drawing .shape,.key.drawing", "fill", "drawing"),
    (".drawing .shape,.key.drawing", "stroke", "drawing-border"),
    (".bar.on-spark,.key.on-spark", "fill", "spark-bar"),
    (".bar.on-renderer,.key.on-renderer", "fill", "renderer-bar"),
    (".line", "stroke", "line"),
    (".arrow", "fill", "line"),
    (".line.signal", "stroke", "signal-border"),
    (".arrow.signal", "fill", "signal-border"),
    (".box.warning .shape,.frame.warning", "stroke", "warning"),
    ("text.warning,.bar.warning", "fill", "warning"),
    (".box.error .shape,.frame.error,.key.error", "stroke", "error"),
    (".box.error .shape,.key.error", "fill", "error-fill"),
    ("text.error,.bar.error", "fill", "error"),
)


def stylesheet(themes: tuple[str, ...]) -> str:
    """The rules; the first theme is for everybody, a second one for those who prefer it."""
    first, *others = themes
    parts = [_SHAPES, _colours(first)]
    parts += [f"@media (prefers-color-scheme:{theme}){{{_colours(theme)}}}" for theme in others]
    return "\n".join(part.strip() for part in parts)


def _colours(theme: str) -> str:
    palette = _THEMES[theme]
    return "\n".join(f"{selector}{{{name}:{palette[colour]}}}" for selector, name, colour in _COLOURS)
