"""How many rows a transform may make out of few: estimated before any of them is made."""

from __future__ import annotations

ROW_BUDGET = 100_000_000
"""Of an engine that does not hold the rows in memory."""
DRIVER_BUDGET = 5_000_000
"""Of rows that are made in the driver's memory."""


class OverBudget(Exception):
    """A transform would make more rows than it may; the text says how many, in words for the user."""

    help = "make the range shorter, or filter, aggregate or sample the rows before"


def spend(rows: int, what: str, budget: int) -> int:
    """The number of rows that a transform makes; raises OverBudget when they are too many."""
    if rows > budget:
        raise OverBudget(f"{what} would make {rows:,} rows, more than the budget of {budget:,}")
    return rows
