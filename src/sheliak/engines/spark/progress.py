"""How far the jobs of a session are, told to somebody who shows it."""

from __future__ import annotations

import contextlib
import threading
import uuid
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from sheliak.engines.spark.session import is_connect

if TYPE_CHECKING:
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

Tell = Callable[[int, int], None]
"""(tasks done, tasks in all) -> nothing; from another thread."""

_INTERVAL = 0.2
_GROUP = ("spark.jobGroup.id", "spark.job.description", "spark.job.interruptOnCancel")


@contextlib.contextmanager
def watched(session: SparkSession, label: str, tell: Tell) -> Iterator[None]:
    """Tells of the jobs that a block runs; the label is what Spark's own pages call them."""
    with _watched_there(session, tell) if is_connect(session) else _watched_here(session.sparkContext, label, tell):
        yield


@contextlib.contextmanager
def _watched_there(session: SparkSession, tell: Tell) -> Iterator[None]:
    def handler(stages: Iterable[Any] | None, inflight_tasks: int, operation_id: str | None, done: bool) -> None:
        known = list(stages or ())
        if known:
            tell(sum(stage.num_completed_tasks for stage in known), sum(stage.num_tasks for stage in known))

    session.registerProgressHandler(handler)  # type: ignore[arg-type]
    try:
        yield
    finally:
        session.removeProgressHandler(handler)  # type: ignore[arg-type]


@contextlib.contextmanager
def _watched_here(context: SparkContext, label: str, tell: Tell) -> Iterator[None]:
    before = [context.getLocalProperty(name) for name in _GROUP]
    group = f"sheliak-{uuid.uuid4().hex}"
    context.setJobGroup(group, label)
    ended = threading.Event()
    thread = threading.Thread(target=_poll, args=(context, group, tell, ended), daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
        for name, value in zip(_GROUP, before, strict=True):
            context.setLocalProperty(name, value)  # type: ignore[arg-type]


def _poll(context: SparkContext, group: str, tell: Tell, ended: threading.Event) -> None:
    tracker = context.statusTracker()
    while not ended.wait(_INTERVAL):
        # Jobs of other threads do not belong to the group; where it has none, all that run now are ours.
        jobs = tracker.getJobIdsForGroup(group) or tracker.getActiveJobsIds()
        stages = [tracker.getStageInfo(stage) for job in jobs if (info := tracker.getJobInfo(job)) for stage in info.stageIds]
        known = [stage for stage in stages if stage is not None]
        if known:
            tell(sum(stage.numCompletedTasks for stage in known), sum(stage.numTasks for stage in known))
