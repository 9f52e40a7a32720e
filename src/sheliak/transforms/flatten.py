"""flatten: one row per element of an array field."""

from __future__ import annotations

from math import ceil, isnan
from typing import TYPE_CHECKING

from sheliak.transforms._contract import Checking, FieldRef, Name, Transform, name_at, param, transform, with_names
from sheliak.types.operations import is_text, join, options_of
from sheliak.types.shapes import NULL, NUMBER, STRING, UNKNOWN, Array, Record, Type, Unknown

if TYPE_CHECKING:
    from sheliak.expressions.values import Row, Value
    from sheliak.plan.operators import Plan
    from sheliak.plan.planning import Planning
    from sheliak.transforms._running import Running


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

    def rows(self, rows: list[Row], running: Running) -> list[Row]:
        """⟦flatten⟧: one row per element of the longest array; a missing element is null.

        A value without a length (a number, a date) leaves no row at all, whatever the other fields hold.
        """
        from sheliak.transforms._running import as_value, getters, ingest, key_name

        gets = getters(self.fields, running)
        parameters = self.parameters()
        names = parameters.names_or([key_name(field) for field in self.fields])
        index_name = parameters.value("index")
        flattened = []
        for row in rows:
            arrays = [get(row) for get in gets]
            for index in range(_length(arrays)):
                made = ingest(row)
                for name, array in zip(names, arrays, strict=True):
                    made[name] = _element(array, index)
                if isinstance(index_name, str) and index_name:
                    made[index_name] = float(index)
                flattened.append(made)
        running.publish(as_value(flattened))
        return flattened

    def plan(self, upstream: Plan, planning: Planning) -> Plan:
        from sheliak.plan.unplannable import Unplannable
        from sheliak.transforms._planning import read_fields, start
        from sheliak.transforms._plans.unfolding import flattened
        from sheliak.transforms._running import key_name

        if not self.fields:
            raise Unplannable("it names no field to flatten")
        parameters = self.parameters()
        names = parameters.names_or([key_name(field) for field in self.fields])
        index = parameters.value("index")
        values = read_fields(self.fields, start(upstream, planning))
        return flattened(upstream, [*zip(names, values, strict=True)], index if isinstance(index, str) else "", planning)


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


def _length(arrays: list[Value]) -> int:
    """The length of the longest; 0 if one has none. Null and undefined end the run."""
    from sheliak.expressions.properties import property_of
    from sheliak.expressions.values import to_number

    lengths = [to_number(property_of(array, "length")) for array in arrays]
    return 0 if any(map(isnan, lengths)) else max([0, *map(ceil, lengths)])


def _element(array: Value, index: int) -> Value:
    from sheliak.expressions.properties import property_of
    from sheliak.expressions.values import UNDEFINED

    element = array[index] if isinstance(array, list) and index < len(array) else property_of(array, str(index))
    return None if element is UNDEFINED else element
