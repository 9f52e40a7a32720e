"""filter: keeps the rows for which an expression is truthy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sheliak.transforms._contract import Checking, ExprRef, Transform, param, transform
from sheliak.types.shapes import Record

if TYPE_CHECKING:
    from sheliak.expressions.values import Row
    from sheliak.transforms._running import Running


@transform("filter", generates=True)
class Filter(Transform):
    """`expr` may have any type; JavaScript's truthiness decides."""

    expr: ExprRef = param("expr", required=True, signals=False)

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tFilter: T ⊢ e : T' gives T."""
        return datum

    def rows(self, rows: list[Row], running: Running) -> list[Row]:
        """⟦filter⟧: the rows for which the expression is truthy."""
        from sheliak.expressions.values import to_boolean

        test = running.evaluator(self.expr)
        return [row for row in rows if to_boolean(test(row))]
