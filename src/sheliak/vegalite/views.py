"""The views of a Vega-Lite spec: where each stands, and the name that Vega-Lite gives to what it makes of it."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from sheliak.source.declared import dataclass
from sheliak.source.place import PathKey, Place
from sheliak.source.tree import Node
from sheliak.vegalite.recognise import COMPOSITIONS

MOST_VIEWS = 1000
"""Compiling takes about 3 ms for each view of a large spec."""


@dataclass(frozen=True, slots=True)
class View:
    """A view and the prefix of the names in the Vega made of it; the top view has none."""

    node: Node
    prefix: str

    @property
    def mark_place(self) -> Place:
        mark = self.node.get("mark")
        return mark.place if mark is not None else self.node.place


def views_of(node: Node, given: str = "") -> Iterator[View]:
    """A view and all views inside it, outer ones first."""
    name = node.get("name")
    prefix = name.text if name is not None and name.text else given
    yield View(node, prefix)
    for key in COMPOSITIONS:
        kind = "layer" if key == "layer" else "concat"
        listed = node.get(key)
        for child in listed.elements() if listed is not None else ():
            yield from views_of(child, _joined(prefix, f"{kind}_{child.key}"))
    inner = node.get("spec")
    if inner is not None and inner.is_object:
        yield from views_of(inner, _joined(prefix, "child"))


def _joined(prefix: str, name: str) -> str:
    return f"{prefix}_{name}" if prefix else name


def number_of_views(node: Node) -> int:
    """How many views are compiled: a repeated one counts as often as it is repeated."""
    listed = [child for key in COMPOSITIONS if (children := node.get(key)) is not None for child in children.elements()]
    inner = node.get("spec")
    inside = sum(map(number_of_views, listed)) + (number_of_views(inner) if inner is not None else 0)
    return max(1, inside) * _repetitions(node.get("repeat"))


def composition_place(root: Node) -> Place:
    """The key under which the top view names its views, or says how often it is repeated."""
    found = (root.get(key) for key in ("repeat", *COMPOSITIONS, "spec"))
    return next((node.key_place for node in found if node is not None), root.place)


def _repetitions(repeat: Node | None) -> int:
    if repeat is None:
        return 1
    if repeat.is_array:
        return max(1, len(list(repeat.elements())))
    return prod(max(1, len(list(listed.elements()))) for _, listed in repeat.members())


def view_of_names(views: tuple[View, ...], names: list[str]) -> View:
    """The view that the names in the compiled Vega speak of; the top one when they do not tell."""
    found = [view for view in views for name in names if view.prefix and f"{name}_".startswith(f"{view.prefix}_")]
    return max(found, key=lambda view: len(view.prefix), default=views[0])


def names_around(vega: Node, path: tuple[PathKey, ...]) -> list[str]:
    """The names of everything in the compiled Vega that a path leads through; for a dataset, of the marks that read it."""
    found = []
    for length in range(1, len(path) + 1):
        name = vega.descend(*path[:length], "name")
        if name is not None and name.text is not None:
            found.append(name.text)
    if path[:1] == ("data",) and found:
        found = [mark for dataset in found[:1] for mark in _readers(vega, dataset)]
    return found


def _readers(group: Node, dataset: str) -> Iterator[str]:
    marks = group.get("marks")
    for mark in marks.elements() if marks is not None else ():
        source = mark.descend("from", "data") or mark.descend("from", "facet", "data")
        name = mark.get("name")
        if source is not None and source.text == dataset and name is not None and name.text is not None:
            yield name.text
        yield from _readers(mark, dataset)


def enclosing_view(node: Node, path: tuple[PathKey, ...]) -> Node:
    """The innermost view with a mark, or else with views, that a place stands in."""
    around = node
    for length in range(len(path) + 1):
        inner = node.descend(*path[:length])
        if inner is not None and any(inner.get(key) is not None for key in ("mark", *COMPOSITIONS, "spec")):
            around = inner
    return around
