"""stack: lays the values of each group end to end, and writes where each one starts and ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sheliak.transforms._contract import (
    Checking,
    FieldRef,
    Name,
    SortKey,
    Transform,
    param,
    transform,
    whole_name,
    with_names,
)
from sheliak.types.shapes import NUMBER, Record

if TYPE_CHECKING:
    from sheliak.expressions.values import Row
    from sheliak.plan.operators import Plan
    from sheliak.plan.planning import Planning
    from sheliak.transforms._running import Running


@transform("stack", writes=True)
class Stack(Transform):
    """Without `field` every row counts 1; without `groupby` there is one stack."""

    field: FieldRef | None = param("field", demands="number")
    groupby: tuple[FieldRef, ...] = param("field", array=True)
    sort: tuple[SortKey, ...] = param("compare", default=())
    offset: Name = param("enum", options=("zero", "center", "normalize"), enforced=False, default="zero")
    into: tuple[Name | None, ...] = param("string", array=True, vega_name="as", length=2, default=("y0", "y1"))

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tStack: T ⊢ p : T' and T' is read as a number give T ∪ {f₀: number, f₁: number}.

        Beyond the paper: the default names are `y0` and `y1`, whatever the stack is used for; a single name in `as` leaves
        the second to a field called `undefined`; numeric text and null are coerced.
        """
        return with_names(datum, [(whole_name(self.into, 0), NUMBER), (whole_name(self.into, 1), NUMBER)])

    def rows(self, rows: list[Row], running: Running) -> list[Row]:
        """⟦stack⟧: stack by stack, in the order of `sort`, each row gets its start and its end.

        Stacks are told apart by their keys as JSON. With `zero` negative values go down on their own; `center` and `normalize` take
        all values as positive. A value that is no number makes NaN of its end and of all that lies behind it.
        """
        from sheliak.expressions.values import to_number
        from sheliak.transforms._grouping import json_key
        from sheliak.transforms._numerics.arithmetic import total_of
        from sheliak.transforms._numerics.stacking import LAYOUTS, Ends, stack_zero
        from sheliak.transforms._ordering import order_of, sorted_rows
        from sheliak.transforms._running import getter, getters, ingested

        rows, order, parameters = ingested(rows), order_of(self.sort, running), self.parameters()
        get = None if self.field is None else getter(self.field, running)
        keys = getters(self.groupby, running)
        stacks: dict[object, list[Row]] = {}
        for row in rows:
            stacks.setdefault(tuple([json_key(key(row)) for key in keys]), []).append(row)

        def value(row: Row) -> float:
            return 1.0 if get is None else to_number(get(row))

        sums = [total_of(abs(value(row)) for row in stack) for stack in stacks.values()]
        most = max([0.0, *sums])  # NaN is passed over
        offset, ends = parameters.value("offset"), Ends(value, *parameters.names("y0", "y1"))
        layout = LAYOUTS.get(offset, stack_zero) if isinstance(offset, str) else stack_zero
        for stack, total in zip(stacks.values(), sums, strict=True):
            layout(stack if order is None else sorted_rows(stack, order), ends, total, most)
        running.publish(None)
        return rows

    def plan(self, upstream: Plan, planning: Planning) -> Plan:
        from sheliak.plan.coercion import number_of
        from sheliak.plan.expressions import constant
        from sheliak.plan.keys import json_identity
        from sheliak.plan.unplannable import Unplannable
        from sheliak.transforms._planning import read_field, read_fields, read_sort, start
        from sheliak.transforms._plans.stacks import Stacking

        scope, parameters = start(upstream, planning), self.parameters()
        first, second = parameters.names("y0", "y1")
        if self.field is not None and (self.field.is_expression or self.field.paths[0][0] in (first, second)):
            raise Unplannable("an output bears the name of the field that is stacked")
        value = constant(1.0) if self.field is None else number_of(read_field(self.field, scope))
        keys = json_identity(read_fields(self.groupby, scope))
        offset = parameters.value("offset")
        stacking = Stacking(upstream, value, keys, read_sort(self.sort, scope), planning)
        return stacking.plan(offset if isinstance(offset, str) else "zero", (first, second))
