"""A stream that is killed again and again comes to the same end: python -m streams.kills --kills 100 --seed 1

Change files go through a spec, one file to a batch. Once the stream runs undisturbed; then, with the same files, it is killed at named
points and at random moments, each time started again. At the end both folders must hold the same: the log of every version byte by byte, the
rows, what was set aside; the rows must be those of the reference engine, and every file of the state must be whole.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow.parquet as pq

from sheliak.changes.change import Rejected
from sheliak.changes.lines import MalformedChange, read_pulses
from sheliak.engines.reference.live import open_live
from sheliak.engines.spark.live.outlet import read_current
from sheliak.engines.spark.live.store import open_store
from sheliak.engines.spark.live.store.store import current_manifest
from streams.processes import Whom, descendants, kill

TESTS = Path(__file__).resolve().parent.parent
POINTS = (
    *("inbox: before a piece", "inbox: after a piece", "offset: after"),
    *("state: before", "state: before files", "manifest: before", "manifest: after", "state: after"),
    *("output: before", "output: logs written", "output: rows written", "output: after"),
    *("clean: manifests removed", "clean: a file removed", "clean: pieces are known"),
    *("compaction: before", "compaction: after", "batch: done"),
)
# Short jobs on little data: Spark starts sooner without its better compiler.
FAST = ("spark.driver.extraJavaOptions=-XX:TieredStopAtLevel=1 -XX:+UseSerialGC", "spark.sql.codegen.wholeStage=false")

SPEC = {
    "data": [
        {
            "name": "sales",
            "values": [{"shop": "ab"[number % 2], "amount": number + 0.1, "day": number % 5} for number in range(1, 21)],
        },
        {
            "name": "kept",
            "source": "sales",
            "transform": [
                {"type": "filter", "expr": "datum.amount > 2"},
                {"type": "formula", "expr": "datum.amount * 2", "as": "double"},
            ],
        },
        {
            "name": "totals",
            "source": "kept",
            "transform": [
                {
                    "type": "aggregate",
                    "groupby": ["shop"],
                    "ops": ["count", "sum", "max", "median"],
                    "fields": [None, "amount", "double", "amount"],
                    "as": ["count", "sum", "max", "median"],
                }
            ],
        },
        {
            "name": "days",
            "source": "sales",
            "transform": [{"type": "aggregate", "groupby": ["day"], "ops": ["count", "sum"], "fields": [None, "amount"]}],
        },
        {
            "name": "trend",
            "source": "sales",
            "transform": [{"type": "loess", "groupby": ["shop"], "x": "day", "y": "amount"}],
        },
    ]
}


# Changes


def change_files(count: int, rng: random.Random) -> Iterator[str]:
    """Files of one pulse each; every seventh cannot be applied."""
    alive, fresh = list(range(1, 21)), 21
    for number in range(count):
        if number % 7 == 5:
            yield rng.choice(
                ['{"data": "sales", "id": \n', '{"data": "sales", "id": 100000, "remove": true}\n{"commit": true}\n']
            )
            continue
        lines = []
        for _ in range(rng.randint(1, 8)):
            row = {"shop": rng.choice("abc"), "amount": rng.randint(0, 1000) / 8, "day": rng.randint(0, 6)}
            kind = rng.choice(["add", "add", "update", "remove"]) if len(alive) > 5 else "add"
            if kind == "add":
                alive.append(fresh)
                lines.append({"data": "sales", "id": fresh, "add": row})
                fresh += 1
            elif kind == "update":
                lines.append({"data": "sales", "id": rng.choice(alive), "update": row})
            else:
                lines.append({"data": "sales", "id": alive.pop(rng.randrange(len(alive))), "remove": True})
        yield "".join(json.dumps(line) + "\n" for line in lines) + '{"commit": true}\n'


# Places and processes


@dataclass(slots=True)
class Course:
    """The folders of one stream, and what happened to it."""

    folder: Path
    killed: list[str] = field(default_factory=list)
    runs: int = 0

    @property
    def out(self) -> Path:
        return self.folder / "out"

    @property
    def state(self) -> Path:
        return self.folder / "state"

    def put(self, texts: Sequence[str]) -> None:
        """The change files, with times in their order, long ago."""
        (self.folder / "new").mkdir(parents=True, exist_ok=True)
        (self.folder / "spec.vg.json").write_text(json.dumps(SPEC), encoding="utf-8")
        for number, text in enumerate(texts):
            path = self.folder / "new" / f"{number:04}.jsonl"
            path.write_text(text, encoding="utf-8")
            os.utime(path, (1_700_000_000 + number, 1_700_000_000 + number))

    @property
    def arguments(self) -> list[str]:
        settings = [part for setting in FAST for part in ("--conf", setting)]
        folders = ["--changes", "new", "--state", "state", "--out", "out"]
        return ["stream", "spec.vg.json", *folders, "--once", "-v", "--files-per-batch", "1", "--timezone", "UTC", *settings]

    def start(self, whom: str, nth: int, point: str) -> subprocess.Popen[str]:
        self.runs += 1
        command = [sys.executable, "-m", "streams.victim", whom, str(nth), point, *self.arguments]
        paths = os.pathsep.join([str(TESTS.parent / "src"), str(TESTS)])
        return subprocess.Popen(
            command,
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": paths, "PYTHONUNBUFFERED": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    @property
    def version(self) -> int:
        """How many batches are committed."""
        manifest = current_manifest(self.state) if self.state.is_dir() else None
        return -1 if manifest is None or manifest.batch is None else manifest.batch + 1


class Wrong(Exception):
    """What must not be."""


def run_to_the_end(course: Course, seconds: float = 300) -> None:
    """Undisturbed; exit 1 says that changes were set aside."""
    process = course.start("nobody", 0, "")
    try:
        out, _ = process.communicate(timeout=seconds)
    finally:
        end(process)
    require_well_ended(process, out)


def require_well_ended(process: subprocess.Popen[str], out: str) -> None:
    """A stream that nobody killed has applied everything."""
    if process.returncode not in (0, 1):
        raise Wrong(f"the stream ended with {process.returncode}:\n{out[-4000:]}")


def run_and_kill(course: Course, whom: Whom, nth: int, point: str, seconds: float = 300) -> bool:
    """Until the point is reached; whether it was."""
    process = course.start(whom, nth, point)
    try:
        out, _ = process.communicate(timeout=seconds)
    finally:
        end(process)
    is_killed = process.returncode < 0 or f"killed the {whom}" in out
    if is_killed:
        course.killed.append(f"{whom} at {point}")
    else:
        require_well_ended(process, out)
    return is_killed


def run_and_kill_at_random(course: Course, whom: Whom, delay: float, seconds: float = 300) -> bool:
    """Some time after its first batch, the driver where none of the others runs; whether there was anything to kill."""
    process = course.start("nobody", 0, "")
    assert process.stdout is not None
    try:
        for line in process.stdout:
            if line.startswith("version"):
                break
        time.sleep(delay)
        hit = next((one for one in (whom, "driver") if process.poll() is None and kill(process.pid, one)), None)
        out, _ = process.communicate(timeout=seconds)
    finally:
        end(process)
    if hit is not None:
        course.killed.append(f"{hit} at random")
    else:
        require_well_ended(process, out)
    return hit is not None


def end(process: subprocess.Popen[str]) -> None:
    """Neither the process nor what it started stays; the Java process ends by itself when its driver has gone."""
    left = descendants(process.pid)
    if process.poll() is None:
        process.kill()
        process.wait()
    deadline = time.monotonic() + 20
    while any(Path("/proc", str(one)).exists() for one in left) and time.monotonic() < deadline:
        time.sleep(0.05)


# What must be equal


def outcome(course: Course) -> dict[str, object]:
    """All that the stream wrote for readers: logs and what was set aside by their hashes, rows as they are."""
    found: dict[str, object] = {}
    for path in sorted((course.out / "changes").rglob("*.jsonl")) + sorted((course.out / "rejected").iterdir()):
        if path.name.startswith("."):
            continue
        found[path.relative_to(course.out).as_posix()] = hashlib.sha256(path.read_bytes()).hexdigest()
    for path in sorted((course.out / "rows").glob("*.parquet")):
        found[path.relative_to(course.out).as_posix()] = pq.read_table(path).to_pylist()
    current = read_current(course.out)
    assert current is not None
    return {**found, "version": current["version"], "datasets": current["datasets"]}


def reference_rows(texts: Sequence[str]) -> dict[str, list[dict[str, object]]]:
    live = open_live(SPEC)
    for text in texts:
        try:
            for pulse in read_pulses(text):
                live.apply_lines(pulse)
        except (MalformedChange, Rejected):
            continue
    return {name: [dict(row) for row in live.rows(name)] for name in live.datasets if live.reason(name) is None}


def require_right(course: Course, texts: Sequence[str]) -> None:
    """The rows are those of the reference engine, and the state is whole."""
    from engines.comparing import difference_of_rows

    for name, expected in reference_rows(texts).items():
        found = pq.read_table(course.out / "rows" / f"{name}.parquet").to_pylist()
        if problem := difference_of_rows(found, expected):
            raise Wrong(f"{name}: {problem}")
    manifest = current_manifest(course.state)
    assert manifest is not None
    store = open_store(course.state, manifest.identity)
    store.verify()
    store.close()


def require_same(course: Course, undisturbed: dict[str, object]) -> None:
    found = outcome(course)
    wrong = [name for name in sorted({*found, *undisturbed}) if found.get(name) != undisturbed.get(name)]
    if wrong:
        shown = "\n".join(f"{name}: {found.get(name)!r:.300} instead of {undisturbed.get(name)!r:.300}" for name in wrong[:5])
        raise Wrong(f"after kills ({', '.join(course.killed)}):\n{shown}")


# The campaign


def campaign(kills: int, seed: int, folder: Path, tell: bool = True) -> Course:
    """Kills at every point and at random moments, in turn, until there were enough. Raises Wrong."""
    rng = random.Random(seed)
    texts = list(change_files(kills + 10, rng))
    calm, course = Course(folder / "calm"), Course(folder / "killed")
    for one in (calm, course):
        one.put(texts)
    run_to_the_end(calm, 300 + 10 * len(texts))
    require_right(calm, texts)
    turn = named = 0
    while len(course.killed) < kills:
        whom: Whom = ("driver", "driver", "java", "worker")[turn % 4] if turn % 2 else "driver"
        is_random = turn % 3 == 2
        if course.version >= calm.version:
            require_same(course, outcome(calm))
            shutil.rmtree(course.folder / "state")
            shutil.rmtree(course.out)
        if is_random:
            run_and_kill_at_random(course, whom, rng.random() * 1.5)
        else:
            run_and_kill(course, whom if whom != "worker" else "java", rng.randint(1, 2), POINTS[named % len(POINTS)])
            named += 1
        turn += 1
        if tell:
            print(f"{len(course.killed)} kills, version {course.version} of {calm.version}", flush=True)
    run_to_the_end(course)
    require_same(course, outcome(calm))
    require_right(course, texts)
    return course


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="sheliak-kills-"))
    try:
        course = campaign(given.kills, given.seed, folder)
    except Wrong as problem:
        print(f"wrong, with seed {given.seed}: {problem}\nthe folders are in {folder}")
        return 1
    by_kind = {kind: course.killed.count(kind) for kind in sorted(set(course.killed))}
    print(f"{len(course.killed)} kills in {course.runs} runs, the same end: {json.dumps(by_kind)}")
    shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
