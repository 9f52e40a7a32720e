"""The picture as text for a terminal: the boxes in the order of the spec, each with what its rows come from and go through."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sheliak.picturing.picture import Node, Picture, Problem, Step
from sheliak.picturing.text_width import shortened_to
from sheliak.picturing.wording import lines_of
from sheliak.rendering.paint import Paint, plain
from sheliak.rendering.visible import visible

_LONGEST = 100


def outline(picture: Picture, paint: Paint = plain) -> Iterator[str]:
    """The lines of the outline."""
    yield from _told(picture.problems, paint, "")
    yield from _inside("", picture, paint, "")
    if not picture.nodes:
        yield "the spec has no datasets"


def _inside(frame: str, picture: Picture, paint: Paint, indent: str) -> Iterator[str]:
    number = 0
    for node in picture.nodes:
        if node.frame == frame and node.kind != "signal":
            if number and not frame:
                yield ""
            number += 1
            yield from _block(node, picture, paint, indent)
    for inner in picture.frames:
        if inner.parent == frame:
            if not frame:
                yield ""
            yield indent + paint("gutter", f"[{visible(inner.title)}]")
            yield from _told(inner.problems, paint, indent + "  ")
            yield from _inside(inner.id, picture, paint, indent + "  ")


def _block(node: Node, picture: Picture, paint: Paint, indent: str) -> Iterator[str]:
    head, *content = lines_of(node)
    spark = paint("warning", "  Spark") if node.on_spark else ""
    yield f"{indent}{paint('title', head)}{paint('faint', _kind(node))}{spark}"
    upstream = _names(picture, node, "rows")
    if upstream:
        yield f"{indent}  {paint('faint', 'from')} {', '.join(upstream)}"
    for step in node.steps:
        yield from _step(step, paint, indent)
    beside = [*_names(picture, node, "reads"), *_names(picture, node, "signal")]
    if beside:
        yield f"{indent}  {paint('faint', 'using')} {', '.join(beside)}"
    yield from (f"{indent}    {line}" for line in content)
    yield from _told(node.problems, paint, indent + "  ")


def _kind(node: Node) -> str:
    return "  rows as given" if node.kind == "source" else ""


def _names(picture: Picture, node: Node, role: str) -> list[str]:
    """What a box takes, by name; a drawing or a dataset by its heading, signals one by one."""
    nodes = {one.id: one for one in picture.nodes}
    sources = [nodes[edge.source] for edge in picture.edges if edge.target == node.id and edge.role == role]
    names = [name for one in sources for name in ([name for name, _ in one.signals] or [one.name])]
    return [visible(name) for name in dict.fromkeys(names)]


def _step(step: Step, paint: Paint, indent: str) -> Iterator[str]:
    sign = paint("warning", "▸") if step.on_spark else paint("faint", "▹")
    text = shortened_to(visible(step.text), _LONGEST)
    yield f"{indent}  {sign} {paint('error', text) if step.problems else text}"
    yield from _told(step.problems, paint, indent + "    ")


def _told(problems: Iterable[Problem], paint: Paint, indent: str) -> Iterator[str]:
    for problem in problems:
        role = "error" if problem.severity == "error" else "warning"
        yield f"{indent}{paint(role, f'{problem.severity}[{problem.code}]')} {visible(problem.message)}"
