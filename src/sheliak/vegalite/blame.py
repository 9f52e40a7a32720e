"""Which part of a spec is to blame, when nothing names it: the smallest one without which the trouble is gone."""

from __future__ import annotations

from collections.abc import Callable

from sheliak.diagnostics.vegalite import VegaLiteError
from sheliak.source.place import PathKey, Place
from sheliak.source.tree import Node
from sheliak.vegalite.causes import Cause, Sight
from sheliak.vegalite.compiling import CompileFailure
from sheliak.vegalite.variants import with_value, without

_MOST_ATTEMPTS = 100
_LONGEST_REASON = 200


class _Search:
    """Takes away one part after the other, and goes on inside the part without which the spec is fine."""

    def __init__(self, spec: object, is_fine: Callable[[object], bool], attempts: int) -> None:
        self._spec = spec
        self._is_fine = is_fine
        self._left = attempts

    def smallest_part(self) -> tuple[PathKey, ...]:
        return self._below(Node(self._spec)) or ()

    def _below(self, node: Node) -> tuple[PathKey, ...] | None:
        """A part below a node, or below what the node cannot do without."""
        children = _parts(node)
        for child in children:
            if self._is_fine_without(child.path):
                return self._below(child) or child.path
        return next((found for child in children if (found := self._below(child)) is not None), None)

    def _is_fine_without(self, path: tuple[PathKey, ...]) -> bool:
        self._left -= 1
        if self._left < 0:
            return False
        # A view cannot do without its mark, but any mark will do.
        return self._is_fine(with_value(self._spec, path, "point") if path[-1] == "mark" else without(self._spec, path))


def _parts(node: Node) -> list[Node]:
    """What can be taken away: rows are not looked into, and without data nothing is wrong, so they come last."""
    if node.key == "datasets" or (node.key == "values" and node.path[-2:-1] == ("data",)):
        return []
    parts = [*node.elements(), *(member for _, member in node.members())]
    return sorted(parts, key=lambda part: part.key in ("data", "datasets"))


def located_failure(sight: Sight, failure: CompileFailure) -> VegaLiteError:
    """The finding about a spec that cannot be compiled, at the smallest part of it that is to blame."""
    path = _Search(sight.spec, sight.compiles, _MOST_ATTEMPTS).smallest_part()
    reason = failure.reason.partition("\n")[0]
    if len(reason) > _LONGEST_REASON:
        reason = f"{reason[:_LONGEST_REASON]} ..."
    return VegaLiteError(place=Place(path), reason=reason, is_crash=failure.is_crash, narrowed=bool(path))


def part_to_blame(sight: Sight, cause: Cause) -> tuple[PathKey, ...]:
    """The smallest part of the spec without which the Vega does not show a mistake; the empty path when none was found."""

    def is_fine(spec: object) -> bool:
        shown = sight.try_out(spec)
        return shown is not None and cause not in shown

    return _Search(sight.spec, is_fine, sight.trials_left).smallest_part()
