"""The parameters of a Vega-Lite spec: where they are defined, and where they are used by name."""

from __future__ import annotations

from collections.abc import Iterator

from sheliak.diagnostics.vegalite import UnknownParam
from sheliak.source.place import Place
from sheliak.source.tree import Node


def defined_params(root: Node) -> frozenset[str]:
    """The names of all parameters; they are known everywhere, whichever view defines them."""
    return frozenset(_definitions(root))


def unknown_params(root: Node) -> list[tuple[UnknownParam, tuple[Place, ...]]]:
    """Parameters that are used and defined nowhere: the first use of each, and the places of the others."""
    known = defined_params(root)
    uses: dict[str, list[Place]] = {}
    for use in _uses(root):
        if use.text is not None and use.text not in known:
            uses.setdefault(use.text, []).append(use.place)
    return [
        (UnknownParam(place=places[0], name=name, known=tuple(sorted(known))), tuple(places[1:])) for name, places in uses.items()
    ]


def _definitions(node: Node) -> Iterator[str]:
    """`params` of a view, the `param` that an extent transform writes to, and the `selection` of Vega-Lite 4."""
    params = node.get("params")
    for param in params.elements() if params is not None else ():
        name = param.get("name")
        if name is not None and name.text is not None:
            yield name.text
    written = node.get("param") if _defines(node) else None
    if written is not None and written.text is not None:
        yield written.text
    if node.get("mark") is not None:
        yield from (name for name, _ in _members(node.get("selection")))
    for child in _children(node):
        yield from _definitions(child)


def _uses(node: Node) -> Iterator[Node]:
    param = node.get("param")
    if param is not None and not _defines(node):
        yield param
    selection = node.get("selection")
    if selection is not None and selection.is_string:
        yield selection
    for child in _children(node):
        yield from _uses(child)


def _defines(node: Node) -> bool:
    """An extent transform writes to its `param`."""
    extent = node.get("extent")
    return extent is not None and extent.is_string


def _children(node: Node) -> Iterator[Node]:
    yield from node.elements()
    for key, member in node.members():
        if key not in ("usermeta", "datasets"):
            yield member


def _members(node: Node | None) -> Iterator[tuple[str, Node]]:
    return node.members() if node is not None else iter(())
