"""The lines of text that stand for a box in formats that arrange pictures themselves."""

from __future__ import annotations

from collections.abc import Iterator

from sheliak.picturing.dataset_boxes import FILLED, few
from sheliak.picturing.picture import Node, Picture, Step
from sheliak.picturing.text_width import shortened_to
from sheliak.rendering.visible import visible

LONGEST = 60
_MOST_LINES = 6


def lines_of(node: Node) -> list[str]:
    """The name of a box and what is in it, short and visible."""
    head = [] if node.kind == "signal" else [node.name]
    return [shortened_to(visible(line), LONGEST) for line in (*head, *_content(node))]


def _content(node: Node) -> Iterator[str]:
    if node.kind == "signal":
        yield from _few([f"{name} {detail}".strip() for name, detail in node.signals])
    elif node.kind == "drawing":
        yield from _few(list(node.marks))
        yield from _few([f"{name}: {what}" for name, what in node.scales])
    else:
        yield from _rows(node)


def _rows(node: Node) -> Iterator[str]:
    if node.detail:
        yield node.detail
    if node.keeps_fields:
        yield f"the same {len(node.fields)} fields"
        return
    shown = few(node.fields)
    yield from (f"{one.name}: {one.type}" for one in shown)
    if len(shown) < len(node.fields):
        yield f"+ {len(node.fields) - len(shown)} more"
    elif node.is_open and (shown or node.detail != FILLED):
        yield "columns not looked at"


def _few(lines: list[str]) -> Iterator[str]:
    yield from lines[:_MOST_LINES]
    if len(lines) > _MOST_LINES:
        yield f"+ {len(lines) - _MOST_LINES} more"


def step_line(step: Step) -> str:
    """A transform in one short line."""
    return shortened_to(visible(step.text), LONGEST)


def has_upstream(picture: Picture) -> set[str]:
    """The boxes that rows go to."""
    return {edge.target for edge in picture.edges if edge.role == "rows"}
