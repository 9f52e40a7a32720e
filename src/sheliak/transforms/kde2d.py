"""kde2d: estimates the density of points on a raster grid, one grid for each group."""

from __future__ import annotations

from sheliak.transforms._contract import COMPUTED, Checking, FieldRef, Name, Transform, Value, param, transform, with_names
from sheliak.transforms._geometry import GRID
from sheliak.types.shapes import EMPTY_RECORD, Array, Record, Type


@transform("kde2d", generates=True, keeps_input=False)
class KDE2D(Transform):
    """`x` and `y` are in pixels of `size`, so they are usually expressions with scales."""

    size: tuple[Value, ...] = param("number", array=True, length=2, required=True)
    x: FieldRef = param("field", required=True, demands="number")
    y: FieldRef = param("field", required=True, demands="number")
    weight: FieldRef | None = param("field", demands="number")
    groupby: tuple[FieldRef, ...] = param("field", array=True)
    cellSize: Value = param("number")
    bandwidth: tuple[Value, ...] = param("number", array=True)
    counts: Value = param("boolean")
    into: Name = param("string", vega_name="as", default="grid")

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tKDE2D: T ⊢ kᵢ : Tᵢ gives {grid: {values: [number], width: number, height: number, …}, kᵢ: Tᵢ}.

        Beyond the paper: a key that has the name of the grid overwrites it.
        """
        return with_names(EMPTY_RECORD, [(self.into, GRID), *((key.name, key.of) for key in self.groupby)])

    def signal_type(self, datum: Record, checking: Checking) -> Type:
        return Array(self.output_type(datum, checking))

    def renamed(self) -> dict[str, str]:
        return {
            key.paths[0][0]: key.name
            for key in self.groupby
            if key.name is not COMPUTED and isinstance(key.name, str) and len(key.paths) == 1 and key.paths[0][:1] != (key.name,)
        }
