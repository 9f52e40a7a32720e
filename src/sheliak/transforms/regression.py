"""regression: a curve of a given form fitted to the points of each group, or its coefficients."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sheliak.transforms._contract import (
    Checking,
    Computed,
    FieldRef,
    Name,
    Transform,
    Value,
    param,
    renamings,
    transform,
    whole_name,
)
from sheliak.transforms._curves import points, type_of_ends
from sheliak.types.operations import join, opened
from sheliak.types.shapes import NUMBER, UNDEFINED, Array, Record, Type

if TYPE_CHECKING:
    from sheliak.expressions.values import Row
    from sheliak.expressions.values import Value as RunValue
    from sheliak.plan.operators import Plan
    from sheliak.plan.planning import Planning
    from sheliak.transforms._grouping import Part
    from sheliak.transforms._running import Running


@transform("regression", generates=True, keeps_input=False)
class Regression(Transform):
    """A group with fewer points than the form has coefficients is left out."""

    x: FieldRef = param("field", required=True, demands="number")
    y: FieldRef = param("field", required=True, demands="number")
    groupby: tuple[FieldRef, ...] = param("field", array=True)
    method: Name = param("enum", options=("constant", "linear", "log", "exp", "pow", "quad", "poly"), default="linear")
    order: Value = param("number", default=3)
    extent: tuple[Value, ...] = param("number", array=True, length=2)
    coefficients: Value = param("boolean", vega_name="params", default=False)
    into: tuple[Name | None, ...] = param("string", array=True, vega_name="as", length=2)

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tRegression: T ⊢ kᵢ : Tᵢ, T ⊢ x : X, T ⊢ y : Y and both are read as numbers give {kᵢ: Tᵢ, f₀: number, f₁: number}.

        Beyond the paper: names are those of `loess`; with `params` true the rows are {keys, coef, rSquared} instead, and the
        group's keys stand in the list `keys`, which is undefined without `groupby`.
        """
        if isinstance(self.coefficients, Computed):
            return opened(self._curve())
        return self._fit() if self.coefficients else self._curve()

    def _curve(self) -> Record:
        return points(self.groupby, self._names(), NUMBER if self.given("extent") else type_of_ends(self.x.of))

    def _fit(self) -> Record:
        keys: Type = Array(join(key.of for key in self.groupby)) if self.given("groupby") else UNDEFINED
        return Record({"keys": keys, "coef": Array(NUMBER), "rSquared": NUMBER})

    def _names(self) -> tuple[Name | None, ...]:
        return self.into if self.given("as") else (self.x.name, self.y.name)

    def signal_type(self, datum: Record, checking: Checking) -> Type:
        return Array(self.output_type(datum, checking))

    def renamed(self) -> dict[str, str]:
        if self.coefficients:
            return {}
        fitted = ((self.x, whole_name(self._names(), 0)), (self.y, whole_name(self._names(), 1)))
        return renamings([*((key, key.name) for key in self.groupby), *fitted])

    def rows(self, rows: list[Row], running: Running) -> list[Row]:
        """⟦regression⟧: group by group the curve between the extent's ends, or its coefficients.

        A straight line has two points, the others as many as they bend. The number of points that decides whether a group is left
        out counts rows without coordinates too.
        """
        from sheliak.transforms._grouping import parts
        from sheliak.transforms._running import as_value, getters

        least = self._least_points()
        made: list[Row] = []
        for part in parts(rows, getters(self.groupby, running) if self.given("groupby") else None, running.zone):
            if len(part.rows) <= least:
                running.warn("Skipping regression with more parameters than data points.")
            else:
                made += self._fitted(part, running)
        running.publish(as_value(made))
        return made

    def plan(self, upstream: Plan, planning: Planning) -> Plan:
        from sheliak.transforms._plans.curves import plan_regression

        return plan_regression(self, (self.x, self.y), self.groupby, upstream, planning)

    def _form(self) -> tuple[str, float]:
        """The method and the order of a polynomial."""
        from sheliak.expressions.values import to_boolean, to_number, to_text
        from sheliak.transforms._numerics.regression import METHODS
        from sheliak.transforms._running import RunError

        parameters = self.parameters()
        method, order = parameters.value("method"), parameters.value("order")
        name = to_text(method) if to_boolean(method) else "linear"
        if name not in METHODS:
            raise RunError(f"Invalid regression method: {name}")
        return name, 3.0 if order is None or not self.given("order") else to_number(order)

    def _least_points(self) -> float:
        method, order = self._form()
        return order if method == "poly" else 2 if method == "quad" else 1

    def _fitted(self, part: Part, running: Running) -> list[Row]:
        from sheliak.expressions.values import UNDEFINED, to_number
        from sheliak.transforms._curves import curve_rows
        from sheliak.transforms._numerics.extents import extent_of_field
        from sheliak.transforms._numerics.regression import fitted
        from sheliak.transforms._numerics.sampling import sample_curve
        from sheliak.transforms._running import getter, ingest, key_name

        method, order = self._form()
        x, parameters = getter(self.x, running), self.parameters()
        fit = fitted(method, order, part.rows, x, getter(self.y, running))
        if parameters.flag("params"):
            keys = list(part.keys) if self.given("groupby") else UNDEFINED
            return [ingest({"keys": keys, "coef": [*fit.coefficients], "rSquared": fit.r_squared})]
        start, stop = self._extent(method, running) or extent_of_field(part.rows, x, running.zone)
        if method in ("linear", "constant"):
            # A straight line has one point for each element of the extent, however many there are.
            given = parameters.elements("extent")
            points = [(end, fit.predict(to_number(end))) for end in ((start, stop) if given is None else given)]
        else:
            points = sample_curve(fit.predict, start, stop, 25, 200, running.zone)
        return curve_rows(self.groupby, part.keys, parameters.names(key_name(self.x), key_name(self.y)), points)

    def _extent(self, method: str, running: Running) -> tuple[RunValue, RunValue] | None:
        """The extent that is given; a logarithm has none that begins at zero or below."""
        from sheliak.expressions.values import to_number

        ends = self.parameters().ends("extent")
        if method == "log" and ends is not None and to_number(ends[0]) <= 0:
            running.warn("Ignoring extent with values <= 0 for log regression.")
            return None
        return ends
