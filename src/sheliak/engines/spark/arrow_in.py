"""Arrow tables into Spark."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession


def frame_of_arrow(session: SparkSession, table: pa.Table) -> DataFrame:
    """The table as a frame."""
    if table.num_rows:
        return session.createDataFrame(table)
    # A session of Spark Connect takes no table without rows, unless it is told the types another way.
    from pyspark.sql.pandas.types import from_arrow_schema

    return session.createDataFrame([], from_arrow_schema(table.schema))
