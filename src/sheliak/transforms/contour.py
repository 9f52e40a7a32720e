"""contour: contour lines of the density of points, or of a given grid."""

from __future__ import annotations

from sheliak.diagnostics.parameters import MissingParameter
from sheliak.transforms._contract import Checking, FieldRef, Transform, Value, param, transform
from sheliak.transforms._geometry import CONTOUR
from sheliak.types.shapes import Array, Record, Type


@transform("contour", generates=True, keeps_input=False)
class Contour(Transform):
    """With `values` these are the grid; else the rows are points at `x` and `y`. Vega now prefers kde2d and isocontour."""

    size: tuple[Value, ...] = param("number", array=True, length=2, required=True)
    values: tuple[Value, ...] = param("number", array=True)
    x: FieldRef | None = param("field", demands="number")
    y: FieldRef | None = param("field", demands="number")
    weight: FieldRef | None = param("field", demands="number")
    cellSize: Value = param("number")
    bandwidth: Value = param("number")
    count: Value = param("number")
    nice: Value = param("boolean")
    thresholds: tuple[Value, ...] = param("number", array=True)
    smooth: Value = param("boolean")

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tContour: T ⊢ p : number, T ⊢ q : number gives {type: "MultiPolygon", value: number, coordinates: …}.

        Beyond the paper: without `x` and `y` Vega reads the rows as arrays, element 0 and element 1.
        """
        missing = "x" if self.x is None else "y" if self.y is None else None
        if missing is not None and not self.given("values") and not datum.open and "0" not in datum.fields:
            instead = "without it Vega reads the rows as arrays of two numbers, and all points fall together"
            checking.report(MissingParameter(place=self.place("type"), name=missing, owner=self.owner, instead=instead))
        return Record(CONTOUR)

    def signal_type(self, datum: Record, checking: Checking) -> Type:
        return Array(Record(CONTOUR))
