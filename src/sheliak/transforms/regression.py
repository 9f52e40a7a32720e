"""regression: a curve of a given form fitted to the points of each group, or its coefficients."""

from __future__ import annotations

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
from sheliak.transforms._curves import points
from sheliak.types.operations import join, opened
from sheliak.types.shapes import NUMBER, UNDEFINED, Array, Record, Type


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
        return points(self.groupby, self._names())

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
