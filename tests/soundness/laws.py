"""The laws, one function each; a law that does not hold raises Violation.

Safety, progress and preservation are those of the paper (§6); the last three say that what a run computes is right, which
the paper does not claim.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from sheliak.calculus.change_typing import change_has_type, state_agrees, state_has_type, type_of_vertices, value_has_type
from sheliak.calculus.changes import Change, Changes, DataTuple, Error, Trace
from sheliak.calculus.expression_evaluation import evaluate
from sheliak.calculus.expression_typing import type_of_expression
from sheliak.calculus.graph_building import Graph, Input, Label, Lookup, Output, Vertex, build, with_outputs
from sheliak.calculus.no_derivation import NoDerivation
from sheliak.calculus.printer import change_text, expression_text, type_text, value_text
from sheliak.calculus.propagation import CORRECTED, LocalState, Semantics, State, Stuck, initial_state, run, send, step
from sheliak.calculus.spec_typing import type_of_spec
from sheliak.calculus.syntax import Filter
from sheliak.calculus.type_syntax import RecordType, Type
from soundness.choices import Choices
from soundness.derivations import Rules
from soundness.expressions import Scope, expression, wanted_type
from soundness.from_scratch import Rows, datasets, same_rows
from soundness.mutations import Mutation
from soundness.specs import Typed
from soundness.streams import Stream, merged, pulses, reordered, survivors
from soundness.types_and_values import record

Comparison: TypeAlias = Callable[[Rows, Mapping[Trace, DataTuple]], bool]


@dataclass(eq=False)
class Violation(AssertionError):
    law: str
    detail: str

    def __str__(self) -> str:
        return f"{self.law}: {self.detail}"


@dataclass(frozen=True, slots=True)
class Built:
    """A typed specification with its graph, one output vertex behind every dataset, and the T and T' of every vertex."""

    typed: Typed
    graph: Graph
    outputs: Mapping[str, Vertex]
    types: Mapping[Label, tuple[Type, Type]]


def built(typed: Typed) -> Built:
    return with_types(typed, *build(typed.inputs, typed.spec))


def with_types(typed: Typed, graph: Graph, lookup: Lookup) -> Built:
    graph, outputs = with_outputs(graph, {d.name: lookup[d.name] for d in typed.spec})
    return Built(typed, graph, outputs, type_of_vertices(typed.inputs, graph))


# The lemmas about specifications


def has_the_type_it_was_built_for(typed: Typed) -> None:
    """Γ₀ ⊢ spec : Γ, with the Γ that the generator arrived at."""
    found = type_of_spec(typed.inputs, typed.spec)
    if found != typed.types:
        raise Violation("typing", f"{found} is not {typed.types}")


def typing_is_unique(typed: Typed, rules: Rules) -> None:
    """Uniqueness: by whatever rules, every dataset has one derivation, and it is the one that the functions follow."""
    for n, chains in rules.spec(typed.inputs, typed.spec):
        if len(chains) != 1:
            raise Violation("uniqueness", f"{n!r} has {len(chains)} derivations")
        if chains[0] and chains[0][-1].conclusion != typed.types[n]:
            raise Violation("uniqueness", f"{n!r} has type {chains[0][-1].conclusion}")


def graph_exists(typed: Typed) -> tuple[Graph, Lookup]:
    """Graph existence: labels are unique, every vertex but the inputs has one edge to it, from an earlier one."""
    graph, lookup = build(typed.inputs, typed.spec)
    if not has_good_edges(graph):
        raise Violation("graph existence", "labels are not unique, or a vertex has not one edge to it, from an earlier one")
    transforms = sum(len(d.transforms) for d in typed.spec)
    if lookup.keys() != typed.types.keys() or len(graph.vertices) != len(typed.inputs) + transforms:
        raise Violation("graph existence", "a dataset or a transform has no vertex")
    return graph, lookup


def has_good_edges(graph: Graph) -> bool:
    places = {v.label: i for i, v in enumerate(graph.vertices)}
    computed = [v.label for v in graph.vertices if not isinstance(v.transform, Input)]
    return (
        len(places) == len(graph.vertices)
        and [target for _, target in graph.edges] == computed
        and all(places[source] < places[target] for source, target in graph.edges)
    )


def vertices_correspond(b: Built, lookup: Lookup) -> None:
    """Correspondence: each vertex has its T ⊢ t : T', and the vertex of a dataset gives the dataset's type."""
    for n, v in lookup.items():
        if b.types[v.label][1] != b.typed.types[n]:
            raise Violation("correspondence", f"the vertex of {n!r} gives {b.types[v.label][1]}")


# The theorem


class Watch:
    """Sees every step of a run: what is sent must be well-typed; and where `states` is set, the state too."""

    def __init__(self, types: Mapping[Label, tuple[Type, Type]], states: bool) -> None:
        self.types = types
        self.states = states

    def __call__(self, v: Vertex, taken: Change, sent: Changes, st: LocalState) -> None:
        if not (sent or self.states):
            return
        T, T_out = self.types[v.label]
        for u in sent:
            # What a filter passes on was checked when it was sent to it.
            if not (u is taken and type(v.transform) is Filter) and not change_has_type(u, T_out):
                raise Violation("preservation", f"vertex {v.label} takes {change_text(taken)} and sends {change_text(u)}")
        if self.states and not state_has_type(v.transform, T, T_out, st):
            raise Violation("preservation", f"after {change_text(taken)} the state of vertex {v.label} is not well-typed")


def is_safe(b: Built, pulses: Iterable[Stream], semantics: Semantics = CORRECTED, states: bool = False) -> State:
    """Progress and preservation: never stuck, no error, every change well-typed, the states in the end and, with `states`,
    after every step."""
    state, watch = initial_state(b.graph), Watch(b.types, states)
    for pulse in pulses:
        for source, u in pulse:
            state = send(state, source, (u,))
        try:
            state = run(b.graph, state, semantics, watch)
        except Stuck as stuck:
            label = stuck.vertex.label if stuck.vertex else None
            raise Violation("progress", f"vertex {label} is stuck at {change_text(stuck.change)}: {stuck}") from None
    for v in b.graph.vertices:
        if state.ls[v.label] is not None and not state_has_type(v.transform, *b.types[v.label], state.ls[v.label]):
            raise Violation("preservation", f"the last state of vertex {v.label} is not well-typed")
    return state


def steps_agree(b: Built, events: Stream, semantics: Semantics = CORRECTED) -> int:
    """Progress, step by step: as long as a change waits there is a step, the states on the way are well-typed and agree with
    the tuples seen, and the last one is that of `run`. Gives the number of steps."""
    start = initial_state(b.graph)
    for source, u in events:
        start = send(start, source, (u,))
    state, steps = start, 0
    try:
        while any(state.cs.values()):
            before, state, steps = state, step(b.graph, state, semantics), steps + 1
            _require_good_states(b, before, state)
    except Stuck as stuck:
        raise Violation("progress", f"step {steps + 1} does not exist: {change_text(stuck.change)}: {stuck}") from None
    if step(b.graph, state, semantics) is not state:
        raise Violation("progress", "a state without waiting changes leads elsewhere")
    at_once = run(b.graph, start, semantics)
    if (at_once.ls, at_once.invals) != (state.ls, state.invals):
        raise Violation("progress", "the steps end in another state than the run")
    return steps


def _require_good_states(b: Built, before: State, state: State) -> None:
    """Of the vertices that the step has changed: the state is well-typed, and that of the tuples seen (Erratum E21)."""
    for v in b.graph.vertices:
        if state.invals[v.label] is before.invals[v.label]:
            continue
        T, T_out = b.types[v.label]
        st = state.ls[v.label]
        if st is not None and not state_has_type(v.transform, T, T_out, st):
            raise Violation("preservation", f"the state of vertex {v.label} is not well-typed")
        if not state_agrees(v.transform, state.invals[v.label], st):
            raise Violation("preservation", f"the state of vertex {v.label} is not that of the tuples it has seen")


def evaluation_is_sound(choices: Choices, T: RecordType, depth: int) -> None:
    """Assumption 1: an expression of a type has a value of that type, for every datum."""
    wanted = wanted_type(choices, scope := Scope(T))
    e, v = expression(choices, scope, wanted, depth), record(choices, T)
    if type_of_expression(T, e) != wanted:
        raise Violation("typing", f"{expression_text(e)} is not of the type it was built for, {type_text(wanted)}")
    if not value_has_type(evaluate(e, v), wanted):
        raise Violation("evaluation soundness", f"{expression_text(e)} ⇓ {value_text(evaluate(e, v))} for {value_text(v)}")


# What a run computes


def is_from_scratch(b: Built, events: Stream, state: State, same: Comparison = same_rows) -> None:
    """The datasets after a stream are those computed at one go from the tuples that survive it."""
    expected = datasets(b.typed.spec, survivors(b.typed.inputs, events))
    for n, v in b.outputs.items():
        if not same(expected[n], state.invals[v.label]):
            raise Violation("from scratch", f"{n!r} has {state.invals[v.label]}, and would have {expected[n]}")


def regrouping_changes_nothing(choices: Choices, b: Built, events: Stream, state: State) -> None:
    """Splitting into pulses, merging the changes of a pulse, and reordering independent changes all end in the same datasets."""
    for other in (
        [(event,) for event in events],
        [merged(pulse) for pulse in pulses(choices, events)],
        [merged(events)],
        pulses(choices, reordered(choices, events)),
    ):
        end = is_safe(b, other)
        for n, v in b.outputs.items():
            if end.invals[v.label] != state.invals[v.label]:
                raise Violation("regrouping", f"{n!r} has {end.invals[v.label]} after {other}")


def order_of_sent_changes_is_free(choices: Choices, b: Built, events: Stream, state: State) -> None:
    """What a transform sends is a set: it may wait in any order."""

    def enqueue(waiting: list[Change], sent: Changes) -> None:
        rest = list(sent)
        while rest:
            waiting.append(rest.pop(choices.below(len(rest))))

    end = is_safe(b, [events], replace(CORRECTED, enqueue=enqueue))
    for n, v in b.outputs.items():
        if end.invals[v.label] != state.invals[v.label]:
            raise Violation("order of a set", f"{n!r} has {end.invals[v.label]}")


# Ill-typed specifications


def ill_typed_is_rejected(typed: Typed, mutation: Mutation) -> None:
    """Has no derivation."""
    try:
        types = type_of_spec(typed.inputs, mutation.spec)
    except NoDerivation:
        return
    raise Violation("rejection", f"{mutation.kind} has type {types}")


def ill_typed_reaches_error(typed: Typed, mutation: Mutation, events: Stream) -> None:
    """Run anyway, the vertex that was spoiled sends nothing but errors, and they reach its dataset."""
    if mutation.spoiled is None:
        _require_no_graph(typed, mutation)
        return
    graph, lookup = build(typed.inputs, mutation.spec)
    graph, outputs = with_outputs(graph, {mutation.dataset: lookup[mutation.dataset]})
    state = initial_state(graph)
    for source, u in events:
        state = send(state, source, (u,))
    errors: dict[Label, list[bool]] = {}

    def watch(v: Vertex, taken: Change, sent: Changes, _: LocalState) -> None:
        seen = (taken,) if isinstance(v.transform, Output) else sent
        errors.setdefault(v.label, []).extend(isinstance(u, Error) for u in seen)

    run(graph, state, observer=watch)
    for label in (mutation.spoiled, outputs[mutation.dataset].label):
        if not errors.get(label) or not all(errors[label]):
            raise Violation("error", f"{mutation.kind}: vertex {label} has {errors.get(label)}")


def _require_no_graph(typed: Typed, mutation: Mutation) -> None:
    try:
        build(typed.inputs, mutation.spec)
    except KeyError:
        return
    raise Violation("error", f"{mutation.kind}: there is a graph")
