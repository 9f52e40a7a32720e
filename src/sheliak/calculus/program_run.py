"""A program run on pulses of changes: what each reduction did, and the datasets at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from sheliak.calculus.change_lines import Pulse
from sheliak.calculus.changes import Change, Changes, DataTuple
from sheliak.calculus.graph_building import Input, Output, Vertex, build, with_outputs
from sheliak.calculus.propagation import LocalState, initial_state, run, send
from sheliak.calculus.surface import Program
from sheliak.calculus.syntax import Span
from sheliak.calculus.type_syntax import ArrayType, RecordType, Type

MAX_WIDTH: Final = 10_000


@dataclass(frozen=True, slots=True)
class Reduction:
    """One step: in which pulse, at which vertex, the change taken, the changes sent, the local state after it."""

    pulse: int
    vertex: Vertex
    taken: Change
    sent: Changes
    state: LocalState


@dataclass(eq=False)
class TooMuch(Exception):
    """The run would go beyond its bounds, and where."""

    message: str
    span: Span | None


Datasets: TypeAlias = dict[str, list[DataTuple]]


def run_program(program: Program, pulses: Iterable[Pulse], limit: int, watch: Callable[[Reduction], None]) -> Datasets:
    """Each pulse runs until no change waits. `watch` sees the reductions of the paper's vertices; TooMuch after `limit`."""
    graph, outputs = with_outputs(*build([definition.name for definition in program.inputs], program.spec))
    state = initial_state(graph)
    steps = 0
    for number, pulse in enumerate(pulses, start=1):

        def observe(v: Vertex, taken: Change, sent: Changes, st: LocalState, pulse_number: int = number) -> None:
            nonlocal steps
            steps += 1 + len(sent)
            if steps > limit:
                raise TooMuch(f"the run takes and sends more than {limit} changes; --limit allows more", span_of(v))
            if not isinstance(v.transform, Output):
                watch(Reduction(pulse_number, v, taken, sent, st))

        for source in dict.fromkeys(source for source, _ in pulse):
            state = send(state, source, [change for name, change in pulse if name == source])
        state = run(graph, state, observer=observe)
    return {name: list(state.invals[v.label].values()) for name, v in outputs.items()}


def span_of(v: Vertex) -> Span | None:
    """Where the transform of the vertex is written."""
    return None if isinstance(v.transform, Input | Output) else v.transform.span


def require_narrow(program: Program, types: Mapping[str, Type]) -> None:
    """Every `cross` doubles a tuple: thirty of them in a row would fill any memory."""
    widths: dict[int, int] = {}
    for d in program.spec:
        width = width_of(types[d.name], widths) if d.name in types else 0
        if width > MAX_WIDTH:
            raise TooMuch(f"a tuple of `{d.name}` has {width} values, more than {MAX_WIDTH}", d.name_span)


def width_of(T: Type, widths: dict[int, int]) -> int:
    """How many primitive values and arrays a tuple has. `widths` remembers parts, which `cross` makes the same object."""
    match T:
        case RecordType(fields):
            if id(T) not in widths:
                widths[id(T)] = sum(width_of(T_f, widths) for T_f in fields.values())
            return widths[id(T)]
        case ArrayType(element):
            return width_of(element, widths)
        case _:
            return 1
