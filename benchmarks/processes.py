"""What processes take: memory, and time of the processors."""

from __future__ import annotations

import os
import resource
import sys
from pathlib import Path


def resident_memory() -> int:
    """The most bytes that this process, without its children, has held at once."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def processor_seconds() -> float:
    """Seconds of all processors that this process and the children it has now have taken so far; Linux only."""
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            pid, rest = stat.parent.name, stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it ended
        # Behind the name: state, parent, …; the 12th and 13th are the ticks in the user's and in the system's service.
        if int(pid) == os.getpid() or int(rest[1]) == os.getpid():
            ticks += int(rest[11]) + int(rest[12])
    return ticks / os.sysconf("SC_CLK_TCK")
