"""window: every row gets values computed over the rows around it in a sorted partition."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from sheliak.diagnostics.parameters import MissingParameter, WrongKind
from sheliak.transforms._contract import Checking, FieldRef, Name, SortKey, Transform, Value, param, transform, with_names
from sheliak.transforms._operations import WINDOW_ONLY, WINDOW_OPERATIONS
from sheliak.transforms._operations.measures import measures, reads_no_field
from sheliak.types.operations import opened
from sheliak.types.shapes import Record

if TYPE_CHECKING:
    from sheliak.expressions.values import Row
    from sheliak.plan.operators import Plan
    from sheliak.plan.planning import Planning
    from sheliak.transforms._operations.frames import Windows
    from sheliak.transforms._running import Running


@transform("window", writes=True)
class Window(Transform):
    """The order of the dataset itself does not change; `sort` counts only inside the computation."""

    sort: tuple[SortKey, ...] = param("compare", default=())
    groupby: tuple[FieldRef, ...] = param("field", array=True)
    ops: tuple[Name, ...] = param("enum", array=True, options=tuple(WINDOW_OPERATIONS))
    numbers: tuple[Value, ...] = param("number", array=True, nullable=True, vega_name="params")
    aggregate_params: tuple[Value, ...] = param("number", array=True, nullable=True)
    fields: tuple[FieldRef | None, ...] = param("field", array=True, nullable=True)
    into: tuple[Name | None, ...] = param("string", array=True, nullable=True, vega_name="as")
    frame: tuple[Value, ...] = param("number", array=True, nullable=True, default=(None, 0))
    ignore_peers: Value = param("boolean", vega_name="ignorePeers", default=False)

    @classmethod
    def passes_over(cls, name: str, index: int, given: Mapping[str, object]) -> bool:
        return reads_no_field(name, index, given, WINDOW_OPERATIONS)

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tWindow: T ⊢ opⱼ(pⱼ) : T'ⱼ gives T ∪ {fⱼ: T'ⱼ}.

        Beyond the paper: `fields` may be shorter than `ops`, for rank and its kin read no field; default names are those of
        `aggregate`; lag, lead and nth_value are null where there is no such row; ntile and nth_value stop the run unless
        their entry in `params` is greater than zero; without `ops` nothing is added.
        """
        for index, op in enumerate(self.ops):
            self._check_parameter(index, op, checking)
        return with_names(datum, measures(self, datum, opened(datum), WINDOW_OPERATIONS, checking))

    def _check_parameter(self, index: int, op: Name, checking: Checking) -> None:
        operation = WINDOW_OPERATIONS.get(op) if isinstance(op, str) else None
        if operation is None or not operation.positive_parameter:
            return
        value = self.numbers[index] if index < len(self.numbers) else None
        if value is None:
            owner = f"`{op}` in {self.owner}"
            checking.report(MissingParameter(place=self.place("ops", index), name="params", owner=owner))
        elif isinstance(value, int | float) and not value > 0:
            owner = f"the entry of `{op}` in `params`"
            found = str(value)
            checking.report(WrongKind(place=self.place("params", index), owner=owner, expected="greater than zero", found=found))

    def rows(self, rows: list[Row], running: Running) -> list[Row]:
        """⟦window⟧: partition by partition, row by row in the order of `sort`, each row gets its results.

        The frame reaches from `frame[0]` rows before to `frame[1]` rows after, and takes in the peers of its ends unless
        `ignorePeers`. Aggregates are kept up as rows enter and leave. An output that bears the name of a field is read by the next rows.
        """
        from sheliak.transforms._grouping import parts_by_text
        from sheliak.transforms._operations.frames import Frame
        from sheliak.transforms._ordering import order_of, sorted_rows
        from sheliak.transforms._running import getters, ingested

        rows, order, parameters = ingested(rows), order_of(self.sort, running), self.parameters()
        windows = self._windows(running)
        before, after, *_ = [*(parameters.elements("frame") or [None, 0.0]), None, None]
        peers = order is not None and not parameters.flag("ignorePeers")
        for partition in parts_by_text(rows, getters(self.groupby, running), running.zone):
            sorted_partition = partition if order is None else sorted_rows(partition, order)
            windows.run(Frame(sorted_partition, order), before, after, peers=peers)
        running.publish({})
        return rows

    def plan(self, upstream: Plan, planning: Planning) -> Plan:
        from sheliak.transforms._planning import read_field, read_fields, read_sort, start
        from sheliak.transforms._plans.frames import plan_window, window_partition

        scope = start(upstream, planning)
        partition = window_partition(read_fields(self.groupby, scope), planning)
        read = [None if field is None else read_field(field, scope) for field in self.fields]
        order = [key.field for key in self.sort]
        return plan_window(self, partition, read_sort(self.sort, scope), self.fields, upstream, planning, read, order)

    def _windows(self, running: Running) -> Windows:
        """The aggregates in one cell, and the window operations."""
        from sheliak.expressions.values import UNDEFINED, to_number
        from sheliak.transforms._operations.asked import named_getters, operations_of, output_names
        from sheliak.transforms._operations.cells import Cell, measured
        from sheliak.transforms._operations.frames import Windows
        from sheliak.transforms._running import getter

        parameters = self.parameters()
        operations = operations_of(parameters.elements("ops") or [], WINDOW_OPERATIONS)
        names = output_names(operations, self.fields, parameters.elements("as") or [])
        numbers, fields = parameters.elements("params") or [], [*self.fields, *[None] * len(operations)]
        functions = [
            (
                name,
                operation.window(
                    getter(fields[index], running), to_number(numbers[index] if index < len(numbers) else UNDEFINED)
                ),
            )
            for index, (operation, name) in enumerate(zip(operations, names, strict=True))
            if operation.name in WINDOW_ONLY
        ]
        asked = [index for index, operation in enumerate(operations) if operation.name not in WINDOW_ONLY]
        given = parameters.elements("aggregate_params") or []
        cell = measured(
            [operations[index] for index in asked],
            named_getters([fields[index] for index in asked], running),
            [names[index] for index in asked],
            [given[index] if index < len(given) else None for index in asked],
        )
        return Windows(Cell(cell, running) if asked else None, functions)
