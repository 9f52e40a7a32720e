"""collect: gathers the rows, and sorts them if `sort` is given."""

from __future__ import annotations

from sheliak.transforms._contract import Checking, SortKey, Transform, param, transform
from sheliak.types.shapes import Array, Record, Type


@transform("collect")
class Collect(Transform):
    """Null and undefined come first, then NaN, then the values; text is compared as text, rows that tie keep their order."""

    sort: tuple[SortKey, ...] = param("compare", default=())

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tCollect: T ⊢ pᵢ : Tᵢ gives T."""
        return datum

    def signal_type(self, datum: Record, checking: Checking) -> Type:
        return Array(datum)
