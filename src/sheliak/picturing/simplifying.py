"""Taking out of a picture what says nothing: empty frames, frames around a single drawing, datasets that nobody fills or reads.

Findings stay: what has one is kept, or hands it on to what is kept.
"""

from __future__ import annotations

from collections import Counter

from sheliak.picturing.picture import Frame, Node, Picture, Problem
from sheliak.source.declared import replace


def simplified(picture: Picture) -> Picture:
    """The picture without idle datasets and needless frames, and with one box for signals that go the same way."""
    hoisted = _without_needless_frames(_with_signals_together(_without_idle_datasets(picture)))
    return _with_drawings_together(hoisted)


def _without_idle_datasets(picture: Picture) -> Picture:
    used = {id for edge in picture.edges for id in (edge.source, edge.target)}
    nodes = tuple(node for node in picture.nodes if node.id in used or not _is_idle(node))
    return replace(picture, nodes=nodes)


def _is_idle(node: Node) -> bool:
    return node.kind == "dataset" and not node.steps and not node.problems and node.detail == "filled at run time"


def _with_signals_together(picture: Picture) -> Picture:
    """Signals of one frame that the same datasets feed and the same transforms use share a box."""
    around: dict[str, list[tuple[str, str, str]]] = {}
    for edge in picture.edges:
        around.setdefault(edge.source, []).append(("to", edge.target, edge.role))
        around.setdefault(edge.target, []).append(("from", edge.source, edge.role))
    boxes: dict[object, Node] = {}
    gone: set[str] = set()
    for node in picture.nodes:
        key = (node.frame, frozenset(around.get(node.id, ()))) if node.kind == "signal" and not node.problems else node.id
        if key in boxes:
            boxes[key] = replace(boxes[key], name="signals", signals=(*boxes[key].signals, *node.signals))
            gone.add(node.id)
        else:
            boxes[key] = node
    edges = tuple(edge for edge in picture.edges if edge.source not in gone and edge.target not in gone)
    return replace(picture, nodes=tuple(boxes.values()), edges=edges)


def _without_needless_frames(picture: Picture) -> Picture:
    """From the innermost frame outwards: an empty one goes, and one around a lone drawing becomes the name of that drawing."""
    nodes = {node.id: node for node in picture.nodes}
    inside: dict[str, list[str]] = {}
    for node in picture.nodes:
        inside.setdefault(node.frame, []).append(node.id)
    children = Counter(frame.parent for frame in picture.frames)
    kept: dict[str, Frame] = {frame.id: frame for frame in picture.frames}
    problems: list[Problem] = list(picture.problems)
    # A group comes before those inside it.
    for id in reversed(tuple(kept)):
        frame, held = kept[id], inside.get(id, [])
        if children[id] or not _is_needless(held, nodes):
            continue
        del kept[id]
        children[frame.parent] -= 1
        for drawing in held:
            hoisted = replace(nodes[drawing], frame=frame.parent, name=_named(frame.title, nodes[drawing]))
            nodes[drawing] = replace(hoisted, problems=(*hoisted.problems, *frame.problems))
            inside.setdefault(frame.parent, []).append(drawing)
        if not held and frame.parent in kept:
            outer = kept[frame.parent]
            kept[outer.id] = replace(outer, problems=(*outer.problems, *frame.problems))
        elif not held:
            problems += frame.problems
    return replace(picture, nodes=tuple(nodes.values()), frames=tuple(kept.values()), problems=tuple(problems))


def _with_drawings_together(picture: Picture) -> Picture:
    """Drawings that now stand side by side in one frame and read the same datasets are one, unless both have names of their own."""
    sources: dict[str, list[str]] = {}
    for edge in picture.edges:
        sources.setdefault(edge.target, []).append(edge.source)
    read = {edge.source for edge in picture.edges}
    boxes: dict[object, Node] = {}
    gone: set[str] = set()
    for node in picture.nodes:
        key: object = node.id
        if node.kind == "drawing" and node.id not in read:
            key = (node.frame, tuple(sources.get(node.id, ())))
        other = boxes.get(key)
        if other is not None and (other.name in _PLAIN_NAMES or node.name in _PLAIN_NAMES):
            boxes[key] = _joined(other, node)
            gone.add(node.id)
        else:
            boxes[key if other is None else node.id] = node
    edges = tuple(edge for edge in picture.edges if edge.target not in gone)
    return replace(picture, nodes=tuple(boxes.values()), edges=edges)


_PLAIN_NAMES = ("marks", "scales", "marks and scales")


def _joined(one: Node, other: Node) -> Node:
    marks, scales = (*one.marks, *other.marks), (*one.scales, *other.scales)
    given = [node.name for node in (one, other) if node.name not in _PLAIN_NAMES]
    name = given[0] if given else "marks and scales" if marks and scales else one.name
    return replace(one, name=name, marks=marks, scales=scales, problems=(*one.problems, *other.problems))


def _named(title: str, node: Node) -> str:
    return node.name if title == "group" else title


def _is_needless(held: list[str], nodes: dict[str, Node]) -> bool:
    return not held or (len(held) == 1 and nodes[held[0]].kind == "drawing")
