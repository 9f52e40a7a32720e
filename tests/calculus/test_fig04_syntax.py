"""Fig. 4."""

import pytest

from sheliak.calculus.surface import parse_expression, parse_program, parse_transform
from sheliak.calculus.syntax import (
    Agg,
    Arith,
    Arr,
    Avg,
    Bool,
    Builtin,
    Count,
    Cross,
    Data,
    Datum,
    Field,
    Filter,
    Formula,
    Num,
    Obj,
    Span,
    Str,
    Sum,
)

X = Field(Datum(), "x")


@pytest.mark.parametrize(
    "text, node",
    [
        pytest.param("true", Bool(True), id="b"),
        pytest.param("1.5", Num(1.5), id="i"),
        pytest.param('"a"', Str("a"), id="s"),
        pytest.param("datum", Datum(), id="datum"),
        pytest.param("datum.x", X, id="p.f"),
        pytest.param("datum.x + 1", Arith("+", X, Num(1.0)), id="a + a"),
        pytest.param("datum.x - 1", Arith("-", X, Num(1.0)), id="a - a"),
        pytest.param("datum.x × 1", Arith("×", X, Num(1.0)), id="a × a"),
        pytest.param("datum.x / 1", Arith("/", X, Num(1.0)), id="a / a"),
        pytest.param("round([])", Builtin("round", (Arr(()),)), id="builtin(e)"),
        pytest.param("[1, true]", Arr((Num(1.0), Bool(True))), id="[e]"),
        pytest.param("{a: 1}", Obj((("a", Num(1.0)),)), id="{f: e}"),
    ],
)
def test_expressions(text: str, node: object) -> None:
    assert parse_expression(text) == node


@pytest.mark.parametrize(
    "text, node",
    [
        pytest.param("agg(datum.x, sum datum.x as s)", Agg((X,), (Sum(X, "s"),)), id="sum p as f"),
        pytest.param("agg(avg datum.x as a)", Agg((), (Avg(X, "a"),)), id="avg p as f"),
        pytest.param("agg(datum.x, count as n)", Agg((X,), (Count("n"),)), id="count as f"),
        pytest.param("cross(a, b)", Cross("a", "b"), id="cross"),
        pytest.param("formula(datum.x, y)", Formula(X, "y"), id="formula"),
        pytest.param("filter(datum.x)", Filter(X), id="filter"),
    ],
)
def test_operators_and_transforms(text: str, node: object) -> None:
    assert parse_transform(text) == node


def test_a_definition_names_its_source_first() -> None:
    program = parse_program("input(books, {x: number})\ndata(books, big, filter(datum.x))")
    assert program.spec == (Data(source="books", name="big", transforms=(Filter(X),)),)


def test_equality_ignores_where_a_node_was_written() -> None:
    assert Num(1.0, span=Span(0, 1)) == Num(1.0, span=Span(5, 6))
    assert hash(Formula(X, "y", span=Span(0, 1))) == hash(Formula(X, "y"))
