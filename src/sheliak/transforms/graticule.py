"""graticule: adds one row with the meridians and parallels of a map."""

from __future__ import annotations

from sheliak.transforms._contract import Checking, Transform, Value, param, transform
from sheliak.transforms._generators import beside
from sheliak.transforms._geometry import GRATICULE
from sheliak.transforms._pairs import check_pairs
from sheliak.types.shapes import Array, Record, Type


@transform("graticule", generates=True)
class Graticule(Transform):
    """The lines reach over the extents in steps of degrees."""

    extent: tuple[object, ...] = param("any", array=True, length=2)
    extentMajor: tuple[object, ...] = param("any", array=True, length=2)
    extentMinor: tuple[object, ...] = param("any", array=True, length=2)
    step: tuple[Value, ...] = param("number", array=True, length=2)
    stepMajor: tuple[Value, ...] = param("number", array=True, length=2)
    stepMinor: tuple[Value, ...] = param("number", array=True, length=2)
    precision: Value = param("number")

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tGraticule: T gives T ⊔ {type: "MultiLineString", coordinates: [[[number]]]}; without input rows, the latter alone.

        Beyond the paper: the row is added to those that are there already.
        """
        for name, corners in (("extent", self.extent), ("extentMajor", self.extentMajor), ("extentMinor", self.extentMinor)):
            check_pairs(self, name, corners, checking)
        return beside(GRATICULE, datum, checking)

    def signal_type(self, datum: Record, checking: Checking) -> Type:
        return Array(GRATICULE)
