"""How much memory a process holds."""

from __future__ import annotations

import resource
import sys


def resident_memory() -> int:
    """The most bytes that this process, without its children, has held at once."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024
