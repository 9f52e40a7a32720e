"""The aggregate and window operations of `ops` lists, one declaration each."""

from __future__ import annotations

from sheliak.transforms._operations import extremes, neighbours, numbers, ranks, rows
from sheliak.transforms._operations.declaration import AGGREGATES, WINDOW_ONLY, Operation

WINDOW_OPERATIONS: dict[str, Operation] = {**WINDOW_ONLY, **AGGREGATES}
"""All that `window` takes."""

__all__ = ["AGGREGATES", "WINDOW_ONLY", "WINDOW_OPERATIONS", "Operation", "extremes", "neighbours", "numbers", "ranks", "rows"]
