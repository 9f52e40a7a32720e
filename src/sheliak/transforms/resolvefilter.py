"""resolvefilter: keeps the rows that a crossfilter's ranges let through, one or more of them left out of account."""

from __future__ import annotations

from sheliak.source.tree import Node
from sheliak.transforms._contract import Checking, Transform, Value, param, transform
from sheliak.types.shapes import Record


@transform("resolvefilter")
class ResolveFilter(Transform):
    """`ignore` is a bit for each range to leave out; `filter` is the signal of a `crossfilter`."""

    ignore: Value = param("number", required=True)
    filter: Value | Node = param("any", required=True)

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tResolveFilter: T gives T."""
        return datum
