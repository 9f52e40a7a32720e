"""flatten: one row per element of an array field."""

from __future__ import annotations

from sheliak.transforms._contract import Checking, FieldRef, Name, Transform, name_at, param, transform, with_names
from sheliak.types.operations import is_text, join, options_of
from sheliak.types.shapes import NULL, NUMBER, STRING, UNKNOWN, Array, Record, Type, Unknown


@transform("flatten", generates=True)
class Flatten(Transform):
    """Several fields are flattened side by side; where one array is shorter, its element is null."""

    fields: tuple[FieldRef, ...] = param("field", array=True, required=True, demands="array")
    index: Name | None = param("string")
    into: tuple[Name | None, ...] = param("string", array=True, vega_name="as")

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tFlatten: T ⊢ p : [T'] gives T ∪ {f: T'}, or {fᵢ: Tᵢ | null} for several fields; and {i: number} if `index` is given.

        Beyond the paper: without `as` the element takes the place of the array, a nested field `a.b` becomes the flat field
        `a.b`; with `as` the array stays beside it; text is flattened into its characters; a row whose arrays are all empty
        disappears.
        """
        padding = (NULL,) if len(self.fields) > 1 else ()
        elements = [
            (name_at(self.into, index, field.name), join((type_of_element(field.of), *padding)))
            for index, field in enumerate(self.fields)
        ]
        return with_names(datum, [*elements, (self.index, NUMBER)])


def type_of_element(of: Type) -> Type:
    """[T] gives T, over the alternatives of a type; text gives text."""
    elements: list[Type] = []
    for option in options_of(of):
        if isinstance(option, Array):
            elements.append(option.element)
        elif isinstance(option, Unknown):
            return UNKNOWN
        elif is_text(option):
            elements.append(STRING)
    return join(elements)
