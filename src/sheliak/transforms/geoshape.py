"""geoshape: gives each item the function that draws its geometry."""

from __future__ import annotations

from collections.abc import Mapping

from sheliak.source.tree import Node
from sheliak.transforms._contract import Checking, FieldRef, Name, Transform, Value, param, transform, with_names
from sheliak.transforms._geometry import demand_geojson
from sheliak.types.operations import field_of
from sheliak.types.shapes import UNKNOWN, Record, Type


@transform("geoshape", writes=True)
class GeoShape(Transform):
    """The function is called with the mark's item, so `field` reads the item: "datum" by default."""

    projection: Node | None = param("projection")
    field: FieldRef | None = param("field")
    pointRadius: FieldRef | Value = param("number", accessor=True, demands="number")
    into: Name = param("string", vega_name="as", default="shape")

    @classmethod
    def reads(cls, name: str, datum: Type, given: Mapping[str, object], checking: Checking) -> Type:
        """In a dataset the item is still to come: all that is known of it is its row. `pointRadius` reads the geometry."""
        item = datum if checking.dataset_name is None else Record({"datum": datum}, open=True)
        if name != "pointRadius":
            return item
        field = given.get("field")
        return field.of if isinstance(field, FieldRef) else _row_of(item)

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tGeoShape: T ⊢ p : geo gives T ∪ {shape: unknown} (a function, which no expression can call).

        Beyond the paper: in a dataset the default "datum" is the row as well, since the function gets the item.
        """
        geometry = datum if checking.dataset_name is not None else _row_of(datum)
        demand_geojson(self, self.field, geometry, checking)
        return with_names(datum, [(self.into, UNKNOWN)])


def _row_of(item: Type) -> Type:
    return field_of(item, "datum")[0] if isinstance(item, Record) else UNKNOWN
