"""Changes on a live chart on Spark, timed beside a run of the whole chart on Spark, on bases of several sizes.

    python benchmarks/changes.py --rows 1000000 10000000 --folder /tmp/sheliak-bench [--steps 1600] [--json FILE]

A chart with a filter, a formula and an aggregate follows pulses of 1,000 changes: 400 adds, 400 updates and 200 removes of rows anywhere in
the base, of which only the ids are told. The whole chart is run on the same session over the same rows. Half of the steps, and half of the
runs, warm up; the others take turns, so that a machine that gets slower, or faster, is so for both. A figure is the median of these. After
the last step the rows are compared with those of a run from scratch.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

import sheliak
from sheliak.engines.spark.session import end_session, local_session

ADDS, UPDATES, REMOVES = 400, 400, 200
FASTER, LONGER = 20, 1.3
SPEC: dict[str, object] = {
    "$schema": "https://vega.github.io/schema/vega/v6.json",
    "data": [
        {"name": "events", "url": "events.parquet", "format": {"type": "parquet"}},
        {
            "name": "totals",
            "source": "events",
            "transform": [
                {"type": "filter", "expr": "datum.x > 10"},
                {"type": "formula", "as": "y", "expr": "2 * datum.x + 1"},
                {"type": "aggregate", "groupby": ["g"], "ops": ["count", "sum", "mean"], "fields": [None, "y", "y"]},
            ],
        },
    ],
}


def events(rows: int, folder: Path) -> Path:
    """A base of rows with 20 groups, made once."""
    import numpy as np
    import pyarrow as pa
    from pyarrow import parquet

    path = folder / f"events-{rows}.parquet"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        random = np.random.default_rng(rows)
        names = pa.array([f"group {number}" for number in range(20)])
        groups = pa.DictionaryArray.from_arrays(pa.array(random.integers(0, 20, rows), pa.int32()), names).cast(pa.string())
        values = {"g": groups, "x": pa.array(random.normal(50, 30, rows)), "z": pa.array(random.integers(0, 1_000_000, rows))}
        parquet.write_table(pa.table(values), path, row_group_size=250_000)
    return path


class Pulses:
    """Random changes; ids of rows that are there."""

    def __init__(self, rows: int) -> None:
        self.random = Random(rows)
        self.rows = rows
        self.gone: set[int] = set()
        self.given: dict[int, tuple[str, float]] = {}
        """What counts of the rows that were added, or updated last: whole rows would fill the memory in which the steps are timed."""
        self.next = rows + 1

    def pulse(self) -> list[dict[str, object]]:
        random, lines = self.random, list[dict[str, object]]()
        chosen: list[int] = []
        while len(chosen) < UPDATES + REMOVES:
            id = random.randint(1, self.rows)
            if id not in self.gone:
                self.gone.add(id)
                chosen.append(id)
        for id in chosen[:UPDATES]:
            self.gone.discard(id)
            lines.append({"data": "events", "id": id, "update": self._row(id)})
        lines += [{"data": "events", "id": id, "remove": True} for id in chosen[UPDATES:]]
        for _ in range(ADDS):
            lines.append({"data": "events", "id": self.next, "add": self._row(self.next)})
            self.next += 1
        random.shuffle(lines)
        return lines

    def _row(self, id: int) -> dict[str, object]:
        random = self.random
        group, x = f"group {random.randrange(20)}", random.gauss(50, 30)
        self.given[id] = (group, x)
        return {"g": group, "x": x, "z": random.randrange(1_000_000)}


def totals_of(path: Path, pulses: Pulses) -> dict[str, tuple[int, float]]:
    """The count and the sum of every group after all pulses, computed from the rows."""
    import numpy as np
    from pyarrow import parquet

    base = parquet.read_table(path, columns=["g", "x"])
    there = np.ones(base.num_rows, bool)
    there[[id - 1 for id in {*pulses.gone, *pulses.given} if id <= base.num_rows]] = False
    added = [one for id, one in pulses.given.items() if id not in pulses.gone]
    names = np.concatenate([np.array(base["g"].to_pylist())[there], [group for group, _ in added]])
    values = np.concatenate([base["x"].to_numpy()[there], [x for _, x in added]])
    kept = values > 10
    groups, numbers = np.unique(names[kept], return_inverse=True)
    sums = np.bincount(numbers, weights=2 * values[kept] + 1)
    return {str(g): (int(n), float(s)) for g, n, s in zip(groups, np.bincount(numbers), sums, strict=True)}


def wrong_totals(told: dict[str, dict[str, object]], meant: dict[str, tuple[int, float]]) -> list[str]:
    """The groups whose count or sum differs, sums by more than 1e-9 of their size."""
    same = {
        name
        for name in told.keys() & meant.keys()
        if told[name]["count"] == meant[name][0] and abs(float(str(told[name]["sum_y"])) / meant[name][1] - 1) < 1e-9
    }
    return sorted((told.keys() | meant.keys()) - same)


def seconds(deed: Callable[[], object]) -> float:
    before = time.perf_counter()
    deed()
    return time.perf_counter() - before


def timed(rows: int, folder: Path, steps: int, recomputed: int) -> dict[str, float]:
    """The times of one base."""
    session = local_session("sheliak changes")
    frame = session.read.parquet(str(events(rows, folder)))
    started = time.perf_counter()
    try:
        with sheliak.open(SPEC, data={"events": frame}, spark=session) as live:
            opened = time.perf_counter() - started
            pulses = Pulses(rows)
            taken, runs = _in_turns(
                lambda: _step(live, pulses.pulse()), lambda: seconds(lambda: _whole(frame, session)), steps, recomputed
            )
            told = {str(row["g"]): dict(row) for row in live.rows("totals")}
            wrong = wrong_totals(told, totals_of(events(rows, folder), pulses))
            if wrong:
                raise SystemExit(f"{rows} rows: the totals of {', '.join(wrong)} are not those of a run from scratch")
            size = len(told)
    finally:
        end_session(session)
    late = sorted(taken)
    return {
        "rows": rows,
        "groups": size,
        "open": opened,
        "step": statistics.median(late),
        "step_low": late[0],
        "step_high": late[-1],
        "recompute": statistics.median(runs),
    }


def _in_turns(
    step: Callable[[], float], run: Callable[[], float], steps: int, recomputed: int
) -> tuple[list[float], list[float]]:
    """The times of the second half of the steps and of the second half of the runs of the whole."""
    for deed, times in ((step, steps // 2), (run, recomputed // 2)):
        for _ in range(times):
            deed()
    turns = recomputed - recomputed // 2
    taken, runs = list[float](), list[float]()
    for turn in range(turns):
        taken += [step() for _ in range((turn + 1) * (steps // 2) // turns - turn * (steps // 2) // turns)]
        runs.append(run())
    return taken, runs


def _step(live: sheliak.Live, pulse: list[dict[str, object]]) -> float:
    return seconds(lambda: live.apply(pulse))


def _whole(frame: object, session: object) -> None:
    with sheliak.run(SPEC, data={"events": frame}, spark=session) as result:  # type: ignore[arg-type]
        assert result.datasets["totals"].num_rows > 0


def _verdict(is_reached: bool) -> str:
    return "reached" if is_reached else "NOT reached"


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="benchmarks/changes.py")
    parser.add_argument("--rows", type=int, nargs="+", default=[1_000_000, 10_000_000])
    parser.add_argument("--folder", type=Path, default=Path("/tmp/sheliak-bench"))
    parser.add_argument("--steps", type=int, default=1600)
    parser.add_argument("--recomputed", type=int, default=30)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    found = []
    for rows in options.rows:
        one = timed(rows, options.folder, options.steps, options.recomputed)
        found.append(one)
        print(
            f"{rows:>12,} rows: 1,000 changes in {1000 * one['step']:.0f} ms ({1000 * one['step_low']:.0f} to {1000 * one['step_high']:.0f}), "
            f"the whole chart in {1000 * one['recompute']:.0f} ms: {one['recompute'] / one['step']:.1f} times; opened in {one['open']:.1f} s",
            flush=True,
        )
    faster = found[-1]["recompute"] / found[-1]["step"]
    print(
        f"on the largest base {faster:.1f} times faster than a run of the whole (at least {FASTER}): {_verdict(faster >= FASTER)}"
    )
    if len(found) > 1:
        longer = found[-1]["step"] / found[0]["step"]
        print(
            f"the largest base takes {longer:.2f} times as long as the smallest (at most {LONGER}): {_verdict(longer <= LONGER)}"
        )
    if options.json is not None:
        options.json.write_text(json.dumps(found, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
