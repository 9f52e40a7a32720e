"""Sums that subtraction undoes (erratum E11)."""

import math
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from sheliak.calculus.changes import identical
from sheliak.calculus.exact_sum import Total

doubles = st.floats(allow_nan=True, allow_infinity=True, width=64) | st.sampled_from([0.0, -0.0, 5e-324, 1.7976931348623157e308])


def total_of(numbers: list[float]) -> Total:
    total = Total()
    for x in numbers:
        total = total.plus(x)
    return total


@given(st.lists(doubles), doubles)
def test_minus_undoes_plus(numbers: list[float], x: float) -> None:
    total = total_of(numbers)
    assert total.plus(x).minus(x) == total


@given(st.lists(doubles).flatmap(lambda numbers: st.tuples(st.just(numbers), st.permutations(numbers))))
def test_the_order_does_not_matter(orders: tuple[list[float], list[float]]) -> None:
    numbers, shuffled = orders
    assert total_of(numbers) == total_of(shuffled)


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e300, max_value=1e300), min_size=1))
def test_the_sum_is_rounded_once(numbers: list[float]) -> None:
    exact = sum(map(Fraction, numbers))
    assert total_of(numbers).sum_of(len(numbers)) == float(exact)


def test_sums_that_are_no_finite_number() -> None:
    assert math.isnan(total_of([1.0, math.nan]).sum_of(2))
    assert math.isnan(total_of([math.inf, -math.inf]).sum_of(2))
    assert total_of([math.inf, 1.0]).sum_of(2) == math.inf
    assert total_of([-math.inf, 1e308]).sum_of(2) == -math.inf
    assert total_of([1.7976931348623157e308] * 2).sum_of(2) == math.inf
    assert total_of([-1.7976931348623157e308] * 2).sum_of(2) == -math.inf


def test_the_sign_of_a_zero_sum_is_that_of_ieee_addition() -> None:
    assert identical(total_of([-0.0, -0.0]).sum_of(2), -0.0)
    assert identical(total_of([-0.0, 0.0]).sum_of(2), 0.0)
    assert identical(total_of([1.0, -1.0]).sum_of(2), 0.0)
