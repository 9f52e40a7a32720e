"""pack: places the nodes of a tree as nested circles."""

from __future__ import annotations

from typing import ClassVar

from sheliak.transforms._contract import Checking, FieldRef, Name, SortKey, Value, param, transform
from sheliak.transforms._hierarchy import Layout, laid_out
from sheliak.types.shapes import Record


@transform("pack", writes=True)
class Pack(Layout):
    """The tree comes from a `stratify` or `nest` before it in the same pipeline."""

    outputs: ClassVar[tuple[str, ...]] = ("x", "y", "r", "depth", "children")

    field: FieldRef | None = param("field", demands="number")
    sort: tuple[SortKey, ...] = param("compare", default=())
    padding: Value = param("number")
    radius: FieldRef | None = param("field", demands="number", nullable=True)
    size: tuple[Value, ...] = param("number", array=True, length=2)
    into: tuple[Name | None, ...] = param("string", array=True, length=5, vega_name="as")

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tPack: T gives T ∪ {x, y, r, depth, children: number}.

        Beyond the paper: `children` is how many there are; `sort` and `radius` read the node, the row is its `data` (a field
        of the row gives radius 0); without `field` every leaf counts 1.
        """
        return laid_out(self, datum, checking, (self.radius,) if self.radius is not None else ())
