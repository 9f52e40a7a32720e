"""impute: adds a row for every key that a group lacks."""

from __future__ import annotations

from collections.abc import Iterator

from sheliak.source.declared import replace
from sheliak.source.tree import Node
from sheliak.transforms._contract import (
    Checking,
    Computed,
    FieldRef,
    Name,
    Transform,
    Value,
    param,
    transform,
    type_of_given,
    with_names,
)
from sheliak.transforms._operations import AGGREGATES
from sheliak.transforms._operations.measures import type_of_operation
from sheliak.types.operations import join
from sheliak.types.shapes import BOOLEAN, NUMBER, UNKNOWN, Array, Record, Type


@transform("impute", generates=True)
class Impute(Transform):
    """A group lacks a key that some other group has, or that `keyvals` lists. Rows that are there stay as they are."""

    field: FieldRef = param("field", required=True)
    key: FieldRef = param("field", required=True)
    keyvals: tuple[Value | Node, ...] = param("any", array=True)
    groupby: tuple[FieldRef, ...] = param("field", array=True)
    method: Name = param("enum", options=("value", "mean", "median", "max", "min"), default="value")
    value: Value | Node = param("any")

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tImpute: T ⊢ p : T', T ⊢ k : K and T ⊢ gᵢ : Gᵢ give T ⊔ {gᵢ: Gᵢ, k: K, p: T' ⊔ V, _impute: boolean}.

        Beyond the paper: new rows have a field `_impute`, and of the others only the group, the key and the value; V is the
        type of `value`, 0 unless given, or of the operation named by `method`. The fields that new rows lack are not called
        possibly missing.
        """
        imputed = [(key.name, key.of) for key in self.groupby if not key.is_column]
        imputed += [(self.key.name, join((self.key.of, *self._key_values())))]
        imputed += [(self.field.name, join((self.field.of, self._imputed(datum, checking))))]
        rows = with_names(datum, imputed)
        return replace(rows, fields={**rows.fields, "_impute": BOOLEAN}, optional=rows.optional | {"_impute"})

    def signal_type(self, datum: Record, checking: Checking) -> Type:
        return Array(UNKNOWN)

    def _key_values(self) -> Iterator[Type]:
        return (type_of_given(value) for value in self.keyvals)

    def _imputed(self, datum: Record, checking: Checking) -> Type:
        """The type of the value that a new row gets."""
        if isinstance(self.method, Computed):
            return UNKNOWN
        if self.method != "value":
            return type_of_operation(AGGREGATES[self.method], self.field, datum, datum, checking)
        if not self.given("value"):
            return NUMBER
        return type_of_given(self.value)
