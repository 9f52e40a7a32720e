"""On the calculus' fragment the reference engine sends what the calculus sends: pulse by pulse, vertex by vertex, net.

Random well-typed µVega specifications are written as Vega. The traces are the same but for names: `formula` keeps a row's trace, where
the calculus marks it; a group's key is Vega's text of it. Numbers agree to nine digits (the calculus adds exactly).

What is not compared, because Vega has a rule of its own there: NaN, infinities and −0 (Vega's sums pass over NaN, and 0 and −0 are one
key), keys that are records or arrays (Vega groups by text), a formula that puts `datum` into itself, and what `NotInVega` says.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import cast

from checker.agreement import _named
from checker.vega_of_calculus import NotInVega, written_spec
from fuzzing.transforms import same as close
from sheliak.calculus import changes as figure
from sheliak.calculus.graph_building import Graph, Input, Label, build
from sheliak.calculus.propagation import initial_state, run, send
from sheliak.calculus.syntax import Spec
from sheliak.changes.change import Add, Change, Group, Pair, Remove, Trace, Update, before_and_after, net
from sheliak.dataflow.graph import Vertex
from sheliak.engines.reference.live import open_live
from sheliak.expressions.numerals import number_text
from sheliak.expressions.values import Row, Value, encode
from soundness.choices import Seeded
from soundness.specs import Bounds, typed_spec
from soundness.streams import Event, Stream, pulses, stream

BOUNDS = Bounds(changes=9)


class Incomparable(Exception):
    """Vega has a rule of its own."""


@dataclass(slots=True)
class Tally:
    compared: int = 0
    left_out: int = 0
    pulses: int = 0
    changes: int = 0
    differences: list[str] = field(default_factory=list)


def check_seed(seed: int, tally: Tally) -> None:
    choices = Seeded(seed)
    typed = typed_spec(choices, BOUNDS)
    events = stream(choices, typed, BOUNDS)
    cut = [[_renamed(event) for event in pulse] for pulse in pulses(choices, events)]
    try:
        differs = difference(list(_named(tuple(typed.inputs))), _named(typed.spec), [tuple(pulse) for pulse in cut], tally)
    except (NotInVega, Incomparable):
        tally.left_out += 1
        return
    tally.compared += 1
    if differs is not None:
        tally.differences.append(f"seed {seed}: {differs}")


def difference(inputs: list[str], spec: Spec, cut: list[Stream], tally: Tally) -> str | None:
    """Where the two first send something else."""
    datasets = written_spec(spec)["data"]
    assert isinstance(datasets, list)
    graph, _ = build(inputs, spec)
    live = open_live({"data": [*({"name": name} for name in inputs), *datasets]}, now=0.0)
    vertices = _vertices(graph, spec)
    state = initial_state(graph)
    for number, pulse in enumerate(cut, start=1):
        sent: dict[Label, list[Change]] = {v.label: [] for v in graph.vertices}
        for source in dict.fromkeys(source for source, _ in pulse):
            state = send(state, source, [u for name, u in pulse if name == source])
        state = run(graph, state, observer=lambda v, _, us, __, into=sent: into[v.label].extend(map(_change, us)))  # type: ignore[misc]
        live.apply([(source, _change(u)) for source, u in pulse])
        ours = {step.vertex: step.sent for step in live.steps}
        tally.pulses += 1
        for label, vertex in vertices.items():
            expected, found = _by_trace(net(sent[label])), _by_trace(ours.get(vertex, ()))
            tally.changes += len(expected)
            if not _agree(expected, found):
                return f"pulse {number}, vertex {label}: the calculus sends {expected}, the engine {found}"
    return None


def _vertices(graph: Graph, spec: Spec) -> dict[Label, Vertex]:
    """The engine's vertex for each of the calculus'."""
    found = {v.label: Vertex("source", v.transform.name) for v in graph.vertices if isinstance(v.transform, Input)}
    labels = iter([v.label for v in graph.vertices if not isinstance(v.transform, Input)])
    found |= {next(labels): Vertex("transform", d.name, index) for d in spec for index in range(len(d.transforms))}
    return found


def _by_trace(changes: Iterable[Change]) -> dict[Trace, Change]:
    """Without updates that only rounding makes; keys to nine digits, too."""
    return {
        _rounded(change.trace): change
        for change in changes
        if not (isinstance(change, Update) and close(encode(change.old), encode(change.new)))
    }


def _rounded(trace: Trace) -> Trace:
    match trace:
        case Pair(left, right):
            return Pair(_rounded(left), _rounded(right))
        case Group(transform, str(key)):
            return Group(transform, "|".join(map(_rounded_text, key.split("|"))))
        case _:
            return trace


def _rounded_text(text: str) -> str:
    try:
        return f"{float(text):.9g}"
    except ValueError:
        return text


def _agree(expected: Mapping[Trace, Change], found: Mapping[Trace, Change]) -> bool:
    return expected.keys() == found.keys() and all(_is_same(change, found[trace]) for trace, change in expected.items())


def _is_same(a: Change, b: Change) -> bool:
    return type(a) is type(b) and all(
        close(_shown(x), _shown(y)) for x, y in zip(before_and_after(a), before_and_after(b), strict=True)
    )


def _shown(row: Row | None) -> object:
    shown = None if row is None else encode(row)
    if "$cycle" in str(shown):
        raise Incomparable
    return shown


# From the calculus


def _renamed(event: Event) -> Event:
    """The same change with names that Vega can take, and numbers that both add alike."""
    source, u = event
    match u:
        case figure.Add(v):
            return _named(source), figure.Add(_tuple(v))
        case figure.Update(v, w):
            return _named(source), figure.Update(_tuple(v), _tuple(w))
        case figure.Remove(v):
            return _named(source), figure.Remove(_tuple(v))
        case _:
            raise AssertionError("an input has no error")


def _tuple(v: figure.DataTuple) -> figure.DataTuple:
    return figure.DataTuple(cast("figure.Record", _plain(v.fields)), v.trace)


def _plain(v: figure.Value) -> figure.Value:
    match v:
        case bool() | str():
            return v
        case float() | int():
            return 7.0 if not math.isfinite(v) or abs(v) > 1e9 or _is_negative_zero(v) else v
        case tuple():
            return tuple([_plain(item) for item in v])
        case _:
            return {_named(name): _plain(member) for name, member in v.items()}


def _is_negative_zero(v: float) -> bool:
    return v == 0 and math.copysign(1, v) < 0


def _change(u: figure.Change) -> Change:
    match u:
        case figure.Add(v):
            return Add(_trace(v.trace), _row(v))
        case figure.Update(v, w):
            return Update(_trace(v.trace), _row(v), _row(w))
        case figure.Remove(v):
            return Remove(_trace(v.trace), _row(v))
        case _:
            raise Incomparable  # a renamed name stood inside the name of a nested key, and is missed now


def _row(v: figure.DataTuple) -> Row:
    row = _value(v.fields)
    assert isinstance(row, dict)
    return row


def _value(v: figure.Value) -> Value:
    match v:
        case bool() | str():
            return v
        case float() | int():
            if not math.isfinite(v) or _is_negative_zero(v):
                raise Incomparable
            return float(v)
        case tuple():
            return [_value(item) for item in v]
        case _:
            return {name: _value(member) for name, member in v.items()}


def _trace(R: figure.Trace) -> Trace:
    match R:
        case figure.Pair(left, right):
            return Pair(_trace(left), _trace(right))
        case figure.Extended(_, origin):
            return _trace(origin)
        case figure.Grouped(_, key):
            assert isinstance(key, tuple)
            return Group("aggregate", "|".join(map(_key_text, key)) if key else ())
        case _:
            return R


def _key_text(key: object) -> str:
    match key:
        case str():
            return key
        case float() | int():
            return number_text(float(key))
        case ("boolean", bool(value)):
            return "true" if value else "false"
        case ("number", str(text)):
            return number_text(float(text))
        case _:
            raise Incomparable
