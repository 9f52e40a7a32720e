"""The names that JavaScript prints in brackets after a date."""

from __future__ import annotations

from sheliak.expressions.zones import HOUR, MINUTE


def zone_label(name: str, ms: int, offset: int) -> str:
    """The zone's long English name at an instant; a zone without one is named by its offset."""
    sign = "-" if offset < 0 else "+"
    hours, rest = divmod(abs(offset), HOUR)
    return f"GMT{sign}{hours:02d}:{rest // MINUTE:02d}" if offset else "GMT"
