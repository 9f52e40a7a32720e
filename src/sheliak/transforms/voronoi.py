"""voronoi: the cell around each point, as the text of an SVG path."""

from __future__ import annotations

from sheliak.transforms._contract import Checking, FieldRef, Name, Transform, Value, param, transform, with_names
from sheliak.transforms._pairs import check_pairs
from sheliak.types.operations import join
from sheliak.types.shapes import NULL, STRING, Record


@transform("voronoi", writes=True)
class Voronoi(Transform):
    """The cells are clipped to `size`, or else to `extent`."""

    x: FieldRef = param("field", required=True, demands="number")
    y: FieldRef = param("field", required=True, demands="number")
    size: tuple[Value, ...] = param("number", array=True, length=2)
    extent: tuple[object, ...] = param("any", array=True, length=2)
    into: Name = param("string", vega_name="as", default="path")

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tVoronoi: T ⊢ p : number, T ⊢ q : number gives T ∪ {path: string | null}.

        Beyond the paper: a point that shares its place with another has no cell, its path is null.
        """
        check_pairs(self, "extent", self.extent, checking)
        return with_names(datum, [(self.into, join((STRING, NULL)))])
