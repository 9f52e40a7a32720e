"""§5.2: e ⇓ v."""

import json
import math

import pytest

from sheliak.calculus.builtin_functions import BUILTINS
from sheliak.calculus.changes import Value, identical
from sheliak.calculus.expression_evaluation import NotEvaluated, evaluate, truthy
from sheliak.calculus.number_text import number_text
from sheliak.calculus.surface import parse_expression
from sheliak.calculus.type_syntax import Primitive

DATUM: dict[str, Value] = {"n": 3.0, "s": "ab", "b": True, "r": {"x": -0.0}, "tags": ("u",), "a.b": False}


@pytest.mark.parametrize(
    "e, v",
    [
        ("true", True),
        ("1e3", 1000.0),
        ("'x'", "x"),
        ("datum", DATUM),
        ("datum.n", 3.0),
        ("datum.r.x", -0.0),
        ('datum["a.b"]', False),
        ("datum.n + 1", 4.0),
        ("datum.n - 5", -2.0),
        ("datum.n × 0.5", 1.5),
        ("datum.n / 2", 1.5),
        ("1 / 0", math.inf),
        ("1 / datum.r.x", -math.inf),
        ("-1 / 0", -math.inf),
        ("0 / 0", math.nan),
        ("NaN / 0", math.nan),
        ("1e308 * 10", math.inf),
        ("Infinity - Infinity", math.nan),
        ("datum.s + 1", "ab1"),
        ("1.50 + datum.s", "1.5ab"),
        ("datum.s + datum.b", "abtrue"),
        ("false + datum.s", "falseab"),
        ("'' + datum.r.x", "0"),
        ("1 + 2 + 'x' + 1 + 2", "3x12"),
        ("[datum.n, 1]", (3.0, 1.0)),
        ("[]", ()),
        ("{a: datum.n, b: {}}", {"a": 3.0, "b": {}}),
        ("length(upper(datum.s))", 2.0),
    ],
)
def test_evaluates(e: str, v: Value) -> None:
    assert identical(evaluate(parse_expression(e), DATUM), v)


@pytest.mark.parametrize(
    "e",
    [
        "datum.z",
        "datum.n.x",
        "datum.tags.length",
        "datum.r.x.y",
        "datum.s - 1",
        "datum.b + 1",
        "datum.s + datum.r",
        "datum.tags + ''",
        "-1 * datum.b",
        "nothing(1)",
        "round('1')",
        "round()",
        "[datum.z]",
        "{a: datum.z}",
    ],
)
def test_has_no_value(e: str) -> None:
    with pytest.raises(NotEvaluated):
        evaluate(parse_expression(e), DATUM)


FALSY: list[Value] = [False, 0.0, -0.0, math.nan, ""]
TRUTHY: list[Value] = [True, 1.0, -0.5, math.inf, "0", "false", (), {}, (False,)]


def test_truthy() -> None:
    assert [truthy(v) for v in FALSY] == [False] * len(FALSY)
    assert [truthy(v) for v in TRUTHY] == [True] * len(TRUTHY)


# Recorded from node 20.
NUMBER_TEXTS = [
    "0",
    "1",
    "-1",
    "0.1",
    "1.5",
    "100",
    "123456789",
    "100000000000000000000",
    "1e+21",
    "1.5e+21",
    "123456789012345680000",
    "0.000001",
    "1e-7",
    "1.5e-7",
    "0.000001234",
    "5e-324",
    "1.7976931348623157e+308",
    "4503599627370496",
    "9007199254740992",
    "-1.25e-9",
    "NaN",
    "Infinity",
    "-Infinity",
    "0.3333333333333333",
    "12345.678",
    "1e+100",
    "999999999999999900000",
    "0.00001",
    "97056.05544149876",
    "-2.0073521137237552e-31",
    "422919988.63220215",
    "4.870918989181519e-19",
    "2.920293807983398e+24",
    "492760121822357200",
    "-0.004362870454788208",
    "392318993806839000",
    "1.588546335697174e+21",
    "-16.099044680595398",
    "3.6321282386779786e-7",
]


@pytest.mark.parametrize("text", NUMBER_TEXTS)
def test_numbers_are_written_as_javascript_writes_them(text: str) -> None:
    assert number_text(float(text)) == text


def test_minus_zero_is_written_without_its_sign() -> None:
    assert number_text(-0.0) == "0"


# x, Math.round(x), Math.floor(x), Math.ceil(x), recorded from node 20.
ROUNDINGS = json.loads("""[
    [0.5, 1.0, 0.0, 1.0], [-0.5, -0.0, -1.0, -0.0], [1.5, 2.0, 1.0, 2.0], [2.5, 3.0, 2.0, 3.0], [-2.5, -2.0, -3.0, -2.0],
    [-0.2, -0.0, -1.0, -0.0], [0.49999999999999994, 0.0, 0.0, 1.0], [-0.49999999999999994, -0.0, -1.0, -0.0],
    [4503599627370495.5, 4503599627370496.0, 4503599627370495.0, 4503599627370496.0], [1e300, 1e300, 1e300, 1e300],
    [-0.0, -0.0, -0.0, -0.0], [0.0, 0.0, 0.0, 0.0], [-1.5, -1.0, -2.0, -1.0], [-0.5000000000000001, -1.0, -1.0, -0.0],
    [NaN, NaN, NaN, NaN], [-Infinity, -Infinity, -Infinity, -Infinity]
]""")


@pytest.mark.parametrize("x, rounded, floored, ceiled", ROUNDINGS)
def test_rounding(x: float, rounded: float, floored: float, ceiled: float) -> None:
    assert identical(BUILTINS["round"].compute(x), rounded)
    assert identical(BUILTINS["floor"].compute(x), floored)
    assert identical(BUILTINS["ceil"].compute(x), ceiled)


@pytest.mark.parametrize(
    "call, v",
    [
        ("abs(-0)", 0.0),
        ("abs(-2)", 2.0),
        ("min(-0, 0)", -0.0),
        ("min(0, -0)", -0.0),
        ("max(-0, 0)", 0.0),
        ("max(1, NaN)", math.nan),
        ("min(NaN, 1)", math.nan),
        ("max(2, 3)", 3.0),
        ("isNaN(0 / 0)", True),
        ("isNaN(1)", False),
        ("length('a\\u{1F600}')", 3.0),
        ("lower('ÀB')", "àb"),
        ("contains('abc', 'bc')", True),
        ("contains('abc', '')", True),
        ("contains('abc', 'd')", False),
    ],
)
def test_builtins(call: str, v: Value) -> None:
    assert identical(evaluate(parse_expression(call), {}), v)


ODD: dict[Primitive, list[Value]] = {
    Primitive.BOOLEAN: [True, False],
    Primitive.NUMBER: [0.0, -0.0, 1.5, -1e300, 5e-324, math.nan, math.inf, -math.inf],
    Primitive.STRING: ["", "ß", "İ", "\ud800", "𝔘", "a\0b"],
}
CLASSES = {Primitive.BOOLEAN: bool, Primitive.NUMBER: float, Primitive.STRING: str}


@pytest.mark.parametrize("name", BUILTINS)
def test_every_builtin_is_total_and_gives_what_it_declares(name: str) -> None:
    """Assumption 1 for Σ."""
    signature = BUILTINS[name]
    choices: list[tuple[Value, ...]] = [()]
    for T in signature.arguments:
        assert isinstance(T, Primitive)
        choices = [(*chosen, v) for chosen in choices for v in ODD[T]]
    assert isinstance(signature.result, Primitive)
    assert {type(signature.compute(*chosen)) for chosen in choices} == {CLASSES[signature.result]}
