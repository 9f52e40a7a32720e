"""A page of Markdown for a terminal: only what our own pages use."""

from __future__ import annotations

from collections.abc import Iterator

from sheliak.rendering.paint import Paint, plain, prose


def render_page(text: str, paint: Paint = plain) -> Iterator[str]:
    """Headings and bold text stand out, fenced text is indented."""
    fenced = False
    for line in text.rstrip("\n").split("\n"):
        if line.startswith("```"):
            fenced = not fenced
        elif fenced:
            yield paint("faint", f"    {line}".rstrip())
        elif line.startswith("#"):
            yield paint("title", line.lstrip("# "))
        else:
            yield "".join(prose(paint, piece, "title" if number % 2 else "text") for number, piece in enumerate(line.split("**")))
