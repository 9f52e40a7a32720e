"""The picture in the language of Graphviz."""

from __future__ import annotations

from collections.abc import Iterator

from sheliak.picturing.boxes import problem_text
from sheliak.picturing.picture import Node, Picture, Problem, is_wrong
from sheliak.picturing.text_width import shortened_to
from sheliak.picturing.wording import LONGEST, has_upstream, lines_of, step_line
from sheliak.rendering.visible import visible

_LOOKS = {
    "source": 'shape=box, style="filled,dashed", fillcolor="#f7f9fb"',
    "dataset": 'shape=box, style=filled, fillcolor="#f7f9fb"',
    "signal": 'shape=box, style="filled,rounded", fillcolor="#f3eefb", color="#8b6fc7"',
    "drawing": 'shape=box, style=filled, fillcolor="#edf6f0", color="#5b9a76"',
}
_STYLES = {"rows": "solid", "reads": "dashed", "signal": "dotted"}


def dot_of(picture: Picture) -> str:
    """The text of the graph."""
    return "".join(f"{line}\n" for line in _graph(picture))


def quoted(*lines: str) -> str:
    """Lines as one quoted text, each ended by a break to the left."""
    if len(lines) == 1:
        return f'"{_escaped(lines[0])}"'
    return '"' + "".join(f"{_escaped(line)}\\l" for line in lines) + '"'


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _graph(picture: Picture) -> Iterator[str]:
    yield f"digraph {quoted(visible(picture.title))} {{"
    yield '  graph [rankdir=LR, fontname="Helvetica", compound=true];'
    yield '  node [fontname="Helvetica", fontsize=11, color="#9aa5b1"];'
    yield '  edge [fontname="Helvetica", fontsize=10, color="#7b8794"];'
    names = {node.id: f"n{number}" for number, node in enumerate(picture.nodes)}
    fed = has_upstream(picture)
    yield from _inside("", picture, names, fed, "  ")
    nodes = {node.id: node for node in picture.nodes}
    for edge in picture.edges:
        label = _label(nodes[edge.target]) if edge.role == "rows" else ""
        yield f"  {names[edge.source]} -> {names[edge.target]} [style={_STYLES[edge.role]}{label}];"
    yield "}"


def _inside(frame: str, picture: Picture, names: dict[str, str], fed: set[str], indent: str) -> Iterator[str]:
    for node in picture.nodes:
        if node.frame == frame:
            own = [step_line(step) for step in node.steps] if node.id not in fed else []
            yield f"{indent}{names[node.id]} [label={quoted(*lines_of(node), *own)}, {_look(node)}];"
    for number, inner in enumerate(picture.frames):
        if inner.parent == frame:
            yield f"{indent}subgraph cluster_{number} {{"
            yield f'{indent}  label={quoted(shortened_to(visible(inner.title), LONGEST))}; color="#c3cbd5"; bgcolor="#f2f4f7";'
            yield from _inside(inner.id, picture, names, fed, indent + "  ")
            yield f"{indent}}}"


def _label(node: Node) -> str:
    steps = [step_line(step) for step in node.steps]
    wrong = tuple(problem for step in node.steps for problem in step.problems)
    return (f", label={quoted(*steps)}" if steps else "") + _told(wrong, 'color="#c81e2b", fontcolor="#c81e2b"')


def _look(node: Node) -> str:
    look = _LOOKS[node.kind]
    if node.on_spark:
        look = look.replace("#f7f9fb", "#fff1e3") + ', color="#d9731a"'
    return look + _told(node.problems, 'color="#c81e2b", penwidth=2')


def _told(problems: tuple[Problem, ...], wrong: str) -> str:
    """Findings as a text that a pointer shows; in red if one is an error."""
    if not problems:
        return ""
    return (f", {wrong}" if is_wrong(problems) else "") + f", tooltip={quoted(problem_text(problems))}"
