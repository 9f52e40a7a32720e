"""crossfilter: indexes the rows by several ranges at once, for `resolvefilter` to read."""

from __future__ import annotations

from sheliak.source.tree import Node
from sheliak.transforms._contract import Checking, FieldRef, Transform, Value, param, transform, with_names
from sheliak.types.shapes import NUMBER, Record


@transform("crossfilter")
class CrossFilter(Transform):
    """One range of `query` for each of `fields`; the `signal` carries the result."""

    fields: tuple[FieldRef, ...] = param("field", array=True, required=True)
    query: tuple[Value | Node, ...] = param("any", array=True, required=True)

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tCrossFilter: T ⊢ pᵢ : Tᵢ gives T ∪ {_index: number}.

        Beyond the paper: the rows get a field `_index`, which no documentation mentions.
        """
        return with_names(datum, [("_index", NUMBER)])
