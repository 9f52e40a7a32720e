"""A failure of Spark in words for the user: one line that says why, and everything else for those who ask for it."""

from __future__ import annotations

import re

from sheliak.engines.failures import RunFailure
from sheliak.engines.spark.unavailable import SparkUnavailable

_OF_SPARK = ("pyspark", "py4j", "grpc")
_CONDITION = re.compile(r"\[([A-Z0-9_.]+)\] (.*)", re.DOTALL)
_TASK = re.compile(r"Job aborted due to stage failure: .*?Lost task .*?: (.*)", re.DOTALL)
_CAUSE = re.compile(r"^Caused by: (.*)", re.MULTILINE)
_CLASS = re.compile(r"^(?:[a-z]\w*\.)+[A-Z][\w$]*(?:Exception|Error|Failure)?: ")
_SQLSTATE = re.compile(r"\.? SQLSTATE: \w+.*", re.DOTALL)
_LONGEST = 400


def failure_of(problem: BaseException) -> RunFailure | None:
    """What a failure of Spark, or of the way to it, is for the user; None for faults of other kinds."""
    if isinstance(problem, SparkUnavailable):
        return RunFailure(str(problem))
    module = type(problem).__module__.split(".")[0]
    if module not in _OF_SPARK:
        return RunFailure("Spark has gone away while it was needed", details=repr(problem)) if _is_lost(problem) else None
    text = _text(problem)
    return RunFailure(f"Spark failed: {reason_of(text)}", details=text)


def _is_lost(problem: BaseException) -> bool:
    """The Java process has ended: the other end of the wire is closed."""
    return isinstance(problem, ConnectionError)


def _text(problem: BaseException) -> str:
    """All that a failure says, its Java side included."""
    # pyspark shows the stack of the Java side only if a setting asks for it; the failure has it nevertheless.
    stack = getattr(problem, "_stackTrace", None)
    return f"{problem}\n{stack}" if isinstance(stack, str) and stack not in str(problem) else str(problem)


def reason_of(text: str) -> str:
    """The innermost cause that a failure names, without class names, positions in Java and the query."""
    causes = _CAUSE.findall(text)
    task = _TASK.search(text)
    said = causes[-1] if causes else task[1] if task else text
    line = next((line.strip() for line in said.splitlines() if line.strip()), "no reason is given")
    line = _CLASS.sub("", line)
    condition = _CONDITION.match(line)
    line = _SQLSTATE.sub("", condition[2] if condition else line).strip()
    return line if len(line) <= _LONGEST else line[:_LONGEST] + "…"
