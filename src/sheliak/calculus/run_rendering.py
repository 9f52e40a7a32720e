"""What a run shows: datasets and reductions, for people and for programs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import assert_never

from sheliak.calculus.changes import Add, Change, DataTuple, Error, Remove, Trace, Update, Value
from sheliak.calculus.graph_building import Input, Output, Vertex
from sheliak.calculus.number_text import number_text
from sheliak.calculus.printer import change_text, name_text, trace_text, transform_text, tuple_text, type_text, value_text
from sheliak.calculus.program_run import Datasets, Reduction
from sheliak.calculus.propagation import LocalState
from sheliak.calculus.rendering import JsonOut
from sheliak.calculus.transform_semantics import AggState, CrossState, Group
from sheliak.calculus.type_syntax import Context

# Text


def vertex_text(v: Vertex) -> str:
    """A vertex: its label and what it does."""
    match v.transform:
        case Input(name):
            return f"input {name_text(name)}"
        case Output(name):
            return f"output {name_text(name)}"
        case t:
            return f"{v.label} {transform_text(t)}"


def reductions_text(reductions: Iterable[Reduction]) -> Iterator[str]:
    """Pulse by pulse; a line for what is taken, one for each change sent, one for each entry of the state."""
    pulse = 0
    for reduction in reductions:
        if reduction.pulse != pulse:
            pulse = reduction.pulse
            yield f"pulse {pulse}"
        yield f"  {vertex_text(reduction.vertex)}"
        yield f"    takes  {change_text(reduction.taken)}"
        yield from (f"    sends  {change_text(u)}" for u in reduction.sent)
        if not reduction.sent:
            yield "    sends  nothing"
        yield from (f"    state  {line}" for line in _state_lines(reduction.state))


def _state_lines(st: LocalState) -> list[str]:
    match st:
        case None:
            return []
        case CrossState():
            return [tuple_text(v) for v in st.values()] or ["empty"]
        case AggState():
            return [f"{tuple_text(g.sent)}, {_members(g)}" for g in st.values()] or ["empty"]
        case _:
            assert_never(st)


def _members(g: Group) -> str:
    return "1 member" if g.size == 1 else f"{g.size} members"


def datasets_text(datasets: Datasets, types: Context) -> Iterator[str]:
    """Every dataset with its type and its tuples."""
    for name, tuples in datasets.items():
        yield f"{name_text(name)}: {type_text(types[name])}" if name in types else f"{name_text(name)}"
        yield from (f"  {trace_text(v.trace)}  {value_text(v.fields)}" for v in tuples)
        if not tuples:
            yield "  no tuples"


# JSON


def run_json(datasets: Datasets, reductions: Iterable[Reduction] | None, errors: Iterable[Reduction]) -> JsonOut:
    """The datasets, the reductions if they are asked for, and those that made an error."""
    shown: dict[str, JsonOut] = {"datasets": {name: [_tuple(v) for v in tuples] for name, tuples in datasets.items()}}
    if reductions is not None:
        shown["steps"] = [_reduction(reduction) for reduction in reductions]
    shown["errors"] = [_reduction(reduction) for reduction in errors]
    return shown


def _reduction(reduction: Reduction) -> JsonOut:
    return {
        "pulse": reduction.pulse,
        "vertex": _vertex(reduction.vertex),
        "takes": _change(reduction.taken),
        "sends": [_change(u) for u in reduction.sent],
        "state": _state(reduction.state),
    }


def _vertex(v: Vertex) -> JsonOut:
    return {
        "label": v.label,
        "transform": vertex_text(v) if isinstance(v.transform, Input | Output) else transform_text(v.transform),
    }


def _change(u: Change) -> JsonOut:
    match u:
        case Add(v):
            return {"add": _tuple(v)}
        case Update(v, v_new):
            return {"update": _tuple(v), "to": _tuple(v_new)}
        case Remove(v):
            return {"remove": _tuple(v)}
        case Error():
            return {"error": True}
        case _:
            assert_never(u)


def _state(st: LocalState) -> JsonOut:
    match st:
        case None:
            return None
        case CrossState():
            return [_tuple(v) for v in st.values()]
        case AggState():
            return [{"group": _tuple(g.sent), "size": g.size} for g in st.values()]
        case _:
            assert_never(st)


def _tuple(v: DataTuple) -> JsonOut:
    return {"trace": _trace(v.trace), "fields": _value(v.fields)}


def _trace(R: Trace) -> JsonOut:
    """An id as it came; any other trace as text."""
    return R if isinstance(R, str | int | float) else trace_text(R)


def _value(v: Value) -> JsonOut:
    match v:
        case bool() | str():
            return v
        case float() | int():
            return _number(v)
        case tuple():
            return [_value(item) for item in v]
        case _:
            return {f: _value(w) for f, w in v.items()}


def _number(x: float) -> JsonOut:
    if not math.isfinite(x):
        return {"$num": number_text(x)}
    is_whole = x.is_integer() and abs(x) < 2**53 and (x != 0 or math.copysign(1, x) > 0)
    return int(x) if is_whole else x
