"""A stream that is killed at named points and at random comes to the same end as one that is not; the long run is `streams.kills`."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

from streams.kills import (
    Course,
    change_files,
    outcome,
    require_right,
    require_same,
    run_and_kill,
    run_and_kill_at_random,
    run_to_the_end,
)
from streams.processes import Whom

KILLS: list[tuple[Whom, int, str]] = [
    ("driver", 2, "inbox: after a piece"),
    ("driver", 1, "offset: after"),
    ("java", 1, "state: before"),
    ("driver", 1, "manifest: before"),
    ("driver", 1, "manifest: after"),
    ("driver", 1, "output: logs written"),
    ("driver", 2, "clean: a file removed"),
    ("driver", 1, "compaction: before"),
]


@pytest.mark.skipif(sys.platform != "linux", reason="the processes of a stream are found in /proc")
def test_kills(tmp_path: Path) -> None:
    rng = random.Random(2)
    texts = list(change_files(12, rng))
    calm, course = Course(tmp_path / "calm"), Course(tmp_path / "killed")
    for one in (calm, course):
        one.put(texts)
    run_to_the_end(calm)
    require_right(calm, texts)
    for whom, nth, point in KILLS:
        assert run_and_kill(course, whom, nth, point), (whom, point, course.version)
    run_and_kill_at_random(course, "worker", rng.random())
    run_to_the_end(course)
    assert len(course.killed) >= 8
    require_same(course, outcome(calm))
    require_right(course, texts)
