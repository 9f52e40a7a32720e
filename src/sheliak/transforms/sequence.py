"""sequence: adds one row for each number of a range."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sheliak.transforms._contract import Checking, Name, Transform, Value, param, transform, with_names
from sheliak.transforms._generators import beside
from sheliak.types.shapes import EMPTY_RECORD, NUMBER, Array, Record, Type

if TYPE_CHECKING:
    from sheliak.expressions.values import Row
    from sheliak.plan.operators import Plan
    from sheliak.plan.planning import Planning
    from sheliak.transforms._running import Running


@transform("sequence", generates=True)
class Sequence(Transform):
    """From `start` to before `stop`; a `step` of 0 counts as 1."""

    start: Value = param("number", required=True)
    stop: Value = param("number", required=True)
    step: Value = param("number", default=1)
    into: Name = param("string", vega_name="as", default="data")

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tSequence: T gives T ⊔ {f: number}.

        Beyond the paper: the default name is `data`; rows that the dataset already has stay, without the new field. A
        dataset with no source of its own is taken to have none.
        """
        return beside(self._generated(), datum, checking)

    def signal_type(self, datum: Record, checking: Checking) -> Type:
        return Array(self._generated())

    def _generated(self) -> Record:
        return with_names(EMPTY_RECORD, [(self.into, NUMBER)])

    def rows(self, rows: list[Row], running: Running) -> list[Row]:
        """⟦sequence⟧: a row for each number, behind the rows that are there."""
        from sheliak.expressions.values import to_number
        from sheliak.transforms._numerics.arithmetic import number_range
        from sheliak.transforms._running import as_value, ingest, ingested

        parameters = self.parameters()
        start, stop = to_number(parameters.value("start")), to_number(parameters.value("stop"))
        name = parameters.name("data")
        made = [ingest({name: number}) for number in number_range(start, stop, parameters.number("step", 1.0))]
        running.publish(as_value(made))
        return [*ingested(rows), *made]

    def plan(self, upstream: Plan, planning: Planning) -> Plan:
        from sheliak.expressions.values import to_number
        from sheliak.plan.building import union
        from sheliak.plan.column_types import NUMBER as NUMBERS
        from sheliak.plan.operators import Field, Generate
        from sheliak.transforms._plans.sizes import is_empty, numbers_in_range

        parameters = self.parameters()
        start, stop = to_number(parameters.value("start")), to_number(parameters.value("stop"))
        step = parameters.number("step", 1.0)
        number = Field(parameters.name("data"), planning.column(), NUMBERS)
        made = Generate(start, step, numbers_in_range(start, stop, step), number)
        planning.publish_rows(made)
        return made if is_empty(upstream) else union([upstream, made], planning)
