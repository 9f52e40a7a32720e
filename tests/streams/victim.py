"""`sheliak stream` that is killed at a point of its own choice: python -m streams.victim WHOM NTH POINT ARGUMENTS...

WHOM is the driver, the Java process or the Python workers; NTH counts how often the point is passed before.
"""

from __future__ import annotations

import os
import sys
import time
from typing import get_args

from sheliak.cli import main
from sheliak.engines.spark.live import streaming
from sheliak.engines.spark.live.store import points
from streams.processes import Whom, kill


def watch(whom: Whom, nth: int, point: str) -> None:
    passed = 0

    def watcher(reached: str) -> None:
        nonlocal passed
        if reached == point:
            passed += 1
            if passed == nth and kill(os.getpid(), whom):
                print(f"killed the {whom} at {point!r}", file=sys.stderr, flush=True)
                time.sleep(0.05)

    points.watchers.append(watcher)


if __name__ == "__main__":
    streaming.COMPACTED_EVERY = 5
    called, number, place, *arguments = sys.argv[1:]
    for one in get_args(Whom):
        if one == called:
            watch(one, int(number), place)
    sys.exit(main(arguments))
