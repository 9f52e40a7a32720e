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
    from pyspark.sql import DataFrame, GroupedData

_WARMING = 3


def keyed(rows: DataFrame) -> DataFrame:
    """The keys of all passes, by arithmetic, as Sheliak has it: Spark's own parts of a date look up the time zone for every row."""
    from pyspark.sql import functions as F

    seconds = F.unix_seconds("date")
    day = F.floor(seconds / 86_400)
    return rows.select(
        *(
            "delay",
            "carrier",
            "origin",
            day.alias("day"),
            ((day + 4) % 7).alias("weekday"),
            F.floor(seconds / 3600).alias("hours"),
        ),
        *((F.floor(seconds / 3600) % 24).alias("hour"), F.floor(F.col("delay") / 5).alias("delays")),
        F.floor(F.col("distance") / 100).alias("distances"),
    )


PASSES = (("delays", "distances"), ("hour", "weekday", "carrier"), ("origin",), ("day",))
SETS = (("delays", "distances"), ("carrier", "origin"), ("hours",))
"""All of it in three: the hour of the day, the weekday and the day follow from the hours since 1970."""


def cells(grouped: GroupedData) -> DataFrame:
    from pyspark.sql import functions as F

    return grouped.agg(F.count("*").alias("n"), F.sum("delay").alias("s"), F.count("delay").alias("v"))


def passes(rows: DataFrame) -> dict[str, DataFrame]:
    """The cells of the dashboard, in columns that one job can put below each other."""
    from pyspark.sql import functions as F

    types = {name: "string" if name in ("carrier", "origin") else "bigint" for by in PASSES for name in by}
    found = {}
    for by in PASSES:
        shown = [F.col(name) if name in by else F.lit(None).cast(of).alias(name) for name, of in types.items()]
        found[", ".join(by)] = cells(keyed(rows).groupBy(*by)).select("n", "s", "v", *shown)
    return found


def grouping_sets(rows: DataFrame) -> DataFrame:
    """One pass, in which Spark makes a row for each set of keys of every row."""
    return cells(keyed(rows).groupingSets(PASSES, *(name for by in PASSES for name in by)))


def by_numbers(rows: DataFrame) -> DataFrame:
    """One pass in which every row is looked up by one number for each set of keys. Hashes are not exact: this is what a rewrite could come to."""
    from pyspark.sql import functions as F

    numbers = [F.xxhash64(F.lit(index), *by).alias(f"k{index}") for index, by in enumerate(SETS)]
    made = keyed(rows).select("delay", *numbers)
    return cells(made.unpivot("delay", [f"k{index}" for index in range(len(SETS))], "set", "key").groupBy("key"))


def by_numbers_each(rows: DataFrame) -> DataFrame:
    """The same sets of keys, each looked up by one number in a pass of its own: is it one pass or the number that gains?"""
    from pyspark.sql import functions as F

    return together([cells(keyed(rows).groupBy(F.xxhash64(F.lit(index), *by))) for index, by in enumerate(SETS)])


def all_columns(rows: DataFrame) -> DataFrame:
    """What the eight charts read, read once and not grouped: no pass over all of it can take less."""
    from pyspark.sql import functions as F

    texts = [F.sum(F.octet_length(name)) for name in ("carrier", "origin")]
    return rows.agg(F.count("delay"), F.sum("distance"), F.max(F.unix_seconds("date")), *texts)


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
        charts = [chart for chart in DASHBOARD if chart.name in ("carriers", "weekdays", "top_ten")]
        deeds: dict[str, Callable[[], object]] = {name: _collected(rows, name) for name in passes(rows)}
        deeds["all of them, one job"] = lambda: together(list(passes(rows).values())).toArrow()
        deeds["all columns, no groups"] = lambda: all_columns(rows).toArrow()
        deeds["one pass, grouping sets"] = lambda: grouping_sets(rows).toArrow()
        deeds["one pass, hashed keys"] = lambda: by_numbers(rows).toArrow()
        deeds["three passes, hashed keys"] = lambda: by_numbers_each(rows).toArrow()
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
