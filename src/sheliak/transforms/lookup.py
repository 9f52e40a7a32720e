"""lookup: finds a row of another dataset by key, and copies fields of it (or the row itself)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from sheliak.diagnostics.parameters import MismatchedLengths, MissingParameter, ShortAs
from sheliak.source.tree import Node
from sheliak.transforms._contract import (
    Checking,
    FieldRef,
    Name,
    Transform,
    Value,
    param,
    transform,
    type_of_given,
    whole_name,
    with_names,
)
from sheliak.types.operations import join, opened
from sheliak.types.shapes import UNKNOWN, Record, Type

if TYPE_CHECKING:
    from sheliak.expressions.values import Row
    from sheliak.expressions.values import Value as RunValue
    from sheliak.plan.operators import Plan
    from sheliak.plan.planning import Planning
    from sheliak.transforms._running import Getter, Running


@transform("lookup", writes=True)
class Lookup(Transform):
    """`key` and `values` are fields of the dataset `from`, `fields` are fields of the datum; keys are compared as text."""

    source: Record | None = param("data", vega_name="from", required=True, signals=False)
    key: FieldRef = param("field", required=True)
    values: tuple[FieldRef, ...] = param("field", array=True)
    fields: tuple[FieldRef, ...] = param("field", array=True, required=True)
    into: tuple[Name | None, ...] = param("string", array=True, vega_name="as")
    default: Value | Node = param("any")

    @classmethod
    def reads(cls, name: str, datum: Type, given: Mapping[str, object], checking: Checking) -> Type:
        """`key` and `values` are read from the rows of `from`."""
        if name not in ("key", "values"):
            return datum
        source = given.get("source")
        return source if isinstance(source, Record) else UNKNOWN

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tLookup: Γ(from) ⊢ vⱼ : Tⱼ gives T ∪ {fⱼ: Tⱼ | null}, once for each of `fields`.

        Beyond the paper: without `as` the fields are called as in `from`; several `fields` need `as`, and `as` must have a
        name for each of `fields` × `values`; without `values` the whole row is stored. Where no row is found the value is
        `default`, null unless given.
        """
        if not self._names_fit(checking):
            return opened(datum)
        miss = type_of_given(self.default)
        if not self.given("values"):
            row: Type = UNKNOWN if self.source is None else self.source
            return with_names(datum, ((whole_name(self.into, index), join((row, miss))) for index in range(len(self.fields))))
        found = [join((value.of, miss)) for value in self.values] * len(self.fields)
        names: Iterable[Name | None] = self.into if self.given("as") else [value.name for value in self.values]
        # With an empty list of `fields` nothing is looked up, and nothing written.
        return with_names(datum, zip(names, found, strict=False))

    def _names_fit(self, checking: Checking) -> bool:
        """Whether `as` has the names that Vega asks for; reported if not."""
        wanted = len(self.fields) * len(self.values)
        if not self.given("as"):
            if self.given("values") and len(self.fields) <= 1:
                return True
            why = "of several `fields`" if self.given("values") else "without `values`"
            checking.report(MissingParameter(place=self.place(), name="as", owner=f"the `lookup` {why}"))
        elif not self.given("values"):
            if len(self.into) < len(self.fields):
                checking.report(self._short())
            return True
        elif len(self.into) != wanted:
            checking.report(self._mismatch(wanted))
        return self.given("as") and len(self.into) == wanted

    def _short(self) -> ShortAs:
        given, wanted = len(self.into), len(self.fields)
        return ShortAs(place=self.place("as"), owner=self.owner, given=given, wanted=wanted, written="a field called `undefined`")

    def _mismatch(self, wanted: int) -> MismatchedLengths:
        return MismatchedLengths(
            place=self.place("as"),
            owner=self.owner,
            first="values" if len(self.fields) == 1 else "fields × values",
            first_length=wanted,
            second="as",
            second_length=len(self.into),
        )

    def rows(self, rows: list[Row], running: Running) -> list[Row]:
        """⟦lookup⟧: each row gets the values of the row that it finds; of rows with one key the last is found."""
        from sheliak.expressions.values import key_text
        from sheliak.transforms._running import getter, getters, ingested

        zone, key = running.zone, getter(self.key, running)
        found = {key_text(key(row), zone): row for row in running.dataset(self._from())}
        rows, fields, outputs = ingested(rows), getters(self.fields, running), self._outputs(running)
        default = self._default()
        for row in rows:
            for index, field in enumerate(fields):
                other = found.get(key_text(field(row), zone))
                for name, get in outputs[index]:
                    row[name] = default if other is None else other if get is None else get(other)
        running.publish({})
        return rows

    def plan(self, upstream: Plan, planning: Planning) -> Plan:
        from sheliak.transforms._plans.lookups import plan_lookup

        given = self.parameters().elements("as")
        names = None if given is None else [str(name) for name in given]
        values = self.values if self.given("values") else None
        return plan_lookup(upstream, self._from(), self.key, self.fields, values, names, self._default(), planning)

    def _from(self) -> str:
        name = self.node.get("from")
        return "" if name is None or name.text is None else name.text

    def _default(self) -> RunValue:
        from sheliak.expressions.values import UNDEFINED

        default = self.parameters().value("default")
        return None if default is UNDEFINED else default

    def _outputs(self, running: Running) -> list[list[tuple[str, Getter | None]]]:
        """For each of `fields` the outputs and what they read from the row that is found; without `values` the row itself."""
        from sheliak.expressions.values import to_text
        from sheliak.transforms._running import RunError, getters, key_name

        given = self.parameters().elements("as")
        names = None if given is None else [to_text(name) for name in given]
        if not self.given("values"):
            if names is None:
                raise RunError("Missing output field names.")
            return [[(names[index] if index < len(names) else "undefined", None)] for index in range(len(self.fields))]
        gets = getters(self.values, running)
        if names is None and len(self.fields) > 1:
            raise RunError('Multi-field lookup requires explicit "as" parameter.')
        if names is not None and len(names) != len(self.fields) * len(gets):
            raise RunError('The "as" parameter has too few output field names.')
        names = [key_name(value) for value in self.values] if names is None else names
        return [list(zip(names[index * len(gets) :], gets, strict=False)) for index in range(len(self.fields))]
