"""What the passes of the dashboard cost in Spark, written by hand: how near its time can come to that of its slowest chart.

    python benchmarks/passes.py [--rows 10000000] [--folder /tmp/sheliak-bench] [--turns 7]

Eight charts need four passes over the flights, since more combinations of keys than some thousand cost more than another pass. Here are these
passes and nothing else: no position of rows, no bins with their ends, no limits. They are timed one by one, as one job, and beside the slowest
chart of the dashboard, all in turns; a figure is the median of the turns after the first three.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

from contestants import Sheliak
from flights import flights
from workloads import DASHBOARD, Chart

from sheliak.engines.spark.session import end_session, local_session

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_WARMING = 3


def passes(rows: DataFrame) -> dict[str, DataFrame]:
    """The cells of the dashboard, in columns that one job can put below each other."""
    from pyspark.sql import functions as F

    day = F.unix_date(F.to_date("date"))
    keys = {
        "delay and distance": {"k0": F.floor(F.col("delay") / 5), "k1": F.floor(F.col("distance") / 100)},
        "hour, weekday and carrier": {"k0": F.hour("date"), "k1": F.dayofweek("date"), "t": F.col("carrier")},
        "origin": {"t": F.col("origin")},
        "day": {"k0": day},
    }
    empty = {"k0": F.lit(None).cast("bigint"), "k1": F.lit(None).cast("bigint"), "t": F.lit(None).cast("string")}
    found = {}
    for name, by in keys.items():
        grouped = rows.groupBy(*(key.alias(column) for column, key in by.items()))
        cells = grouped.agg(F.count("*").alias("n"), F.sum("delay").alias("s"), F.count("delay").alias("v"))
        kept = [F.col(column).cast("string" if column == "t" else "bigint").alias(column) for column in by]
        rest = [nothing.alias(column) for column, nothing in empty.items() if column not in by]
        found[name] = cells.select("n", "s", "v", *kept, *rest).select("n", "s", "v", *empty)
    return found


def together(frames: list[DataFrame]) -> DataFrame:
    first, *others = frames
    for other in others:
        first = first.union(other)
    return first


def seconds(deed: Callable[[], object]) -> float:
    before = time.perf_counter()
    deed()
    return time.perf_counter() - before


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "sheliak-bench")
    parser.add_argument("--turns", type=int, default=7)
    options = parser.parse_args()
    session = local_session("sheliak-passes", cores=2)
    try:
        folder = flights(session, options.rows, options.folder)
        rows, side = session.read.parquet(str(folder)), Sheliak(session, folder)
        charts = [chart for chart in DASHBOARD if chart.name in ("weekdays", "top_ten")]
        deeds: dict[str, Callable[[], object]] = {name: _collected(rows, name) for name in passes(rows)}
        deeds["all of them, one job"] = lambda: together(list(passes(rows).values())).toArrow()
        deeds |= {f"Sheliak: {chart.name}": _chart(side, chart) for chart in charts}
        deeds["Sheliak: dashboard"] = lambda: side.rows(DASHBOARD)
        taken: dict[str, list[float]] = {name: [] for name in deeds}
        for _ in range(_WARMING + options.turns):
            for name, deed in deeds.items():
                taken[name].append(seconds(deed))
        found = {name: statistics.median(each[_WARMING:]) for name, each in taken.items()}
        slowest = max(found[f"Sheliak: {chart.name}"] for chart in charts)
        for name, time_taken in found.items():
            print(f"{name:<28}{time_taken:>8.3f} s{time_taken / slowest:>8.2f} of the slowest chart")
        return 0
    finally:
        end_session(session)


def _collected(rows: DataFrame, name: str) -> Callable[[], object]:
    return lambda: passes(rows)[name].toArrow()


def _chart(side: Sheliak, chart: Chart) -> Callable[[], object]:
    return lambda: side.rows((chart,))


if __name__ == "__main__":
    sys.exit(main())
