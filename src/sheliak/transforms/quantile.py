"""quantile: the values below which given shares of the rows lie."""

from __future__ import annotations

from sheliak.transforms._contract import (
    Checking,
    FieldRef,
    Name,
    Transform,
    Value,
    param,
    renamings,
    transform,
)
from sheliak.transforms._curves import points
from sheliak.types.shapes import Array, Record, Type


@transform("quantile", generates=True, keeps_input=False)
class Quantile(Transform):
    """Without `probs` there is a row for every `step`: a hundred for each group by default."""

    groupby: tuple[FieldRef, ...] = param("field", array=True)
    field: FieldRef = param("field", required=True, demands="number")
    probs: tuple[Value, ...] = param("number", array=True)
    step: Value = param("number", default=0.01)
    into: tuple[Name | None, ...] = param("string", array=True, vega_name="as", length=2, default=("prob", "value"))

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tQuantile: T ⊢ kᵢ : Tᵢ, T ⊢ p : T' and T' is read as a number give {kᵢ: Tᵢ, f₀: number, f₁: number}.

        Beyond the paper: the default names are `prob` and `value`; a single name in `as` leaves the second to a field called
        `undefined`.
        """
        return points(self.groupby, self.into)

    def signal_type(self, datum: Record, checking: Checking) -> Type:
        return Array(points(self.groupby, self.into))

    def renamed(self) -> dict[str, str]:
        return renamings((key, key.name) for key in self.groupby)
