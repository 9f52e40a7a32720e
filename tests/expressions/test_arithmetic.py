"""Arithmetic to the last bit, as it was observed in JavaScript."""

from math import inf, isnan, nan

import pytest

from sheliak.expressions.arithmetic import exponential, logarithm

OBSERVED = [
    (1.6094379124341003, 5.0),
    (1.0, 2.718281828459045),
    (-1.0, 0.36787944117144233),
    (0.3, 1.3498588075760032),
    (-0.3, 0.7408182206817179),
    (0.34657359027997264, 1.414213562373095),
    (1.0397207708399179, 2.82842712474619),
    (10.0, 22026.465794806718),
    (-10.0, 0.00004539992976248485),
    (100.5, 4.4319559098458955e43),
    (-700.25, 7.678723813110872e-305),
    (709.7, 1.6549840276802644e308),
    (-740.5, 2.5e-322),
    (1e-9, 1.000000001),
    (2.5, 12.182493960703473),
    (1.9459101490553132, 7.0),
    (2.302585092994046, 10.000000000000002),
    (6.907755278982137, 999.9999999999998),
]


@pytest.mark.parametrize(("x", "found"), OBSERVED)
def test_the_exponential_has_the_last_bit_that_was_observed(x: float, found: float) -> None:
    assert exponential(x) == found


def test_the_exponential_has_no_end() -> None:
    assert [exponential(x) for x in (-inf, -746.0, 0.0, -0.0, 710.0, inf)] == [0.0, 0.0, 1.0, 1.0, inf, inf]
    assert isnan(exponential(nan))


@pytest.mark.parametrize(
    ("x", "found"),
    [
        (3.0, 1.0986122886681096),
        (0.7, -0.35667494393873245),
        (1.4142, 0.3465640001880033),
        (2.6, 0.9555114450274365),
        (0.001, -6.907755278982137),
        (10.0, 2.302585092994046),
        (1.0000001, 9.999999505838704e-08),
        (0.9999999, -1.0000000494736474e-07),
        (5e-324, -744.4400719213812),
        (1.7976931348623157e308, 709.782712893384),
        (6.0, 1.791759469228055),
        (7.0, 1.9459101490553132),
        (123.456, 4.815884817283264),
        (0.3, -1.2039728043259361),
        (48.0, 3.8712010109078907),
    ],
)
def test_the_logarithm_has_the_last_bit_that_was_observed(x: float, found: float) -> None:
    assert logarithm(x) == found


def test_the_logarithm_of_what_has_none() -> None:
    assert [logarithm(x) for x in (0.0, -0.0, 1.0, inf)] == [-inf, -inf, 0.0, inf]
    assert isnan(logarithm(-1.0)) and isnan(logarithm(nan))
