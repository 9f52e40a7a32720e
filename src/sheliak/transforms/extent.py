"""extent: publishes the least and the greatest number of a field as a signal; the rows stay as they are."""

from __future__ import annotations

from sheliak.transforms._contract import Checking, FieldRef, Transform, param, transform
from sheliak.types.shapes import NUMBER, Array, Record, Type


@transform("extent")
class Extent(Transform):
    """Numeric text and dates count as numbers, other values are passed over."""

    field: FieldRef = param("field", required=True, demands="number")

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tExtent: T ⊢ p : T' and T' is read as a number give T."""
        return datum

    def signal_type(self, datum: Record, checking: Checking) -> Type:
        """[least, greatest]; both undefined over no numbers at all."""
        return Array(NUMBER)
