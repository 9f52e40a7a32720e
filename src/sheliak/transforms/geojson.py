"""geojson: gathers the rows into one GeoJSON object, the value of its signal."""

from __future__ import annotations

from sheliak.transforms._contract import Checking, FieldRef, Transform, param, transform
from sheliak.transforms._geometry import demand_geojson
from sheliak.types.shapes import UNKNOWN, Array, Literal, Record, Type


@transform("geojson")
class GeoJSON(Transform):
    """`fields` are longitude and latitude, `geojson` is a field with geometry; with neither, the row is the geometry."""

    fields: tuple[FieldRef, ...] = param("field", array=True, length=2, demands="number")
    geojson: FieldRef | None = param("field")

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tGeoJSON: T gives T.

        Beyond the paper: the result is in the signal only; points that are not numbers are left out.
        """
        if self.geojson is not None or (checking.dataset_name is not None and not self.given("fields")):
            demand_geojson(self, self.geojson, datum, checking, "geojson")
        return datum

    def signal_type(self, datum: Record, checking: Checking) -> Type:
        return Record({"type": Literal("FeatureCollection"), "features": Array(UNKNOWN)})
