"""filter: keeps the rows for which an expression is truthy."""

from __future__ import annotations

from sheliak.transforms._contract import Checking, ExprRef, Transform, param, transform
from sheliak.types.shapes import Record


@transform("filter", generates=True)
class Filter(Transform):
    """`expr` may have any type; JavaScript's truthiness decides."""

    expr: ExprRef = param("expr", required=True, signals=False)

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tFilter: T ⊢ e : T' gives T."""
        return datum
