"""Do live specs on Spark follow changes, whatever the spec and the changes?

    PYTHONPATH=src:tests python -m changes.spark_campaign --count 1000 --seed 1 [--vega-home DIR]

After every pulse the datasets that Spark brought up to date are compared with those of a run on Spark over the rows that the sources have
then, with those of the reference engine, and, where DIR holds node_modules with vega (and the oracle is in the folder `shared`), with Vega's
view, as `vega_view` does. The changes that were told must lead from the rows before to the rows after, with one change for a row at
most. Now and then a spec is closed, and opened again from its store. Every third pair is a plain one (`plain_pairs`). What is left out is what a run and a live spec mean differently (`from_scratch`). The exit code is 1 if anything differs.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, cast

from changes import vega_view
from changes.from_scratch import NOW, drawing, is_left_out, sorts_what_others_read
from changes.graphs import with_readers
from changes.plain_pairs import plain_pair
from changes.streams import PulseObjects, Streams, text_of
from conftest import SHARED
from engines.comparing import difference_of_rows
from fuzzing.transform_expressions import SIGNALS
from fuzzing.transform_specs import Object, Specs
from fuzzing.transforms import encoded
from sheliak.changes.change import Add, Change, Rejected, Remove
from sheliak.changes.lines import Pulse, read_pulses
from sheliak.changes.sameness import same
from sheliak.engines.failures import RunFailure
from sheliak.engines.protocol import RunResult
from sheliak.engines.reference.inputs import Surroundings
from sheliak.engines.reference.live import Live
from sheliak.engines.reference.live import open_live as open_reference
from sheliak.engines.spark.engine import run_spark
from sheliak.engines.spark.live.step import LiveSpark, open_live
from sheliak.engines.spark.live.store import open_store
from sheliak.expressions.values import Json, Row, Value, decode
from sheliak.expressions.zones import zone_of
from sheliak.loading.folders import DataFolders
from sheliak.source.tree import Node

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_AT_ONCE = 50
_AGAIN = 0.3
"""How often a spec is closed after a pulse, and opened again."""


@dataclass(slots=True)
class Tally:
    """How many pairs of a spec and a stream were tried, and what differed."""

    pairs: int = 0
    left_out: int = 0
    refused: int = 0
    pulses: int = 0
    rejected: int = 0
    changes: int = 0
    openings: int = 0
    """How often a spec was closed and opened again."""
    apart: int = 0
    """Pairs in which runs from scratch differ between the engines, such as by the last digit of a variance that is a key."""
    forms: Counter[str] = field(default_factory=Counter)
    """How changes went through the datasets."""
    differences: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Pair:
    """A spec and what is done to it."""

    seed: int
    spec: Object
    pulses: list[PulseObjects]
    types: tuple[str, ...] = ()

    def text(self) -> str:
        return f"seed {self.seed}\n  {json.dumps(self.spec)}\n{text_of(self.pulses)}"


def pair_of(seed: int, types: Sequence[str] = (), *, numbered: bool = False, most: int = 5) -> Pair | None:
    """The pair that a seed names; None where a run means something else."""
    source = Specs(seed, types=tuple(types))
    spec = source.spec()
    if is_left_out(spec) or (numbered and drawing(spec)):
        return None
    random = Random(seed + (2_000_000 if numbered else 1_000_000))
    if not numbered and random.random() < 0.3 and not types:
        spec = with_readers(source, spec, random)
        if sorts_what_others_read(spec):
            return None
    streams = Streams(random, source, spec, numbered=numbered)
    pulses = [streams.pulse(random.choice([1, 1, 2, 5])) for _ in range(random.randint(2, most))]
    return Pair(seed, json.loads(json.dumps(spec)), pulses, tuple(types))


def plain(seed: int, most: int = 6) -> Pair:
    """A pair whose changes go through plans that stand."""
    return Pair(seed, *plain_pair(seed, most))


class Opened:
    """A spec on Spark, with a store of its own."""

    def __init__(self, spec: Object, session: SparkSession, folder: Path) -> None:
        self.spec = spec
        self.session = session
        self.folder = folder
        self.live = self._open()

    def _open(self) -> LiveSpark:
        around = Surroundings(DataFolders(None), zone_of("UTC"), 42, NOW)
        self.store = open_store(self.folder, "campaign", durable=False)
        try:
            return open_live(Node(dict(self.spec)), around, {}, self.session, self.store)
        except BaseException:
            self.store.close()
            raise

    def again(self) -> LiveSpark:
        """What another process finds in the store."""
        self.live.close()
        self.store.close()
        self.live = self._open()
        return self.live


@contextmanager
def opened(spec: Object, session: SparkSession) -> Iterator[Opened]:
    with tempfile.TemporaryDirectory(prefix="sheliak-live-") as folder:
        one = Opened(spec, session, Path(folder))
        try:
            yield one
            one.live.close()
        finally:
            one.store.close()


def check_pair(pair: Pair, session: SparkSession, tally: Tally, case: vega_view.Case | None = None) -> None:
    """Follows a stream on all engines."""
    tally.pairs += 1
    try:
        differs = _differs(pair, session, tally, case)
    except Exception:  # noqa: BLE001 - a crash breaks the law as well
        differs = traceback.format_exc(limit=-6)
    if differs is not None:
        tally.differences.append(f"{differs}\n{pair.text()}")
        # At once: a long run may be ended before its end.
        print(tally.differences[-1][:4000], file=sys.stderr, flush=True)


def _differs(pair: Pair, session: SparkSession, tally: Tally, case: vega_view.Case | None) -> str | None:
    try:
        reference = open_reference(pair.spec, now=NOW)
    except RunFailure:
        reference = None
    try:
        with opened(pair.spec, session) as one:
            if reference is None:
                return "only the reference engine refuses the spec"
            return _followed(pair, Following(one, reference, tally), case)
    except RunFailure as failure:
        tally.refused += 1
        return None if reference is None else f"only Spark refuses the spec: {failure}"


def _followed(pair: Pair, following: Following, case: vega_view.Case | None) -> str | None:
    random, only_adds = Random(len(text_of(pair.pulses))), "both" not in following.live.datasets
    openings = Random(pair.seed)
    differs = following.compared()
    for number, pulse in enumerate([*read_pulses(text_of(pair.pulses))], start=1):
        differs = differs or following.pulse(pulse)
        if differs is not None or following.is_over:
            return None if differs is None else f"pulse {number}: {differs}"
        if case is not None:
            only_adds = only_adds and all(line.kind == "add" for line in pulse)
            _record(case, following, only_adds)
        else:
            differs = following.signal(random)
        if differs is None and openings.random() < _AGAIN:
            differs = following.again()
    return differs


def _record(case: vega_view.Case, following: Following, only_adds: bool) -> None:
    """What Vega is asked: the net changes of the sources, and the rows that Spark has."""
    reference = following.reference
    named = [(name, step.sent) for name in reference.inputs for step in reference.steps if step.label == name]
    case.steps.append({"changes": [vega_view.step_of(name, sent) for name, sent in named]})
    live = following.live
    case.states.append({name: [encoded(row) for row in live.rows(name)] for name in live.datasets if live.reason(name) is None})
    case.sources.append({name: [*reference.source_table(name).listed()] for name in reference.inputs})
    case.only_adds.append(only_adds)


class Following:
    """One spec on all engines."""

    def __init__(self, opened: Opened, reference: Live, tally: Tally) -> None:
        self.spec = opened.spec
        self.session = opened.session
        self.opened = opened
        self.live = live = opened.live
        self.reference = reference
        self.tally = tally
        self.signals: dict[str, Value] = {}
        self.batch = 0
        self.is_over = False
        self.rows = self._rows()
        tally.forms.update(live.form(name) for name in live.datasets if live.reason(name) is None)

    def _rows(self) -> dict[str, dict[object, Row]]:
        found = {name: self.live.traced(name) for name in self.live.datasets if self.live.reason(name) is None}
        return {name: dict(zip(traced.traces, traced.rows, strict=True)) for name, traced in found.items()}

    def pulse(self, pulse: Pulse) -> str | None:
        self.tally.pulses += 1
        self.batch += 1
        stepped = self.live.step([pulse], self.batch)
        try:
            self.reference.apply_lines(pulse)
        except Rejected as rejected:
            self.tally.rejected += 1
            self.is_over = True  # what follows is written for rows that are not there
            return None if stepped.rejected else f"only the reference engine rejects the pulse: {rejected}"
        if stepped.rejected:
            return f"only Spark rejects the pulse: {stepped.rejected[0][1]}"
        return self.told(stepped.changes) or self.compared()

    def again(self) -> str | None:
        """The spec is closed, and opened again: with the same rows, which are called the same."""
        self.tally.openings += 1
        self.live = self.opened.again()
        differs = self.told({})
        return None if differs is None else f"opened again: {differs}"

    def signal(self, random: Random) -> str | None:
        """Sometimes a signal gets another value."""
        named = [(name, values) for name, values in SIGNALS if f'"{name}"' in json.dumps(self.spec.get("signals", []))]
        if not named or random.random() < 0.8:
            return None
        name, values = random.choice(named)
        value = decode(cast("Json", random.choice(values)))
        self.batch += 1
        rejected: list[str] = []
        changes: Mapping[str, tuple[Change, ...]] = {}
        for who, update in (
            ("Spark", lambda: self.live.update({name: value}, self.batch).changes),
            ("reference", self._referred(name, value)),
        ):
            try:
                changes = update() or changes
            except Rejected:
                rejected.append(who)
        if len(rejected) == 1:
            return f"only {rejected[0]} rejects {name} = {value}"
        if rejected:
            return None
        self.signals[name] = value
        return self.told(changes) or self.compared()

    def _referred(self, name: str, value: Value) -> object:
        def update() -> None:
            self.reference.update({name: value})

        return update

    def told(self, changes: Mapping[str, tuple[Change, ...]]) -> str | None:
        """Whether the changes lead from the rows before to those after."""
        after = self._rows()
        for name in after.keys() | changes.keys():
            self.tally.changes += len(changes.get(name, ()))
            rows = self.rows.get(name, {})
            is_same = self._sameness(name)
            differs = _applied(rows, changes.get(name, ()), is_same)
            if differs is None and rows.keys() != after.get(name, {}).keys():
                differs = f"the changes lead to {list(rows)} instead of {list(after.get(name, {}))}"
            differs = differs or next(
                (f"{trace!r} is {row}" for trace, row in after[name].items() if not is_same(row, rows[trace])), None
            )
            if differs is not None:
                return f"{name}: {differs}; changes {changes.get(name)}"
        self.rows = after
        return None

    def _sameness(self, name: str) -> Callable[[Row, Row], bool]:
        """When two rows of a dataset are the same. Where Spark sums them anew for every look, the last digit is not: partitions shift."""
        if self.live.reason(name) is not None or self.live.form(name) in ("row", "group"):
            return same
        return lambda one, other: same(one, other) or not difference_of_rows([one], [other])

    def compared(self) -> str | None:
        """Spark = Spark from scratch = the reference engine."""
        data = {name: [dict(row) for row in self.reference.source_table(name).listed()] for name in self.reference.inputs}
        scratch = run_spark(self.spec, self.session, now=NOW, data=data, signals=self.signals)
        if scratch.errors:
            return f"only the run fails: {scratch.errors[0]}"
        return self._unlike(scratch, "a run on Spark") or self._unlike_reference()

    def _unlike(self, scratch: RunResult, other: str) -> str | None:
        for name in self.live.datasets:
            if (self.live.reason(name) is None) != (scratch.datasets[name].reason is None):
                return f"{name}: {self.live.reason(name)} instead of {scratch.datasets[name].reason}"
            if self.live.reason(name) is None:
                differs = difference_of_rows(self.live.rows(name), scratch.rows[name])
                if differs:
                    return f"{name}, {other}: {differs}"
        return None

    def _unlike_reference(self) -> str | None:
        """The reference engine has followed the same changes."""
        for name in self.live.datasets:
            are_run = self.live.reason(name) is None and self.reference.reason(name) is None
            if are_run and difference_of_rows(self.live.rows(name), self.reference.rows(name)):
                # A run on Spark says the same as the live spec: how the engines differ is what `engines.agreement` tells.
                self.tally.apart += 1
                self.is_over = True
                return None
        return None


def _applied(rows: dict[object, Row], changes: Sequence[Change], is_same: Callable[[Row, Row], bool]) -> str | None:
    """Applies changes to rows; why that cannot be."""
    traces = [change.trace for change in changes]
    if len(set(traces)) < len(traces):
        return "a row has several changes"
    for change in changes:
        if isinstance(change, Add):
            if change.trace in rows:
                return f"{change.trace!r} is added, and there"
            rows[change.trace] = change.row
            continue
        old = rows.pop(change.trace, None)
        if old is None or not is_same(old, change.row if isinstance(change, Remove) else change.old):
            return f"{change.trace!r} was {old}"
        if not isinstance(change, Remove):
            rows[change.trace] = change.new
    return None


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="changes.spark_campaign")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--vega-home", type=Path)
    parser.add_argument("--asked", action="store_true", help="only pairs of which Vega is asked; else these are half of them")
    parser.add_argument("--types", nargs="*", default=[], help="only these transforms")
    options = parser.parse_args(arguments)
    from engines.variations import INTERPRETED, small_job_session
    from sheliak.engines.spark.session import end_session

    session = small_job_session("sheliak changes")
    for name, value in INTERPRETED.items():
        session.conf.set(name, value)
    try:
        first = options.seed * 10_000_000
        differences = campaign(options.count, first, session, options.vega_home, options.types, only_asked=options.asked)
    finally:
        end_session(session)
    return 1 if differences else 0


def campaign(
    count: int,
    first: int,
    session: SparkSession,
    vega_home: Path | None,
    types: Sequence[str] = (),
    *,
    only_asked: bool = False,
) -> list[str]:
    tally, started, seed = Tally(), time.monotonic(), first
    views = vega_view.Tally()
    cases: list[vega_view.Case] = []
    while tally.pairs < count:
        numbered = vega_home is not None and (only_asked or seed % 2 == 1)
        pair = plain(seed) if seed % 3 == 0 and not numbered and not types else pair_of(seed, types, numbered=numbered)
        seed += 1
        if pair is None:
            tally.left_out += 1
            continue
        case = vega_view.Case(pair.seed, pair.spec, pair.pulses, bare=True) if numbered else None
        check_pair(pair, session, tally, case)
        cases += [case] if case is not None else []
        if len(cases) == _AT_ONCE or tally.pairs == count:
            known = len(views.differences)
            _ask_vega(cases, vega_home, views)
            cases = []
            for difference in views.differences[known:]:
                print(difference[:4000], file=sys.stderr, flush=True)
        if tally.pairs % 20 == 0:
            print(
                f"  {tally.pairs} of {count} pairs, {len(tally.differences)} differences, {time.monotonic() - started:.0f} s",
                file=sys.stderr,
            )
    print(
        f"Spark: {tally.pairs} pairs ({tally.left_out} left out, {tally.refused} refused at the start), {tally.pulses} pulses, "
        f"{tally.rejected} rejected by all, {tally.apart} where runs of the two engines differ, {tally.changes} changes told, {tally.openings} times opened again, {len(tally.differences)} differences; "
        f"datasets {dict(tally.forms)}"
    )
    if vega_home is not None:
        print(
            f"Vega: {views.cases} specs; pulses: {views.same_in_order} the same in the same order, {views.same_rows} the same rows, "
            f"{views.history} where Vega's view hangs on its history, {views.stopped} where one of us stops, "
            f"{len(views.differences)} differences"
        )
    return [*tally.differences, *views.differences]


def _ask_vega(cases: Sequence[vega_view.Case], vega_home: Path | None, tally: vega_view.Tally) -> None:
    if vega_home is not None and SHARED is not None and cases:
        vega_view.compare(cases, vega_view.View(SHARED / "vega" / "oracle.mjs", vega_home), tally)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
