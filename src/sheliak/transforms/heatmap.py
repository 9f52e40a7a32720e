"""heatmap: draws a raster grid to an image."""

from __future__ import annotations

from collections.abc import Mapping

from sheliak.transforms._contract import Checking, FieldRef, Name, Transform, Value, param, transform, with_names
from sheliak.transforms._geometry import demand_grid
from sheliak.types.operations import extended
from sheliak.types.shapes import NUMBER, UNKNOWN, Record, Type

_PIXEL: Mapping[str, Type] = dict.fromkeys(("$x", "$y", "$value", "$max"), NUMBER)


@transform("heatmap", writes=True)
class Heatmap(Transform):
    """`field` holds the grid; without it the row itself is the grid."""

    field: FieldRef | None = param("field")
    color: FieldRef | Value = param("string", accessor=True)
    opacity: FieldRef | Value = param("number", accessor=True)
    resolve: Value = param("enum", options=("shared", "independent"), enforced=False)
    into: Name = param("string", vega_name="as", default="image")

    @classmethod
    def reads(cls, name: str, datum: Type, given: Mapping[str, object], checking: Checking) -> Type:
        """`color` and `opacity` see the row and, in it, the pixel: $x, $y, $value and $max."""
        return extended(datum, _PIXEL) if name in ("color", "opacity") and isinstance(datum, Record) else datum

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tHeatmap: T ⊢ p : grid gives T ∪ {image: unknown} (a canvas)."""
        if self.field is not None or checking.dataset_name is not None:
            demand_grid(self, self.field, datum, checking)
        return with_names(datum, [(self.into, UNKNOWN)])
