"""Where the part of a spec stands that Vega-Lite cannot compile: its own messages name no place."""

from __future__ import annotations

from sheliak.diagnostics.vegalite import VegaLiteError
from sheliak.source.place import PathKey, Place
from sheliak.source.tree import Node
from sheliak.vegalite.causes import Sight
from sheliak.vegalite.compiling import CompileFailure
from sheliak.vegalite.variants import with_value, without

_MOST_ATTEMPTS = 150
_LONGEST_REASON = 200


class _Search:
    """Takes away one part after the other, and goes on inside the part without which the spec compiles."""

    def __init__(self, sight: Sight) -> None:
        self._sight = sight
        self._spec = sight.spec
        self._attempts = 0

    def smallest_part(self) -> tuple[PathKey, ...]:
        return self._below(Node(self._spec)) or ()

    def _below(self, node: Node) -> tuple[PathKey, ...] | None:
        """A part below a node, or below what the node cannot do without."""
        children = (*node.elements(), *(member for _, member in node.members()))
        for child in children:
            if self._compiles_without(child.path):
                return self._below(child) or child.path
        return next((found for child in children if (found := self._below(child)) is not None), None)

    def _compiles_without(self, path: tuple[PathKey, ...]) -> bool:
        self._attempts += 1
        if self._attempts > _MOST_ATTEMPTS:
            return False
        # A view cannot do without its mark, but any mark will do.
        shorter = with_value(self._spec, path, "point") if path[-1] == "mark" else without(self._spec, path)
        try:
            self._sight.compiled(shorter)
        except CompileFailure:
            return False
        return True


def located_failure(sight: Sight, failure: CompileFailure) -> VegaLiteError:
    """The finding about a spec that cannot be compiled, at the smallest part of it that is to blame."""
    path = _Search(sight).smallest_part()
    reason = failure.reason.partition("\n")[0]
    if len(reason) > _LONGEST_REASON:
        reason = f"{reason[:_LONGEST_REASON]} ..."
    return VegaLiteError(place=Place(path), reason=reason, is_crash=failure.is_crash, narrowed=bool(path))
