"""formula: adds a field computed from each row."""

from __future__ import annotations

from sheliak.transforms._contract import Checking, ExprRef, Name, Transform, param, transform, with_names
from sheliak.types.shapes import Record


@transform("formula")
class Formula(Transform):
    """`expr` is evaluated for every row; the result is written to `as`."""

    expr: ExprRef = param("expr", required=True, signals=False)
    into: Name = param("string", vega_name="as", required=True)
    initonly: object = param("boolean", default=False)

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tFormula: T ⊢ e : T' gives T ∪ {f: T'}.

        Beyond the paper: a dotted name in `as` is one flat field.
        """
        return with_names(datum, [(self.into, self.expr.of)])
