"""tree: places the nodes of a tree as a node-link diagram."""

from __future__ import annotations

from typing import ClassVar

from sheliak.transforms._contract import Checking, FieldRef, Name, SortKey, Value, param, transform
from sheliak.transforms._hierarchy import Layout, laid_out
from sheliak.types.shapes import Record


@transform("tree", writes=True)
class Tree(Layout):
    """The tree comes from a `stratify` or `nest` before it in the same pipeline."""

    outputs: ClassVar[tuple[str, ...]] = ("x", "y", "depth", "children")

    field: FieldRef | None = param("field", demands="number")
    sort: tuple[SortKey, ...] = param("compare", default=())
    method: Value = param("enum", options=("tidy", "cluster"))
    size: tuple[Value, ...] = param("number", array=True, length=2)
    nodeSize: tuple[Value, ...] = param("number", array=True, length=2)
    separation: Value = param("boolean")
    into: tuple[Name | None, ...] = param("string", array=True, length=4, vega_name="as")

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tTree: T gives T ∪ {x: number, y: number, depth: number, children: number}.

        Beyond the paper: `children` is how many there are, not a list; `sort` reads the node (`data.f`, `value`, `height`),
        a field of the row is silently ignored there; a tree of another dataset does not count.
        """
        return laid_out(self, datum, checking)
