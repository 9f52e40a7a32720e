"""Operations over a row's place in its partition. Rows that the sort order does not tell apart are peers; unsorted rows have none."""

from __future__ import annotations

from sheliak.transforms._operations.declaration import Operation, window_operation


@window_operation("row_number", operand="none")
class RowNumber(Operation):
    """1, 2, 3, …"""


@window_operation("rank", operand="none")
class Rank(Operation):
    """Peers share a number, and the next row's number leaves a gap."""


@window_operation("dense_rank", operand="none")
class DenseRank(Operation):
    """Peers share a number, without gaps."""


@window_operation("percent_rank", operand="none")
class PercentRank(Operation):
    """From 0 to 1; NaN in a partition of one row."""


@window_operation("cume_dist", operand="none")
class CumulativeDistribution(Operation):
    """The share of rows up to the last peer; the first row alone does not see its peers."""


@window_operation("ntile", operand="none", positive_parameter=True)
class NTile(Operation):
    """The cumulative distribution in so many steps, rounded up; not the `ntile` of SQL."""
