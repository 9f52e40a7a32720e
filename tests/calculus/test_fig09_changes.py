"""Fig. 9: identity of values, traces, tuples, changes."""

import math

import pytest

from sheliak.calculus.changes import (
    Add,
    DataTuple,
    Extended,
    FiniteMap,
    Grouped,
    Pair,
    Remove,
    Update,
    Value,
    identical,
    identity,
)
from sheliak.calculus.syntax import Agg, Datum, Field, Formula, Num

VALUES: list[Value] = [
    True,
    False,
    0.0,
    -0.0,
    1.0,
    math.nan,
    math.inf,
    -math.inf,
    "",
    "1",
    "NaN",
    (),
    (1.0,),
    ("1",),
    ((),),
    {},
    {"a": 1.0},
    {"a": math.nan},
    {"a": -0.0},
    {"a": 0.0},
    {"b": 1.0},
    {"a": 1.0, "b": 1.0},
    ("[",),
    ("boolean", True),
    ("number", "nan"),
]


@pytest.mark.parametrize("v", VALUES, ids=repr)
def test_every_value_is_itself_and_no_other(v: Value) -> None:
    assert [identical(v, w) for w in VALUES] == [w is v for w in VALUES]
    assert [identity(v) == identity(w) for w in VALUES] == [w is v for w in VALUES]


def test_nan_is_nan_wherever_it_comes_from() -> None:
    other = float("nan")
    assert identical((math.nan, {"a": math.nan}), (other, {"a": other}))
    assert identity((math.nan, {"a": math.nan})) == identity((other, {"a": other}))


def test_the_order_of_fields_does_not_matter() -> None:
    assert identical({"a": 1.0, "b": 2.0}, {"b": 2.0, "a": 1.0})
    assert identity({"a": 1.0, "b": 2.0}) == identity({"b": 2.0, "a": 1.0})


def test_tuples_are_equal_by_trace_and_identity() -> None:
    assert DataTuple({"x": math.nan}, 1) == DataTuple({"x": float("nan")}, 1)
    assert DataTuple({"x": 0.0}, 1) != DataTuple({"x": -0.0}, 1)
    assert DataTuple({"x": 0.0}, 1) != DataTuple({"x": 0.0}, 2)
    assert hash(DataTuple({"x": math.nan}, 1)) == hash(DataTuple({"x": float("nan")}, 1))


def test_changes_of_different_kinds_differ() -> None:
    v = DataTuple({}, 1)
    assert len({Add(v), Remove(v), Update(v, v)}) == 3


def test_traces_of_different_kinds_differ() -> None:
    formula, agg = Formula(Num(1.0), "f"), Agg((Field(Datum(), "a"),), ())
    traces = {
        1,
        "1",
        Pair(1, 1),
        Pair(1, 2),
        Pair(2, 1),
        Extended(formula, 1),
        Grouped(agg, (1.0,)),
        Extended(formula, Pair(1, 1)),
    }
    assert len(traces) == 8


def test_a_trace_knows_the_expression_of_its_formula() -> None:
    assert Extended(Formula(Num(1.0), "f"), 1) != Extended(Formula(Num(2.0), "f"), 1)


def test_finite_maps_are_not_changed_in_place() -> None:
    f: FiniteMap[str, int] = FiniteMap({"a": 1})
    assert f.plus("b", 2) == {"a": 1, "b": 2}
    assert f.minus("a") == {}
    assert f == {"a": 1}
