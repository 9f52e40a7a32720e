"""Many cases, all laws: which law is checked how often, and what is told of a case that breaks one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from sheliak.calculus.changes import Change, Changes
from sheliak.calculus.graph_building import Label, Vertex
from sheliak.calculus.propagation import CORRECTED, LocalState, Semantics, State, initial_state, run, send
from soundness import laws
from soundness.choices import Choices, Seeded
from soundness.derivations import Rules
from soundness.from_scratch import same_rows, same_values
from soundness.laws import Built, Violation, built
from soundness.mutations import mutation
from soundness.smaller import Case, shrunk
from soundness.specs import Bounds, Typed, typed_spec
from soundness.streams import Stream, pulses, stream

STREAMS_PER_SPEC: Final = 4
EVERY: Final = 32  # of the costly laws, each is checked on one run in so many
BOUNDS: Final = Bounds()
LARGE: Final = Bounds(3, 5, (1, 2, 4, 6), (0, 1, 2, 3, 4), depth=4, changes=16)
LARGE_EVERY: Final = 128  # most faults show in small cases; one specification in so many is large
RULES: Final = Rules()

# The laws that are checked on every specification, and on every run.
OF_EVERY_SPEC: Final = ("typing", "graph existence", "correspondence")
OF_EVERY_RUN: Final = ("progress", "preservation of changes", "from scratch")


@dataclass(slots=True)
class Tally:
    """How many specifications and runs there were, how often each costly law was checked, and what broke."""

    specs: int = 0
    runs: int = 0
    costly: Counter[str] = field(default_factory=Counter)
    broken: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        self.specs += other.specs
        self.runs += other.runs
        self.costly.update(other.costly)
        self.broken.extend(other.broken)

    def checks(self) -> dict[str, int]:
        """How often each law was checked."""
        always = {**dict.fromkeys(OF_EVERY_SPEC, self.specs), **dict.fromkeys(OF_EVERY_RUN, self.runs)}
        return always | dict(sorted(self.costly.items()))


def campaign(seed: int, numbers: range) -> Tally:
    """The specifications with these numbers, and the runs of each."""
    tally = Tally()
    for number in numbers:
        check_case(seed, number, tally)
    return tally


def case_choices(seed: int, number: int) -> Choices:
    """The choices of one specification and its runs: the same on every machine, whatever came before."""
    return Seeded(seed << 40 | number)


def check_case(seed: int, number: int, tally: Tally) -> None:
    """One specification and its streams; what breaks is told with what it takes to see it again."""
    choices = case_choices(seed, number)
    bounds = LARGE if number % LARGE_EVERY == LARGE_EVERY - 1 else BOUNDS
    typed = typed_spec(choices, bounds)
    events: Stream = ()
    try:
        b = check_spec(typed, tally, unique=number % (EVERY // STREAMS_PER_SPEC) == 0)
        for i in range(STREAMS_PER_SPEC):
            events = stream(choices, typed, bounds)
            check_run(choices, b, events, number * STREAMS_PER_SPEC + i, tally)
    except Exception as fault:  # noqa: BLE001 - a crash breaks the theorem as well
        case = Case(typed.inputs, typed.spec, events)
        tally.broken.append(f"seed {seed}, specification {number}\n{type(fault).__name__} {fault}\n{plainest(case)}")


def check_spec(typed: Typed, tally: Tally, unique: bool) -> Built:
    """The lemmas about a specification."""
    laws.has_the_type_it_was_built_for(typed)
    graph, lookup = laws.graph_exists(typed)
    b = laws.with_types(typed, graph, lookup)
    laws.vertices_correspond(b, lookup)
    tally.specs += 1
    if unique:
        laws.typing_is_unique(typed, RULES)
        tally.costly["uniqueness"] += 1
    return b


def check_run(choices: Choices, b: Built, events: Stream, number: int, tally: Tally) -> None:
    """The laws about a run; its number says which of the costly ones."""
    turn = number % EVERY
    state = laws.is_safe(b, pulses(choices, events), states=turn == 0)
    laws.is_from_scratch(b, events, state)
    tally.runs += 1
    if turn in COSTLY:
        name, law = COSTLY[turn]
        law(choices, b, events, state)
        tally.costly[name] += 1


def _states_were_checked(choices: Choices, b: Built, events: Stream, state: State) -> None:
    """Nothing is left to do: `is_safe` has looked at the states."""


def _steps(choices: Choices, b: Built, events: Stream, state: State) -> None:
    laws.steps_agree(b, events)


def _evaluation(choices: Choices, b: Built, events: Stream, state: State) -> None:
    for T in b.typed.types.values():
        laws.evaluation_is_sound(choices, T, LARGE.depth)


def _ill_typed(choices: Choices, b: Built, events: Stream, state: State) -> None:
    spoiled = mutation(choices, b.typed, reached_by(b, events))
    laws.ill_typed_is_rejected(b.typed, spoiled)
    laws.ill_typed_reaches_error(b.typed, spoiled, events)


CostlyLaw: TypeAlias = Callable[[Choices, Built, Stream, State], None]
COSTLY: Final[dict[int, tuple[str, CostlyLaw]]] = {
    0: ("preservation of states, at every step", _states_were_checked),
    5: ("progress, step by step", _steps),
    10: ("splitting, merging, reordering", laws.regrouping_changes_nothing),
    14: ("evaluation soundness", _evaluation),
    19: ("order of sent changes", laws.order_of_sent_changes_is_free),
    27: ("ill-typed: rejected, and reaches error", _ill_typed),
}


def reached_by(b: Built, events: Stream) -> set[Label]:
    """The vertices that take a change."""
    reached: set[Label] = set()

    def watch(v: Vertex, taken: Change, sent: Changes, st: LocalState) -> None:
        reached.add(v.label)

    state = initial_state(b.graph)
    for source, u in events:
        state = send(state, source, (u,))
    run(b.graph, state, observer=watch)
    return reached


# One case under other rules


def violation_of(case: Case, semantics: Semantics = CORRECTED) -> Violation | None:
    """How a case breaks progress, preservation or equality with what is computed from scratch; None if it does not, or if it
    has no type. Other rules may give other traces."""
    typed = case.typed()
    if typed is None:
        return None
    b = built(typed)
    try:
        state = laws.is_safe(b, [case.events], semantics, states=True)
        laws.is_from_scratch(b, case.events, state, same_rows if semantics is CORRECTED else same_values)
    except Violation as violation:
        return violation
    return None


def plainest(case: Case) -> Case:
    """The case itself, or, if it breaks a law of every run, a smallest one that does."""
    if violation_of(case) is None:
        return case
    return shrunk(case, lambda other: violation_of(other) is not None)
