"""Locally weighted regression: at every point a line through its nearest neighbours, outliers weighted down in two more rounds."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan, nan

from sheliak.expressions.values import UNDEFINED, divided
from sheliak.transforms._numerics.quantiles import quantile_of_sorted
from sheliak.transforms._numerics.regression import Pair, line, mean_of

_ROUNDS = 3
_TINY = 1e-12


def smoothed(pairs: Sequence[Pair], bandwidth: float) -> list[Pair]:
    """The smoothed points by ascending x; points of one x become one."""
    ordered = sorted(pairs, key=lambda pair: pair[0])
    center_x, center_y = mean_of(x for x, _ in ordered), mean_of(y for _, y in ordered)
    xs = [x - center_x for x, _ in ordered]
    ys = [y - center_y for _, y in ordered]
    neighbours = max(2, int(bandwidth * len(xs)))
    weights = [1.0] * len(xs)
    fitted: list[float] = []
    for _ in range(_ROUNDS):
        fitted = _round(xs, ys, weights, neighbours)
        residuals = [abs(y - estimate) for y, estimate in zip(ys, fitted, strict=True)]
        typical = quantile_of_sorted(sorted(residual for residual in residuals if not isnan(residual)), 0.5)
        if typical is UNDEFINED or not isinstance(typical, float) or abs(typical) < _TINY:
            break
        weights = [_robust(divided(residual, 6 * typical)) for residual in residuals]
    return _merged([x + center_x for x in xs], fitted, center_y)


def _robust(share: float) -> float:
    """The weight of a point whose residual is that share of six typical ones; never quite zero."""
    rest = 1 - share * share
    return _TINY if share >= 1 else rest * rest


def _round(xs: list[float], ys: list[float], weights: list[float], neighbours: int) -> list[float]:
    """The estimate at every point, from the window of its nearest neighbours, which moves to the right."""
    left, right = 0, neighbours - 1
    fitted = []
    for index, x in enumerate(xs):
        fitted.append(_estimate(x, xs, ys, weights, left, right))
        left, right = _moved(xs, index + 1, left, right)
    return fitted


def _estimate(x: float, xs: list[float], ys: list[float], weights: list[float], left: int, right: int) -> float:
    if right >= len(xs):
        return nan  # fewer points than neighbours: Vega reads behind the last one
    edge = left if x - xs[left] > xs[right] - x else right
    nearness = divided(1.0, abs((xs[edge] - x) or 1.0))
    total = sum_x = sum_y = sum_xy = sum_x2 = 0.0
    for k in range(left, right + 1):
        weight = _tricube(abs(x - xs[k]) * nearness) * weights[k]
        weighted = xs[k] * weight
        total += weight
        sum_x += weighted
        sum_y += ys[k] * weight
        sum_xy += ys[k] * weighted
        sum_x2 += xs[k] * weighted
    intercept, slope = line(divided(sum_x, total), divided(sum_y, total), divided(sum_xy, total), divided(sum_x2, total))
    return intercept + slope * x


def _tricube(distance: float) -> float:
    rest = 1 - distance * distance * distance
    return rest * rest * rest


def _moved(xs: list[float], index: int, left: int, right: int) -> tuple[int, int]:
    """The window for the next point: it moves while the point to its right is not farther away than its leftmost."""
    while right + 1 < len(xs) and left < index < len(xs) and xs[right + 1] - xs[index] <= xs[index] - xs[left]:
        left, right = left + 1, right + 1
    return left, right


def _merged(xs: list[float], fitted: list[float], center_y: float) -> list[Pair]:
    """One point for each x. Vega averages with a count that starts at 0, so of two points the second alone remains."""
    merged: list[list[float]] = []
    count = 0
    for x, y in zip(xs, fitted, strict=True):
        if merged and merged[-1][0] == x:
            count += 1
            merged[-1][1] += (y - merged[-1][1]) / count
        else:
            count = 0
            merged.append([x, y])
    return [(x, y + center_y) for x, y in merged]
