"""After every pulse the datasets are those of a run over the rows that the sources have then: the same rows, in the same order.

What is left out, because a run and a live spec mean different things there:
- `identifier` gives a number once, and a row keeps it (as in Vega); a run counts anew;
- random numbers: a run draws them in the order of its rows. A single transform that draws (`sample`, confidence intervals) draws the same
  ones again, and is compared;
- a row that holds rows (`values`, `argmin`, `argmax` of `joinaggregate` and `window`) shows them as they were when it was made; in a run
  they show what later transforms write into them. The same for rows that a pipeline behind `sequence` writes into though they are
  another dataset's;
- a `collect` sorts the list of new rows where it lies, and others read that list: in a run all rows are new, in a pulse those that it adds;
- of rows of several upstream datasets that `collect` does not tell apart, those that were taken in first come first: a run remembers
  when each dataset took them in.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from random import Random
from typing import cast

from changes.graphs import with_readers
from changes.streams import PulseObjects, Streams, text_of
from fuzzing.transform_expressions import SIGNALS
from fuzzing.transform_specs import Object, Specs
from fuzzing.transforms import encoded, types_in
from sheliak.changes.change import Rejected
from sheliak.changes.lines import Pulse, read_pulses
from sheliak.dataflow.graph import build_graph
from sheliak.engines.failures import RunFailure
from sheliak.engines.protocol import RunResult
from sheliak.engines.reference.engine import run_reference
from sheliak.engines.reference.live import Live, open_live
from sheliak.engines.reference.resorted import ReadingOrders
from sheliak.expressions.values import Json, Row, Value, decode
from sheliak.source.tree import Node

NOW = 1_704_067_200_000.0
_DRAWING = ("random(", "sampleNormal(", "sampleLogNormal(", "sampleUniform(")
_HOLDING = ("values", "argmin", "argmax")


@dataclass(slots=True)
class Tally:
    """How many specs and pulses were tried, how many pulses were rejected, and what differed."""

    specs: int = 0
    left_out: int = 0
    refused: int = 0
    pulses: int = 0
    rejected: int = 0
    differences: list[str] = field(default_factory=list)


def check_seed(seed: int, tally: Tally, types: tuple[str, ...] = ()) -> None:
    """One random spec and one random stream."""
    source = Specs(seed, types=types)
    spec = source.spec()
    if is_left_out(spec):
        tally.left_out += 1
        return
    random = Random(seed + 1_000_000)
    if random.random() < 0.3 and not types:
        spec = with_readers(source, spec, random)
    if sorts_what_others_read(spec):
        tally.left_out += 1
        return
    streams = Streams(random, source, spec)
    pulses = [streams.pulse(random.choice([1, 1, 2, 5])) for _ in range(random.randint(2, 5))]
    tally.specs += 1
    try:
        differs = difference_of(spec, pulses, tally)
    except Exception as fault:  # noqa: BLE001 - a crash breaks the law as well
        differs = f"{type(fault).__name__}: {fault}"
    if differs is not None:
        tally.differences.append(f"seed {seed}: {differs}")


def is_left_out(spec: Object) -> bool:
    """The spec means something else to a run."""
    text, types = json.dumps(spec["data"]), types_in(spec)
    if "identifier" in types or any(name in text for name in _DRAWING) or drawing(spec) > 1:
        return True
    return any(map(_is_entangled, _datasets(spec))) or ('"both"' in text and "collect" in types)


def sorts_what_others_read(spec: Object) -> bool:
    """A dataset finds its rows in the order in which another has left them."""
    orders = ReadingOrders(build_graph(Node(dict(spec))))
    return bool(orders.turned) or any(vertex.kind == "transform" for read in orders.reads.values() for vertex in read)


def drawing(spec: Object) -> int:
    """How many transforms draw random numbers."""
    steps = [step for dataset in _datasets(spec) for step in _steps(dataset)]
    return sum(1 for step in steps if step["type"] == "sample" or '"ci' in json.dumps([step.get("ops"), step.get("op")]))


def _steps(dataset: Object) -> list[Object]:
    steps = dataset.get("transform", [])
    assert isinstance(steps, list)
    return [step for step in steps if isinstance(step, dict)]


def _datasets(spec: Object) -> list[Object]:
    data = spec["data"]
    assert isinstance(data, list)
    return [dataset for dataset in data if isinstance(dataset, dict)]


def _is_entangled(dataset: Object) -> bool:
    """Rows hold rows of the same pipeline, or a pipeline writes into rows that may be another dataset's."""
    steps = _steps(dataset)
    return ("sequence" in json.dumps(steps) and "source" in dataset) or any(map(_holds_rows, steps))


def _holds_rows(step: Object) -> bool:
    ops = step.get("ops", [])
    return step["type"] in ("joinaggregate", "window") and isinstance(ops, list) and any(op in _HOLDING for op in ops)


def difference_of(spec: Object, pulses: list[PulseObjects], tally: Tally) -> str | None:
    """Where the live spec and runs from scratch first differ."""
    given = json.loads(json.dumps(spec))
    first = run_reference(given, now=NOW)
    try:
        live = open_live(given, now=NOW)
    except RunFailure as failure:
        tally.refused += 1
        return None if first.errors else f"only the live spec fails: {failure}"
    if first.errors:
        return f"only the run fails: {first.errors[0]}"
    random, signals = Random(len(text_of(pulses))), dict[str, Value]()
    for number, pulse in enumerate([(), *read_pulses(text_of(pulses))]):
        rejected = tally.rejected
        differs = _after(given, live, pulse, signals, tally) or _updated(given, live, random, signals)
        if differs is not None:
            return f"pulse {number}: {differs}\n  {json.dumps(spec)}\n  {text_of(pulses)}"
        if tally.rejected > rejected:
            break  # what follows is written for rows that are not there
    return None


def _updated(spec: Object, live: Live, random: Random, signals: dict[str, Value]) -> str | None:
    """Sometimes a signal gets another value."""
    named = [(name, values) for name, values in SIGNALS if f'"{name}"' in json.dumps(spec.get("signals", []))]
    if not named or random.random() < 0.6:
        return None
    name, values = random.choice(named)
    value = decode(cast("Json", random.choice(values)))
    try:
        live.update({name: value})
    except Rejected:
        return None if _scratch(spec, _sources_after(live, ()), {**signals, name: value}).errors else "only the update fails"
    signals[name] = value
    return _compared(live, _scratch(spec, _sources_after(live, ()), signals))


def _scratch(spec: Object, sources: dict[str, list[Row]], signals: dict[str, Value]) -> RunResult:
    data = {name: [dict(row) for row in rows] for name, rows in sources.items()}
    return run_reference(spec, now=NOW, data=data, signals=signals)


def _after(spec: Object, live: Live, pulse: Pulse, signals: dict[str, Value], tally: Tally) -> str | None:
    tally.pulses += 1
    scratch = _scratch(spec, _sources_after(live, pulse), signals)
    before = {name: [encoded(row) for row in live.rows(name)] for name in live.datasets}
    try:
        live.apply_lines(pulse)
    except Rejected as rejected:
        tally.rejected += 1
        if not scratch.errors:
            return f"only the pulse fails: {rejected}"
        unchanged = {name: [encoded(row) for row in live.rows(name)] for name in live.datasets} == before
        return None if unchanged else "a rejected pulse left its mark"
    return _compared(live, scratch)


def _compared(live: Live, scratch: RunResult) -> str | None:
    if scratch.errors:
        return f"only the run fails: {scratch.errors[0]}"
    for name in live.datasets:
        ours, theirs = live.reason(name), scratch.datasets[name].reason
        if (ours is None) != (theirs is None):
            return f"{name}: {ours} instead of {theirs}"
        if ours is None:
            differs = first_difference(live.rows(name), scratch.rows[name])
            if differs is not None:
                return f"{name}: {differs}"
    return None


def first_difference(ours: list[Row], theirs: list[Row]) -> str | None:
    if len(ours) != len(theirs):
        return f"{len(ours)} rows instead of {len(theirs)}"
    for place, (our, their) in enumerate(zip(ours, theirs, strict=True)):
        if encoded(our) != encoded(their):
            return f"row {place}: {encoded(our)} instead of {encoded(their)}"
    return None


def _sources_after(live: Live, pulse: Pulse) -> dict[str, list[Row]]:
    """The rows of the sources after a pulse, by the plain reading of its lines."""
    after: dict[str, list[Row]] = {}
    for name in live.inputs:
        rows = dict(live.source_table(name).rows)
        for line in pulse:
            if line.dataset == name and line.row is None:
                del rows[line.id]
            elif line.dataset == name and line.row is not None:
                rows[line.id] = line.row
        after[name] = list(rows.values())
    return after
