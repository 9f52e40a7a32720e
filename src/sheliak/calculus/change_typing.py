"""Fig. 11 and §6: the typing of values, changes and states, well-formed input, and the correspondence lemma."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from sheliak.calculus.changes import Add, Change, Error, Remove, Update, Value
from sheliak.calculus.graph_building import Graph, Input, Label, Output
from sheliak.calculus.propagation import LocalState, Observed, Stuck, admit
from sheliak.calculus.spec_typing import type_of_transform
from sheliak.calculus.syntax import Agg, Cross, Transform
from sheliak.calculus.transform_semantics import AggState, CrossState, agg
from sheliak.calculus.type_syntax import NUMBER, STRING, ArrayType, Context, EmptyArrayType, Primitive, RecordType, Type


def value_has_type(v: Value, T: Type) -> bool:
    """⊢ v : T. Erratum E20: the paper uses it and never defines it. A record has the fields of its type and no others; the
    empty array is of every array type, as a value need not have one type only."""
    match T:
        case Primitive():
            return isinstance(v, float) if T is NUMBER else isinstance(v, str) if T is STRING else isinstance(v, bool)
        case RecordType(fields):
            if not isinstance(v, dict) or len(v) != len(fields):
                return False
            for f, T_f in fields.items():
                if f not in v or not value_has_type(v[f], T_f):
                    return False
            return True
        case ArrayType(element):
            return isinstance(v, tuple) and all(value_has_type(item, element) for item in v)
        case EmptyArrayType():
            return v == ()
        case _:
            assert_never(T)


def change_has_type(u: Change, T: Type) -> bool:
    """⊢ u : T; no type for error."""
    match u:
        case Add(v):
            return value_has_type(v.fields, T)
        case Remove(v):
            return value_has_type(v.fields, T)
        case Update(v, v_new):
            return value_has_type(v.fields, T) and value_has_type(v_new.fields, T)
        case Error():
            return False
        case _:
            assert_never(u)


def state_has_type(t: Transform | Input | Output, T: Type, T_out: Type, st: LocalState) -> bool:
    """⊢_t st ok, for T ⊢ t : T'. Beyond the paper: a group is of one member at least, and has one total per operator."""
    match t, st:
        case Cross(), CrossState():
            return all(value_has_type(v.fields, T) for v in st.values())
        case Agg(_, operators), AggState():
            return all(
                value_has_type(g.sent.fields, T_out) and g.size >= 1 and len(g.totals) == len(operators) for g in st.values()
            )
        case _:
            return st is None


def state_agrees(t: Transform | Input | Output, observed: Observed, st: LocalState) -> bool:
    """Erratum E21: what preservation needs besides. The state is that of the observed tuples: without this a well-typed
    remove meets a well-typed state that lacks its group, and the result is error."""
    match t, st:
        case Cross(), CrossState():
            return st == observed
        case Agg(), AggState():
            expected = AggState()
            for v in observed.values():
                _, expected = agg(t, expected, Add(v))
            return st == expected
        case ((Cross() | Agg()), None):
            return not observed
        case _:
            return st is None


def is_well_formed(changes: Iterable[Change]) -> bool:
    """Well-formed input: every change can be taken by the input vertex, in order, from nothing. Erratum E24: the theorem needs
    more, that every change has the type of the input."""
    observed: Observed = {}
    try:
        for u in changes:
            admit(observed, u)
    except Stuck:
        return False
    return True


def type_of_vertices(Γ: Context, graph: Graph) -> dict[Label, tuple[Type, Type]]:
    """The correspondence lemma: each vertex (l, t) has one derivation T ⊢ t : T'; here are its T and T'. Input and output
    vertices, which have no transform, keep the type."""
    source_of = {target: source for source, target in graph.edges}
    types: dict[Label, tuple[Type, Type]] = {}
    for v in graph.vertices:
        match v.transform:
            case Input(name):
                types[v.label] = (Γ[name], Γ[name])
            case Output():
                T = types[source_of[v.label]][1]
                types[v.label] = (T, T)
            case t:
                T = types[source_of[v.label]][1]
                types[v.label] = (T, type_of_transform(T, t))
    return types
