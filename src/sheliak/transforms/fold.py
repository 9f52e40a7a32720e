"""fold: one row per folded field, its name and its value in two new fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sheliak.transforms._contract import Checking, Computed, FieldRef, Name, Transform, param, transform, whole_name, with_names
from sheliak.types.operations import join, text_type
from sheliak.types.shapes import STRING, UNDEFINED, Literal, Record, Type

if TYPE_CHECKING:
    from sheliak.expressions.values import Row
    from sheliak.plan.operators import Plan
    from sheliak.plan.planning import Planning
    from sheliak.transforms._running import Running

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

    def rows(self, rows: list[Row], running: Running) -> list[Row]:
        """⟦fold⟧: one row per folded field, in the order of `fields`. The key of an expression is undefined."""
        from sheliak.expressions.values import UNDEFINED
        from sheliak.transforms._running import as_value, getter, ingest, name_of

        key, value = self.parameters().names("key", "value")
        fields = [(name_of(field), getter(field, running)) for field in self.fields]
        folded = []
        for row in rows:
            for name, get in fields:
                made = ingest(row)
                made[key] = UNDEFINED if name is None else name
                made[value] = get(row)
                folded.append(made)
        running.publish(as_value(folded))
        return folded

    def plan(self, upstream: Plan, planning: Planning) -> Plan:
        from sheliak.expressions.values import UNDEFINED as UNDEFINED_VALUE
        from sheliak.plan.building import with_fields
        from sheliak.plan.coercion import FALSE, field_of
        from sheliak.plan.expressions import constant
        from sheliak.plan.operators import Field, Keep, Unfold
        from sheliak.plan.vega_expressions import list_of, record_of
        from sheliak.transforms._planning import read_fields, start
        from sheliak.transforms._plans.numbering import run_unread
        from sheliak.transforms._plans.unfolding import uniform
        from sheliak.transforms._running import name_of

        if not self.fields:
            run_unread(upstream, planning)
            return Keep(upstream, FALSE)
        key, value = self.parameters().names("key", "value")
        values = uniform(read_fields(self.fields, start(upstream, planning)))
        names = uniform([constant(name_of(field) if name_of(field) is not None else UNDEFINED_VALUE) for field in self.fields])
        pairs = [record_of({"key": name, "value": one}) for name, one in zip(names, values, strict=True)]
        element = Field("", planning.column(), pairs[0].of)
        unfolded = Unfold(upstream, list_of(pairs), element)
        return with_fields(unfolded, {key: field_of(element.read(), 0), value: field_of(element.read(), 1)}, planning)


def _name_type(field: FieldRef, *, exact: bool) -> Type:
    """The text that the key holds for a field; an `{expr}` has no name."""
    if field.is_expression:
        return UNDEFINED
    if isinstance(field.name, Computed):
        return STRING
    return Literal(field.name) if exact else text_type(field.name)
