"""stack: lays the values of each group end to end, and writes where each one starts and ends."""

from __future__ import annotations

from sheliak.transforms._contract import (
    Checking,
    FieldRef,
    Name,
    SortKey,
    Transform,
    param,
    transform,
    whole_name,
    with_names,
)
from sheliak.types.shapes import NUMBER, Record


@transform("stack")
class Stack(Transform):
    """Without `field` every row counts 1; without `groupby` there is one stack."""

    field: FieldRef | None = param("field", demands="number")
    groupby: tuple[FieldRef, ...] = param("field", array=True)
    sort: tuple[SortKey, ...] = param("compare", default=())
    offset: Name = param("enum", options=("zero", "center", "normalize"), enforced=False, default="zero")
    into: tuple[Name | None, ...] = param("string", array=True, vega_name="as", length=2, default=("y0", "y1"))

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tStack: T ⊢ p : T' and T' is read as a number give T ∪ {f₀: number, f₁: number}.

        Beyond the paper: the default names are `y0` and `y1`, whatever the stack is used for; a single name in `as` leaves
        the second to a field called `undefined`; numeric text and null are coerced.
        """
        return with_names(datum, [(whole_name(self.into, 0), NUMBER), (whole_name(self.into, 1), NUMBER)])
