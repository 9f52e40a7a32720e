"""geopoint: projects longitude and latitude to x and y."""

from __future__ import annotations

from sheliak.source.tree import Node
from sheliak.transforms._contract import Checking, FieldRef, Name, Transform, all_names, param, transform, with_names
from sheliak.types.shapes import NUMBER, Record


@transform("geopoint", writes=True)
class GeoPoint(Transform):
    """`fields` are longitude and latitude, in this order."""

    projection: Node = param("projection", required=True)
    fields: tuple[FieldRef, ...] = param("field", array=True, length=2, required=True, demands="number")
    into: tuple[Name | None, ...] = param("string", array=True, length=2, vega_name="as")

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tGeoPoint: T ⊢ pᵢ : number gives T ∪ {x: number, y: number}.

        Beyond the paper: null counts as 0; a point outside a composite projection such as albersUsa has undefined x and y.
        """
        return with_names(datum, [(name, NUMBER) for name in all_names(self.into, ("x", "y"))])
