"""Places in the life of a version where a crash is of interest; tests watch them, and end the process there."""

from __future__ import annotations

from collections.abc import Callable

watchers: list[Callable[[str], None]] = []


def reached(point: str) -> None:
    """Tells whoever watches that this place is passed now."""
    for watcher in watchers:
        watcher(point)
