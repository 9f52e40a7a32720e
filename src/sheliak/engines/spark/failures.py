"""What a failing Spark job means: a run that Vega would stop too, or a fault of the job itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

from sheliak.engines.failures import RunFailure
from sheliak.engines.spark.job_failures import failure_of, reason_of

Place: TypeAlias = tuple[str | None, str | None]
"""A dataset and a transform, as far as they are known."""


class StoppedRun(Exception):
    """The rows themselves stop the run: something is read below null or undefined, or a text is cut as no column can hold it."""

    def __init__(self, details: str, place: Callable[[str], Place]) -> None:
        super().__init__(details)
        self.reason = reason_of(details)
        self.dataset, self.transform = place(self.reason)

    def failure(self) -> RunFailure:
        """The end of a run that nothing else takes over."""
        said, details = f"the run stops: {self.reason}", str(self)
        return RunFailure(said, dataset=self.dataset, transform=self.transform, details=details)


def nowhere(reason: str) -> Place:
    """Nothing tells which transform it was."""
    return None, None


@contextmanager
def stopped(place: Callable[[str], Place] = nowhere) -> Iterator[None]:
    """Tells apart a job that an expression stopped; other failures go on as they are. `place` tells from a reason which transform it was."""
    try:
        yield
    except Exception as failure:
        # An expression that reads below nothing, or a kernel whose meaning ends the run; pyspark does not unwrap all of them.
        is_of_spark = type(failure).__module__.startswith(("pyspark.", "py4j."))
        if is_of_spark and any(sign in str(failure) for sign in ("USER_RAISED_EXCEPTION", "EvaluationError")):
            raise StoppedRun(str(failure), place) from failure
        raise


@contextmanager
def as_failure() -> Iterator[None]:
    """A block in which a run that the rows themselves stop becomes a failure."""
    try:
        yield
    except StoppedRun as problem:
        raise problem.failure() from problem


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
