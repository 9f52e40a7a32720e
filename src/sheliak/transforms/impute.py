"""impute: adds a row for every key that a group lacks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import nan
from typing import TYPE_CHECKING

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

if TYPE_CHECKING:
    from sheliak.expressions.values import Row
    from sheliak.expressions.values import Value as RunValue
    from sheliak.plan.operators import Plan
    from sheliak.plan.planning import Planning
    from sheliak.transforms._running import Running


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

    def rows(self, rows: list[Row], running: Running) -> list[Row]:
        """⟦impute⟧: the rows, then for each group a row for every key that it lacks, in the order of `keyvals` and of the rows.

        Groups and keys are told apart by their text. Of several rows with one key the last counts for mean, median, min and max.
        """
        from sheliak.expressions.values import key_text
        from sheliak.transforms._grouping import parts
        from sheliak.transforms._running import as_value, getter, getters, ingest, ingested, key_name

        rows, zone, key = ingested(rows), running.zone, getter(self.key, running)
        domain = self.parameters().elements("keyvals") or []
        places = {key_text(value, zone): place for place, value in enumerate(domain)}
        for row in rows:
            text = key_text(key(row), zone)
            if text not in places:
                places[text] = len(domain)
                domain = [*domain, key(row)]
        impute = self._method(running)
        names = [key_name(one) for one in self.groupby]
        made: list[Row] = []
        for part in parts(rows, getters(self.groupby, running) if self.given("groupby") else [], zone):
            there = {places[key_text(key(row), zone)]: row for row in part.rows}
            absent = [value for place, value in enumerate(domain) if place not in there]
            value = impute([there.get(place) for place in range(max(there) + 1)]) if absent else None
            fields = dict(zip(names, part.keys, strict=True))
            made += [ingest({"_impute": True, **fields, key_name(self.key): one, key_name(self.field): value}) for one in absent]
        running.publish(as_value(made))
        return [*rows, *made]

    def plan(self, upstream: Plan, planning: Planning) -> Plan:
        from sheliak.transforms._plans.imputing import plan_impute

        return plan_impute(self, self.field, self.key, self.groupby, upstream, planning)

    def _method(self, running: Running) -> Callable[[list[Row | None]], RunValue]:
        """What a new row's value is, given the rows of its group by the place of their key."""
        from sheliak.expressions.values import UNDEFINED
        from sheliak.transforms._numerics.imputing import METHODS
        from sheliak.transforms._running import RunError, getter

        method, value, get = (
            self.parameters().value("method") or "value",
            self.parameters().value("value"),
            getter(self.field, running),
        )
        if method == "value":
            return lambda there: 0.0 if value is UNDEFINED else value
        if not isinstance(method, str) or method not in METHODS:
            raise RunError(f"Unrecognized imputation method: {method}")
        return lambda there: METHODS[method]([nan if row is None else get(row) for row in there], running.zone)
