"""The rules as the paper prints them, one defect at a time, for the tests that show what goes wrong.

Everything but the named defect is corrected, so that a counterexample found under a variant is due to that defect alone.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from sheliak.calculus import transform_semantics as corrected
from sheliak.calculus.changes import (
    ERROR,
    Add,
    Change,
    Changes,
    DataTuple,
    Error,
    Extended,
    Grouped,
    Identity,
    Remove,
    Update,
    Value,
)
from sheliak.calculus.expression_evaluation import NotEvaluated, evaluate, truthy
from sheliak.calculus.expression_typing import type_of_expression
from sheliak.calculus.graph_building import Label, build_dataset
from sheliak.calculus.graph_building import build as build_graph
from sheliak.calculus.propagation import CORRECTED, Observed, Semantics, admit
from sheliak.calculus.spec_typing import name_of_key, type_of_operator
from sheliak.calculus.syntax import Agg, Arr, Builtin, Count, Cross, Expr, Filter, Formula, Obj, Spec, Sum
from sheliak.calculus.transform_semantics import AggState, CrossState, Group, crossed
from sheliak.calculus.type_syntax import BOOLEAN, NUMBER, STRING, ArrayType, RecordType, Type

# Fig. 5 and 6: the types that can be derived as printed, where there are several


def types_of_expression(T: Type, e: Expr, elements: Sequence[Type] = (BOOLEAN, NUMBER, STRING)) -> list[Type]:
    """E6, E12: every T' with T ⊢ e : T', the types of the form [T'] for the empty array taken from `elements` only."""
    match e:
        case Arr(()):
            return [ArrayType(element) for element in elements]
        case Arr((first, *rest)):
            others = [types_of_expression(T, item, elements) for item in rest]
            return [ArrayType(T1) for T1 in types_of_expression(T, first, elements) if all(T1 in Ts for Ts in others)]
        case Obj(fields):
            return list(_records([(f, types_of_expression(T, value, elements)) for f, value in fields]))
        case _:
            return [type_of_expression(T, e)]


def types_of_agg(T: Type, t: Agg) -> list[Type]:
    """E12: every T' with T ⊢ agg(…) : T', when a name stands twice in T_r."""
    keys = [(name_of_key(p), [type_of_expression(T, p)]) for p in t.keys]
    return list(_records(keys + [(op.output, [type_of_operator(T, op)]) for op in t.operators]))


def _records(fields: list[tuple[str, list[Type]]]) -> Iterator[Type]:
    choices: dict[str, list[Type]] = {}
    for f, Ts in fields:
        known = choices.setdefault(f, [])
        known.extend(T for T in Ts if T not in known)
    for chosen in itertools.product(*choices.values()):
        yield RecordType(dict(zip(choices, chosen, strict=True)))


def lookup_pairs(sources: Iterable[str], spec: Spec) -> set[tuple[str, Label]]:
    """E14: lookup ∪ {(n_out, v)} as the set that is printed; two pairs for a name that is defined twice."""
    graph, lookup = build_graph(sources, ())
    pairs = {(name, v.label) for name, v in lookup.items()}
    for d in spec:
        graph, lookup = build_dataset(graph, lookup, d)
        pairs.add((d.name, lookup[d.name].label))
    return pairs


# Fig. 10


class FormulaOfTime:
    """E10: the formula now(), where now() counts its calls: on remove it is not what it was on add."""

    expression = Builtin("now", ())

    def __init__(self) -> None:
        self.calls = 0

    def _evaluated(self, e: Expr, v: DataTuple) -> Value:
        if e != self.expression:
            return evaluate(e, v.fields)
        self.calls += 1
        return float(self.calls)

    def _extended(self, t: Formula, v: DataTuple) -> DataTuple:
        return DataTuple({**v.fields, t.output: self._evaluated(t.expression, v)}, Extended(t, v.trace))

    def __call__(self, t: Formula, u: Change) -> Changes:
        try:
            match u:
                case Add(v):
                    return (Add(self._extended(t, v)),)
                case Remove(v):
                    return (Remove(self._extended(t, v)),)
                case Update(v, v_new):
                    return (Update(self._extended(t, v), self._extended(t, v_new)),)
                case Error():
                    return ERROR
        except NotEvaluated:
            return ERROR


def cross(t: Cross, st: CrossState, u: Change) -> tuple[Changes, CrossState]:
    """E3: v' ranges over the whole of st, v included, so that v × v becomes v_new × v."""
    if not isinstance(u, Update):
        return corrected.cross(t, st, u)
    v, v_new = u.old, u.new
    left = [Update(crossed(t, v, w), crossed(t, v_new, w)) for w in st.values()]
    right = [Update(crossed(t, w, v), crossed(t, w, v_new)) for w in st.minus(v.trace).values()]
    return (*left, *right), st.plus(v.trace, v_new)


def filter(t: Filter, u: Change) -> Changes:
    """E9: truthy holds for non-zero numbers, and NaN is not zero."""

    def holds(v: DataTuple) -> bool:
        value = evaluate(t.expression, v.fields)
        return (isinstance(value, float) and math.isnan(value)) or truthy(value)

    try:
        match u:
            case Add(v) | Remove(v):
                return (u,) if holds(v) else ()
            case Update(v, v_new):
                before, after = holds(v), holds(v_new)
                return (u,) if before and after else (Remove(v),) if before else (Add(v_new),) if after else ()
            case Error():
                return ERROR
    except NotEvaluated:
        return ERROR


@dataclass(frozen=True, slots=True)
class PrintedAgg:
    """⟦agg⟧ with the defects that are switched on."""

    keyless: bool = False  # E2: newGroup, + and − build groups without the keys
    stores_old_group: bool = False  # E4: the third case of update stores g', not g''
    adds_to_left_group: bool = False  # E4: in the last case g''' = g + v_new
    founder_trace: bool = False  # E5: the trace of a group is agg(μ of its founder)
    ieee_keys: bool = False  # E9: NaN is not in the state that has it, 0 and −0 are one key
    double_sums: bool = False  # E11: sums are added to and subtracted from as doubles
    size_from_count: bool = False  # E19: the size of a group is read from the output of count

    def __call__(self, t: Agg, st: AggState, u: Change) -> tuple[Changes, AggState]:
        try:
            match u:
                case Add(v):
                    return self._add(t, st, v)
                case Remove(v):
                    return self._remove(t, st, v)
                case Update(v, v_new):
                    return self._update(t, st, v, v_new)
                case Error():
                    return ERROR, st
        except NotEvaluated:
            return ERROR, st

    def _key(self, t: Agg, v: DataTuple) -> Identity:
        if not self.ieee_keys:
            return corrected.key_of(t, v)
        return tuple([_ieee_key(evaluate(p, v.fields)) for p in t.keys])

    def _sent(self, t: Agg, g: Group) -> Group:
        if not self.keyless:
            return g
        names = [op.output for op in t.operators]
        return replace(g, sent=DataTuple({f: x for f, x in g.sent.fields.items() if f in names}, g.sent.trace))

    def _new(self, t: Agg, v: DataTuple) -> Group:
        g = corrected.new_group(t, v)
        if self.founder_trace:
            g = replace(g, sent=DataTuple(g.sent.fields, Grouped(t, v.trace)))
        return self._sent(t, g)

    def _moved(self, t: Agg, g: Group, v: DataTuple, sign: int) -> Group:
        h = corrected.plus(t, g, v) if sign > 0 else corrected.minus(t, g, v)
        if self.double_sums:
            sums = {
                op.output: _float(g.sent.fields[op.output]) + sign * x
                for op, x in zip(t.operators, corrected.inputs_of(t, v), strict=True)
                if isinstance(op, Sum)
            }
            h = replace(h, sent=DataTuple({**h.sent.fields, **sums}, h.sent.trace))
        return self._sent(t, h)

    def _size(self, t: Agg, g: Group) -> float:
        if not self.size_from_count:
            return g.size
        counts = [_float(g.sent.fields[op.output]) for op in t.operators if isinstance(op, Count)]
        return counts[0] if counts else math.nan

    def _add(self, t: Agg, st: AggState, v: DataTuple) -> tuple[Changes, AggState]:
        k = self._key(t, v)
        if k not in st:
            g = self._new(t, v)
            return (Add(g.sent),), st.plus(k, g)
        g, g1 = st[k], self._moved(t, st[k], v, 1)
        return (Update(g.sent, g1.sent),), st.plus(k, g1)

    def _remove(self, t: Agg, st: AggState, v: DataTuple) -> tuple[Changes, AggState]:
        k = self._key(t, v)
        if k in st and self._size(t, st[k]) > 1:
            g, g1 = st[k], self._moved(t, st[k], v, -1)
            return (Update(g.sent, g1.sent),), st.plus(k, g1)
        if k in st and self._size(t, st[k]) == 1:
            return (Remove(st[k].sent),), st.minus(k)
        return ERROR, st

    def _update(self, t: Agg, st: AggState, v: DataTuple, v_new: DataTuple) -> tuple[Changes, AggState]:
        k, k_new = self._key(t, v), self._key(t, v_new)
        if k not in st:
            return ERROR, st
        g, size = st[k], self._size(t, st[k])
        if k == k_new:
            g1 = self._moved(t, self._moved(t, g, v_new, 1), v, -1)
            return (Update(g.sent, g1.sent),), st.plus(k, g1)
        if size == 1 and k_new not in st:
            g1 = self._new(t, v_new)
            return (Remove(g.sent), Add(g1.sent)), st.minus(k).plus(k_new, g1)
        if size == 1:
            g1 = st[k_new]
            g2 = self._moved(t, g1, v_new, 1)
            stored = g1 if self.stores_old_group else g2
            return (Remove(g.sent), Update(g1.sent, g2.sent)), st.minus(k).plus(k_new, stored)
        if size > 1 and k_new not in st:
            g1, g2 = self._new(t, v_new), self._moved(t, g, v, -1)
            return (Update(g.sent, g2.sent), Add(g1.sent)), st.plus(k, g2).plus(k_new, g1)
        if size > 1:
            g1, g2 = st[k_new], self._moved(t, g, v, -1)
            g3 = self._moved(t, g if self.adds_to_left_group else g1, v_new, 1)
            return (Update(g.sent, g2.sent), Update(g1.sent, g3.sent)), st.plus(k, g2).plus(k_new, g3)
        return ERROR, st


def _ieee_key(v: Value) -> Identity:
    """Equal exactly where `ieee_equal` holds."""
    match v:
        case tuple():
            return tuple(map(_ieee_key, v))
        case dict():
            return frozenset((f, _ieee_key(x)) for f, x in v.items())
        case _:
            return object() if isinstance(v, float) and math.isnan(v) else v


def _float(v: Value) -> float:
    assert isinstance(v, float)
    return v


# §5.4


def ieee_equal(v: Value, w: Value) -> bool:
    """E9: NaN is not NaN, and 0 is −0."""
    if isinstance(v, dict) and isinstance(w, dict):
        return v.keys() == w.keys() and all(ieee_equal(x, w[f]) for f, x in v.items())
    if isinstance(v, tuple) and isinstance(w, tuple):
        return len(v) == len(w) and all(map(ieee_equal, v, w))
    return v == w


def admit_ieee(observed: Observed, u: Change) -> None:
    """E9: invals(v)(μ) ≠ t taken as inequality of doubles."""
    admit(observed, u, lambda v, w: ieee_equal(v.fields, w.fields))


def admit_any_trace(observed: Observed, u: Change) -> None:
    """E18: an update may give its tuple another trace; the tuple is then kept under the old one."""
    if isinstance(u, Update) and u.old.trace != u.new.trace:
        admit(observed, Update(u.old, u.old))
        observed[u.old.trace] = u.new
    else:
        admit(observed, u)


def unite(waiting: list[Change], sent: Changes) -> None:
    """E17: cs'(v') ∪ C."""
    waiting.extend(u for u in sent if u not in waiting)


def formula_of_time() -> Semantics:
    """E10, with a clock of its own."""
    return replace(CORRECTED, formula=FormulaOfTime())


VARIANTS: dict[str, Semantics] = {
    "E2": replace(CORRECTED, agg=PrintedAgg(keyless=True)),
    "E3": replace(CORRECTED, cross=cross),
    "E4 stored": replace(CORRECTED, agg=PrintedAgg(stores_old_group=True)),
    "E4 added": replace(CORRECTED, agg=PrintedAgg(adds_to_left_group=True)),
    "E5": replace(CORRECTED, agg=PrintedAgg(founder_trace=True)),
    "E9 equality": replace(CORRECTED, admit=admit_ieee),
    "E9 keys": replace(CORRECTED, agg=PrintedAgg(ieee_keys=True)),
    "E9 truthy": replace(CORRECTED, filter=filter),
    "E11": replace(CORRECTED, agg=PrintedAgg(double_sums=True)),
    "E17": replace(CORRECTED, enqueue=unite),
    "E18": replace(CORRECTED, admit=admit_any_trace),
    "E19": replace(CORRECTED, agg=PrintedAgg(size_from_count=True)),
}
