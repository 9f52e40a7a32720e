"""density: a probability density or distribution function, as points of a curve."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from sheliak.diagnostics.parameters import MissingParameter
from sheliak.transforms._contract import (
    Checking,
    FieldRef,
    Name,
    Transform,
    Value,
    param,
    transform,
    variant,
)
from sheliak.transforms._curves import points
from sheliak.types.shapes import UNKNOWN, Array, Record, Type

if TYPE_CHECKING:
    from sheliak.expressions.values import Row
    from sheliak.expressions.values import Value as RunValue
    from sheliak.plan.operators import Plan
    from sheliak.plan.planning import Planning
    from sheliak.transforms._numerics.distributions import Distribution
    from sheliak.transforms._running import Running

_SIMPLE: dict[str, type[Transform]] = {}


@variant("normal", "the `normal` distribution", "function", _SIMPLE)
class Normal(Transform):
    """Gauss's bell."""

    mean: Value = param("number", default=0)
    stdev: Value = param("number", default=1)


@variant("lognormal", "the `lognormal` distribution", "function", _SIMPLE)
class LogNormal(Transform):
    """Its logarithm is normal, with this mean and deviation."""

    mean: Value = param("number", default=0)
    stdev: Value = param("number", default=1)


@variant("uniform", "the `uniform` distribution", "function", _SIMPLE)
class Uniform(Transform):
    """The same everywhere between two ends."""

    min: Value = param("number", default=0)
    max: Value = param("number", default=1)


@variant("kde", "the `kde` distribution", "function", _SIMPLE)
class Estimated(Transform):
    """Estimated from the values of a field: of the dataset `from`, or else of the datum."""

    # Vega lists `field` first; which rows it reads is known once `from` is.
    source: Record | None = param("data", vega_name="from")
    field: FieldRef = param("field", required=True, demands="number")
    bandwidth: Value = param("number", default=0)

    @classmethod
    def reads(cls, name: str, datum: Type, given: Mapping[str, object], checking: Checking) -> Type:
        if name != "field" or "source" not in given:
            return datum
        source = given["source"]
        return source if isinstance(source, Record) else UNKNOWN

    def values(self, rows: list[Row], running: Running) -> list[RunValue]:
        """The values that the estimate is made of."""
        from sheliak.transforms._running import getter

        source = self.node.get("from")
        named = source is not None and source.text is not None
        return list(
            map(getter(self.field, running), running.dataset(source.text or "") if named and source is not None else rows)
        )


_ALL: dict[str, type[Transform]] = dict(_SIMPLE)


@variant("mixture", "the `mixture` distribution", "function", _ALL)
class Mixture(Transform):
    """A weighted sum of others; not of other mixtures."""

    distributions: tuple[Transform | None, ...] = param("param", array=True, key="function", variants=_SIMPLE)
    weights: tuple[Value, ...] = param("number", array=True)


@transform("density", generates=True, keeps_input=False)
class Density(Transform):
    """The number of points follows the curve, from 25 to 200, unless `steps` fixes it."""

    extent: tuple[Value, ...] = param("number", array=True, length=2)
    steps: Value = param("number")
    minsteps: Value = param("number", default=25)
    maxsteps: Value = param("number", default=200)
    method: Name = param("enum", options=("pdf", "cdf"), default="pdf")
    distribution: Transform | None = param("param", required=True, key="function", variants=_ALL)
    into: tuple[Name | None, ...] = param("string", array=True, vega_name="as", length=2, default=("value", "density"))

    def output_type(self, datum: Record, checking: Checking) -> Record:
        """T-tDensity: T (or Γ(from)) ⊢ p : T' and T' is read as a number give {f₀: number, f₁: number}.

        Beyond the paper: the default names are `value` and `density`; only `kde` can do without `extent`, and leaving out
        `distribution` stops the run although nothing says that it is required.
        """
        if not self.given("extent") and not isinstance(self.distribution, Estimated | None):
            owner = f"{self.owner} with {self.distribution.owner}"
            checking.report(MissingParameter(place=self.place(), name="extent", owner=owner))
        return points((), self.into)

    def signal_type(self, datum: Record, checking: Checking) -> Type:
        return Array(points((), self.into))

    def rows(self, rows: list[Row], running: Running) -> list[Row]:
        """⟦density⟧: the points of the curve. Only an estimated distribution has an extent of its own, that of its values."""
        from sheliak.transforms._curves import curve_rows
        from sheliak.transforms._numerics.extents import extent_of_values
        from sheliak.transforms._numerics.sampling import sample_curve
        from sheliak.transforms._running import RunError, as_value

        if self.distribution is None:
            raise RunError("Cannot read properties of undefined (reading 'function')")
        parameters, steps = self.parameters(), self.parameters().number("steps", 0.0)
        least, most = steps or parameters.number("minsteps", 25.0), steps or parameters.number("maxsteps", 200.0)
        distribution = distribution_of(self.distribution, rows, running)
        method, ends = parameters.value("method") or "pdf", parameters.ends("extent")
        if method not in ("pdf", "cdf"):
            raise RunError(f"Invalid density method: {method}")
        if ends is None:
            if not isinstance(self.distribution, Estimated):
                raise RunError("Missing density extent parameter.")
            ends = extent_of_values(self.distribution.values(rows, running), running.zone)
        curve = distribution.cumulative if method == "cdf" else distribution.density
        points = sample_curve(curve, *ends, least, most, running.zone)
        made = curve_rows((), (), parameters.names("value", "density"), points)
        running.publish(as_value(made))
        return made

    def plan(self, upstream: Plan, planning: Planning) -> Plan:
        from sheliak.transforms._plans.curves import plan_density

        return plan_density(self, self.distribution, upstream, planning)


def distribution_of(given: Transform, rows: list[Row], running: Running) -> Distribution:
    """The distribution that the parameters describe."""
    from sheliak.transforms._numerics import distributions

    parameters = given.parameters()
    match given:
        case Normal():
            return distributions.Normal(parameters.number("mean", 0.0), parameters.number_unless_null("stdev", 1.0))
        case LogNormal():
            return distributions.LogNormal(parameters.number("mean", 0.0), parameters.number_unless_null("stdev", 1.0))
        case Uniform():
            return distributions.Uniform(parameters.number("min", 0.0), parameters.number_unless_null("max", 1.0))
        case Estimated():
            return distributions.estimated(given.values(rows, running), parameters.number("bandwidth", 0.0))
        case Mixture():
            inner = [distribution_of(one, rows, running) for one in given.distributions if one is not None]
            return distributions.mixture(inner, parameters.elements("weights") or [])
    raise AssertionError(f"{given.type} is no distribution")
