"""Operations over numbers. Valid values are coerced: numeric text and dates count, other text makes NaN."""

from __future__ import annotations

from sheliak.transforms._operations.declaration import Operation, aggregate_operation


@aggregate_operation("sum", operand="number")
class Sum(Operation):
    """Added from the first row to the last; undefined without a valid value."""


@aggregate_operation("product", operand="number")
class Product(Operation):
    """Multiplied from the first row to the last; undefined without a valid value."""


@aggregate_operation("mean", operand="number")
class Mean(Operation):
    """A running mean: its last digits may differ from sum over count."""


@aggregate_operation("average", operand="number")
class Average(Mean):
    """The mean under another name, which also shows in the default output name."""


@aggregate_operation("variance", operand="number")
class Variance(Operation):
    """Of a sample: undefined below two valid values."""


@aggregate_operation("variancep", operand="number")
class PopulationVariance(Operation):
    """Of a whole population: 0 for a single value."""


@aggregate_operation("stdev", operand="number")
class Stdev(Operation):
    """The root of the sample variance."""


@aggregate_operation("stdevp", operand="number")
class PopulationStdev(Operation):
    """The root of the population variance."""


@aggregate_operation("stderr", operand="number")
class Stderr(Operation):
    """The sample standard deviation over the root of the number of valid values."""


@aggregate_operation("ci0", operand="number")
class LowerBound(Operation):
    """The lower end of a 95 % confidence interval of the mean, by random resampling."""


@aggregate_operation("ci1", operand="number")
class UpperBound(Operation):
    """The upper end of a 95 % confidence interval of the mean, by random resampling."""


@aggregate_operation("median", operand="number")
class Median(Operation):
    """The quantile 0.5. Quantiles skip what is not a number, and interpolate linearly."""


@aggregate_operation("q1", operand="number")
class LowerQuartile(Operation):
    """The quantile 0.25."""


@aggregate_operation("q3", operand="number")
class UpperQuartile(Operation):
    """The quantile 0.75."""


@aggregate_operation("exponential", operand="number")
class Exponential(Operation):
    """A weighted mean, the newest row heaviest; NaN without its entry in `aggregate_params`."""


@aggregate_operation("exponentialb", operand="number")
class BiasedExponential(Operation):
    """As `exponential`, not normalised; NaN unless `exponential` of the same field is asked for too."""
