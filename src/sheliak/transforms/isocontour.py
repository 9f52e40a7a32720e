"""isocontour: contour lines of a raster grid, one row for each level."""

from __future__ import annotations

from collections.abc import Mapping

from sheliak.transforms._contract import Checking, FieldRef, Name, Transform, Value, param, transform
from sheliak.transforms._geometry import CONTOUR, demand_grid
from sheliak.types.operations import extended, opened
from sheliak.types.shapes import Record, Type


@transform("isocontour", generates=True)
class Isocontour(Transform):
    """`field` holds the grid; without it the row itself is the grid."""

    field: FieldRef | None = param("field")
    thresholds: tuple[Value, ...] = param("number", array=True)
    levels: Value = param("number")
    nice: Value = param("boolean")
    resolve: Value = param("enum", options=("shared", "independent"), enforced=False)
    zero: Value = param("boolean")
    smooth: Value = param("boolean")
    scale: FieldRef | Value = param("number", accessor=True)
    translate: tuple[FieldRef | Value, ...] = param("number", array=True, accessor=True)
    into: Name | None = param("string", vega_name="as", default="contour", nullable=True)

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tIsocontour: T ⊢ p : grid gives T ∪ {contour: {type: "MultiPolygon", value: number, coordinates: …}}.

        Beyond the paper: an `as` of null writes the three members to the row itself; where a name is taken, the row wins.
        """
        demand_grid(self, self.field, datum, checking)
        written = self.node.get("as")
        if written is not None and written.is_null:
            return _added(datum, CONTOUR)
        return _added(datum, {self.into: Record(CONTOUR)}) if isinstance(self.into, str) else opened(datum)


def _added(datum: Record, fields: Mapping[str, Type]) -> Record:
    return extended(datum, {name: of for name, of in fields.items() if name not in datum.fields})
