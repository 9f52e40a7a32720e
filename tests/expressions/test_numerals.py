"""Numbers as JavaScript writes and reads them."""

from math import inf, isnan, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sheliak.expressions.numerals import number_text, text_number

WRITTEN = {
    0.0: "0",
    1.0: "1",
    -1.5: "-1.5",
    1e20: "100000000000000000000",
    123456789012345680000.0: "123456789012345680000",
    1e21: "1e+21",
    1.5e21: "1.5e+21",
    1e-6: "0.000001",
    1.5e-7: "1.5e-7",
    -1e-7: "-1e-7",
    5e-324: "5e-324",
    1.7976931348623157e308: "1.7976931348623157e+308",
    2.0**53: "9007199254740992",
    2.0**70: "1.1805916207174113e+21",
    0.1 + 0.2: "0.30000000000000004",
    inf: "Infinity",
    -inf: "-Infinity",
}


@pytest.mark.parametrize("value", WRITTEN)
def test_written(value: float) -> None:
    assert number_text(value) == WRITTEN[value]


def test_no_number_and_no_sign_on_zero() -> None:
    assert (number_text(nan), number_text(-0.0)) == ("NaN", "0")


READ = {
    "": 0.0,
    " \ufeff\u2029": 0.0,
    " 5 ": 5.0,
    "0x10": 16.0,
    "0b11": 3.0,
    "0O7": 7.0,
    "+.5": 0.5,
    "5.": 5.0,
    "-Infinity": -inf,
    "1e1000": inf,
    "00010": 10.0,
    "0x" + "f" * 300: inf,
}


@pytest.mark.parametrize("text", READ)
def test_read(text: str) -> None:
    assert text_number(text) == READ[text]


@pytest.mark.parametrize(
    "text", ["x", "1_0", "-0x1", "1e", "infinity", "nan", ".", "+-1", "0x", "1 2", "\x855", "\x1c5", "٣", "\u180e5"]
)
def test_not_a_number(text: str) -> None:
    assert isnan(text_number(text))


@given(st.floats(allow_nan=False))
def test_what_is_written_reads_back(value: float) -> None:
    assert text_number(number_text(value)) == value
