"""The least and the greatest values of columns, as the ends of Parquet files state them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan
from typing import TYPE_CHECKING, Any

from sheliak.engines.spark.tables import Extent

if TYPE_CHECKING:
    import pyarrow.parquet as pq

_NUMBERS = frozenset({"DOUBLE", "FLOAT", "INT32", "INT64"})


def extents_of(metadata: pq.FileMetaData) -> dict[str, Extent]:
    """The extents of the file's numbers, of columns where every row group states them; None where there is no value.

    A statistic that is NaN states nothing; if it is a number, NaN was passed over, as an extent does.
    """
    found: dict[str, Extent] = {}
    for index in range(metadata.num_columns):
        column = metadata.schema.column(index)
        if _is_plain_number(column):
            ends = _stated([metadata.row_group(group).column(index) for group in range(metadata.num_row_groups)])
            if ends is not None:
                found[column.path] = _around(ends)
    return found


def _is_plain_number(column: Any) -> bool:
    """A number as it stands: no date, no decimal, no member of an object or a list."""
    is_plain = column.logical_type.type in ("NONE", "INT") and column.physical_type in _NUMBERS
    return is_plain and column.max_definition_level <= 1 and column.max_repetition_level == 0


def _stated(chunks: Sequence[Any]) -> list[tuple[float, float]] | None:
    """The extents of the row groups that have values; None where one does not state it."""
    ends: list[tuple[float, float]] = []
    for chunk in chunks:
        statistics = chunk.statistics
        if statistics is None or not statistics.has_null_count:
            return None
        if statistics.null_count == chunk.num_values:
            continue
        if not statistics.has_min_max or isnan(statistics.min) or isnan(statistics.max):
            return None
        ends.append((float(statistics.min), float(statistics.max)))
    return ends


def _around(ends: Sequence[tuple[float, float]]) -> Extent:
    # Adding zero makes the negative zero, which a writer may state for zero, a plain one.
    return (min(low for low, _ in ends) + 0.0, max(high for _, high in ends) + 0.0) if ends else None


def united(files: Sequence[Mapping[str, Extent]]) -> dict[str, Extent]:
    """The extents over several files, of the columns that all of them state."""
    names = set(files[0]).intersection(*files[1:]) if files else set()
    return {name: _around([ends for file in files if (ends := file[name]) is not None]) for name in names}
