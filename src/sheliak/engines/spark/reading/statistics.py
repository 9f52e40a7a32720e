"""The least and the greatest values of columns, as the ends of Parquet files state them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from math import ceil, floor, isnan
from typing import TYPE_CHECKING, Any, TypeAlias

from sheliak.engines.spark.tables import Extent

if TYPE_CHECKING:
    import pyarrow.parquet as pq

_ALIKE_SINCE = -2_208_988_800_000.0
_NUMBERS = frozenset({"DOUBLE", "FLOAT", "INT32", "INT64"})


def extents_of(metadata: pq.FileMetaData) -> dict[str, Extent]:
    """The extents of the file's numbers, of columns where every row group states them; None where there is no value.

    A statistic that is NaN states nothing; if it is a number, NaN was passed over, as an extent does.
    """
    return _extents(metadata, lambda column: _numbers if _is_plain_number(column) else None)


def spans_of(metadata: pq.FileMetaData) -> dict[str, Extent]:
    """Milliseconds around all of the file's dates, of columns where every row group states them; None where there is no date.

    Of old dates nothing is said: files may count the days before 1582, and hours before 1900, in another way.
    """
    found = _extents(metadata, _milliseconds)
    return {name: ends for name, ends in found.items() if ends is None or ends[0] >= _ALIKE_SINCE}


_Ends: TypeAlias = Callable[[Any], tuple[float, float]]
"""The least and the greatest value of what statistics state."""


def _extents(metadata: pq.FileMetaData, ends_of: Callable[[Any], _Ends | None]) -> dict[str, Extent]:
    found: dict[str, Extent] = {}
    for index in range(metadata.num_columns):
        column = metadata.schema.column(index)
        read = ends_of(column) if column.max_definition_level <= 1 and column.max_repetition_level == 0 else None
        if read is not None:
            ends = _stated([metadata.row_group(group).column(index) for group in range(metadata.num_row_groups)], read)
            if ends is not None:
                found[column.path] = _around(ends)
    return found


def _is_plain_number(column: Any) -> bool:
    """A number as it stands: no date, no decimal, no member of an object or a list."""
    return column.logical_type.type in ("NONE", "INT") and column.physical_type in _NUMBERS


def _numbers(statistics: Any) -> tuple[float, float]:
    return float(statistics.min), float(statistics.max)


def _milliseconds(column: Any) -> _Ends | None:
    """How the dates of a column are stated: in days, or in parts of seconds; None if it holds no dates, or others."""
    of = json.loads(column.logical_type.to_json()) if column.logical_type.type in ("DATE", "TIMESTAMP") else {}
    length = _LENGTHS.get((of.get("Type", ""), of.get("timeUnit")))
    return None if length is None else lambda statistics: (floor(statistics.min_raw * length), ceil(statistics.max_raw * length))


_LENGTHS = {
    ("Date", None): 86_400_000.0,
    ("Timestamp", "milliseconds"): 1.0,
    ("Timestamp", "microseconds"): 1e-3,
    ("Timestamp", "nanoseconds"): 1e-6,
}
"""Milliseconds of what dates are counted in."""


def _stated(chunks: Sequence[Any], ends_of: _Ends) -> list[tuple[float, float]] | None:
    """The extents of the row groups that have values; None where one does not state it."""
    ends: list[tuple[float, float]] = []
    for chunk in chunks:
        statistics = chunk.statistics
        if statistics is None or not statistics.has_null_count:
            return None
        if statistics.null_count == chunk.num_values:
            continue
        if not statistics.has_min_max:
            return None
        low, high = ends_of(statistics)
        if isnan(low) or isnan(high):
            return None
        ends.append((low, high))
    return ends


def _around(ends: Sequence[tuple[float, float]]) -> Extent:
    # Adding zero makes the negative zero, which a writer may state for zero, a plain one.
    return (min(low for low, _ in ends) + 0.0, max(high for _, high in ends) + 0.0) if ends else None


def united(files: Sequence[Mapping[str, Extent]]) -> dict[str, Extent]:
    """The extents over several files, of the columns that all of them state."""
    names = set(files[0]).intersection(*files[1:]) if files else set()
    return {name: _around([ends for file in files if (ends := file[name]) is not None]) for name in names}
