"""Curves of a given form fitted to points by least squares.

Means are updated point by point, as Vega does: the last digits of a fit depend on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import isnan, nan
from typing import TypeAlias

from sheliak.expressions.arithmetic import exponential, logarithm, power
from sheliak.expressions.values import UNDEFINED, Row, Value, divided, to_number
from sheliak.transforms._numerics.arithmetic import total_of
from sheliak.transforms._running import Getter

Pair: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Fit:
    """A fitted curve: its coefficients, its share of the variance, and what it predicts."""

    coefficients: list[float]
    r_squared: float
    predict: Callable[[float], float]


def pairs_of(rows: Iterable[Row], x: Getter, y: Getter) -> list[Pair]:
    """The points whose coordinates both read as numbers; empty text is 0, null is no number."""
    pairs = []
    for row in rows:
        a, b = x(row), y(row)
        if a is None or a is UNDEFINED or b is None or b is UNDEFINED:
            continue
        pair = to_number(a), to_number(b)
        if not isnan(pair[0]) and not isnan(pair[1]):
            pairs.append(pair)
    return pairs


def mean_of(numbers: Iterable[float]) -> float:
    """A running mean; 0 of nothing."""
    mean = 0.0
    for count, number in enumerate(numbers, 1):
        mean += (number - mean) / count
    return mean


def line(mean_x: float, mean_y: float, mean_xy: float, mean_x2: float) -> Pair:
    """Intercept and slope of ordinary least squares; level where x does not vary."""
    spread = mean_x2 - mean_x * mean_x
    slope = 0.0 if abs(spread) < 1e-24 else divided(mean_xy - mean_x * mean_y, spread)
    return mean_y - slope * mean_x, slope


def _line_through(pairs: Sequence[Pair]) -> Pair:
    return line(
        mean_of(x for x, _ in pairs),
        mean_of(y for _, y in pairs),
        mean_of(x * y for x, y in pairs),
        mean_of(x * x for x, _ in pairs),
    )


def _fit(pairs: Sequence[Pair], mean: float, coefficients: list[float], predict: Callable[[float], float]) -> Fit:
    errors = total = 0.0
    for x, y in pairs:
        error = y - predict(x)
        errors += error * error
        total += (y - mean) * (y - mean)
    return Fit(coefficients, 1 - divided(errors, total), predict)


def constant(rows: Sequence[Row], x: Getter, y: Getter) -> Fit:
    """The mean of y. Rows need an x only to be not null; text in y is read as a number after it has been found to be one."""
    mean = mean_of(_constants(rows, x, y))
    return Fit([mean], 0.0, lambda _: mean)


def _constants(rows: Iterable[Row], x: Getter, y: Getter) -> Iterable[float]:
    for row in rows:
        value = y(row)
        if _is_present(x(row)) and _is_present(value) and not isnan(to_number(value)):
            yield to_number(value)


def _is_present(value: Value) -> bool:
    return value is not None and value is not UNDEFINED


def linear(pairs: Sequence[Pair]) -> Fit:
    """y = a + b x"""
    a, b = _line_through(pairs)
    return _fit(pairs, mean_of(y for _, y in pairs), [a, b], lambda x: a + b * x)


def logarithmic(pairs: Sequence[Pair]) -> Fit:
    """y = a + b ln x"""
    a, b = _line_through([(logarithm(x), y) for x, y in pairs])
    return _fit(pairs, mean_of(y for _, y in pairs), [a, b], lambda x: a + b * logarithm(x))


def powers(pairs: Sequence[Pair]) -> Fit:
    """y = a xᵇ"""
    log_a, b = _line_through([(logarithm(x), logarithm(y)) for x, y in pairs])
    a = exponential(log_a)
    return _fit(pairs, mean_of(y for _, y in pairs), [a, b], lambda x: a * power(x, b))


def exponentials(pairs: Sequence[Pair]) -> Fit:
    """y = a eᵇˣ, with each point weighted by its y."""
    center = mean_of(x for x, _ in pairs)
    mean_y = mean_of(y for _, y in pairs)
    centered = [(x - center, y, logarithm(y)) for x, y in pairs]
    means = (
        mean_of(x * y for x, y, _ in centered),
        mean_of(y * log_y for _, y, log_y in centered),
        mean_of(x * y * log_y for x, y, log_y in centered),
        mean_of(x * (x * y) for x, y, _ in centered),
    )
    a, b = line(*[divided(mean, mean_y) for mean in means])
    return _fit(pairs, mean_y, [exponential(a - b * center), b], lambda x: exponential(a + b * (x - center)))


def quadratic(pairs: Sequence[Pair]) -> Fit:
    """y = a + b x + c x²"""
    center, mean_y, centered = _centered(pairs)
    x2 = mean_of(x * x for x, _ in centered)
    x3 = mean_of(x * x * x for x, _ in centered)
    x4 = mean_of((x * x) * (x * x) for x, _ in centered)
    xy = mean_of(x * y for x, y in centered)
    x2y = mean_of(x * x * y for x, y in centered)
    spread = x4 - x2 * x2
    determinant = x2 * spread - x3 * x3
    c = divided(x2y * x2 - xy * x3, determinant)
    b = divided(xy * spread - x2y * x3, determinant)
    a = -c * x2

    def predict(x: float) -> float:
        x -= center
        return c * x * x + b * x + a + mean_y

    return _fit(pairs, mean_y, [a - b * center + c * center * center + mean_y, b - 2 * c * center, c], predict)


def _centered(pairs: Sequence[Pair]) -> tuple[float, float, list[Pair]]:
    """The means of x and y, and the points relative to them."""
    mean_x, mean_y = mean_of(x for x, _ in pairs), mean_of(y for _, y in pairs)
    return mean_x, mean_y, [(x - mean_x, y - mean_y) for x, y in pairs]


def polynomial(pairs: Sequence[Pair], order: int) -> Fit:
    """y = Σ aᵢ xⁱ, from the normal equations over centred points."""
    if order < 0:
        return Fit([nan], nan, lambda _: nan)
    center, mean_y, centered = _centered(pairs)
    size = order + 1
    moments = [total_of(power(x, float(i)) for x, _ in centered) for i in range(2 * size - 1)]
    right = [total_of(power(x, float(i)) * y for x, y in centered) for i in range(size)]
    solved = _solved([[moments[i + j] for j in range(size)] for i in range(size)], right)

    def predict(x: float) -> float:
        x -= center
        y = mean_y + solved[0] + _at(solved, 1) * x + _at(solved, 2) * x * x
        for i in range(3, size):
            y += solved[i] * power(x, float(i))
        return y

    coefficients = _moved(solved, -center)
    coefficients[0] += mean_y
    return _fit(pairs, mean_y, coefficients, predict)


def _at(numbers: list[float], index: int) -> float:
    return numbers[index] if index < len(numbers) else nan


def _moved(coefficients: list[float], shift: float) -> list[float]:
    """The coefficients of p(x + shift), by the binomial theorem."""
    moved = [0.0] * len(coefficients)
    for degree in reversed(range(len(coefficients))):
        binomial = 1.0
        moved[degree] += coefficients[degree]
        for lower in range(1, degree + 1):
            binomial *= (degree + 1 - lower) / lower
            moved[degree - lower] += coefficients[degree] * power(shift, float(lower)) * binomial
    return moved


def _solved(matrix: list[list[float]], right: list[float]) -> list[float]:
    """x of A x = b for a symmetric A, by Gaussian elimination: rows are exchanged so that the greatest pivot comes first."""
    size = len(matrix)
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for i in range(size):
        greatest = i
        for j in range(i + 1, size):
            if abs(rows[j][i]) > abs(rows[greatest][i]):
                greatest = j
        rows[i], rows[greatest] = rows[greatest], rows[i]
        for j in range(i + 1, size):
            below, pivot = rows[j][i], rows[i]
            for k in reversed(range(i, size + 1)):
                rows[j][k] -= divided(pivot[k] * below, pivot[i])
    solution = [0.0] * size
    for j in reversed(range(size)):
        known = total_of(rows[j][k] * solution[k] for k in range(j + 1, size))
        solution[j] = divided(rows[j][size] - known, rows[j][j])
    return solution


_FORMS: dict[str, Callable[[Sequence[Pair]], Fit]] = {
    "linear": linear,
    "log": logarithmic,
    "exp": exponentials,
    "pow": powers,
    "quad": quadratic,
}
METHODS = frozenset({*_FORMS, "constant", "poly"})


def fitted(method: str, order: float, rows: Sequence[Row], x: Getter, y: Getter) -> Fit:
    """The curve of a method's form; a polynomial of a low order is found by the simpler methods."""
    if method == "poly":
        method = {0: "constant", 1: "linear", 2: "quad"}.get(int(order), "poly")
    if method == "constant":
        return constant(rows, x, y)
    pairs = pairs_of(rows, x, y)
    return polynomial(pairs, int(order)) if method == "poly" else _FORMS[method](pairs)
