"""fold: one row per folded field, its name and its value in two new fields."""

from __future__ import annotations

from sheliak.transforms._contract import Checking, Computed, FieldRef, Name, Transform, param, transform, whole_name, with_names
from sheliak.types.operations import join, text_type
from sheliak.types.shapes import STRING, UNDEFINED, Literal, Record, Type

_MANY = 64
"""Beyond so many names the key is text, not the list of names it can be."""


@transform("fold", generates=True)
class Fold(Transform):
    """Each row is repeated once for every name in `fields`."""

    fields: tuple[FieldRef, ...] = param("field", array=True, required=True)
    into: tuple[Name | None, ...] = param("string", array=True, vega_name="as", length=2, default=("key", "value"))

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tFold: T ⊢ pᵢ : Tᵢ gives T ∪ {k: p₁ | … | pₙ, v: ⊔Tᵢ}.

        Beyond the paper: the key is one of the names, so a `pivot` after it is checked; the folded fields stay; a single
        name in `as` leaves the value to a field called `undefined`.
        """
        value = join(field.of for field in self.fields)
        return with_names(datum, [(whole_name(self.into, 0), self._key()), (whole_name(self.into, 1), value)])

    def _key(self) -> Type:
        return join(_name_type(field, exact=len(self.fields) <= _MANY) for field in self.fields)


def _name_type(field: FieldRef, *, exact: bool) -> Type:
    """The text that the key holds for a field; an `{expr}` has no name."""
    if field.is_expression:
        return UNDEFINED
    if isinstance(field.name, Computed):
        return STRING
    return Literal(field.name) if exact else text_type(field.name)
