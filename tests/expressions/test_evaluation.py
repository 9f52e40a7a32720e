"""e ⇓ v: operators, access, calls; what is an error, and what is not."""

from __future__ import annotations

from math import inf, isnan, nan

import pytest

from expressions.evaluating import NOW, value_of
from sheliak.expressions.environment import Surroundings
from sheliak.expressions.evaluate import EvaluationError, compiled
from sheliak.expressions.parser import parse_expression
from sheliak.expressions.values import UNDEFINED, Date, Value, encode

DATUM: dict[str, Value] = {"a": 1.0, "t": "text", "d": Date(0.0), "l": [1.0, 2.0], "o": {"p": None}}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("'10' < 9", False),
        ("'10' < '9'", True),
        ("null < 1", True),
        ("datum.absent < 1", False),
        ("null >= 0", True),
        ("null == 0", False),
        ("null == datum.absent", True),
        ("null === datum.absent", False),
        ("1 + '2'", "12"),
        ("'3' * '4'", 12.0),
        ("null + 1", 1.0),
        ("true + 1", 2.0),
        ("-5 % 3", -2.0),
        ("1 / 0", inf),
        ("-1 / 0", -inf),
        ("datum.absent + 's'", "undefineds"),
        ("[1] + [2]", "12"),
        ("{} + ''", "[object Object]"),
        ("[1, [2, null]] + ''", "1,2,"),
        ("~~'7.9'", 7.0),
        ("1 << 33", 2.0),
        ("-1 >>> 0", 4294967295.0),
        ("'a' in {a: 1}", True),
        ("0 in [5]", True),
        ("datum.d == datum.d", True),
        ("datetime(0) == datetime(0)", False),
        ("datetime(5) - datetime(3)", 2.0),
        ("'' || 'else'", "else"),
        ("0 && datum.x.y", 0.0),
        ("datum.t.length", 4.0),
        ("datum.t[1]", "e"),
        ("datum.l[1]", 2.0),
        ("datum['l']['0']", 1.0),
        ("datum.o.p", None),
        ("if(datum.a, 'yes', datum.x.y)", "yes"),
    ],
)
def test_operators_convert_as_javascript_does(text: str, value: Value) -> None:
    assert value_of(text, datum=DATUM) == value


def test_what_is_not_a_number_equals_nothing() -> None:
    result = value_of("0 / 0")
    assert isinstance(result, float)
    assert isnan(result)
    assert value_of("NaN == NaN") is False


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("datum.p.q", "Cannot read properties of undefined (reading 'q')"),
        ("datum.o.p.q", "Cannot read properties of null (reading 'q')"),
        ("length(datum.absent)", "Cannot read properties of undefined (reading 'length')"),
        ("indexof(null, 1)", "Cannot read properties of null (reading 'indexOf')"),
        ("'a' in 5", "Cannot use 'in' operator to search for 'a' in 5"),
        ("clamp(1, 2)", "Missing arguments to clamp function."),
        ("if(1, 2, 3, 4)", "Too many arguments to if function."),
        ("nosuch(1)", "Unrecognized function: nosuch"),
        ("nosuch", "nosuch is not defined"),
        ("replace('a', 1, 'b')", "Please pass a string or RegExp argument to replace."),
        ("format(1, 'nonsense')", "invalid format: nonsense"),
        ("timeUnitSpecifier('fortnight')", "Invalid time unit: fortnight."),
        ("x()", "only the renderer can answer `x`"),
    ],
)
def test_errors_say_what_vega_says(text: str, message: str) -> None:
    with pytest.raises(EvaluationError) as problem:
        value_of(text, datum=DATUM)
    assert str(problem.value) == message


def test_a_field_named_like_a_method_hides_it() -> None:
    with pytest.raises(EvaluationError, match="Cannot convert object to primitive value"):
        value_of("datum + ''", datum={"toString": 1.0})
    assert value_of("datum.valueOf", datum={"valueOf": 2.0}) == 2.0


def test_methods_of_javascript_are_functions_that_do_nothing() -> None:
    assert encode(value_of("datum.toString", datum=DATUM)) == {"$function": True}
    assert value_of("datum.t.trim + ''", datum=DATUM) == "function trim() { [native code] }"
    assert value_of("datum.__proto__", datum=DATUM) is UNDEFINED


def test_a_method_without_parameters_never_evaluates_a_second_argument() -> None:
    assert value_of("upper('a', datum.x.y)", datum=DATUM) == "A"
    with pytest.raises(EvaluationError):
        value_of("abs(1, datum.x.y)", datum=DATUM)


def test_values_are_handed_on_and_not_copied() -> None:
    assert value_of("datum.l", datum=DATUM) is DATUM["l"]
    assert value_of("sort(datum.l)", datum=DATUM) is not DATUM["l"]


def test_an_expression_is_compiled_once() -> None:
    assert compiled(parse_expression("1 + 1")) is compiled(parse_expression("1 +  1"))


def test_a_regular_expression_in_a_signal_remembers_its_place() -> None:
    surroundings = Surroundings({"finder": value_of("regexp('a', 'g')")})
    test = compiled(parse_expression("test(finder, 'aba')"))
    assert [test(surroundings) for _ in range(4)] == [True, True, False, True]


def test_the_present_and_chance_come_from_the_environment() -> None:
    assert value_of("now()") == NOW
    assert value_of("datetime()") == Date(NOW)
    assert value_of("random()") == 0.5823075997560786


def test_deep_expressions_are_evaluated() -> None:
    assert value_of("(" * 400 + "1" + ")" * 400) == 1.0
    assert value_of(" + ".join(["1"] * 900)) == 900.0


@pytest.mark.parametrize("text", ["sequence(1e9)", "pad('', 1e12)", "format(1, '9999999999')", "extent({length: 1e12})"])
def test_what_would_fill_the_memory_is_refused(text: str) -> None:
    with pytest.raises(EvaluationError):
        value_of(text)


def test_nothing_is_evaluated_to_a_python_int() -> None:
    for text in ("length('abc')", "indexof([1], 1)", "1 << 2", "year(0)", "parseInt('7')", "sequence(2)[1]", "round(2.5)"):
        assert type(value_of(text)) is float


def test_an_undefined_index_of_an_array_is_undefined() -> None:
    assert value_of("datum.l[9]", datum=DATUM) is UNDEFINED
    assert value_of("datum.l[-1]", datum=DATUM) is UNDEFINED
    assert value_of("datum.l[0.5]", datum=DATUM) is UNDEFINED
    assert value_of("extent([])", datum=DATUM) == [UNDEFINED, UNDEFINED]
    assert encode([nan, -0.0]) == [{"$num": "NaN"}, {"$num": "-0"}]
