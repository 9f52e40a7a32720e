"""The end of the demo: a few million flights made up on Spark, the plan of a chart of them, and its picture."""

import shutil
import sys
import tempfile
import time
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import sheliak
from sheliak.engines.spark.session import end_session, local_session

ROOT = Path(__file__).resolve().parent.parent
ROWS = 3_000_000
CARRIERS = ("Albatross", "Bittern", "Curlew", "Dunlin", "Egret")


def flights(spark: SparkSession, rows: int) -> DataFrame:
    """Made-up flights: with some carriers, and later in the day, delays grow."""
    # Drawn first and once: a column of random numbers that stands in two expressions is drawn twice.
    drawn = spark.range(rows).select(
        "id",
        F.floor(F.rand(1) * len(CARRIERS)).cast("int").alias("carrier"),
        F.floor(F.lit(5) + F.rand(2) * 18).alias("hour"),
        F.floor(F.rand(3) * 365).alias("day"),
        F.rand(4).alias("luck"),
        F.randn(5).alias("far"),
    )
    delay = F.round(-F.log("luck") * (F.lit(4) + F.col("carrier") * 4 + F.col("hour") / 2) - 12, 0)
    return drawn.select(
        F.concat(F.lit("SH"), F.col("id").cast("string")).alias("flight"),
        F.timestamp_seconds(F.lit(1_735_689_600) + F.col("day") * 86400 + F.col("hour") * 3600).alias("scheduled"),
        F.element_at(F.array(*map(F.lit, CARRIERS)), F.col("carrier") + 1).alias("carrier"),
        F.round(F.exp(F.lit(6.2) + F.col("far") * 0.7), 0).alias("distance"),
        F.when(F.col("luck") < 0.99, delay).alias("delay"),
    )


def show(rows: int, picture: Path) -> None:
    """Everything in one session, each step shown as a user would type it."""
    chart = str(ROOT / "examples" / "flights.vg.json")
    spark = local_session("sheliak demo")
    folder = Path(tempfile.mkdtemp(prefix="sheliak-demo-"))
    try:
        flights(spark, rows).write.parquet(str(folder / "flights.parquet"))
        data = {"flights": str(folder / "flights.parquet")}
        print(f"# {rows:,} flights were made up, in Parquet. What a chart of them needs, and where it is computed:")
        print(">>> print(sheliak.plan('examples/flights.vg.json', data={'flights': 'flights.parquet'}))", flush=True)
        print(sheliak.plan(chart, data, spark), flush=True)
        print(f"\n>>> sheliak.run('examples/flights.vg.json', data={{'flights': ...}}).save('{picture.name}')", flush=True)
        start = time.monotonic()
        with sheliak.run(chart, data, spark) as result:
            result.save(picture)
            sent = sum(table.num_rows for table in (result.datasets["late"], result.datasets["carriers"]))
        print(f"{sent} rows of {rows:,} left Spark; computed and drawn in {time.monotonic() - start:.1f} s")
        print(f"the picture is {picture}")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        end_session(spark)


if __name__ == "__main__":
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else ROWS
    show(rows, Path(tempfile.gettempdir(), "sheliak-flights.png"))
