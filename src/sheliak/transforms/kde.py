"""kde: an estimate of the density of a field's values, as points of a curve for each group."""

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


@transform("kde", generates=True, keeps_input=False)
class KDE(Transform):
    """Null counts as 0. The number of points follows the curve, from 25 to 200, unless `steps` fixes it."""

    groupby: tuple[FieldRef, ...] = param("field", array=True)
    field: FieldRef = param("field", required=True, demands="number")
    cumulative: Value = param("boolean", default=False)
    counts: Value = param("boolean", default=False)
    bandwidth: Value = param("number", default=0)
    extent: tuple[Value, ...] = param("number", array=True, length=2)
    resolve: Name = param("enum", options=("shared", "independent"), enforced=False, default="independent")
    steps: Value = param("number")
    minsteps: Value = param("number", default=25)
    maxsteps: Value = param("number", default=200)
    into: tuple[Name | None, ...] = param("string", array=True, vega_name="as", length=2, default=("value", "density"))

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tKDE: T ⊢ kᵢ : Tᵢ, T ⊢ p : T' and T' is read as a number give {kᵢ: Tᵢ, f₀: number, f₁: number}.

        Beyond the paper: the default names are `value` and `density`; a single name in `as` leaves the second to a field
        called `undefined`.
        """
        return points(self.groupby, self.into)

    def signal_type(self, datum: Record, checking: Checking) -> Type:
        return Array(points(self.groupby, self.into))

    def renamed(self) -> dict[str, str]:
        return renamings((key, key.name) for key in self.groupby)
