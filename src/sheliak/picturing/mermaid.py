"""The picture as a flowchart of Mermaid, for pages that draw it themselves."""

from __future__ import annotations

from collections.abc import Iterator

from sheliak.picturing.picture import Node, Picture, is_wrong
from sheliak.picturing.text_width import shortened_to
from sheliak.picturing.wording import LONGEST, has_upstream, lines_of, step_line
from sheliak.rendering.visible import visible

_SHAPES = {"source": ('[("', '")]'), "dataset": ('["', '"]'), "signal": ('(["', '"])'), "drawing": ('["', '"]')}
_ARROWS = {"rows": "-->", "reads": "-.->", "signal": "-.->"}
_CLASSES = """\
  classDef spark fill:#fff1e3,stroke:#d9731a,color:#1f2933
  classDef signal fill:#f3eefb,stroke:#8b6fc7,color:#1f2933
  classDef drawing fill:#edf6f0,stroke:#5b9a76,color:#1f2933
  classDef error fill:#fdecec,stroke:#c81e2b,color:#1f2933,stroke-width:3px
"""


def mermaid_of(picture: Picture) -> str:
    """The text of the flowchart."""
    return "".join(f"{line}\n" for line in _flowchart(picture)) + _CLASSES


def escaped(text: str) -> str:
    """Text between double quotes: everything that Mermaid, Markdown or HTML could take for its own, by its number."""
    return "".join(one if one.isalnum() or one in _PLAIN or ord(one) > 127 else f"#{ord(one)};" for one in text)


_PLAIN = frozenset(" .,:-_+=/…()")


def _flowchart(picture: Picture) -> Iterator[str]:
    yield "flowchart LR"
    names = {node.id: f"n{number}" for number, node in enumerate(picture.nodes)}
    fed = has_upstream(picture)
    yield from _inside("", picture, names, fed, "  ")
    nodes = {node.id: node for node in picture.nodes}
    for edge in picture.edges:
        label = _label(nodes[edge.target]) if edge.role == "rows" else ""
        yield f"  {names[edge.source]} {_ARROWS[edge.role]}{label} {names[edge.target]}"
    for node in picture.nodes:
        look = _look(node)
        if look:
            yield f"  class {names[node.id]} {look}"


def _inside(frame: str, picture: Picture, names: dict[str, str], fed: set[str], indent: str) -> Iterator[str]:
    """The boxes of a frame, and the frames in it as subgraphs."""
    for node in picture.nodes:
        if node.frame == frame:
            opening, closing = _SHAPES[node.kind]
            own = [step_line(step) for step in node.steps] if node.id not in fed else []
            text = "<br/>".join(escaped(line) for line in (*lines_of(node), *own))
            yield f"{indent}{names[node.id]}{opening}{text}{closing}"
    for number, inner in enumerate(picture.frames):
        if inner.parent == frame:
            yield f'{indent}subgraph f{number}["{escaped(shortened_to(visible(inner.title), LONGEST))}"]'
            yield from _inside(inner.id, picture, names, fed, indent + "  ")
            yield f"{indent}end"


def _label(node: Node) -> str:
    steps = "<br/>".join(escaped(step_line(step)) for step in node.steps)
    return f'|"{steps}"|' if steps else ""


def _look(node: Node) -> str:
    if is_wrong(node.problems) or any(is_wrong(step.problems) for step in node.steps):
        return "error"
    return node.kind if node.kind in ("signal", "drawing") else "spark" if node.on_spark else ""
