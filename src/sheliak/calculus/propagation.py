"""§5.4: one step of reduction over ⟨cs, ls, invals⟩, and →*."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias, assert_never

from sheliak.calculus import transform_semantics as meaning
from sheliak.calculus.changes import Add, Change, Changes, DataTuple, Error, Remove, Trace, Update
from sheliak.calculus.graph_building import Graph, Input, Label, Output, Vertex
from sheliak.calculus.syntax import Agg, Cross, Filter, Formula
from sheliak.calculus.transform_semantics import AggState, CrossState

LocalState: TypeAlias = CrossState | AggState | None
Observed: TypeAlias = dict[Trace, DataTuple]
Observer: TypeAlias = Callable[[Vertex, Change, Changes, LocalState], None]


@dataclass(frozen=True, slots=True)
class State:
    """⟨cs, ls, invals⟩: the changes that wait at each vertex, its local state, the tuples it has observed."""

    cs: Mapping[Label, tuple[Change, ...]]
    ls: Mapping[Label, LocalState]
    invals: Mapping[Label, Observed]


@dataclass(eq=False)
class Stuck(Exception):
    """⟨cs, ls, invals⟩ ↛: the change does not fit the tuples that the vertex has observed."""

    change: Change
    reason: str
    vertex: Vertex | None = None

    def __str__(self) -> str:
        return self.reason


def admit(observed: Observed, u: Change, same: Callable[[DataTuple, DataTuple], bool] = DataTuple.__eq__) -> None:
    """Steps 2 to 4: bring `observed` up to date, or be stuck."""
    match u:
        case Add(v):
            if v.trace in observed:
                raise Stuck(u, "add of a tuple that is there already")
            observed[v.trace] = v
        case Update(v, v_new):
            _require_observed(observed, u, v, same)
            if v_new.trace != v.trace:  # Erratum E18: "keep μ" is said in Fig. 9, and nowhere asked for
                raise Stuck(u, "update that changes the trace of its tuple")
            observed[v.trace] = v_new
        case Remove(v):
            _require_observed(observed, u, v, same)
            del observed[v.trace]
        case Error():
            pass
        case _:
            assert_never(u)


def _require_observed(observed: Observed, u: Change, v: DataTuple, same: Callable[[DataTuple, DataTuple], bool]) -> None:
    if v.trace not in observed:
        raise Stuck(u, f"{type(u).__name__.lower()} of a tuple that is not there")
    if not same(observed[v.trace], v):
        raise Stuck(u, f"{type(u).__name__.lower()} of a tuple that has other fields by now")


def concatenate(waiting: list[Change], sent: Changes) -> None:
    """Step 8. Erratum E17: printed is a union, which would drop the second add of add, remove, add."""
    waiting.extend(sent)


@dataclass(frozen=True, slots=True)
class Semantics:
    """What a step depends on; the tests put printed rules in the place of corrected ones."""

    formula: Callable[[Formula, Change], Changes] = meaning.formula
    cross: Callable[[Cross, CrossState, Change], tuple[Changes, CrossState]] = meaning.cross
    filter: Callable[[Filter, Change], Changes] = meaning.filter
    agg: Callable[[Agg, AggState, Change], tuple[Changes, AggState]] = meaning.agg
    admit: Callable[[Observed, Change], None] = admit
    enqueue: Callable[[list[Change], Changes], None] = concatenate

    def of(self, v: Vertex, st: LocalState, u: Change) -> tuple[Changes, LocalState]:
        """⟦t, ls(v), u⟧. Erratum E15: ⟦input⟧ is not defined, though input vertices do process their changes."""
        match v.transform:
            case Formula() as t:
                return self.formula(t, u), st
            case Cross() as t:
                return self.cross(t, st if isinstance(st, CrossState) else CrossState(), u)
            case Filter() as t:
                return self.filter(t, u), st
            case Agg() as t:
                return self.agg(t, st if isinstance(st, AggState) else AggState(), u)
            case Input():
                return (u,), st
            case Output():
                return (), st
            case _:
                assert_never(v.transform)


CORRECTED = Semantics()


def initial_state(graph: Graph) -> State:
    """Nothing waits, nothing is remembered, nothing was observed."""
    labels = [v.label for v in graph.vertices]
    return State({}, dict.fromkeys(labels), {label: {} for label in labels})


def send(state: State, source: Label, changes: Iterable[Change]) -> State:
    """The same state, with `changes` waiting at the vertex `source` after those that wait there."""
    return State({**state.cs, source: (*state.cs.get(source, ()), *changes)}, state.ls, state.invals)


def step(graph: Graph, state: State, semantics: Semantics = CORRECTED) -> State:
    """⟨cs, ls, invals⟩ → ⟨cs', ls', invals'⟩; the same state if no change waits; Stuck if there is no step.

    Erratum E25: so the end has a step too, and →ⁿ as printed takes n + 1 of them.
    """
    v = next((v for v in graph.vertices if state.cs.get(v.label)), None)  # 1: the smallest vertex with a change
    if v is None:
        return state
    u, *rest = state.cs[v.label]
    observed = dict(state.invals[v.label])
    try:
        semantics.admit(observed, u)  # 2 to 4
    except Stuck as stuck:
        stuck.vertex = v
        raise
    sent, st = semantics.of(v, state.ls[v.label], u)  # 5
    cs = {**state.cs, v.label: tuple(rest)}
    for source, target in graph.edges:  # 7, 8
        if source == v.label:
            waiting = list(cs.get(target, ()))
            semantics.enqueue(waiting, sent)
            cs[target] = tuple(waiting)
    return State(cs, {**state.ls, v.label: st}, {**state.invals, v.label: observed})  # 6


def run(graph: Graph, state: State, semantics: Semantics = CORRECTED, observer: Observer | None = None) -> State:
    """→*: the steps until no change waits, vertex after vertex, on copies of the maps instead of one copy a step.

    `observer` is told of every step: the vertex, the change it took, the changes it sent, its new local state.
    """
    successors: dict[Label, list[list[Change]]] = {v.label: [] for v in graph.vertices}
    waiting = {v.label: list(state.cs.get(v.label, ())) for v in graph.vertices}
    for source, target in graph.edges:
        successors[source].append(waiting[target])
    ls, invals = dict(state.ls), {label: dict(observed) for label, observed in state.invals.items()}
    for v in graph.vertices:
        st, observed, targets = ls[v.label], invals[v.label], successors[v.label]
        for u in waiting[v.label]:
            try:
                semantics.admit(observed, u)
            except Stuck as stuck:
                stuck.vertex = v
                raise
            sent, st = semantics.of(v, st, u)
            for queue in targets:
                semantics.enqueue(queue, sent)
            if observer is not None:
                observer(v, u, sent, st)
        ls[v.label] = st
    return State({}, ls, invals)
