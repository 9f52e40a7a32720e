"""The processes of a stream: its driver, the Java process it started, the Python workers that one started."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Literal, TypeAlias

Whom: TypeAlias = Literal["driver", "java", "worker"]


def children() -> dict[int, list[int]]:
    """The processes that each process started."""
    found: dict[int, list[int]] = {}
    for path in Path("/proc").iterdir():
        if path.name.isdigit():
            try:
                parent = int((path / "stat").read_text().rpartition(")")[2].split()[1])
            except (OSError, ValueError, IndexError):
                continue
            found.setdefault(parent, []).append(int(path.name))
    return found


def descendants(process: int) -> list[int]:
    known, found, ahead = children(), [], [process]
    while ahead:
        started = known.get(ahead.pop(), [])
        found += started
        ahead += started
    return found


def command(process: int) -> str:
    try:
        return (Path("/proc") / str(process) / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


def called(driver: int, whom: Whom) -> list[int]:
    """The processes that play a part in a stream."""
    if whom == "driver":
        return [driver]
    below = descendants(driver)
    if whom == "java":
        return [one for one in below if "org.apache.spark.deploy.SparkSubmit" in command(one)]
    return [one for one in below if "pyspark.daemon" in command(one) or "pyspark.worker" in command(one)]


def kill(driver: int, whom: Whom) -> int:
    """Ends them without a word; how many there were."""
    found = called(driver, whom)
    for one in found:
        try:
            os.kill(one, signal.SIGKILL)
        except ProcessLookupError:
            continue
    return len(found)
