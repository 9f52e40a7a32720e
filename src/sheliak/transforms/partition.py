"""partition: places the nodes of a tree as adjacent rectangles (icicle, sunburst)."""

from __future__ import annotations

from typing import ClassVar

from sheliak.transforms._contract import Checking, FieldRef, Name, SortKey, Value, param, transform
from sheliak.transforms._hierarchy import Layout, laid_out
from sheliak.types.shapes import Record


@transform("partition", writes=True)
class Partition(Layout):
    """The tree comes from a `stratify` or `nest` before it in the same pipeline."""

    outputs: ClassVar[tuple[str, ...]] = ("x0", "y0", "x1", "y1", "depth", "children")

    field: FieldRef | None = param("field", demands="number")
    sort: tuple[SortKey, ...] = param("compare", default=())
    padding: Value = param("number")
    round: Value = param("boolean")
    size: tuple[Value, ...] = param("number", array=True, length=2)
    into: tuple[Name | None, ...] = param("string", array=True, length=6, vega_name="as")

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tPartition: T gives T ∪ {x0, y0, x1, y1, depth, children: number}.

        Beyond the paper: `children` is how many there are; `sort` reads the node, the row is its `data`.
        """
        return laid_out(self, datum, checking)
