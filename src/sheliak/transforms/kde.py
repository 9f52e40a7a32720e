"""kde: an estimate of the density of a field's values, as points of a curve for each group."""

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
from sheliak.transforms._curves import points, type_of_ends
from sheliak.types.shapes import NUMBER, Array, Record, Type

if TYPE_CHECKING:
    from sheliak.expressions.values import Row
    from sheliak.plan.operators import Plan
    from sheliak.plan.planning import Planning
    from sheliak.transforms._running import Running


@transform("kde", generates=True, keeps_input=False)
class KDE(Transform):
    """Null counts as 0. The number of points follows the curve, from 25 to 200, unless `steps` fixes it."""

    groupby: tuple[FieldRef, ...] = param("field", array=True)
    field: FieldRef = param("field", required=True, demands="number")
    cumulative: Value = param("boolean", default=False)
    counts: Value = param("boolean", default=False)
    bandwidth: Value = param("number", default=0)
    extent: tuple[Value, ...] = param("number", array=True, length=2)
    resolve: Name = param("enum", options=("shared", "independent"), enforced=False, default="independent")
    steps: Value = param("number")
    minsteps: Value = param("number", default=25)
    maxsteps: Value = param("number", default=200)
    into: tuple[Name | None, ...] = param("string", array=True, vega_name="as", length=2, default=("value", "density"))

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tKDE: T ⊢ kᵢ : Tᵢ, T ⊢ p : T' and T' is read as a number give {kᵢ: Tᵢ, f₀: number, f₁: number}.

        Beyond the paper: the default names are `value` and `density`; a single name in `as` leaves the second to a field
        called `undefined`; without `extent` the coordinates between text or dates are text.
        """
        return points(self.groupby, self.into, NUMBER if self.given("extent") else type_of_ends(self.field.of))

    def signal_type(self, datum: Record, checking: Checking) -> Type:
        return Array(self.output_type(datum, checking))

    def renamed(self) -> dict[str, str]:
        return renamings((key, key.name) for key in self.groupby)

    def rows(self, rows: list[Row], running: Running) -> list[Row]:
        """⟦kde⟧: group by group the points of the estimated density, or of how much lies below.

        With `resolve` shared all groups have one extent and evenly spaced points.
        """
        from sheliak.transforms._curves import curve_rows
        from sheliak.transforms._grouping import parts
        from sheliak.transforms._numerics.distributions import estimated
        from sheliak.transforms._numerics.extents import extent_of_field, extent_of_values
        from sheliak.transforms._numerics.sampling import sample_curve
        from sheliak.transforms._running import as_value, getter, getters

        parameters, zone, get = self.parameters(), running.zone, getter(self.field, running)
        steps, ends = parameters.number("steps", 0.0), parameters.ends("extent")
        least, most = steps or parameters.number("minsteps", 25.0), steps or parameters.number("maxsteps", 200.0)
        if parameters.value("resolve") == "shared":
            ends, least = ends or extent_of_field(rows, get, zone), most
        made: list[Row] = []
        for part in parts(rows, getters(self.groupby, running) if self.given("groupby") else None, zone):
            values = [get(row) for row in part.rows]
            estimate = estimated(values, parameters.number("bandwidth", 0.0))
            curve = estimate.cumulative if parameters.flag("cumulative") else estimate.density
            scale = float(len(values)) if parameters.flag("counts") else 1.0
            points = sample_curve(curve, *(ends or extent_of_values(values, zone)), least, most, zone)
            made += curve_rows(self.groupby, part.keys, parameters.names("value", "density"), [(x, y * scale) for x, y in points])
        running.publish(as_value(made))
        return made

    def plan(self, upstream: Plan, planning: Planning) -> Plan:
        from sheliak.transforms._plans.curves import plan_kde

        return plan_kde(self, (self.field,), self.groupby, upstream, planning)
