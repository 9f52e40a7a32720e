"""A named pipe in the place of a file: Spark can begin with a plan before its rows are there, and reads them when they come.

To begin with a job takes Spark far longer than to run it over a few rows.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from errno import ENOENT, ENXIO
from typing import TYPE_CHECKING

from sheliak.engines.spark.begun import can_begin
from sheliak.engines.spark.sources import is_connect

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def can_wait(session: SparkSession) -> bool:
    """Jobs of the session can wait for their rows: they run in this machine's own Spark, which reads a file once and tries no task again."""
    if is_connect(session) or not hasattr(os, "mkfifo") or not can_begin():
        return False
    master = session.sparkContext.master or ""
    return master.startswith("local") and not master.startswith("local-cluster") and "," not in master


def make_pipe(path: str) -> None:
    """A pipe instead of the file that is there, if one is."""
    with suppress(FileNotFoundError):
        os.remove(path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    os.mkfifo(path, 0o600)


def is_pipe(path: str) -> bool:
    try:
        return stat.S_ISFIFO(os.stat(path).st_mode)
    except FileNotFoundError:
        return False


def let_go(path: str, content: bytes) -> None:
    """Whoever reads the pipe, or is about to, gets this content and nothing else: from the pipe, or from a file in its place."""
    if not filled(path, content):
        aside = f"{path}.aside"
        with open(aside, "wb") as file:
            file.write(content)
        os.replace(aside, path)


def filled(path: str, content: bytes) -> bool:
    """Gives the content to the one who reads the pipe; False where nobody does yet."""
    try:
        pipe = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
    except OSError as problem:
        if problem.errno not in (ENXIO, ENOENT):
            raise
        return False
    try:
        os.set_blocking(pipe, True)
        left = memoryview(content)
        while left:
            left = left[os.write(pipe, left) :]
    except BrokenPipeError:
        pass  # who reads it has failed, and tells why
    finally:
        os.close(pipe)
    return True
