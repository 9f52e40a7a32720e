"""Fig. 10, one test per line of the figure."""

import math
from typing import TypeVar

import pytest

from sheliak.calculus.changes import (
    ERROR,
    Add,
    Change,
    Changes,
    DataTuple,
    Error,
    Extended,
    Grouped,
    Pair,
    Record,
    Remove,
    Trace,
    Update,
    Value,
    identity,
)
from sheliak.calculus.surface import parse_transform
from sheliak.calculus.syntax import Agg, Cross, Filter, Formula
from sheliak.calculus.transform_semantics import AggState, CrossState, agg, cross, filter, formula

T = TypeVar("T", Formula, Filter, Agg)


def v(trace: Trace = 1, **fields: Value) -> DataTuple:
    return DataTuple(fields, trace)


def written(kind: type[T], text: str) -> T:
    t = parse_transform(text)
    assert isinstance(t, kind)
    return t


class TestFormula:
    t = written(Formula, "formula(datum.x + 1, y)")

    def out(self, x: float, y: float) -> DataTuple:
        return v(Extended(self.t, 1), x=x, y=y)

    def test_add(self) -> None:
        assert formula(self.t, Add(v(x=1.0))) == (Add(self.out(1.0, 2.0)),)

    def test_remove(self) -> None:
        assert formula(self.t, Remove(v(x=1.0))) == (Remove(self.out(1.0, 2.0)),)

    def test_update(self) -> None:
        assert formula(self.t, Update(v(x=1.0), v(x=2.0))) == (Update(self.out(1.0, 2.0), self.out(2.0, 3.0)),)

    def test_a_field_that_is_there_is_overwritten(self) -> None:
        assert formula(self.t, Add(v(x=1.0, y="old"))) == (Add(self.out(1.0, 2.0)),)

    @pytest.mark.parametrize("u", [Add(v()), Remove(v()), Update(v(x=1.0), v()), Update(v(), v(x=1.0)), Error()], ids=repr)
    def test_otherwise_error(self, u: Change) -> None:
        assert formula(self.t, u) == ERROR


class TestCross:
    t = Cross("a", "b")
    one, two, new = v(1, x=1.0), v(2, x=2.0), v(1, x=9.0)

    def pair(self, a: DataTuple, b: DataTuple) -> DataTuple:
        return DataTuple({"a": a.fields, "b": b.fields}, Pair(a.trace, b.trace))

    def test_add(self) -> None:
        sent, st = cross(self.t, CrossState({2: self.two}), Add(self.one))
        assert set(sent) == {Add(self.pair(x, y)) for x, y in [(self.one, self.one), (self.one, self.two), (self.two, self.one)]}
        assert st == {1: self.one, 2: self.two}

    def test_the_first_tuple_pairs_with_itself(self) -> None:
        assert cross(self.t, CrossState(), Add(self.one)) == ((Add(self.pair(self.one, self.one)),), {1: self.one})

    def test_remove(self) -> None:
        sent, st = cross(self.t, CrossState({1: self.one, 2: self.two}), Remove(self.one))
        assert set(sent) == {
            Remove(self.pair(x, y)) for x, y in [(self.one, self.one), (self.one, self.two), (self.two, self.one)]
        }
        assert st == {2: self.two}

    def test_update(self) -> None:
        sent, st = cross(self.t, CrossState({1: self.one, 2: self.two}), Update(self.one, self.new))
        assert set(sent) == {
            Update(self.pair(self.one, self.one), self.pair(self.new, self.new)),
            Update(self.pair(self.one, self.two), self.pair(self.new, self.two)),
            Update(self.pair(self.two, self.one), self.pair(self.two, self.new)),
        }
        assert st == {1: self.new, 2: self.two}

    def test_error(self) -> None:
        assert cross(self.t, CrossState({2: self.two}), Error()) == (ERROR, {2: self.two})

    def test_no_trace_is_nested(self) -> None:
        sent, _ = cross(self.t, CrossState(), Add(self.one))
        assert isinstance(sent[0], Add)
        assert sent[0].tuple.fields == {"a": {"x": 1.0}, "b": {"x": 1.0}}


class TestFilter:
    t = written(Filter, "filter(datum.x)")
    yes, also, no, neither = v(x=1.0), v(x=2.0), v(x=0.0), v(x=math.nan)

    def test_add(self) -> None:
        assert filter(self.t, Add(self.yes)) == (Add(self.yes),)
        assert filter(self.t, Add(self.no)) == ()

    def test_remove(self) -> None:
        assert filter(self.t, Remove(self.yes)) == (Remove(self.yes),)
        assert filter(self.t, Remove(self.no)) == ()

    def test_update_stays(self) -> None:
        assert filter(self.t, Update(self.yes, self.also)) == (Update(self.yes, self.also),)

    def test_update_comes_in(self) -> None:
        assert filter(self.t, Update(self.no, self.yes)) == (Add(self.yes),)

    def test_update_goes_out(self) -> None:
        assert filter(self.t, Update(self.yes, self.no)) == (Remove(self.yes),)

    def test_update_stays_out(self) -> None:
        assert filter(self.t, Update(self.no, self.neither)) == ()

    @pytest.mark.parametrize("u", [Add(v()), Remove(v()), Update(yes, v()), Update(v(), yes), Error()], ids=repr)
    def test_otherwise_error(self, u: Change) -> None:
        assert filter(self.t, u) == ERROR


class TestAgg:
    """Members a1, a2 have key "a", b1 has key "b"."""

    t = written(Agg, "agg(datum.k, sum datum.x as s, avg datum.x as m, count as c)")
    a1, a2, b1 = v(1, k="a", x=1.0), v(2, k="a", x=10.0), v(3, k="b", x=100.0)

    def group(self, k: str, *members: float) -> DataTuple:
        total, size = math.fsum(members), len(members)
        return v(Grouped(self.t, (identity(k),)), k=k, s=total, m=total / size, c=float(size))

    def after(self, *changes: Change) -> tuple[Changes, AggState]:
        sent: Changes = ()
        st = AggState()
        for u in changes:
            sent, st = agg(self.t, st, u)
        return sent, st

    def sent(self, *changes: Change) -> Changes:
        return self.after(*changes)[0]

    def groups(self, *changes: Change) -> list[Record]:
        return [g.sent.fields for g in self.after(*changes)[1].values()]

    def test_add_to_a_new_group(self) -> None:
        assert self.sent(Add(self.a1)) == (Add(self.group("a", 1)),)

    def test_add_to_a_group(self) -> None:
        assert self.sent(Add(self.a1), Add(self.a2)) == (Update(self.group("a", 1), self.group("a", 1, 10)),)

    def test_remove_from_a_group(self) -> None:
        assert self.sent(Add(self.a1), Add(self.a2), Remove(self.a1)) == (Update(self.group("a", 1, 10), self.group("a", 10)),)

    def test_remove_the_last_of_a_group(self) -> None:
        sent, st = self.after(Add(self.a1), Remove(self.a1))
        assert sent == (Remove(self.group("a", 1)),)
        assert st == {}

    def test_update_within_a_group(self) -> None:
        new = v(1, k="a", x=4.0)
        assert self.sent(Add(self.a1), Update(self.a1, new)) == (Update(self.group("a", 1), self.group("a", 4)),)

    def test_update_moves_the_last_to_a_new_group(self) -> None:
        new = v(1, k="b", x=4.0)
        changes = (Add(self.a1), Update(self.a1, new))
        assert self.sent(*changes) == (Remove(self.group("a", 1)), Add(self.group("b", 4)))
        assert self.groups(*changes) == [self.group("b", 4).fields]

    def test_update_moves_the_last_to_a_group(self) -> None:
        new = v(1, k="b", x=4.0)
        changes = (Add(self.a1), Add(self.b1), Update(self.a1, new))
        assert self.sent(*changes) == (Remove(self.group("a", 1)), Update(self.group("b", 100), self.group("b", 100, 4)))
        assert self.groups(*changes) == [self.group("b", 100, 4).fields]

    def test_update_moves_one_of_several_to_a_new_group(self) -> None:
        new = v(1, k="b", x=4.0)
        changes = (Add(self.a1), Add(self.a2), Update(self.a1, new))
        assert self.sent(*changes) == (Update(self.group("a", 1, 10), self.group("a", 10)), Add(self.group("b", 4)))
        assert self.groups(*changes) == [self.group("a", 10).fields, self.group("b", 4).fields]

    def test_update_moves_one_of_several_to_a_group(self) -> None:
        new = v(1, k="b", x=4.0)
        changes = (Add(self.a1), Add(self.a2), Add(self.b1), Update(self.a1, new))
        assert self.sent(*changes) == (
            Update(self.group("a", 1, 10), self.group("a", 10)),
            Update(self.group("b", 100), self.group("b", 100, 4)),
        )
        assert self.groups(*changes) == [self.group("a", 10).fields, self.group("b", 100, 4).fields]

    @pytest.mark.parametrize(
        "u",
        [
            pytest.param(Add(v(k="a")), id="add without a summed field"),
            pytest.param(Add(v(x=1.0)), id="add without a key"),
            pytest.param(Add(v(k="a", x="1")), id="add of text to a sum"),
            pytest.param(Remove(b1), id="remove from no group"),
            pytest.param(Update(b1, a1), id="update in no group"),
            pytest.param(Update(a1, v(1, k="a")), id="update without a summed field"),
            pytest.param(Error(), id="error"),
        ],
    )
    def test_otherwise_error(self, u: Change) -> None:
        st = self.after(Add(self.a1))[1]
        assert agg(self.t, st, u) == (ERROR, st)

    def test_the_founder_of_a_group_may_leave_it(self) -> None:
        moved = v(1, k="b", x=1.0)
        groups = self.groups(Add(self.a1), Add(self.a2), Update(self.a1, moved))
        traces = [g.sent.trace for g in self.after(Add(self.a1), Add(self.a2), Update(self.a1, moved))[1].values()]
        assert [g["k"] for g in groups] == ["a", "b"]
        assert len(set(traces)) == 2

    def test_what_was_summed_can_be_taken_out_again(self) -> None:
        nan, huge = v(4, k="a", x=math.nan), v(5, k="a", x=1e300)
        assert self.groups(Add(self.a1), Add(nan), Add(huge), Remove(nan), Remove(huge)) == [self.group("a", 1).fields]

    def test_a_group_needs_no_count(self) -> None:
        t = written(Agg, "agg(datum.k)")
        _, st = agg(t, AggState(), Add(self.a1))
        _, st = agg(t, st, Add(self.a2))
        sent, st = agg(t, st, Remove(self.a1))
        assert isinstance(sent[0], Update)
        sent, st = agg(t, st, Remove(self.a2))
        assert isinstance(sent[0], Remove)
        assert st == {}

    def test_without_keys_all_tuples_are_one_group(self) -> None:
        t = written(Agg, "agg(count as c)")
        _, st = agg(t, AggState(), Add(self.a1))
        _, st = agg(t, st, Add(self.b1))
        assert [g.sent.fields for g in st.values()] == [{"c": 2.0}]

    @pytest.mark.parametrize("first, second", [(0.0, -0.0), (1.0, math.nan)], ids=str)
    def test_keys_are_told_apart_by_identity(self, first: float, second: float) -> None:
        t = written(Agg, "agg(datum.k)")
        _, st = agg(t, AggState(), Add(v(1, k=first)))
        _, st = agg(t, st, Add(v(2, k=second)))
        _, st = agg(t, st, Add(v(3, k=second)))
        assert [g.size for g in st.values()] == [1, 2]
