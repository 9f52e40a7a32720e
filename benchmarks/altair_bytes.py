"""How much of a chart over many rows reaches the notebook: charts of Altair over a frame of Spark, displayed.

    python benchmarks/altair_bytes.py [--rows 10000000]

Prints the seconds and the bytes of what is displayed, per chart; the exit code is 1 if a chart sends a megabyte or more.
"""

from __future__ import annotations

import argparse
import sys
import time

import altair as alt
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

import sheliak
from sheliak.running.opening import SessionOptions, end_own_sessions, own_session

MOST = 1_000_000


def trips(rows: int) -> DataFrame:
    """Rows that Spark makes when it reads them."""
    numbers = own_session(SessionOptions()).range(rows)
    number = F.col("id")
    return numbers.select(
        (F.pmod(number * 7919, F.lit(100_000)) / 1000).alias("distance"),
        (F.pmod(number * 104_729, F.lit(9_000)) / 100).alias("fare"),
        F.concat(F.lit("town "), F.pmod(number, F.lit(40))).alias("town"),
        F.timestamp_seconds(F.lit(1_700_000_000) + F.pmod(number * 31, F.lit(31_536_000))).alias("at"),
    )


def charts(data: object) -> dict[str, alt.TopLevelMixin]:
    base = alt.Chart(data)
    brush = alt.selection_interval(encodings=["x"])
    histogram = base.mark_bar().encode(alt.X("distance", bin=alt.Bin(maxbins=50)), y="count()")
    return {
        "histogram": histogram,
        "days": base.mark_line().encode(x="yearmonthdate(at)", y="mean(fare)"),
        "weeks": base.mark_line().encode(x="yearweek(at)", y="mean(fare)", color="town"),
        "heat map": base.mark_rect().encode(alt.X("distance", bin=True), alt.Y("fare", bin=True), color="count()"),
        "towns": base.mark_bar().encode(x="sum(fare)", y=alt.Y("town").sort("-x"), tooltip=["count()", "max(distance)"]),
        "faceted": base.mark_bar().encode(x="hours(at):O", y="count()").facet("town:N", columns=8),
        "side by side": histogram.add_params(brush) | base.mark_bar().encode(x="count()", y="town"),
    }


def displayed(chart: alt.TopLevelMixin) -> int:
    """The bytes of the page that a notebook gets."""
    bundle = chart._repr_mimebundle_()
    assert isinstance(bundle, dict)
    assert "error" not in str(bundle["text/plain"])[:5], bundle["text/plain"]
    return sum(len(str(part).encode()) for part in bundle.values())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=10_000_000)
    given = parser.parse_args()
    sheliak.altair.enable()
    large = []
    try:
        for name, chart in charts(sheliak.data(trips(given.rows))).items():
            started = time.perf_counter()
            size = displayed(chart)
            print(f"{name:14} {time.perf_counter() - started:6.1f} s  {size:9,} bytes", flush=True)
            large += [name] if size >= MOST else []
    finally:
        end_own_sessions()
    return 1 if large else 0


if __name__ == "__main__":
    sys.exit(main())
