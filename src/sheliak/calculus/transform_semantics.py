"""Fig. 10: ⟦formula⟧, ⟦cross⟧, ⟦filter⟧ and ⟦agg⟧.

Each takes a change u (and a state st) and gives the changes to send (and the next state). The paper sends sets; these are
tuples in the figure's order, of changes to tuples with different traces, so that any order does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from sheliak.calculus.changes import (
    ERROR,
    Add,
    Change,
    Changes,
    DataTuple,
    Error,
    Extended,
    FiniteMap,
    Grouped,
    Identity,
    Pair,
    Record,
    Remove,
    Trace,
    Update,
    Value,
    identity,
)
from sheliak.calculus.exact_sum import Total
from sheliak.calculus.expression_evaluation import NotEvaluated, evaluate, truthy
from sheliak.calculus.no_derivation import KeyWithoutName
from sheliak.calculus.spec_typing import name_of_key
from sheliak.calculus.syntax import Agg, Avg, Count, Cross, Expr, Filter, Formula, Operator, Sum

# Formula


def extended(t: Formula, v: DataTuple) -> DataTuple:
    """v +_{f,e} v_e, where e[datum/v] ⇓ v_e."""
    return DataTuple({**v.fields, t.output: evaluate(t.expression, v.fields)}, Extended(t, v.trace))


def formula(t: Formula, u: Change) -> Changes:
    """⟦formula_{e,f}⟧(u)."""
    try:
        match u:
            case Add(v):
                return (Add(extended(t, v)),)
            case Remove(v):
                return (Remove(extended(t, v)),)
            case Update(v, w):
                return (Update(extended(t, v), extended(t, w)),)
            case Error():
                return ERROR
            case _:
                assert_never(u)
    except NotEvaluated:
        return ERROR


# Cross


class CrossState(FiniteMap[Trace, DataTuple]):
    """The tuples upstream, by trace."""


def crossed(t: Cross, v: DataTuple, w: DataTuple) -> DataTuple:
    """v ×_{fa,fb} w. Erratum E23: what is nested are the fields of v and w; their μ would be no value."""
    return DataTuple({t.left: v.fields, t.right: w.fields}, Pair(v.trace, w.trace))


def cross(t: Cross, st: CrossState, u: Change) -> tuple[Changes, CrossState]:
    """⟦cross_{fa,fb}⟧_st(u)."""
    match u:
        case Add(v):
            others = st.values()
            added = [Add(crossed(t, v, w)) for w in (*others, v)] + [Add(crossed(t, w, v)) for w in others]
            return tuple(added), st.plus(v.trace, v)
        case Remove(v):
            rest = st.minus(v.trace)
            removed = [Remove(crossed(t, v, w)) for w in st.values()] + [Remove(crossed(t, w, v)) for w in rest.values()]
            return tuple(removed), rest
        case Update(v, v_new):
            others = st.minus(v.trace).values()
            # Erratum E3: as printed v × v becomes v_new × v.
            diagonal = Update(crossed(t, v, v), crossed(t, v_new, v_new))
            left = [Update(crossed(t, v, w), crossed(t, v_new, w)) for w in others]
            right = [Update(crossed(t, w, v), crossed(t, w, v_new)) for w in others]
            return (diagonal, *left, *right), st.plus(v.trace, v_new)
        case Error():
            return ERROR, st
        case _:
            assert_never(u)


# Filter


def holds(e: Expr, v: DataTuple) -> bool:
    """e[datum/v] ⇓ v_e and truthy(v_e)."""
    return truthy(evaluate(e, v.fields))


def filter(t: Filter, u: Change) -> Changes:
    """⟦filter_e⟧(u). Erratum E27: the equations for {} ask only that e has a value; they are for falsy ones."""
    e = t.expression
    try:
        match u:
            case Add(v):
                return (u,) if holds(e, v) else ()
            case Remove(v):
                return (u,) if holds(e, v) else ()
            case Update(v, v_new):
                match holds(e, v), holds(e, v_new):
                    case True, True:
                        return (u,)
                    case False, True:
                        return (Add(v_new),)
                    case True, False:
                        return (Remove(v),)
                    case _:
                        return ()
            case Error():
                return ERROR
            case _:
                assert_never(u)
    except NotEvaluated:
        return ERROR


# Aggregate


@dataclass(frozen=True, slots=True)
class Group:
    """A group: the tuple that was last sent for it, and what the figure would read from that tuple.

    Erratum E19: the size is kept here, since nothing says that the operators contain a count. Errata E7, E11: sums are kept
    exactly, one per operator (unused for count); an average is the sum divided by the size.
    """

    sent: DataTuple
    size: int
    totals: tuple[Total, ...]


class AggState(FiniteMap[Identity, Group]):
    """The groups there are, by the identity of the values at the key paths."""


def key_of(t: Agg, v: DataTuple) -> Identity:
    """v.p."""
    return tuple([identity(evaluate(p, v.fields)) for p in t.keys])


def inputs_of(t: Agg, v: DataTuple) -> list[float]:
    """v.p_in of every operator; a count has none, and adds 0."""
    return [0.0 if isinstance(op, Count) else _number(evaluate(op.path, v.fields)) for op in t.operators]


def _number(v: Value) -> float:
    if not isinstance(v, float):
        raise NotEvaluated
    return v


def result_of(op: Operator, total: Total, size: int) -> float:
    """What an operator shows of a group."""
    match op:
        case Sum():
            return total.sum_of(size)
        case Avg():
            return total.sum_of(size) / size
        case Count():
            return float(size)
        case _:
            assert_never(op)


def _group(t: Agg, keys: Record, trace: Trace, size: int, totals: tuple[Total, ...]) -> Group:
    """Erratum E2: as printed, a group has no keys, against T-tAgg."""
    outputs = {op.output: result_of(op, total, size) for op, total in zip(t.operators, totals, strict=True)}
    return Group(DataTuple({**keys, **outputs}, trace), size, totals)


def new_group(t: Agg, v: DataTuple) -> Group:
    """newGroup(v). Erratum E5: the key identifies the group, not the trace of v."""
    keys = {name_of_key(p): evaluate(p, v.fields) for p in t.keys}
    totals = tuple([Total().plus(x) for x in inputs_of(t, v)])
    return _group(t, keys, Grouped(t, key_of(t, v)), 1, totals)


def plus(t: Agg, g: Group, v: DataTuple) -> Group:
    """g + v."""
    totals = tuple([total.plus(x) for total, x in zip(g.totals, inputs_of(t, v), strict=True)])
    return _group(t, g.sent.fields, g.sent.trace, g.size + 1, totals)


def minus(t: Agg, g: Group, v: DataTuple) -> Group:
    """g − v, where v is not the only member of g."""
    totals = tuple([total.minus(x) for total, x in zip(g.totals, inputs_of(t, v), strict=True)])
    return _group(t, g.sent.fields, g.sent.trace, g.size - 1, totals)


def agg(t: Agg, st: AggState, u: Change) -> tuple[Changes, AggState]:
    """⟦agg_{p,c,sum}⟧_st(u). Erratum E8: as printed the last case sends error, not {error}. Erratum E26: groups are stored
    under v.f, which is bound nowhere, and st(v_new) is meant to be st(v_new.p)."""
    try:
        match u:
            case Add(v):
                return _agg_add(t, st, v)
            case Remove(v):
                return _agg_remove(t, st, v)
            case Update(v, v_new):
                return _agg_update(t, st, v, v_new)
            case Error():
                return ERROR, st
            case _:
                assert_never(u)
    except (NotEvaluated, KeyWithoutName):
        return ERROR, st


def _agg_add(t: Agg, st: AggState, v: DataTuple) -> tuple[Changes, AggState]:
    k = key_of(t, v)
    match st.get(k):
        case None:
            g = new_group(t, v)
            return (Add(g.sent),), st.plus(k, g)
        case g:
            g1 = plus(t, g, v)
            return (Update(g.sent, g1.sent),), st.plus(k, g1)


def _agg_remove(t: Agg, st: AggState, v: DataTuple) -> tuple[Changes, AggState]:
    k = key_of(t, v)
    match st.get(k):
        case None:
            return ERROR, st
        case g if g.size > 1:
            g1 = minus(t, g, v)
            return (Update(g.sent, g1.sent),), st.plus(k, g1)
        case g:
            return (Remove(g.sent),), st.minus(k)


def _agg_update(t: Agg, st: AggState, v: DataTuple, v_new: DataTuple) -> tuple[Changes, AggState]:
    k, k_new = key_of(t, v), key_of(t, v_new)
    if k not in st:
        return ERROR, st
    g = st[k]
    if k == k_new:
        g1 = minus(t, plus(t, g, v_new), v)  # in this order, since g − v may have no members
        return (Update(g.sent, g1.sent),), st.plus(k, g1)
    match g.size, st.get(k_new):
        case 1, None:
            g1 = new_group(t, v_new)
            return (Remove(g.sent), Add(g1.sent)), st.minus(k).plus(k_new, g1)
        case 1, Group() as g1:
            g2 = plus(t, g1, v_new)  # Erratum E4: as printed, g1 is stored, not g2
            return (Remove(g.sent), Update(g1.sent, g2.sent)), st.minus(k).plus(k_new, g2)
        case _, None:
            g1, g2 = new_group(t, v_new), minus(t, g, v)
            return (Update(g.sent, g2.sent), Add(g1.sent)), st.plus(k, g2).plus(k_new, g1)
        case _, Group() as g1:
            g2, g3 = minus(t, g, v), plus(t, g1, v_new)  # Erratum E4: printed is g + v_new
            return (Update(g.sent, g2.sent), Update(g1.sent, g3.sent)), st.plus(k, g2).plus(k_new, g3)
