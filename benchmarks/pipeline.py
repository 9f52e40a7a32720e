"""Charts over parquet files, timed on Sheliak beside hand-written PySpark, VegaFusion and DuckDB, in one run.

    python benchmarks/pipeline.py --rows 10000000 --folder /tmp/sheliak-bench [--json FILE]

Every side is warmed up, on few rows and on those that are asked for, then all take turns; a figure is the median of the turns. The rows of
Sheliak are compared with those of the hand-written code before anything is timed. VegaFusion and DuckDB take part if they are installed (pip install vegafusion duckdb).
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from math import exp, log
from pathlib import Path
from typing import TypeAlias

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

from contestants import Contestant, contestants, differences
from flights import flights
from processes import processor_seconds, resident_memory
from workloads import WORKLOADS, Chart

from sheliak.engines.spark.session import end_session, local_session

_WARMING = 8
"""Turns before the first that counts: Java has translated by then what rows go through."""
_PLANNED = 100
"""Turns on few rows before those: what plans a query is run once in a turn, and Java translates it after many."""
_FEW = 100_000
"""Of so few rows it counts what a chart takes besides Spark's work."""
_FEWEST = 10_000
Clock: TypeAlias = Callable[[], float]


@dataclass(frozen=True)
class Timed:
    """Seconds of every side for one workload: the median of its turns."""

    workload: str
    seconds: dict[str, float]

    def ratio(self, other: str) -> float | None:
        """Sheliak's time over another side's."""
        return self.seconds["Sheliak"] / self.seconds[other] if other in self.seconds else None


@dataclass(frozen=True)
class Slowest:
    """The chart of several that takes Sheliak longest on its own, and how many times that all of them take together."""

    chart: str
    ratio: float


def warmed(sides: list[Contestant], charts: tuple[Chart, ...], turns: int) -> None:
    for _ in range(turns):
        for side in sides:
            side.rows(charts)


def medians(deeds: Mapping[str, Callable[[], object]], turns: int, clock: Clock) -> dict[str, float]:
    """How long each takes, warmed up, in turns."""
    for _ in range(_WARMING):
        for deed in deeds.values():
            deed()
    taken: dict[str, list[float]] = {name: [] for name in deeds}
    for turn in range(turns):
        # Each comes first once, so that none always finds the machine as another left it.
        names = list(deeds)
        for name in names[turn % len(names) :] + names[: turn % len(names)]:
            before = clock()
            deeds[name]()
            taken[name].append(clock() - before)
    return {name: statistics.median(each) for name, each in taken.items()}


def timed(workload: str, charts: tuple[Chart, ...], sides: list[Contestant], turns: int, clock: Clock) -> Timed:
    return Timed(workload, medians({side.name: partial(side.rows, charts) for side in sides}, turns, clock))


def checked(sides: list[Contestant], charts: tuple[Chart, ...]) -> list[str]:
    """Where Sheliak and the hand-written code disagree."""
    mine, theirs = sides[0].rows(charts), sides[1].rows(charts)
    return [
        f"{chart.name} {wrong}"
        for chart, one, other in zip(charts, mine, theirs, strict=True)
        for wrong in differences(chart, one, other)
    ]


def heading(names: list[str]) -> str:
    return f"{'seconds':<24}" + "".join(f"{name:>12}" for name in names) + "".join(f"{'/ ' + name:>14}" for name in names[1:])


def line(one: Timed) -> str:
    names = list(one.seconds)
    ratios = "".join(f"{one.ratio(name):>14.2f}" for name in names[1:])
    return f"{one.workload:<24}" + "".join(f"{one.seconds[name]:>12.3f}" for name in names) + ratios


def geometric_mean(values: list[float]) -> float:
    return exp(sum(map(log, values)) / len(values))


def verdicts(all_timed: list[Timed], slowest: dict[str, Slowest], rows: int) -> Iterator[tuple[str, bool]]:
    """Each measure in words, and whether it is reached; `slowest` are the slowest charts of workloads that have several."""
    for one in all_timed:
        if rows <= _FEW:
            over = 1000 * (one.seconds["Sheliak"] - one.seconds["by hand"])
            yield f"{one.workload}: {over:.0f} ms over the hand-written query, at most 150", over <= 150
            continue
        ratio = one.ratio("by hand") or 0.0
        yield f"{one.workload}: {ratio:.2f} of the hand-written query, at most 1.10", ratio <= 1.1
    if rows <= _FEW:
        return
    yield from _beside_vegafusion(all_timed, rows)
    for name, one in slowest.items():
        yield f"{name}: {one.ratio:.2f} of the slowest chart ({one.chart}), at most 2.00", one.ratio <= 2.0


def _beside_vegafusion(all_timed: list[Timed], rows: int) -> Iterator[tuple[str, bool]]:
    ratios = {one.workload: ratio for one in all_timed if (ratio := one.ratio("VegaFusion")) is not None}
    if ratios:
        mean = geometric_mean(list(ratios.values()))
        yield f"geometric mean: {mean:.2f} of VegaFusion, at most 1.00", mean <= 1.0
        if rows >= 50_000_000:
            for name, ratio in ratios.items():
                yield f"{name}: {ratio:.2f} of VegaFusion, at most 1.00", ratio <= 1.0


def slowest_chart(charts: tuple[Chart, ...], sheliak: Contestant, turns: int, clock: Clock) -> Slowest:
    """All charts, and each alone, in turns."""
    alone = medians(
        {"": partial(sheliak.rows, charts), **{one.name: partial(sheliak.rows, (one,)) for one in charts}}, turns, clock
    )
    together = alone.pop("")
    slowest = max(alone, key=alone.__getitem__)
    return Slowest(slowest, together / alone[slowest])


def _taking_part(sides: list[Contestant], beside: list[str] | None) -> list[Contestant]:
    return [side for index, side in enumerate(sides) if index < 2 or beside is None or side.name in beside]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument(
        "--folder", type=Path, default=Path(tempfile.gettempdir()) / "sheliak-bench", help="where the data are kept"
    )
    parser.add_argument("--turns", type=int, default=9)
    parser.add_argument("--only", action="append", help="workloads whose names hold this text")
    parser.add_argument("--beside", action="append", help="only these of VegaFusion and DuckDB take part")
    parser.add_argument(
        "--processors", action="store_true", help="seconds of all processors instead of a clock's: on a busy machine"
    )
    parser.add_argument("--json", type=Path, help="a file for the figures")
    return parser.parse_args()


def main() -> int:
    options = arguments()
    clock: Clock = processor_seconds if options.processors else time.perf_counter
    session = local_session("sheliak-bench", cores=2)
    try:
        folder = flights(session, options.rows, options.folder)
        sides = _taking_part(contestants(session, folder), options.beside)
        on_few = _taking_part(contestants(session, flights(session, _FEWEST, options.folder)), options.beside)
        chosen = {
            name: charts for name, charts in WORKLOADS.items() if not options.only or any(part in name for part in options.only)
        }
        wrong = [line for charts in chosen.values() for line in checked(sides, charts)]
        print(
            f"{options.rows} rows, local[2], median of {options.turns} turns; rows differ from the hand-written ones: {len(wrong)}"
        )
        print("\n".join(wrong[:10]), end="\n" if wrong else "")
        print(heading([side.name for side in sides]), flush=True)
        all_timed = []
        for name, charts in chosen.items():
            warmed(on_few, charts, _PLANNED)
            all_timed.append(timed(name, charts, sides, options.turns, clock))
            print(line(all_timed[-1]), flush=True)
        slowest = {}
        for name, charts in chosen.items():
            if len(charts) > 1 and options.rows > _FEW:
                for chart in charts:
                    warmed(on_few[:1], (chart,), _PLANNED)
                slowest[name] = slowest_chart(charts, sides[0], options.turns, clock)
        judged = list(verdicts(all_timed, slowest, options.rows))
        print("\n".join(f"{'reached' if good else 'MISSED '}  {words}" for words, good in judged))
        print(f"memory of this process: {resident_memory() / 1e6:.0f} MB")
        if options.json is not None:
            figures = {one.workload: one.seconds for one in all_timed}
            options.json.write_text(json.dumps({"rows": options.rows, "seconds": figures, "verdicts": dict(judged)}, indent=1))
        return 1 if wrong else 0
    finally:
        end_session(session)


if __name__ == "__main__":
    sys.exit(main())
