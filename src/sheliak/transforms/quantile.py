"""quantile: the values below which given shares of the rows lie."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sheliak.transforms._contract import (
    Checking,
    FieldRef,
    Name,
    Transform,
    Value,
    param,
    renamings,
    transform,
)
from sheliak.transforms._curves import points
from sheliak.types.shapes import Array, Record, Type

if TYPE_CHECKING:
    from sheliak.expressions.values import Row
    from sheliak.plan.operators import Plan
    from sheliak.plan.planning import Planning
    from sheliak.transforms._running import Running


@transform("quantile", generates=True, keeps_input=False)
class Quantile(Transform):
    """Without `probs` there is a row for every `step`: a hundred for each group by default."""

    groupby: tuple[FieldRef, ...] = param("field", array=True)
    field: FieldRef = param("field", required=True, demands="number")
    probs: tuple[Value, ...] = param("number", array=True)
    step: Value = param("number", default=0.01)
    into: tuple[Name | None, ...] = param("string", array=True, vega_name="as", length=2, default=("prob", "value"))

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tQuantile: T ⊢ kᵢ : Tᵢ, T ⊢ p : T' and T' is read as a number give {kᵢ: Tᵢ, f₀: number, f₁: number}.

        Beyond the paper: the default names are `prob` and `value`; a single name in `as` leaves the second to a field called
        `undefined`.
        """
        return points(self.groupby, self.into)

    def signal_type(self, datum: Record, checking: Checking) -> Type:
        return Array(points(self.groupby, self.into))

    def renamed(self) -> dict[str, str]:
        return renamings((key, key.name) for key in self.groupby)

    def rows(self, rows: list[Row], running: Running) -> list[Row]:
        """⟦quantile⟧: group by group a row for each probability; undefined in a group without numbers."""
        from sheliak.expressions.values import to_number
        from sheliak.transforms._curves import curve_rows
        from sheliak.transforms._grouping import parts
        from sheliak.transforms._numerics.arithmetic import number_range
        from sheliak.transforms._numerics.quantiles import numbers_of, quantile_of_sorted
        from sheliak.transforms._running import as_value, getter, getters

        parameters, get = self.parameters(), getter(self.field, running)
        step = parameters.number("step", 0.01)
        probabilities = parameters.elements("probs")
        if probabilities is None:
            probabilities = [*number_range(step / 2, 1 - 1e-14, step)]
        made: list[Row] = []
        for part in parts(rows, getters(self.groupby, running) if self.given("groupby") else None, running.zone):
            ordered = sorted(numbers_of(map(get, part.rows)))
            points = [(p, quantile_of_sorted(ordered, to_number(p))) for p in probabilities]
            made += curve_rows(self.groupby, part.keys, parameters.names("prob", "value"), points)
        running.publish(as_value(made))
        return made

    def plan(self, upstream: Plan, planning: Planning) -> Plan:
        from sheliak.transforms._plans.curves import plan_quantile

        return plan_quantile(self, self.field, self.groupby, upstream, planning)
