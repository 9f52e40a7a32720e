"""What an erratum is to the tests: a way to draw cases, and the law that a case breaks under the printed rule."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from sheliak.calculus import as_printed
from sheliak.calculus.change_lines import read_changes
from sheliak.calculus.change_typing import change_has_type, is_well_formed, state_has_type
from sheliak.calculus.changes import ERROR, Add, Change, Error, Remove
from sheliak.calculus.graph_building import Graph, build, with_outputs
from sheliak.calculus.no_derivation import KeyWithoutName, NoDerivation
from sheliak.calculus.propagation import CORRECTED, Observed, Semantics, State, Stuck, initial_state, run, send
from sheliak.calculus.spec_typing import type_of_spec
from sheliak.calculus.surface import parse_program
from sheliak.calculus.syntax import Agg, Filter
from sheliak.calculus.transform_semantics import AggState, agg
from soundness import printed
from soundness.campaign import reached_by, violation_of
from soundness.choices import Choices
from soundness.derivations import Rules
from soundness.from_scratch import datasets, same_rows
from soundness.laws import Violation, built, has_good_edges, is_safe
from soundness.mutations import mutation
from soundness.smaller import Case, smaller
from soundness.specs import Bounds, typed_spec
from soundness.streams import stream, survivors

# Where Hypothesis looks: one dataset, few transforms, of the kind in question.
SMALL: Final = Bounds(1, 1, (1,), (0, 1, 2), crosses=1, depth=1, changes=4)
NO_TRANSFORM: Final = replace(SMALL, numbers_of_transforms=(0,))
ONE_FILTER: Final = replace(SMALL, kinds=("filter",), numbers_of_transforms=(1,))
ONE_FORMULA: Final = replace(SMALL, kinds=("formula",), numbers_of_transforms=(1,))
ONE_CROSS: Final = replace(SMALL, kinds=("cross",), numbers_of_transforms=(1,))
ONE_AGG: Final = replace(SMALL, kinds=("agg",), numbers_of_transforms=(1,))


def short(bounds: Bounds, changes: int) -> Bounds:
    return replace(bounds, changes=changes)


Broken = Callable[[Case], str | None]


@dataclass(frozen=True, slots=True)
class Defect:
    """`broken` names the law that a case breaks under the printed rule, `corrected` under the corrected one. `drawn` are cases
    of the typing rules, with those errata undone that the generator has a part in (`as_printed`)."""

    erratum: str
    law: str
    broken: Broken
    pinned: Case
    as_printed: frozenset[str] = frozenset()
    corrected: Broken = lambda case: _law(violation_of(case))
    drawn: Callable[[Choices, Bounds], Case] = lambda choices, bounds: draw(choices, bounds)
    reduced: Callable[[Case], Iterator[Case]] = smaller
    near: Bounds = SMALL

    def draw(self, choices: Choices, bounds: Bounds) -> Case:
        return self.drawn(choices, replace(bounds, as_printed=self.as_printed))


def draw(choices: Choices, bounds: Bounds) -> Case:
    """A well-typed specification and a well-formed stream."""
    typed = typed_spec(choices, bounds)
    return Case(typed.inputs, typed.spec, stream(choices, typed, bounds))


def draw_ill_typed(choices: Choices, bounds: Bounds) -> Case:
    """The same, spoiled at a place that the stream reaches."""
    typed = typed_spec(choices, bounds)
    events = stream(choices, typed, bounds)
    return Case(typed.inputs, mutation(choices, typed, reached_by(built(typed), events)).spec, events)


def case(program: str, changes: str = "", check_types: bool = True) -> Case:
    """A case as a user would write it."""
    parsed = parse_program(program)
    names = frozenset(d.name for d in parsed.spec)
    pulses = read_changes(changes, parsed.context, names, check_types)
    inputs = {definition.name: definition.type for definition in parsed.inputs}
    return Case(inputs, parsed.spec, tuple([event for pulse in pulses for event in pulse]))


def _law(violation: Violation | None) -> str | None:
    return None if violation is None else violation.law


def running(semantics: Semantics) -> Broken:
    """What breaks when a case is run by other rules."""
    return lambda case: _law(violation_of(case, semantics))


def deriving(rules: Rules) -> Broken:
    """Uniqueness breaks when, by these rules, a dataset has not one derivation."""

    def broken(case: Case) -> str | None:
        if case.typed() is None:
            return None
        chains = [chains for _, chains in rules.spec(case.inputs, case.spec)]
        return None if all(len(found) == 1 for found in chains) else "uniqueness"

    return broken


def accepted(case: Case) -> str | None:
    """For an erratum whose correction asks for more: the case must be rejected."""
    return "typing" if case.typed() else None


# E1


def in_order(order: printed.Order) -> Broken:
    """The context as printed has other types than the tuples."""

    def broken(case: Case) -> str | None:
        if case.typed() is None:
            return None
        try:
            types = printed.type_of_spec_in_order(case.inputs, case.spec, order)
        except (KeyError, NoDerivation):
            return "typing"
        return None if types == type_of_spec(case.inputs, case.spec) else "typing"

    return broken


# E8


def loses_edges(case: Case) -> str | None:
    if case.typed() is None:
        return None
    return None if has_good_edges(printed.build_with_unbound_edges(case.inputs, case.spec)) else "graph existence"


def sends_no_set(case: Case) -> str | None:
    """An ill-typed specification, run anyway: step 8 cannot unite a list with `error`."""
    if case.typed() is not None or not _has_graph(case):
        return None
    return _stops(case, printed.VARIANTS["E8 error"])


def stops_at_error(case: Case) -> str | None:
    return _stops(case, CORRECTED)


def _stops(case: Case, semantics: Semantics) -> str | None:
    graph, state = started(case)
    try:
        run(graph, state, semantics)
    except TypeError:
        return "progress"
    return None


def started(case: Case) -> tuple[Graph, State]:
    """The graph with outputs, and all changes waiting at the inputs."""
    graph, _ = with_outputs(*build(case.inputs, case.spec))
    state = initial_state(graph)
    for source, u in case.events:
        state = send(state, source, (u,))
    return graph, state


def _has_graph(case: Case) -> bool:
    known = set(case.inputs)
    for d in case.spec:
        if d.source not in known:
            return False
        known.add(d.name)
    return True


# E10


def with_a_clock(case: Case) -> str | None:
    """A Σ with now(); the clock of the printed rule counts the evaluations."""
    with printed.impure_builtins():
        typed = case.typed()
        if typed is None:
            return None
        try:
            is_safe(built(typed), [case.events], as_printed.formula_of_time())
        except Violation as violation:
            return violation.law
    return None


# E12 to E14


def has_two_types(case: Case) -> str | None:
    for _, chains in Rules(distinct=False).spec(case.inputs, case.spec):
        types = [chain[-1].conclusion for chain in chains if chain]
        if any(T != types[0] for T in types):
            return "uniqueness"
    return None


def has_no_name(case: Case) -> str | None:
    """All premises of T-tAgg hold, and its conclusion is not defined."""
    try:
        type_of_spec(case.inputs, case.spec)
    except KeyWithoutName:
        return "typing"
    except NoDerivation:
        pass
    return None


def lookup_is_no_function(case: Case) -> str | None:
    if not _has_graph(case):
        return None
    pairs = as_printed.lookup_pairs(case.inputs, case.spec)
    return None if len(pairs) == len({name for name, _ in pairs}) else "graph existence"


# E18


def moved_trace_sticks(case: Case) -> str | None:
    """The input vertex takes every change, and a later vertex is stuck."""
    observed: dict[str, Observed] = {source: {} for source in case.inputs}
    try:
        for source, u in case.events:
            as_printed.admit_any_trace(observed[source], u)
    except Stuck:
        return None
    violation = violation_of(case, as_printed.VARIANTS["E18"])
    return "progress" if violation and violation.law == "progress" else None


def moved_trace_is_well_formed(case: Case) -> str | None:
    """The corrected step does not take an update that changes the trace."""
    return "progress" if is_well_formed([u for _, u in case.events]) else None


def without_one_change(case: Case) -> Iterator[Case]:
    return (replace(case, events=(*case.events[:i], *case.events[i + 1 :])) for i in range(len(case.events)))


# E16, E21, E24, E27


def dataset_is_not_at_its_vertex(case: Case) -> str | None:
    """As printed, invals(lookup(n)) is all there is of a dataset n."""
    if case.typed() is None:
        return None
    graph, lookup = build(case.inputs, case.spec)
    state = initial_state(graph)
    for source, u in case.events:
        state = send(state, source, (u,))
    state = run(graph, state)
    expected = datasets(case.spec, survivors(case.inputs, case.events))
    right = all(same_rows(rows, state.invals[lookup[n].label]) for n, rows in expected.items())
    return None if right else "from scratch"


def well_typed_state_meets_error(case: Case) -> str | None:
    """A tuple that an aggregate takes, removed from the empty state: both are well-typed."""
    typed = case.typed()
    if typed is None:
        return None
    b = built(typed)
    state = is_safe(b, [case.events])
    for v in b.graph.vertices:
        T, T_out = b.types[v.label]
        for w in state.invals[v.label].values():
            if (
                isinstance(v.transform, Agg)
                and state_has_type(v.transform, T, T_out, AggState())
                and change_has_type(Remove(w), T)
                and agg(v.transform, AggState(), Remove(w))[0] == ERROR
            ):
                return "preservation"
    return None


def well_formed_input_errs(case: Case) -> str | None:
    """Every change can be taken by the input vertex, and the rest of the graph errs."""
    if case.typed() is None or not is_well_formed([u for _, u in case.events]):
        return None
    graph, state = started(case)
    sent: list[Change] = []
    run(graph, state, observer=lambda vertex, taken, changes, st: sent.extend(changes))
    return "preservation" if Error() in sent else None


def well_typed_input_errs(case: Case) -> str | None:
    """The corrected definition asks for the type as well."""
    if not all(change_has_type(u, case.inputs[source]) for source, u in case.events):
        return None
    return well_formed_input_errs(case)


def filter_is_no_function(case: Case) -> str | None:
    typed = case.typed()
    if typed is None:
        return None
    b = built(typed)
    state = is_safe(b, [case.events])
    for v in b.graph.vertices:
        if isinstance(v.transform, Filter):
            for w in state.invals[v.label].values():
                if len(printed.equations_of_filter(v.transform, Add(w))) > 1:
                    return "from scratch"
    return None
