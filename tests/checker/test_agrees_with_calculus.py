"""A law: on the paper's fragment the strict checker and the calculus agree. `python -m checker.agreement` runs more cases."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checker.agreement import Program, campaign, disagreement, program
from checker.specs import found
from checker.vega_of_calculus import NotInVega
from sheliak.calculus.syntax import (
    Agg,
    Arith,
    Arr,
    Avg,
    Builtin,
    Count,
    Cross,
    Data,
    Datum,
    Field,
    Filter,
    Formula,
    Num,
    Str,
    Sum,
    Transform,
)
from sheliak.calculus.type_syntax import BOOLEAN, NUMBER, STRING, ArrayType, RecordType
from soundness.choices import Draw, Drawn

DATUM = Datum()
WORDS, LANGUAGE, SOLD, PLACE = (Field(DATUM, name) for name in ("words", "language", "sold", "place"))
BOOKS = RecordType(
    {"words": NUMBER, "language": STRING, "sold": BOOLEAN, "place": RecordType({"x": NUMBER}), "tags": ArrayType(STRING)}
)


def one_step(t: Transform) -> Program:
    return Program({"books": BOOKS}, (Data("books", "result", (t,)),), {})


def test_thousands_of_random_programs_get_the_same_verdict_and_the_same_types() -> None:
    outcome = campaign(4000, seed=7)
    assert outcome.disagreements == {}
    assert outcome.accepted > 1200
    assert outcome.refused > 1200
    assert outcome.not_in_vega < 400


@st.composite
def programs(draw: Draw) -> Program:
    return program(Drawn(draw))


@given(programs())
def test_programs_that_hypothesis_makes_small_get_the_same_verdict(of: Program) -> None:
    try:
        assert disagreement(of) is None
    except NotInVega:
        pass


# One program for each rule, those that derive a type and those that do not.
@pytest.mark.parametrize(
    "t",
    [
        Filter(WORDS),
        Filter(Field(DATUM, "word")),
        Formula(Arith("+", WORDS, Num(1.0)), "n"),
        Formula(Arith("+", LANGUAGE, SOLD), "n"),
        Formula(Arith("+", SOLD, WORDS), "n"),
        Formula(Arith("×", LANGUAGE, Num(2.0)), "n"),
        Formula(Field(WORDS, "x"), "n"),
        Formula(Arr(()), "n"),
        Formula(Arr((WORDS, LANGUAGE)), "n"),
        Cross("a", "b"),
        Cross("a", "a"),
        Agg((LANGUAGE,), (Sum(WORDS, "n"), Avg(Field(PLACE, "x"), "m"), Count("c"))),
        Agg((Field(PLACE, "x"),), ()),
        Agg((LANGUAGE,), (Count("language"),)),
        Agg((), (Sum(LANGUAGE, "n"),)),
        Agg((), (Sum(SOLD, "n"),)),
        Agg((), (Avg(PLACE, "n"),)),
        Agg((), (Sum(DATUM, "n"),)),
        Agg((Field(DATUM, "author"),), (Count("n"),)),
        Formula(Builtin("round", (LANGUAGE,)), "n"),
        Formula(Builtin("sqroot", (WORDS,)), "n"),
        Formula(Builtin("contains", (LANGUAGE, Str("c"))), "n"),
    ],
    ids=str,
)
def test_each_rule_gets_the_same_verdict(t: Transform) -> None:
    assert disagreement(one_step(t)) is None


# Where Vega has a rule of its own, and the two are not compared.


@pytest.mark.parametrize(
    "e",
    [Builtin("min", (WORDS, WORDS, WORDS)), Builtin("max", (WORDS,)), Builtin("length", (Field(DATUM, "tags"),))],
    ids=str,
)
def test_some_functions_take_more_in_vega(e: Builtin) -> None:
    with pytest.raises(NotInVega):
        disagreement(one_step(Formula(e, "n")))


@pytest.mark.parametrize("sequence", [LANGUAGE, Field(DATUM, "tags")], ids=str)
def test_elements_have_numbers_in_vega(sequence: Field) -> None:
    with pytest.raises(NotInVega):
        disagreement(one_step(Formula(Field(sequence, "0"), "n")))


@pytest.mark.parametrize("key", [DATUM, Field(Field(DATUM, "a.b"), "c")], ids=str)
def test_some_keys_have_another_name_in_vega_or_none(key: Datum | Field) -> None:
    with pytest.raises(NotInVega):
        disagreement(one_step(Agg((key,), ())))


def test_an_expression_of_vega_cannot_name_a_field_that_is_called_constructor() -> None:
    step = {"type": "formula", "expr": "datum['constructor']", "as": "n"}
    spec = {"data": [{"name": "t", "values": [{"constructor": 1}], "transform": [step]}]}
    assert ("unknown-signal", "/data/0/transform/0/expr") in found(spec)
