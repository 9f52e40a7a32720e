"""fold: one row per folded field, its name and its value in two new fields."""

from __future__ import annotations

from sheliak.transforms._contract import Checking, FieldRef, Name, Transform, name_at, param, transform, with_names
from sheliak.types.operations import join
from sheliak.types.shapes import STRING, Record


@transform("fold", generates=True)
class Fold(Transform):
    """Each row is repeated once for every name in `fields`."""

    fields: tuple[FieldRef, ...] = param("field", array=True, required=True)
    into: tuple[Name | None, ...] = param("string", array=True, vega_name="as", default=("key", "value"))

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tFold: T ⊢ pᵢ : Tᵢ gives T ∪ {k: string, v: ⊔Tᵢ}."""
        key, value = name_at(self.into, 0, "key"), name_at(self.into, 1, "value")
        return with_names(datum, [(key, STRING), (value, join(field.of for field in self.fields))])
