"""What a failing Spark job means: a run that Vega would stop too, or a fault of the job itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class StoppedRun(Exception):
    """The rows themselves stop the run: something is read below null or undefined."""


@contextmanager
def stopped() -> Iterator[None]:
    """Tells apart a job that an expression stopped; other failures go on as they are."""
    from pyspark.errors import PySparkException

    try:
        yield
    except PySparkException as failure:
        # An expression that reads below nothing, or a kernel whose meaning ends the run.
        if any(sign in str(failure) for sign in ("USER_RAISED_EXCEPTION", "EvaluationError")):
            raise StoppedRun(str(failure)) from failure
        raise
