"""Operations over numbers. Valid values are coerced: numeric text and dates count, other text makes NaN."""

from __future__ import annotations

from math import nan
from typing import TYPE_CHECKING, ClassVar

from sheliak.transforms._operations.declaration import Operation, aggregate_operation

if TYPE_CHECKING:
    from sheliak.expressions.values import Row, Value
    from sheliak.transforms._operations.cells import Measure


@aggregate_operation("sum", operand="number")
class Sum(Operation):
    """Added from the first row to the last; undefined without a valid value."""

    def start(self, measure: Measure, parameter: float | None) -> None:
        measure.sum = 0.0

    def add(self, measure: Measure, value: Value, row: Row) -> None:
        measure.sum += measure.number

    def remove(self, measure: Measure, value: Value, row: Row) -> None:
        measure.sum -= measure.number

    def value(self, measure: Measure) -> Value:
        return measure.of_valid(measure.sum)


@aggregate_operation("product", operand="number")
class Product(Operation):
    """Multiplied from the first row to the last; undefined without a valid value."""

    def start(self, measure: Measure, parameter: float | None) -> None:
        measure.product = 1.0

    def add(self, measure: Measure, value: Value, row: Row) -> None:
        measure.product *= measure.number

    def remove(self, measure: Measure, value: Value, row: Row) -> None:
        measure.product = measure.divided(measure.product, measure.number)

    def value(self, measure: Measure) -> Value:
        return measure.of_valid(measure.product)


@aggregate_operation("mean", operand="number")
class Mean(Operation):
    """A running mean: its last digits may differ from sum over count."""

    def start(self, measure: Measure, parameter: float | None) -> None:
        measure.mean = 0.0

    def add(self, measure: Measure, value: Value, row: Row) -> None:
        measure.delta = measure.number - measure.mean
        measure.mean += measure.divided(measure.delta, measure.valid)

    def remove(self, measure: Measure, value: Value, row: Row) -> None:
        measure.delta = measure.number - measure.mean
        measure.mean -= measure.divided(measure.delta, measure.valid) if measure.valid else measure.mean

    def value(self, measure: Measure) -> Value:
        return measure.of_valid(measure.mean)


@aggregate_operation("average", operand="number")
class Average(Operation):
    """The mean under another name, which also shows in the default output name."""

    rank: ClassVar[int] = 1
    needs: ClassVar[tuple[str, ...]] = ("mean",)

    def value(self, measure: Measure) -> Value:
        return measure.of_valid(measure.mean)


@aggregate_operation("variance", operand="number")
class Variance(Operation):
    """Of a sample: undefined below two valid values."""

    rank: ClassVar[int] = 1
    needs: ClassVar[tuple[str, ...]] = ("mean",)

    def start(self, measure: Measure, parameter: float | None) -> None:
        measure.deviation = 0.0

    def add(self, measure: Measure, value: Value, row: Row) -> None:
        measure.deviation += measure.delta * (measure.number - measure.mean)

    def remove(self, measure: Measure, value: Value, row: Row) -> None:
        measure.deviation -= measure.delta * (measure.number - measure.mean)

    def value(self, measure: Measure) -> Value:
        return measure.of_sample(lambda deviation, count: deviation / (count - 1))


class _Deviation(Operation):
    """A figure made of the variance's state."""

    rank: ClassVar[int] = 2
    needs: ClassVar[tuple[str, ...]] = ("variance",)


@aggregate_operation("variancep", operand="number")
class PopulationVariance(_Deviation):
    """Of a whole population: 0 for a single value."""

    def value(self, measure: Measure) -> Value:
        return measure.of_population(lambda deviation, count: deviation / count)


@aggregate_operation("stdev", operand="number")
class Stdev(_Deviation):
    """The root of the sample variance."""

    def value(self, measure: Measure) -> Value:
        return measure.of_sample(lambda deviation, count: measure.square_root(deviation / (count - 1)))


@aggregate_operation("stdevp", operand="number")
class PopulationStdev(_Deviation):
    """The root of the population variance."""

    def value(self, measure: Measure) -> Value:
        return measure.of_population(lambda deviation, count: measure.square_root(deviation / count))


@aggregate_operation("stderr", operand="number")
class Stderr(_Deviation):
    """The sample standard deviation over the root of the number of valid values."""

    def value(self, measure: Measure) -> Value:
        return measure.of_sample(lambda deviation, count: measure.square_root(deviation / (count * (count - 1))))


class _OfAllRows(Operation):
    """A figure found from all rows of the group at once."""

    rank: ClassVar[int] = 3
    needs: ClassVar[tuple[str, ...]] = ("values",)


@aggregate_operation("ci0", operand="number")
class LowerBound(_OfAllRows):
    """The lower end of a 95 % confidence interval of the mean, by random resampling."""

    def value(self, measure: Measure) -> Value:
        return measure.cell.kept.bound(measure.get, 0)


@aggregate_operation("ci1", operand="number")
class UpperBound(_OfAllRows):
    """The upper end of a 95 % confidence interval of the mean, by random resampling."""

    def value(self, measure: Measure) -> Value:
        return measure.cell.kept.bound(measure.get, 1)


@aggregate_operation("median", operand="number")
class Median(_OfAllRows):
    """The quantile 0.5. Quantiles skip what is not a number, and interpolate linearly."""

    def value(self, measure: Measure) -> Value:
        return measure.cell.kept.quartile(measure.get, 1)


@aggregate_operation("q1", operand="number")
class LowerQuartile(_OfAllRows):
    """The quantile 0.25."""

    def value(self, measure: Measure) -> Value:
        return measure.cell.kept.quartile(measure.get, 0)


@aggregate_operation("q3", operand="number")
class UpperQuartile(_OfAllRows):
    """The quantile 0.75."""

    def value(self, measure: Measure) -> Value:
        return measure.cell.kept.quartile(measure.get, 2)


@aggregate_operation("exponential", operand="number")
class Exponential(Operation):
    """A weighted mean, the newest row heaviest; NaN without its entry in `aggregate_params`.

    Vega adds values as they are: text is written behind the number, and the whole read as a number again.
    """

    def start(self, measure: Measure, parameter: float | None) -> None:
        measure.weighted = 0.0
        measure.rate = nan if parameter is None else parameter

    def add(self, measure: Measure, value: Value, row: Row) -> None:
        measure.weighted = measure.plus(measure.rate * measure.weighted, value)

    def remove(self, measure: Measure, value: Value, row: Row) -> None:
        share = measure.divided(measure.number, measure.power(measure.rate, measure.valid - 1))
        measure.weighted = measure.divided(measure.weighted - share, measure.rate)

    def value(self, measure: Measure) -> Value:
        whole = 1 - measure.power(measure.rate, measure.valid)
        return measure.of_valid(measure.divided(measure.weighted * (1 - measure.rate), whole))


@aggregate_operation("exponentialb", operand="number")
class BiasedExponential(Operation):
    """As `exponential`, not normalised; NaN unless `exponential` of the same field is asked for too."""

    rank: ClassVar[int] = 1
    needs: ClassVar[tuple[str, ...]] = ("exponential",)

    def value(self, measure: Measure) -> Value:
        return measure.of_valid(measure.weighted * (1 - measure.rate))
