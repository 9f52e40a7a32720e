"""What a failing Spark job means: a run that Vega would stop too, or a fault of the job itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sheliak.engines.failures import RunFailure
from sheliak.engines.spark.job_failures import failure_of


class StoppedRun(Exception):
    """The rows themselves stop the run: something is read below null or undefined, or a text is cut as no column can hold it."""


@contextmanager
def stopped() -> Iterator[None]:
    """Tells apart a job that an expression stopped; other failures go on as they are."""
    try:
        yield
    except Exception as failure:
        # An expression that reads below nothing, or a kernel whose meaning ends the run; pyspark does not unwrap all of them.
        is_of_spark = type(failure).__module__.startswith(("pyspark.", "py4j."))
        if is_of_spark and any(sign in str(failure) for sign in ("USER_RAISED_EXCEPTION", "EvaluationError")):
            raise StoppedRun(str(failure)) from failure
        raise


@contextmanager
def told(dataset: str | None, transform: str | None = None) -> Iterator[None]:
    """A block in which a job that fails is a RunFailure of this dataset and transform, if it has no place of its own."""
    try:
        yield
    except (RunFailure, StoppedRun):
        raise
    except Exception as problem:
        failure = failure_of(problem)
        if failure is None:
            raise
        raise failure.at(dataset, transform) from problem
