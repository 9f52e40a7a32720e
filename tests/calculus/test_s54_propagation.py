"""§5.4: the reduction step and →*."""

import random
from collections.abc import Iterator

import pytest

from sheliak.calculus.changes import Add, Change, Changes, DataTuple, Error, Extended, Remove, Update
from sheliak.calculus.graph_building import Graph, Vertex, build, with_outputs
from sheliak.calculus.propagation import LocalState, Observed, State, Stuck, admit, initial_state, run, send, step
from sheliak.calculus.surface import parse_program

PROGRAM = parse_program("""
input(src, {k: string, x: number})
data(src, big, filter(datum.x))
data(big, sums, agg(datum.k, sum datum.x as s), formula(datum.s / 2, h))
data(src, pairs, cross(a, b), filter(datum.a.x - datum.b.x))
""")


def graph() -> Graph:
    return with_outputs(*build(["src"], PROGRAM.spec))[0]


def v(trace: int, k: str, x: float) -> DataTuple:
    return DataTuple({"k": k, "x": x}, trace)


ONE, TWO = v(1, "a", 1.0), v(2, "a", 2.0)


class TestStepsTwoToFour:
    def test_add(self) -> None:
        observed: Observed = {2: TWO}
        admit(observed, Add(ONE))
        assert observed == {2: TWO, 1: ONE}

    def test_add_of_a_tuple_that_is_there(self) -> None:
        with pytest.raises(Stuck, match="there already"):
            admit({1: ONE}, Add(v(1, "b", 5.0)))

    def test_update(self) -> None:
        observed: Observed = {1: ONE, 2: TWO}
        admit(observed, Update(ONE, v(1, "b", 5.0)))
        assert list(observed.items()) == [(1, v(1, "b", 5.0)), (2, TWO)]

    def test_update_of_a_tuple_that_is_not_there(self) -> None:
        with pytest.raises(Stuck, match="not there"):
            admit({2: TWO}, Update(ONE, ONE))

    def test_update_of_a_tuple_that_is_another_by_now(self) -> None:
        with pytest.raises(Stuck, match="other fields"):
            admit({1: v(1, "a", 0.0)}, Update(v(1, "a", -0.0), ONE))

    def test_update_that_changes_the_trace(self) -> None:
        with pytest.raises(Stuck, match="trace"):
            admit({1: ONE}, Update(ONE, TWO))

    def test_remove(self) -> None:
        observed: Observed = {1: ONE, 2: TWO}
        admit(observed, Remove(ONE))
        assert observed == {2: TWO}

    def test_remove_of_a_tuple_that_is_not_there(self) -> None:
        with pytest.raises(Stuck, match="not there"):
            admit({}, Remove(ONE))

    def test_remove_of_a_tuple_that_is_another_by_now(self) -> None:
        with pytest.raises(Stuck, match="other fields"):
            admit({1: ONE}, Remove(v(1, "a", 7.0)))

    def test_a_tuple_with_nan_can_be_removed(self) -> None:
        observed: Observed = {1: v(1, "a", float("nan"))}
        admit(observed, Remove(v(1, "a", float("nan"))))
        assert observed == {}

    def test_error_leaves_everything(self) -> None:
        observed: Observed = {1: ONE}
        admit(observed, Error())
        assert observed == {1: ONE}


class TestStep:
    def test_nothing_waits(self) -> None:
        state = initial_state(graph())
        assert step(graph(), state) is state

    def test_the_smallest_vertex_goes_first_and_sends_to_its_successors(self) -> None:
        program = parse_program("input(s, {x: number})\ndata(s, a, formula(1, y))\ndata(s, b, filter(0))")
        g, _ = build(["s"], program.spec)
        u = Add(DataTuple({"x": 1.0}, 1))
        first = step(g, send(initial_state(g), "s", [u]))
        assert first.cs == {"s": (), 1: (u,), 2: (u,)}
        assert first.invals == {"s": {1: u.tuple}, 1: {}, 2: {}}
        second = step(g, first)
        assert second.cs == {"s": (), 1: (), 2: (u,)}

    def test_changes_are_taken_in_order(self) -> None:
        g, _ = build(["src"], ())
        state = step(g, send(initial_state(g), "src", [Add(ONE), Remove(ONE)]))
        assert state.cs["src"] == (Remove(ONE),)

    def test_stuck_says_where(self) -> None:
        g, _ = build(["src"], ())
        with pytest.raises(Stuck) as raised:
            step(g, send(initial_state(g), "src", [Remove(ONE)]))
        assert raised.value.vertex == g.vertices[0]

    def test_the_old_state_is_not_touched(self) -> None:
        state = send(initial_state(graph()), "src", [Add(ONE)])
        step(graph(), state)
        assert state.cs["src"] == (Add(ONE),)
        assert state.invals["src"] == {}

    def test_add_remove_add_arrives_as_such(self) -> None:
        g, outputs = with_outputs(*build(["src"], ()))
        state = run(g, send(initial_state(g), "src", [Add(ONE), Remove(ONE), Add(ONE)]))
        assert state.invals[outputs["src"].label] == {1: ONE}


def streams(count: int) -> Iterator[list[Change]]:
    chance = random.Random(20)
    for _ in range(count):
        present: dict[int, DataTuple] = {}
        changes: list[Change] = []
        for trace in range(chance.randrange(1, 9)):
            new = v(trace, chance.choice("ab"), chance.choice([0.0, 1.0, 2.5, float("nan")]))
            old = present.get(chance.randrange(9))
            match chance.randrange(3):
                case 0 if old:
                    changes.append(Remove(present.pop(trace_of(old))))
                case 1 if old:
                    present[trace_of(old)] = DataTuple(new.fields, old.trace)
                    changes.append(Update(old, present[trace_of(old)]))
                case _:
                    present[trace] = new
                    changes.append(Add(new))
        yield changes


def trace_of(t: DataTuple) -> int:
    assert isinstance(t.trace, int)
    return t.trace


def test_run_is_the_steps_until_nothing_waits() -> None:
    g = graph()
    for changes in streams(60):
        state = send(initial_state(g), "src", changes)
        fast = run(g, state)
        while (following := step(g, state)) is not state:
            state = following
        assert not any(state.cs.values())
        assert (fast.ls, fast.invals) == (state.ls, state.invals)


def test_run_does_not_touch_the_state_it_is_given() -> None:
    g = graph()
    before = run(g, send(initial_state(g), "src", [Add(ONE)]))
    copy = State(dict(before.cs), dict(before.ls), {label: dict(observed) for label, observed in before.invals.items()})
    run(g, send(before, "src", [Update(ONE, v(1, "b", 4.0)), Add(TWO)]))
    assert before == copy


def test_the_observer_sees_every_step() -> None:
    g = graph()
    seen: list[tuple[Vertex, Change, Changes, LocalState]] = []
    run(g, send(initial_state(g), "src", [Add(ONE)]), observer=lambda *reduction: seen.append(reduction))
    labels = [vertex.label for vertex, _, _, _ in seen]
    assert labels == ["src", 1, 2, 3, 4, *labels[5:]]
    vertex, taken, sent, _ = next(reduction for reduction in seen if reduction[0].label == 3)
    assert isinstance(taken, Add)
    assert isinstance(sent[0], Add)
    assert isinstance(sent[0].tuple.trace, Extended)
    assert vertex == g.vertices[3]


def test_an_error_goes_to_everything_downstream() -> None:
    g = graph()
    errors: set[object] = set()

    def note(vertex: Vertex, taken: Change, sent: Changes, st: LocalState) -> None:
        if taken == Error():
            errors.add(vertex.label)

    run(g, send(initial_state(g), "src", [Error()]), observer=note)
    assert errors == {vertex.label for vertex in g.vertices}


def test_pulses_go_on_from_where_the_last_one_ended() -> None:
    g, outputs = with_outputs(*build(["src"], PROGRAM.spec))
    state = run(g, send(initial_state(g), "src", [Add(ONE), Add(TWO)]))
    state = run(g, send(state, "src", [Remove(ONE)]))
    assert [t.fields for t in state.invals[outputs["sums"].label].values()] == [{"k": "a", "s": 2.0, "h": 1.0}]
