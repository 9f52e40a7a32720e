"""Room for deep recursion over deep specs."""

import sys

_FRAMES = 10_000


def admit_deep_recursion() -> None:
    """Raises Python's limit of 1 000 frames; they are kept on the heap, so a higher limit costs nothing until it is used."""
    if sys.getrecursionlimit() < _FRAMES:
        sys.setrecursionlimit(_FRAMES)
