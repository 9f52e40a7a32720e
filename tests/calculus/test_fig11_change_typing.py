"""Fig. 11 and §6: typing of changes and states, well-formed input, correspondence."""

import math

import pytest

from sheliak.calculus.change_typing import (
    change_has_type,
    is_well_formed,
    state_agrees,
    state_has_type,
    type_of_vertices,
    value_has_type,
)
from sheliak.calculus.changes import Add, Change, DataTuple, Error, Remove, Trace, Update, Value
from sheliak.calculus.graph_building import build, with_outputs
from sheliak.calculus.spec_typing import type_of_transform
from sheliak.calculus.surface import parse_program, parse_transform, parse_type
from sheliak.calculus.syntax import Agg, Cross
from sheliak.calculus.transform_semantics import AggState, CrossState, agg

T = parse_type("{x: number}")


def v(trace: Trace = 1, **fields: Value) -> DataTuple:
    return DataTuple(fields, trace)


@pytest.mark.parametrize(
    "value, type_text, expected",
    [
        (True, "boolean", True),
        (1.0, "boolean", False),
        (math.nan, "number", True),
        (True, "number", False),
        ("", "string", True),
        ((), "string", False),
        ({"x": 1.0}, "{x: number}", True),
        ({"x": "1"}, "{x: number}", False),
        ({}, "{x: number}", False),
        ({"x": 1.0, "y": 1.0}, "{x: number}", False),
        ({}, "{}", True),
        ((1.0, 2.0), "[number]", True),
        ((1.0, "2"), "[number]", False),
        ((), "[number]", True),
        ((), "[[string]]", True),
        ((), "[]", True),
        ((1.0,), "[]", False),
    ],
)
def test_values(value: Value, type_text: str, expected: bool) -> None:
    assert value_has_type(value, parse_type(type_text)) is expected


GOOD, BAD = v(x=1.0), v(x="1")


@pytest.mark.parametrize(
    "u, expected",
    [
        pytest.param(Add(GOOD), True, id="add"),
        pytest.param(Add(BAD), False, id="add, ill-typed"),
        pytest.param(Remove(GOOD), True, id="remove"),
        pytest.param(Remove(BAD), False, id="remove, ill-typed"),
        pytest.param(Update(GOOD, GOOD), True, id="update"),
        pytest.param(Update(BAD, GOOD), False, id="update, old ill-typed"),
        pytest.param(Update(GOOD, BAD), False, id="update, new ill-typed"),
        pytest.param(Error(), False, id="error"),
    ],
)
def test_changes(u: Change, expected: bool) -> None:
    assert change_has_type(u, T) is expected


class TestStates:
    cross = Cross("a", "b")

    def agg(self) -> tuple[Agg, AggState]:
        t = parse_transform("agg(sum datum.x as s)")
        assert isinstance(t, Agg)
        return t, agg(t, AggState(), Add(GOOD))[1]

    def test_cross(self) -> None:
        T_out = type_of_transform(T, self.cross)
        assert state_has_type(self.cross, T, T_out, CrossState({1: GOOD}))
        assert not state_has_type(self.cross, T, T_out, CrossState({1: BAD}))

    def test_agg(self) -> None:
        t, st = self.agg()
        assert state_has_type(t, T, type_of_transform(T, t), st)
        assert not state_has_type(t, T, parse_type("{s: string}"), st)

    def test_stateless(self) -> None:
        t = parse_transform("filter(1)")
        assert state_has_type(t, T, T, None)
        assert not state_has_type(t, T, T, CrossState())

    def test_cross_agrees_with_the_tuples_observed(self) -> None:
        assert state_agrees(self.cross, {1: GOOD}, CrossState({1: GOOD}))
        assert not state_agrees(self.cross, {1: GOOD, 2: v(2, x=1.0)}, CrossState({1: GOOD}))
        assert state_agrees(self.cross, {}, None)
        assert not state_agrees(self.cross, {1: GOOD}, None)

    def test_agg_agrees_with_the_tuples_observed(self) -> None:
        t, st = self.agg()
        assert state_agrees(t, {1: GOOD}, st)
        assert not state_agrees(t, {1: v(x=2.0)}, st)
        assert not state_agrees(t, {}, st)


class TestWellFormedInput:
    def test_well_formed(self) -> None:
        assert is_well_formed([])
        assert is_well_formed([Add(GOOD), Update(GOOD, v(x=2.0)), Remove(v(x=2.0)), Add(GOOD)])

    @pytest.mark.parametrize(
        "changes",
        [
            pytest.param([Remove(GOOD)], id="remove of none"),
            pytest.param([Add(GOOD), Add(v(x=2.0))], id="add twice"),
            pytest.param([Update(GOOD, GOOD)], id="update of none"),
            pytest.param([Add(GOOD), Remove(v(x=2.0))], id="remove of another"),
            pytest.param([Add(GOOD), Update(GOOD, v(2, x=1.0))], id="update to another trace"),
        ],
    )
    def test_not_well_formed(self, changes: list[Change]) -> None:
        assert not is_well_formed(changes)


def test_correspondence() -> None:
    program = parse_program("""
    input(src, {k: string, x: number})
    data(src, a, agg(datum.k, count as n), formula(datum.n / 2, h))
    data(a, b, cross(l, r))
    """)
    graph, _ = with_outputs(*build(["src"], program.spec))
    types = type_of_vertices(program.context, graph)
    src, grouped, halved = (parse_type(f"{{k: string, {rest}}}") for rest in ("x: number", "n: number", "n: number, h: number"))
    pairs = type_of_transform(halved, Cross("l", "r"))
    assert [types[vertex.label] for vertex in graph.vertices] == [
        (src, src),
        (src, grouped),
        (grouped, halved),
        (halved, pairs),
        (src, src),
        (halved, halved),
        (pairs, pairs),
    ]
