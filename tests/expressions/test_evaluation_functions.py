"""Functions whose meaning is easier to see in examples than in recorded cases."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expressions.evaluating import value_of
from sheliak.expressions.colors import NAMED
from sheliak.expressions.environment import Scale, Surroundings
from sheliak.expressions.evaluate import EvaluationError, evaluate
from sheliak.expressions.functions import FUNCTIONS
from sheliak.expressions.functions.evaluation import meaning_of
from sheliak.expressions.number_formats import exponential, fixed, precise
from sheliak.expressions.parser import parse_expression
from sheliak.expressions.random_source import RandomSource
from sheliak.expressions.values import UNDEFINED, Row, Value, encode, to_number


def test_every_function_has_an_evaluation() -> None:
    assert [name for name in FUNCTIONS if meaning_of(name) is None] == ["if"], "which is compiled as a conditional"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[toNumber(''), toString(datum), toBoolean(''), toDate(null)]", [None, None, None, None]),
        ("[isNaN('x'), isFinite('5'), isValid(NaN), isValid('')]", [False, False, False, True]),
        ("[upper(datum), trim(null), lower(5)]", ["UNDEFINED", "null", "5"]),
        ("[inrange(null, [0, 10]), inrange(datum, [0, 10])]", [True, False]),
        ("[replace('aXbX', 'X', '-'), replace('aXbX', /X/g, '-')]", ["a-bX", "a-b-"]),
        ("length('a😀')", 3.0),
        ("split('a😀', '')", ["a", "\ud83d", "\ude00"]),
        ("slice('a😀b', 1, 3)", "😀"),
        ("sort([3, null, '10', 2])", [None, 2.0, 3.0, "10"]),
        ("pad('7', 3, '0', 'left')", "007"),
        ("truncate('abcdef', 4, 'center')", "ab…f"),
        ("pluck([{a: {b: 1}}, {a: {b: 2}}], 'a.b')", [1.0, 2.0]),
        ("merge({a: 1}, {a: 2, b: 3})", {"a": 2.0, "b": 3.0}),
        ("sequence(1, 2, 0.25)", [1.0, 1.25, 1.5, 1.75]),
        ("span([3, 9, 5])", 2.0),
        ("lerp([0, 100], 0.25)", 25.0),
        ("interpolateLinear([0, 10, 0], 0.25)", 5.0),
        ("clampRange([-5, 5], 0, 20)", [0.0, 10.0]),
        ("flush([0, 100], 2, 5, 'left', 'right', 'center')", "left"),
        ("bandspace(3, 0.5, 0.5)", 3.5),
        ("format(1234567.891, ',.1f')", "1,234,567.9"),
        ("format(0.123, '.1%')", "12.3%"),
        ("format(42e6, '.3s')", "42.0M"),
        ("format(-5, '(')", "(5)"),
        ("timeUnitSpecifier(['month', 'year'])", "%Y-%m"),
        ("rgb('steelblue') + ''", "rgb(70, 130, 180)"),
        ("hsl('#f00').s", 1.0),
        ("contrast('black', 'white')", 21.0),
        ("lassoPath([[1, 2], [3, 4], [5, 6]])", "M 1,2 L 3,4  Z"),
        ("atob(btoa('hé'))", "hé"),
        ("encodeURIComponent('a b&ü')", "a%20b%26%C3%BC"),
        ("test(/^[\\w.]+@/, 'me@here')", True),
        ("replace('John Smith', /(\\w+) (\\w+)/, '$2, $1')", "Smith, John"),
        ("split('a1b22c', /(\\d+)/)", ["a", "1", "b", "22", "c"]),
        ("test(/ſ/i, 's')", False),
    ],
)
def test_examples(text: str, value: Value) -> None:
    assert value_of(text, datum=UNDEFINED) == value


@given(st.floats(-1e20, 1e20), st.integers(0, 20))
def test_fixed_digits_are_the_nearest(number: float, digits: int) -> None:
    assert abs(float(fixed(number, digits)) - number) <= 0.5 * 10.0**-digits + abs(number) * 1e-15


@given(st.floats(min_value=1e-300, max_value=1e300))
def test_an_exponential_without_digits_reads_back(number: float) -> None:
    assert float(exponential(number, None)) == number
    assert float(precise(number, 17)) == number


@given(st.sampled_from(sorted(NAMED)))
def test_colours_keep_their_look_in_every_space(name: str) -> None:
    shown = value_of(f"rgb('{name}') + ''")
    assert value_of(f"[hsl('{name}') + '', lab('{name}') + '', hcl('{name}') + '']") == [shown] * 3


def test_text_that_is_no_colour_is_black_without_channels() -> None:
    assert value_of("rgb('nonsense') + ''") == "rgb(0, 0, 0)"
    assert encode(value_of("rgb('nonsense').r")) == {"$num": "NaN"}


def test_random_numbers_are_those_of_vega_with_the_same_seed() -> None:
    source = RandomSource(42.0)
    assert [source() for _ in range(3)] == [0.5823075997560786, 0.6101966954815186, 0.912484144751208]
    assert value_of("[sampleNormal(), sampleNormal(), sampleNormal(2, 3), sampleUniform(1, 2), sampleLogNormal()]") == [
        *(1.3596992896969258, 1.82041960909088, 4.552076576823181, 1.0023366240795406, 1.117230496446132)
    ]


@given(st.floats(0.001, 0.999))
def test_quantiles_invert_cumulative_shares(share: float) -> None:
    again = to_number(value_of("cumulativeNormal(quantileNormal(datum, 3, 2), 3, 2)", datum=share))
    assert abs(again - share) < 1e-9


def test_eases_start_at_0_and_end_at_1() -> None:
    for name in (name for name in FUNCTIONS if name.startswith("ease")):
        start, end = to_number(value_of(f"{name}(0)")), to_number(value_of(f"{name}(1)"))
        assert abs(start) < 1e-3, name
        assert abs(end - 1) < 1e-3, name


class _Doubling:
    """A scale that doubles."""

    def apply(self, value: Value) -> Value:
        return 2 * to_number(value)

    def invert(self, value: Value) -> Value:
        return to_number(value) / 2

    def domain(self) -> Value:
        return [0.0, 1.0]

    def range(self) -> Value:
        return [0.0, 2.0]

    def bandwidth(self) -> float:
        return 0.0


def test_scales_and_datasets_are_asked_of_the_environment() -> None:
    rows: list[Row] = [{"k": 1.0}, {"k": "1"}, {"k": {"x": 2.0}}]
    scales: dict[str, Scale] = {"double": _Doubling()}
    surroundings = Surroundings(datasets={"t": rows}, scales=scales)

    def asked(text: str) -> Value:
        return evaluate(parse_expression(text), surroundings)

    assert asked("[scale('double', 4), invert('double', 4), domain('double'), range('double')]") == [
        8.0,
        2.0,
        [0.0, 1.0],
        [0.0, 2.0],
    ]
    assert asked("[scale('none', 4), domain('none'), bandwidth('none')]") == [UNDEFINED, [], 0.0]
    assert asked("[length(data('t')), indata('t', 'k', 1), indata('t', 'k', 9), length(data('none'))]") == [
        3.0,
        2.0,
        UNDEFINED,
        0.0,
    ]
    with pytest.raises(EvaluationError, match="only the renderer can answer `geoArea`"):
        asked("geoArea('p', null)")


def test_the_checker_does_not_import_the_evaluation() -> None:
    import subprocess
    import sys

    code = "import sys, sheliak.checker.check; print([m for m in sys.modules if m.startswith('sheliak.expressions.functions.evaluation')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
