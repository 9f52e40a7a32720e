"""The formats of a picture, by name and by the ending of a file."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from sheliak.picturing.picture import Picture

ENDINGS: Mapping[str, str] = {
    ".svg": "svg",
    ".png": "png",
    ".html": "html",
    ".htm": "html",
    ".mmd": "mermaid",
    ".mermaid": "mermaid",
    ".dot": "dot",
    ".gv": "dot",
    ".json": "json",
    ".txt": "text",
}
FORMATS = ("text", "svg", "png", "html", "mermaid", "dot", "json")


def format_of(file: str) -> str | None:
    """The format that the name of a file asks for."""
    return next((name for ending, name in ENDINGS.items() if file.lower().endswith(ending)), None)


def written(picture: Picture, name: str) -> bytes:
    """The picture in a format, as a file holds it; raises CannotDraw for a png where the package for it is missing."""
    if name == "png":
        from sheliak.picturing.png import png_of

        return png_of(picture)
    return _WRITERS[name](picture).encode("utf-8", "backslashreplace")


def _text(picture: Picture) -> str:
    from sheliak.picturing.outline import outline

    return "\n".join(outline(picture)) + "\n"


def _svg(picture: Picture) -> str:
    from sheliak.picturing.svg import svg_of

    return svg_of(picture)


def _html(picture: Picture) -> str:
    from sheliak.picturing.page import page_of

    return page_of(picture)


def _mermaid(picture: Picture) -> str:
    from sheliak.picturing.mermaid import mermaid_of

    return mermaid_of(picture)


def _dot(picture: Picture) -> str:
    from sheliak.picturing.dot import dot_of

    return dot_of(picture)


def _json(picture: Picture) -> str:
    from sheliak.picturing.json_form import as_object

    return json.dumps(as_object(picture), indent=1, ensure_ascii=True) + "\n"


_WRITERS: Mapping[str, Callable[[Picture], str]] = {
    "text": _text,
    "svg": _svg,
    "html": _html,
    "mermaid": _mermaid,
    "dot": _dot,
    "json": _json,
}
