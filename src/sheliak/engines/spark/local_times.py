"""Times without a zone, read as the clock of a place: what JavaScript does with the text of such a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sheliak.engines.spark.lazy_functions import F

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_WITHOUT_ZONE = frozenset({"timestamp_ntz", "date"})


def at_local_time(frame: DataFrame, zone: str) -> DataFrame:
    """The frame with its days and its times without a zone as instants: those that a clock in the zone shows.

    An hour that the clock shows twice is the first of the two; one that it leaves out is read with the offset before. The
    zone of the session is universal time when the frame is run.
    """
    kinds = [field.dataType.typeName() for field in frame.schema.fields]
    if _WITHOUT_ZONE.isdisjoint(kinds):
        return frame
    # Columns are taken by their places: names may hold dots and back-quotes, or repeat.
    places = [f"k{index}" for index in range(len(kinds))]
    columns = [
        F.to_utc_timestamp(F.col(place).cast("timestamp"), zone) if kind in _WITHOUT_ZONE else F.col(place)
        for place, kind in zip(places, kinds, strict=True)
    ]
    return frame.toDF(*places).select(*columns).toDF(*frame.columns)
