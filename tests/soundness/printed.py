"""More rules as the paper prints them: those of typing, building and the definitions.

`sheliak.calculus.as_printed` has the printed variants of what a step of reduction depends on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import count
from typing import Literal, TypeAlias
from unittest.mock import patch

from sheliak.calculus import transform_semantics as corrected
from sheliak.calculus.as_printed import PrintedAgg
from sheliak.calculus.builtin_functions import BUILTINS, Signature
from sheliak.calculus.changes import ERROR, Add, Change, Changes, DataTuple, Error, Record, Remove, Update
from sheliak.calculus.expression_evaluation import NotEvaluated, evaluate
from sheliak.calculus.graph_building import Graph, Input, Vertex, build
from sheliak.calculus.propagation import CORRECTED, LocalState, Semantics, State, Stuck, step
from sheliak.calculus.spec_typing import type_of_transform
from sheliak.calculus.syntax import Agg, Avg, Cross, Data, Expr, Filter, Formula, Operator, Spec
from sheliak.calculus.transform_semantics import AggState, CrossState, holds
from sheliak.calculus.type_syntax import NUMBER, Context, Type
from soundness.derivations import Found, Rules

Order: TypeAlias = Literal["as in Fig. 4", "as in the examples"]

# Fig. 5 and 6


def type_of_spec_in_order(context: Context, spec: Spec, order: Order) -> Context:
    """E1: T-dData reads data(n_out, n_in, …), and T-spec takes the second name for the one that is defined.

    A definition is written with its name first, as in Fig. 4, or with its source first, as in the examples. KeyError if there
    is no derivation.
    """
    types = dict(context)
    for d in spec:
        second = d.source if order == "as in Fig. 4" else d.name
        types[second] = _type_of_pipeline(types[second], d)
    return types


def _type_of_pipeline(T: Type, d: Data) -> Type:
    for t in d.transforms:
        T = type_of_transform(T, t)
    return T


class WithoutAvg(Rules):
    """E7: no rule for avg."""

    def operator(self, T: Type, op: Operator) -> Found:
        return iter(()) if isinstance(op, Avg) else super().operator(T, op)


class ResultIsDatum(Rules):
    """E8: Σ(builtin) = (T₁, …, Tₙ) ⇒ T, where T is also the type of the datum."""

    def builtin(self, T: Type, e: Expr) -> Found:
        return (derivation for derivation in super().builtin(T, e) if derivation.conclusion == T)


@contextmanager
def impure_builtins() -> Iterator[None]:
    """E10: Σ with now(), which counts its calls, and random(), which is 1 and 0 in turn."""
    clock, coin = count(1), count(1)
    impure = {
        "now": Signature((), NUMBER, lambda: float(next(clock))),
        "random": Signature((), NUMBER, lambda: float(next(coin) % 2)),
    }
    with patch.dict(BUILTINS, impure):
        yield


# Fig. 8


def build_with_unbound_edges(sources: Iterable[str], spec: Spec) -> Graph:
    """E8: buildT gives E' ∪ {(v, v')}; an E' that is bound nowhere is taken for empty, so that only the last edge is left."""
    graph, _ = build(sources, spec)
    return Graph(graph.vertices, graph.edges[-1:])


# Fig. 10


def on_tuples(f: Callable[[DataTuple], DataTuple], u: Change) -> Change:
    """The change with f applied to its tuples."""
    match u:
        case Add(v):
            return Add(f(v))
        case Remove(v):
            return Remove(f(v))
        case Update(v, v_new):
            return Update(f(v), f(v_new))
        case _:
            return u


def bare_error(t: Agg, st: AggState, u: Change) -> tuple[Changes, AggState]:
    """E8: the last case of ⟦agg⟧ sends error, which is no set."""
    sent, st_new = corrected.agg(t, st, u)
    return (Error() if sent == ERROR else sent), st_new  # type: ignore[return-value]


def cross_nesting_traces(t: Cross, st: CrossState, u: Change) -> tuple[Changes, CrossState]:
    """E23: v × w with the whole of v and w, their μ included (here as a text)."""

    def nested(v: DataTuple) -> DataTuple:
        parts = {f: {**whole, "μ": "R"} for f, whole in v.fields.items() if isinstance(whole, dict)}
        return DataTuple(parts, v.trace)

    sent, st_new = corrected.cross(t, st, u)
    return tuple([on_tuples(nested, sent_change) for sent_change in sent]), st_new


def formula_of_whole_tuples(t: Formula, u: Change) -> Changes:
    """E23: e[datum/v] with the whole of v, its μ included (here as a text)."""

    def extended(v: DataTuple) -> DataTuple:
        plain = corrected.extended(t, v)
        whole: Record = {**v.fields, "μ": "R"}
        return DataTuple({**plain.fields, t.output: evaluate(t.expression, whole)}, plain.trace)

    try:
        return (on_tuples(extended, u),)
    except NotEvaluated:
        return ERROR


@dataclass(frozen=True, slots=True)
class GroupOfTuple(PrintedAgg):
    """E26: g' = st(v_new), where st is a map from keys, not from tuples: it is undefined, and `otherwise` is left."""

    def _update(self, t: Agg, st: AggState, v: DataTuple, v_new: DataTuple) -> tuple[Changes, AggState]:
        k, k_new = self._key(t, v), self._key(t, v_new)
        if k != k_new and k_new in st:
            return ERROR, st
        return PrintedAgg._update(self, t, st, v, v_new)


def equations_of_filter(t: Filter, u: Change) -> list[Changes]:
    """E27: what the equations of ⟦filter_e⟧ that apply to u say; those for {} ask only that e has a value."""
    try:
        match u:
            case Add(v) | Remove(v):
                return [(u,), ()] if holds(t.expression, v) else [()]
            case Update(v, v_new):
                sent = corrected.filter(t, Update(v, v_new))
                return [sent, ()] if sent else [()]
            case _:
                return [ERROR]
    except NotEvaluated:
        return [ERROR]


# §5.4


class UndefinedInput(Semantics):
    """E15: no ⟦input⟧."""

    def of(self, v: Vertex, st: LocalState, u: Change) -> tuple[Changes, LocalState]:
        if isinstance(v.transform, Input):
            raise Stuck(u, "⟦input⟧ is not defined")
        return super().of(v, st, u)


def reached_in(n: int, graph: Graph, state: State) -> State:
    """E25: sₙ of s₀ →ⁿ sₙ, where for all i ∈ 0..n there is a step from sᵢ: one more than n. Stuck if there is none."""
    states = [state]
    for i in range(n + 1):
        states.append(step(graph, states[i]))
    return states[n]


VARIANTS: dict[str, Semantics] = {
    "E8 error": replace(CORRECTED, agg=bare_error),
    "E15": UndefinedInput(),
    "E23 cross": replace(CORRECTED, cross=cross_nesting_traces),
    "E23 formula": replace(CORRECTED, formula=formula_of_whole_tuples),
    "E26": replace(CORRECTED, agg=GroupOfTuple()),
}
