"""Places that tell which row it is, whatever the other rows are: what changes are told by (decision 0010).

a number                 the row of a source; what a generated row counts
{g, t}                   a group: the place of its first row decides, `t` is its key as text
{a, b}                   a piece of a row, a row of one of several plans, or one of the rows made of a group
{k0, ..., i}             a row in another order, or one of a sample
{n, t}                   a row of plans whose places differ in type: counted, with what its place told as text
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sheliak.engines.spark.lazy_functions import F
from sheliak.engines.spark.summaries import POSITION

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame
    from pyspark.sql.types import DataType


def keyed_place(grouped: DataFrame, keys: list[str]) -> DataFrame:
    """Groups whose place holds their key."""
    text = F.to_json(F.struct(*(F.col(key).alias(f"k{index}") for index, key in enumerate(keys))), {"ignoreNullFields": "false"})
    return grouped.withColumn(POSITION, F.struct(F.col(POSITION).alias("g"), text.alias("t")))


def counted_place(part: DataFrame, name: str, *, traced: bool) -> Column:
    """The rows counted in the order of their places; if they are traced, with what the places told."""
    from pyspark.sql import Window as SparkWindow

    number = F.row_number().over(SparkWindow.orderBy(name))
    if not traced:
        return number
    told = F.to_json(F.struct(identity_column(F.col(name), part.schema[name].dataType).alias("p")))
    return F.struct(number.alias("n"), told.alias("t"))


def identity_column(place: Column, of: DataType) -> Column:
    """What of a place tells the row, without what only orders it."""
    from pyspark.sql.types import StructType

    if not isinstance(of, StructType):
        return place
    if "t" in of.names:
        return place["t"]
    if "i" in of.names:
        return identity_column(place["i"], of["i"].dataType)
    return F.struct(*(identity_column(place[field.name], field.dataType).alias(field.name) for field in of.fields))
