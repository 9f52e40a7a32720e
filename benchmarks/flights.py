"""Made-up flights as parquet: the same rows for the same number of rows, written once and kept."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

CARRIERS = ("WN", "DL", "AA", "UA", "OO", "B6", "AS", "NK", "EV", "MQ", "F9", "HA", "VX", "YX", "9E")
AIRPORTS = 300
YEARS = 10
_FIRST_MINUTE = 20_454_480 + 60 * 24 * 100
_FILES = 8


def flights(session: SparkSession, rows: int, folder: Path) -> Path:
    """The folder with so many flights; written if it is not there yet."""
    place = folder / f"flights-{rows}.parquet"
    if not (place / "_SUCCESS").exists():
        session.conf.set("spark.sql.parquet.outputTimestampType", "TIMESTAMP_MICROS")
        files = _FILES if rows >= 1_000_000 else 1
        _made(session, rows, files).write.mode("overwrite").option("parquet.block.size", 32 * 1024 * 1024).parquet(str(place))
    return place


def _made(session: SparkSession, rows: int, files: int) -> DataFrame:
    """Ordered by time, as such data come; two delays of a hundred are not known."""
    from pyspark.sql import functions as F

    def chance(salt: int) -> Column:
        """A number from 0 to 1 that depends on the row alone."""
        return F.pmod(F.xxhash64(F.col("id"), F.lit(salt)), F.lit(1_000_003)) / F.lit(1_000_003.0)

    minute = F.lit(_FIRST_MINUTE) + F.floor(F.col("id") * F.lit(YEARS * 365 * 24 * 60 / rows))
    carriers = F.array(*(F.lit(name) for name in CARRIERS))
    usual = F.round(-F.log(F.lit(1.0) - chance(1) * 0.9999) * 25.0 - 15.0)
    # Squares of chances: some carriers and airports have many more flights than others.
    return session.range(0, rows, 1, files).select(
        F.timestamp_seconds(minute * 60).alias("date"),
        F.when(chance(2) > 0.02, usual).alias("delay"),
        F.round(F.lit(80.0) + chance(3) * chance(4) * 2600.0).alias("distance"),
        F.element_at(carriers, (chance(5) * chance(5) * len(CARRIERS)).cast("int") + 1).alias("carrier"),
        F.concat(F.lit("A"), F.lpad((chance(6) * chance(6) * AIRPORTS).cast("int").cast("string"), 3, "0")).alias("origin"),
        F.concat(F.lit("A"), F.lpad((chance(7) * AIRPORTS).cast("int").cast("string"), 3, "0")).alias("destination"),
    )
