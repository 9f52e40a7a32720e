"""pivot: one row per group, with one field for every value that a field takes."""

from __future__ import annotations

from math import nan
from typing import TYPE_CHECKING

from sheliak.transforms._contract import Checking, FieldRef, Name, Transform, Value, param, renamings, transform, with_names
from sheliak.transforms._operations import AGGREGATES
from sheliak.transforms._operations.measures import type_of_operation
from sheliak.types.columns import distinct_texts
from sheliak.types.operations import all_texts, is_text, opened, options_of, without_missing
from sheliak.types.shapes import EMPTY_RECORD, NULL, UNDEFINED, UNKNOWN, Record, Type

if TYPE_CHECKING:
    from sheliak.expressions.values import Row
    from sheliak.expressions.values import Value as RunValue
    from sheliak.plan.operators import Plan
    from sheliak.plan.planning import Planning
    from sheliak.transforms._running import Getter, Running


@transform("pivot", generates=True, keeps_input=False)
class Pivot(Transform):
    """The values of `field` become names; `op` over `value` fills them."""

    groupby: tuple[FieldRef, ...] = param("field", array=True)
    field: FieldRef = param("field", required=True)
    value: FieldRef = param("field", required=True)
    op: Name = param("enum", options=tuple(AGGREGATES), default="sum")
    limit: Value = param("number", default=0)
    key: FieldRef | None = param("field")

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tPivot: T ⊢ kᵢ : Tᵢ and T ⊢ op(v) : T' give {kᵢ: Tᵢ, n: T' for each value n of the field}.

        Beyond the paper: the names are known when every value of the field is (data at hand, the key of a `fold`), else the
        record is open. A pivoted name wins over a key of the same name; null and missing values become the names `null` and
        `undefined`; a combination without rows is undefined.
        """
        keys = with_names(EMPTY_RECORD, ((key.name, key.of) for key in self.groupby))
        filled = self._filled(datum, checking)
        names = self._names(datum)
        if names is None:
            return opened(keys)
        # An empty text is no name: the operation lends its own, or the one that `count` has here.
        unnamed: Name = "__count__" if self.op == "count" else self.op
        return with_names(keys, ((name or unnamed, filled) for name in names))

    def _filled(self, datum: Record, checking: Checking) -> Type:
        operation = AGGREGATES.get(self.op) if isinstance(self.op, str) else None
        return UNKNOWN if operation is None else type_of_operation(operation, self.value, datum, datum, checking)

    def _names(self, datum: Record) -> list[str] | None:
        """The values of the field as text, sorted. `limit` is left out of account: which names it keeps hangs on the rows."""
        values = without_missing(self.field.of)
        texts = all_texts(values) if self.field.is_expression or not is_text(values) else self._texts(values, datum)
        if texts is None:
            return None
        missing = [name for of, name in ((NULL, "null"), (UNDEFINED, "undefined")) if of in options_of(self.field.of)]
        return [*missing, *sorted(texts)]

    def _texts(self, values: Type, datum: Record) -> tuple[str, ...] | None:
        literal = all_texts(values)
        if literal is not None:
            return literal
        column = self.field.paths[0] if len(self.field.paths) == 1 else ()
        found = distinct_texts(datum, column[0]) if len(column) == 1 else None
        return None if found is None else tuple(found)

    def renamed(self) -> dict[str, str]:
        return renamings((key, key.name) for key in self.groupby)

    def rows(self, rows: list[Row], running: Running) -> list[Row]:
        """⟦pivot⟧: a row per group, with a field for each text that the field's values have.

        Only rows whose value is the very first one of that text count: of 1 and "1" the first, of dates and objects the first alone.
        `count` counts all of them but NaN.
        """
        from sheliak.transforms._grouping import Groups
        from sheliak.transforms._operations.asked import operations_of
        from sheliak.transforms._operations.cells import measured
        from sheliak.transforms._operations.rows import CountOfValues
        from sheliak.transforms._running import getter, getters, key_name

        op = self.parameters().value("op")
        operation = CountOfValues() if op == "count" else operations_of([op or "sum"], AGGREGATES)[0]
        pivoted = self._pivoted(rows, running)
        # An empty text is no name: the operation's stands for it.
        names = [name or ("__count__" if op == "count" else operation.name) for name, _ in pivoted]
        asked = measured([operation] * len(pivoted), pivoted, names, [])
        keys, key = getters(self.groupby, running), None if self.key is None else getter(self.key, running)
        groups = Groups([key_name(key) for key in self.groupby], keys, key, asked, running)
        groups.add(rows)
        result = groups.rows()
        running.publish(groups.published())
        return result

    def plan(self, upstream: Plan, planning: Planning) -> Plan:
        from sheliak.transforms._planning import read_field, start
        from sheliak.transforms._plans.pivots import plan_pivot

        scope, parameters = start(upstream, planning), self.parameters()
        op, limit = parameters.value("op"), parameters.number("limit", 0.0)
        field, value = read_field(self.field, scope), read_field(self.value, scope)
        return plan_pivot(upstream, self.groupby, self.key, field, value, op if isinstance(op, str) else "sum", limit, planning)

    def _pivoted(self, rows: list[Row], running: Running) -> list[tuple[str | None, Getter | None]]:
        """Each value of the field as text, in Vega's order, and the accessor of the rows that have it."""
        from sheliak.expressions.sorting import sorted_by
        from sheliak.expressions.values import UNDEFINED, compare, key_text
        from sheliak.transforms._running import getter

        zone, field, value = running.zone, getter(self.field, running), getter(self.value, running)
        found: dict[str, RunValue] = {}
        for row in rows:
            found.setdefault(key_text(field(row), zone), field(row))
        # JavaScript puts undefined last, whatever the order says.
        present = [one for one in found.values() if one is not UNDEFINED]
        ordered = sorted_by(present, lambda a, b: compare(a, b, zone))
        ordered += [one for one in found.values() if one is UNDEFINED]
        limit = self.parameters().number("limit", 0.0)
        chosen = ordered[: int(limit)] if limit else ordered
        return [(key_text(one, zone), _of_one(field, value, one)) for one in chosen]


def _of_one(field: Getter, value: Getter, wanted: RunValue) -> Getter:
    """The value of the rows whose field is the wanted one, of all others NaN, which no operation takes in."""
    from sheliak.expressions.values import strict_equal

    return lambda row: value(row) if strict_equal(field(row), wanted) else nan
