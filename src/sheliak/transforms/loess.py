"""loess: a smooth curve through the points of each group."""

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
    whole_name,
)
from sheliak.transforms._curves import points
from sheliak.types.shapes import Array, Record, Type

if TYPE_CHECKING:
    from sheliak.expressions.values import Row
    from sheliak.plan.operators import Plan
    from sheliak.plan.planning import Planning
    from sheliak.transforms._running import Running


@transform("loess", generates=True, keeps_input=False)
class Loess(Transform):
    """One row for each different `x` of a group."""

    x: FieldRef = param("field", required=True, demands="number")
    y: FieldRef = param("field", required=True, demands="number")
    groupby: tuple[FieldRef, ...] = param("field", array=True)
    bandwidth: Value = param("number", default=0.3)
    into: tuple[Name | None, ...] = param("string", array=True, vega_name="as", length=2)

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tLoess: T ⊢ kᵢ : Tᵢ, T ⊢ x : X, T ⊢ y : Y and both are read as numbers give {kᵢ: Tᵢ, f₀: number, f₁: number}.

        Beyond the paper: without `as` the outputs are called as `x` and `y` are, a nested field under its flat name; a single
        name in `as` leaves the second to a field called `undefined`.
        """
        return points(self.groupby, self._names())

    def signal_type(self, datum: Record, checking: Checking) -> Type:
        return Array(points(self.groupby, self._names()))

    def _names(self) -> tuple[Name | None, ...]:
        return self.into if self.given("as") else (self.x.name, self.y.name)

    def renamed(self) -> dict[str, str]:
        fitted = ((self.x, whole_name(self._names(), 0)), (self.y, whole_name(self._names(), 1)))
        return renamings([*((key, key.name) for key in self.groupby), *fitted])

    def rows(self, rows: list[Row], running: Running) -> list[Row]:
        """⟦loess⟧: group by group the smoothed points, by ascending x."""
        from sheliak.transforms._curves import curve_rows
        from sheliak.transforms._grouping import parts
        from sheliak.transforms._numerics.loess import smoothed
        from sheliak.transforms._numerics.regression import pairs_of
        from sheliak.transforms._running import as_value, getter, getters, key_name

        x, y, parameters = getter(self.x, running), getter(self.y, running), self.parameters()
        names, bandwidth = parameters.names(key_name(self.x), key_name(self.y)), parameters.number("bandwidth", 0.3)
        made: list[Row] = []
        for part in parts(rows, getters(self.groupby, running) if self.given("groupby") else None, running.zone):
            made += curve_rows(self.groupby, part.keys, names, smoothed(pairs_of(part.rows, x, y), bandwidth))
        running.publish(as_value(made))
        return made

    def plan(self, upstream: Plan, planning: Planning) -> Plan:
        from sheliak.transforms._plans.curves import plan_loess

        return plan_loess(self, (self.x, self.y), self.groupby, upstream, planning)
