"""What can be read off a compiled spec: which fields its transforms make, and which of them only parse."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sheliak.source.tree import Node

_PARSING = re.compile(r'to(?:Date|Number|Boolean|String)\(datum\[".*"\]\)')


def is_parsing(transform: Node) -> bool:
    """A formula that Vega-Lite writes to turn a field into another type, under the same name."""
    expression = transform.get("expr")
    return expression is not None and _PARSING.fullmatch(expression.text or "") is not None


def fields_made(vega: Node) -> frozenset[str]:
    """The fields that transforms name and make, parsing left out."""
    made = (transform for transform in _transforms(vega) if not is_parsing(transform))
    return frozenset(name for transform in made for name in _names(transform.get("as")))


def has_pivot(vega: Node) -> bool:
    """A transform makes fields that are named after values."""
    return any(_type(transform) == "pivot" for transform in _transforms(vega))


def _transforms(node: Node) -> Iterator[Node]:
    for section in ("data", "marks"):
        listed = node.get(section)
        for element in listed.elements() if listed is not None else ():
            steps = element.get("transform")
            yield from steps.elements() if steps is not None else ()
            if section == "marks":
                yield from _transforms(element)


def _type(transform: Node) -> str | None:
    type_ = transform.get("type")
    return type_.text if type_ is not None else None


def _names(given: Node | None) -> Iterator[str]:
    if given is not None:
        yield from (one.text for one in (given, *given.elements()) if one.text is not None)
