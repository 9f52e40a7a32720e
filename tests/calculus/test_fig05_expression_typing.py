"""Fig. 5, one positive and one negative case per rule at least."""

import pytest

from sheliak.calculus import no_derivation as no
from sheliak.calculus.builtin_functions import BUILTINS
from sheliak.calculus.expression_typing import type_of_expression
from sheliak.calculus.printer import type_text
from sheliak.calculus.surface import parse_expression, parse_type

DATUM = parse_type('{n: number, s: string, b: boolean, r: {x: number}, tags: [string], "a.b": boolean}')


@pytest.mark.parametrize(
    "e, T",
    [
        pytest.param("true", "boolean", id="T-eBool"),
        pytest.param("-0.5", "number", id="T-eNum"),
        pytest.param("NaN", "number", id="T-eNum, NaN"),
        pytest.param("''", "string", id="T-eStr"),
        pytest.param(
            "datum", '{n: number, s: string, b: boolean, r: {x: number}, tags: [string], "a.b": boolean}', id="T-eDatum"
        ),
        pytest.param("datum.n", "number", id="T-eField"),
        pytest.param("datum.r.x", "number", id="T-eField, nested"),
        pytest.param('datum["a.b"]', "boolean", id="T-eField, dotted name"),
        pytest.param("datum.n + 1", "number", id="T-eArithNum +"),
        pytest.param("datum.n - 1", "number", id="T-eArithNum -"),
        pytest.param("datum.n * 1", "number", id="T-eArithNum ×"),
        pytest.param("datum.n / 1", "number", id="T-eArithNum /"),
        pytest.param("datum.s + datum.n", "string", id="T-eAddStrL number"),
        pytest.param("datum.s + datum.b", "string", id="T-eAddStrL boolean"),
        pytest.param("datum.s + datum.s", "string", id="T-eAddStrL string"),
        pytest.param("datum.n + datum.s", "string", id="T-eAddStrR number"),
        pytest.param("datum.b + datum.s", "string", id="T-eAddStrR boolean"),
        pytest.param("[1, datum.n]", "[number]", id="T-eArr"),
        pytest.param("[{a: 1, b: 2}, {b: 1, a: 2}]", "[{a: number, b: number}]", id="T-eArr, order of fields"),
        pytest.param("[]", "[]", id="T-eArr, empty"),
        pytest.param("{a: 1, b: [datum.s]}", "{a: number, b: [string]}", id="T-eObj"),
        pytest.param("{}", "{}", id="T-eObj, empty"),
        pytest.param("contains(datum.s, 'x')", "boolean", id="T-eBuiltin"),
    ],
)
def test_derivation(e: str, T: str) -> None:
    assert type_of_expression(DATUM, parse_expression(e)) == parse_type(T)


@pytest.mark.parametrize(
    "e, reason, rule",
    [
        pytest.param("datum.m", no.UnknownField, "T-eField", id="T-eField, no such field"),
        pytest.param("datum.n.x", no.NotARecord, "T-eField", id="T-eField, of a number"),
        pytest.param("datum.tags.length", no.NotARecord, "T-eField", id="T-eField, of an array"),
        pytest.param("datum.a.b", no.UnknownField, "T-eField", id="T-eField, path for a dotted name"),
        pytest.param("datum.s - 1", no.WrongOperands, "T-eArithNum", id="T-eArithNum, string"),
        pytest.param("datum.b * 2", no.WrongOperands, "T-eArithNum", id="T-eArithNum, boolean"),
        pytest.param("datum.b + 1", no.WrongOperands, "T-eArithNum, T-eAddStrL, T-eAddStrR", id="T-eArithNum, + of boolean"),
        pytest.param("datum.s + datum.r", no.WrongOperands, "T-eArithNum, T-eAddStrL, T-eAddStrR", id="T-eAddStrL, record"),
        pytest.param("datum.tags + datum.s", no.WrongOperands, "T-eArithNum, T-eAddStrL, T-eAddStrR", id="T-eAddStrR, array"),
        pytest.param("[1, 'a']", no.MixedArray, "T-eArr", id="T-eArr, mixed"),
        pytest.param("[[], [1]]", no.MixedArray, "T-eArr", id="T-eArr, empty is its own type"),
        pytest.param("{a: 1, a: 'x'}", no.RepeatedField, "T-eObj", id="T-eObj, field twice"),
        pytest.param("{a: datum.m}", no.UnknownField, "T-eField", id="T-eObj, premise fails"),
        pytest.param("rnd(1)", no.UnknownBuiltin, "T-eBuiltin", id="T-eBuiltin, unknown"),
        pytest.param("round('1')", no.WrongArguments, "T-eBuiltin", id="T-eBuiltin, type"),
        pytest.param("round(1, 2)", no.WrongArguments, "T-eBuiltin", id="T-eBuiltin, number of arguments"),
    ],
)
def test_no_derivation(e: str, reason: type[no.NoDerivation], rule: str) -> None:
    with pytest.raises(reason) as raised:
        type_of_expression(DATUM, parse_expression(e))
    assert raised.value.rule == rule
    assert str(raised.value).startswith(f"{rule}: ")


def test_unknown_field_names_the_field_and_the_fields_there_are() -> None:
    with pytest.raises(no.UnknownField) as raised:
        type_of_expression(DATUM, parse_expression("datum.m"))
    message = raised.value.message()
    assert "`m`" in message
    assert "`n`, `s`, `b`, `r`, `tags`, `a.b`" in message


def test_field_of_a_record_without_fields() -> None:
    with pytest.raises(no.UnknownField, match="the fields are none"):
        type_of_expression(parse_type("{}"), parse_expression("datum.m"))


def test_sigma_is_monomorphic_on_primitives() -> None:
    for name, signature in BUILTINS.items():
        arguments = {"number": "1", "string": "'a'", "boolean": "true"}
        call = f"{name}({', '.join(arguments[type_text(T)] for T in signature.arguments)})"
        assert type_of_expression(DATUM, parse_expression(call)) is signature.result
