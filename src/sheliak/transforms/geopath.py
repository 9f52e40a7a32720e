"""geopath: projects the geometry of each row to the text of an SVG path."""

from __future__ import annotations

from collections.abc import Mapping

from sheliak.source.tree import Node
from sheliak.transforms._contract import Checking, FieldRef, Name, Transform, Value, param, transform, with_names
from sheliak.transforms._geometry import demand_geojson
from sheliak.types.operations import join
from sheliak.types.shapes import NULL, STRING, Record, Type


@transform("geopath", writes=True)
class GeoPath(Transform):
    """Without `field` the row itself is the geometry; without `projection` the coordinates are taken as they are."""

    projection: Node | None = param("projection")
    field: FieldRef | None = param("field")
    pointRadius: FieldRef | Value = param("number", accessor=True, demands="number")
    into: Name = param("string", vega_name="as", default="path")

    @classmethod
    def reads(cls, name: str, datum: Type, given: Mapping[str, object], checking: Checking) -> Type:
        """`pointRadius` is handed the geometry that is drawn, not the row."""
        field = given.get("field")
        return field.of if name == "pointRadius" and isinstance(field, FieldRef) else datum

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tGeoPath: T ⊢ p : geo gives T ∪ {path: string | null}.

        Beyond the paper: a value that is not GeoJSON gives null, not an error.
        """
        if self.field is not None or checking.dataset_name is not None:
            demand_geojson(self, self.field, datum, checking)
        return with_names(datum, [(self.into, join((STRING, NULL)))])
