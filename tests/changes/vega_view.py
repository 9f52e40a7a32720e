"""After every pulse the datasets are those of Vega's view, to which the same changes were made.

A dataset of Vega's depends on how it came about: a row that a filter lets in again goes to the end, a group keeps the place and the keys of
rows that have gone, sums drift when rows leave, a formula is not evaluated again if it hides what it reads (`pluck(datum, 'a')`), a
`product` that once held 0 is lost. Ours depend on the rows that are there, and on nothing else. So rows are compared as a bag where a
stream does more than add, and where Vega's view still differs, Vega is asked again, with the rows that are there then: if it now says
what we say, it is Vega's history, and counted as such; if not, it is a difference.

Not asked are specs that draw random numbers, and those with `identifier`: Vega makes the rows of `cross` and `fold` anew when one of them
changes, and numbers them again; here they are the same rows, and keep their numbers. Rows have their ids in the field `rid`, by which Vega finds them.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TypeAlias

from changes.from_scratch import NOW, drawing, is_left_out
from changes.streams import PulseObjects, Streams, text_of
from fuzzing.transform_specs import Json, Object, Specs
from fuzzing.transforms import encoded, same, types_in
from reference.verdicts import same as same_on_spark
from sheliak.changes.change import Add, Change, Rejected, Remove, Update
from sheliak.changes.lines import read_pulses
from sheliak.engines.failures import RunFailure
from sheliak.engines.reference.live import Live, open_live
from sheliak.engines.reference.live_run import net_of
from sheliak.expressions.values import encode

State: TypeAlias = "dict[str, list[object]]"
"""The rows of every dataset, encoded."""
Same: TypeAlias = Callable[[object, object], bool]


@dataclass(slots=True)
class Case:
    """A spec, what is done to it, and our datasets after each pulse."""

    seed: int
    spec: Object
    pulses: list[PulseObjects]
    steps: list[Object] = field(default_factory=list)
    """The pulses as Vega's oracle takes them."""
    states: list[State] = field(default_factory=list)
    sources: list[dict[str, list[object]]] = field(default_factory=list)
    """The rows of the sources after each pulse: plain JSON."""
    only_adds: list[bool] = field(default_factory=list)
    """Whether nothing but adds were made so far."""
    bare: bool = False
    """Rows are those of Spark: a field that is undefined is as good as none, and zero has no sign (as in `engines.comparing`)."""

    @property
    def same(self) -> Same:
        return same_on_spark if self.bare else same


@dataclass(slots=True)
class Tally:
    """How the pulses compare."""

    cases: int = 0
    same_in_order: int = 0
    same_rows: int = 0
    history: int = 0
    stopped: int = 0
    """Vega or we could not go on."""
    differences: list[str] = field(default_factory=list)


def case_of(seed: int, types: Sequence[str] = ()) -> Case | None:
    """A random case; None where there is nothing to compare."""
    source = Specs(seed, types=types)
    spec = source.spec()
    if is_left_out(spec) or drawing(spec):
        return None
    random = Random(seed + 2_000_000)
    streams = Streams(random, source, spec, numbered=True)
    case = Case(
        seed, json.loads(json.dumps(spec)), [streams.pulse(random.choice([1, 2, 4])) for _ in range(random.randint(1, 4))]
    )
    try:
        live = open_live(case.spec, now=NOW)
    except RunFailure:
        return None
    _follow(case, live)
    return case


def _follow(case: Case, live: Live) -> None:
    only_adds = "both" not in live.datasets  # rows of several datasets come in Vega as they arrive
    for pulse in read_pulses(text_of(case.pulses)):
        try:
            changes = live.changes_of(pulse)
            live.apply(changes)
        except Rejected:
            return
        only_adds = only_adds and all(isinstance(change, Add) for _, change in changes)
        case.steps.append({"changes": [step_of(name, net) for name, net in net_of(changes).items()]})
        case.states.append({name: [encoded(row) for row in live.rows(name)] for name in live.datasets})
        case.sources.append({name: [*live.source_table(name).listed()] for name in live.inputs})
        case.only_adds.append(only_adds)


def step_of(name: str, changes: Sequence[Change]) -> Object:
    removed = [f"datum.rid === {change.trace}" for change in changes if isinstance(change, Remove)]
    modified: list[Json] = [
        {"where": f"datum.rid === {change.trace}", "set": encode(change.new)} for change in changes if isinstance(change, Update)
    ]
    step: Object = {"data": name, "insert": [encode(change.row) for change in changes if isinstance(change, Add)]}
    return {**step, **({"remove": " || ".join(removed)} if removed else {}), **({"modify": modified} if modified else {})}


@dataclass(frozen=True, slots=True)
class View:
    """Vega, through the oracle of the folder `shared`."""

    script: Path
    vega_home: Path

    def answers(self, jobs: Sequence[Object]) -> list[dict[str, object]]:
        command = ["node", str(self.script), "--vega", str(self.vega_home), "--tz", "UTC", "--stdin", "--compact", "--jobs", "1"]
        lines = "".join(json.dumps({"id": index, **job}) + "\n" for index, job in enumerate(jobs))
        environment = {**os.environ, "TZ": "UTC"}
        done = subprocess.run(command, input=lines, capture_output=True, check=True, encoding="utf-8", env=environment)
        found = {answer["id"]: answer for answer in map(json.loads, done.stdout.split("\n")[:-1])}
        return [found[index] for index in range(len(jobs))]


def compare(cases: Sequence[Case], view: View, tally: Tally) -> None:
    """All pulses of all cases."""
    asked = [case for case in cases if case.steps]
    answers = view.answers([{"spec": case.spec, "changes": case.steps} for case in asked])
    doubts: list[tuple[Case, int, str]] = []
    for case, answer in zip(asked, answers, strict=True):
        tally.cases += 1
        doubts += doubts_of(case, answer, tally)
    fresh = view.answers([{"spec": _at(case, number)} for case, number, _ in doubts])
    for (case, number, what), answer in zip(doubts, fresh, strict=True):
        state = _state_of(answer)
        if state is not None and all(_is_same_bag(rows, state[name], case.same) for name, rows in case.states[number].items()):
            tally.history += 1
        else:
            tally.differences.append(
                f"seed {case.seed}, pulse {number + 1}, {types_in(case.spec)}: {what}\n  {json.dumps(case.spec)}\n{text_of(case.pulses)}"
            )


def _at(case: Case, number: int) -> Object:
    """The spec with the rows that its sources have after a pulse."""
    data = case.spec["data"]
    assert isinstance(data, list)
    sources = case.sources[number]
    with_rows = [
        {**one, "values": sources[str(one["name"])]} if "values" in one else one for one in data if isinstance(one, dict)
    ]
    return {**case.spec, "data": with_rows}  # type: ignore[dict-item]


def doubts_of(case: Case, answer: Mapping[str, object], tally: Tally) -> list[tuple[Case, int, str]]:
    steps = answer.get("steps")
    if answer["status"] != "ok" and not isinstance(steps, list):
        tally.stopped += 1
        return []
    assert isinstance(steps, list)
    doubts: list[tuple[Case, int, str]] = []
    for number, step in enumerate(steps):
        if step.get("error") or step.get("runError"):
            tally.stopped += 1
            break
        what = first_difference(case.states[number], rows_of_step(step), in_order=case.only_adds[number], same=case.same)
        if what is not None:
            doubts.append((case, number, what))
        elif case.only_adds[number]:
            tally.same_in_order += 1
        else:
            tally.same_rows += 1
    return doubts


def rows_of_step(step: Mapping[str, object]) -> State:
    data = step["data"]
    assert isinstance(data, dict)
    return {name: dataset.get("rows", []) for name, dataset in data.items()}


def _state_of(answer: Mapping[str, object]) -> State | None:
    return rows_of_step(answer) if answer["status"] == "ok" else None


def first_difference(ours: State, theirs: State, *, in_order: bool, same: Same = same) -> str | None:
    for name, rows in ours.items():
        others = theirs[name]
        agree = len(rows) == len(others) and all(map(same, rows, others)) if in_order else _is_same_bag(rows, others, same)
        if not agree:
            return f"{name}: {json.dumps(rows)[:600]}\n  Vega {json.dumps(others)[:600]}"
    return None


def _is_same_bag(ours: Sequence[object], theirs: Sequence[object], same: Same) -> bool:
    left = list(theirs)
    for row in ours:
        place = next((index for index, other in enumerate(left) if same(row, other)), None)
        if place is None:
            return False
        del left[place]
    return not left
