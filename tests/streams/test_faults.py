"""Crashes at every point and disks that refuse: in this process, without Spark, so that every place can be tried.

What an exception that nobody catches leaves on the disk is what the end of the process leaves there. After each fault everything is
opened again, and must come to the same end as without.
"""

from __future__ import annotations

import errno
import fcntl
import io
import os
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import pyarrow.parquet as pq
import pytest

from sheliak.engines.failures import RunFailure
from sheliak.engines.spark.live import streaming
from sheliak.engines.spark.live.inbox import Inbox, pieces_in
from sheliak.engines.spark.live.outlet import read_current
from sheliak.engines.spark.live.store import open_store, points
from sheliak.engines.spark.live.store.disk import naming
from sheliak.engines.spark.live.stream_sources import ChangeFiles
from sheliak.engines.spark.live.streaming import Stream, open_stream
from sheliak.expressions.values import Json
from streams.kills import POINTS, change_files, outcome
from streams.plain_step import PlainStep

SPEC: dict[str, object] = {
    "data": [
        {"name": "sales", "values": [{"shop": "ab"[number % 2], "amount": number, "day": number % 5} for number in range(1, 21)]},
        {
            "name": "totals",
            "source": "sales",
            "transform": [{"type": "aggregate", "groupby": ["shop"], "ops": ["sum"], "fields": ["amount"], "as": ["sum"]}],
        },
    ]
}


@dataclass(frozen=True)
class Frame:
    """As much of a batch of Spark's as the source of files looks at."""

    paths: Sequence[Path]

    def collect(self) -> list[dict[str, str]]:
        return [{"path": path.as_uri()} for path in self.paths]


class Crash(BaseException):
    """The end of the process, as far as its files can tell."""


@dataclass
class Folders:
    """A stream whose batches are given by hand, one piece each."""

    folder: Path

    @property
    def out(self) -> Path:
        return self.folder / "out"

    def run(self) -> None:
        """From a start to the end of what is there."""
        store = open_store(self.folder / "state", "spec")
        try:
            inbox = Inbox(self.folder / "new", self.folder / "state" / "inbox", lambda _: None)
            source = ChangeFiles(inbox, 1)
            with naming(self.folder):
                live = PlainStep(SPEC, store)
            stream = open_stream(live, store, source, cast("object", None), self.out, (), lambda _: None)  # type: ignore[arg-type]
            self._apply_all(stream, source)
        finally:
            assert store._lock is not None
            store._lock.close()

    def _apply_all(self, stream: Stream, source: ChangeFiles) -> None:
        applying = stream._applying
        source.open(applying.facts)
        applying.catch_up()
        source.take()
        for path in pieces_in(source.inbox.folder):
            points.reached("offset: after")
            applying.apply_all(source, Frame([path]), 0, "query")  # type: ignore[arg-type]
            points.reached("batch: done")


@pytest.fixture(scope="module")
def texts() -> list[str]:
    import random

    return list(change_files(8, random.Random(5)))


@pytest.fixture(autouse=True, scope="module")
def often() -> Iterator[None]:
    """Compaction every few batches."""
    before, streaming.COMPACTED_EVERY = streaming.COMPACTED_EVERY, 3
    yield
    streaming.COMPACTED_EVERY = before


def folders(folder: Path, texts: Sequence[str]) -> Folders:
    (folder / "new").mkdir(parents=True)
    for number, text in enumerate(texts):
        path = folder / "new" / f"{number:04}.jsonl"
        path.write_text(text, encoding="utf-8")
        os.utime(path, (1_700_000_000 + number, 1_700_000_000 + number))
    return Folders(folder)


@pytest.fixture(scope="module")
def calm(texts: list[str], tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """What comes of it undisturbed."""
    place = folders(tmp_path_factory.mktemp("calm") / "stream", texts)
    place.run()
    return without_times(outcome(place))


def without_times(found: dict[str, object]) -> dict[str, object]:
    """Sizes of Parquet files may hang on how they were written; their rows do not."""
    datasets = found.pop("datasets")
    assert isinstance(datasets, dict)
    return {**found, "counts": {name: (entry["count"], entry["version"]) for name, entry in datasets.items()}}


def run_with(place: Folders, disturbing: Callable[[], None], monkeypatch: pytest.MonkeyPatch) -> bool:
    """One run that is disturbed; whether it was stopped by that."""
    disturbing()
    try:
        place.run()
    except (Crash, RunFailure):
        return True
    finally:
        monkeypatch.undo()
        points.watchers.clear()
    return False


@pytest.mark.parametrize("point", POINTS)
def test_a_crash_at_a_point(
    point: str, texts: list[str], calm: dict[str, object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the first, second, third, ... time that the point is passed, run after run, until a run comes to its end."""
    place = folders(tmp_path / "stream", texts)
    crashes = 0
    for nth in (1, 2, 1, 3, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1):

        def crash(nth: int = nth) -> None:
            count = [0]

            def watcher(reached: str) -> None:
                count[0] += reached == point
                if reached == point and count[0] == nth:
                    raise Crash

            points.watchers.append(watcher)

        if run_with(place, crash, monkeypatch):
            crashes += 1
        else:
            break
    place.run()
    assert crashes > 0
    assert without_times(outcome(place)) == calm


CALLS = {"fsync": os, "replace": os, "open": io, "link": os, "utime": os}


@pytest.mark.parametrize("call", CALLS)
def test_a_disk_that_refuses(
    call: str, texts: list[str], calm: dict[str, object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One call fails, as on a full disk: the run ends with a message, the next one goes on."""
    failures = 0
    for nth in (1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144):
        place = folders(tmp_path / f"stream{nth}", texts)

        def refuse(nth: int = nth) -> None:
            real, count = getattr(CALLS[call], call), [0]

            def refusing(*arguments: object, **options: object) -> object:
                # A change file that cannot be read now is taken later, after others.
                names = [str(argument) for argument in arguments]
                is_ours = call == "fsync" or any(str(tmp_path) in name and "/new/" not in name for name in names)
                count[0] += is_ours
                if is_ours and count[0] == nth:
                    raise OSError(errno.ENOSPC, "No space left on device")
                return real(*arguments, **options)

            monkeypatch.setattr(CALLS[call], call, refusing)

        failures += run_with(place, refuse, monkeypatch)
        check_readable(place)
        place.run()
        assert without_times(outcome(place)) == calm
    assert failures > 0 or call in ("link", "utime")  # a copy takes the place of a link; times are not needed


def check_readable(place: Folders) -> None:
    """Readers find whole versions, whatever happened."""
    current = read_current(place.out) if place.out.exists() else None
    if current is not None:
        entries = current["datasets"]
        assert isinstance(entries, dict)
        for name, entry in entries.items():
            assert isinstance(entry, dict)
            assert pq.read_table(place.out / str(entry["rows"])).num_rows == entry["count"], name


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Callable[[int], Path]]:
    """A disk of so many kilobytes, which can be made larger; only where this process may mount one."""
    disk = tmp_path / "disk"
    disk.mkdir()

    def sized(size: int) -> Path:
        options = f"{'remount,' if os.path.ismount(disk) else ''}size={size}k"
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(disk)], capture_output=True, check=False)
        if mounted.returncode != 0:
            pytest.skip("no disk can be mounted here")
        return disk

    if shutil.which("mount") is None:
        pytest.skip("no disk can be mounted here")
    yield sized
    subprocess.run(["umount", str(disk)], capture_output=True, check=False)


def test_a_full_disk(texts: list[str], calm: dict[str, object], small_disk: Callable[[int], Path]) -> None:
    """It is full again and again, wherever that may be; the message names the disk, and with more room the stream goes on."""
    size = 120
    place = folders(small_disk(size) / "stream", texts)
    failures = 0
    while size < 5000:
        try:
            place.run()
            break
        except RunFailure as failure:
            failures += 1
            assert str(place.folder) in str(failure) and "no space left" in str(failure)
            check_readable(place)
            size += 24
            small_disk(size)
    assert failures > 2
    assert without_times(outcome(place)) == calm


def test_readers_always_find_whole_versions(texts: list[str], tmp_path: Path) -> None:
    """While batches are applied, others read as fast as they can: what `current.json` names is there, and of one version."""
    place = folders(tmp_path / "stream", texts)
    writer = threading.Thread(target=place.run)
    writer.start()
    versions: set[object] = set()
    while writer.is_alive():
        current = read_current(place.out) if (place.out / "current.json").exists() else None
        if current is not None:
            check_readable(place)
            check_sums(place, current)
            versions.add(current["version"])
    writer.join()
    assert len(versions) > 1


def check_sums(place: Folders, current: Mapping[str, Json]) -> None:
    """The totals are those of the sales of the same version; the files of the last minute stay."""
    entries = current["datasets"]
    assert isinstance(entries, dict)
    tables = {name: pq.read_table(place.out / str(entry["rows"])) for name, entry in entries.items() if isinstance(entry, dict)}
    sums: dict[str, float] = {}
    for row in tables["sales"].to_pylist():
        sums[row["shop"]] = sums.get(row["shop"], 0) + row["amount"]
    assert {row["shop"]: row["sum"] for row in tables["totals"].to_pylist()} == sums


def test_late_writes_of_an_earlier_process_do_no_harm(texts: list[str], calm: dict[str, object], tmp_path: Path) -> None:
    """What it still writes has names that nobody else uses, and is removed."""
    place = folders(tmp_path / "stream", texts)
    place.run()
    state = place.folder / "state"
    stray = [state / "tables" / "0000000099-0000-aaaaaaaa-t.arrow", state / "manifests" / ".0000000099.json.aside"]
    stray.append(state / "inbox" / ".0000000099-aaaaaaaa.aside")
    for path in stray:
        path.write_bytes(b"late")
    place.run()
    assert [path for path in stray if path.exists()] == []
    assert without_times(outcome(place)) == calm


@pytest.mark.parametrize("nth", [1, 2, 4, 7, 12, 20, 33])
def test_a_short_write_is_noticed(
    nth: int, texts: list[str], calm: dict[str, object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that keeps less than it was given, and says nothing."""
    place = folders(tmp_path / "stream", texts)
    real, count = os.fsync, [0]

    def losing(handle: int) -> None:
        is_written = fcntl.fcntl(handle, fcntl.F_GETFL) & os.O_ACCMODE != os.O_RDONLY
        count[0] += is_written
        if is_written and count[0] == nth:
            os.ftruncate(handle, os.fstat(handle).st_size - 5)
        real(handle)

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", losing)
        with pytest.raises(RunFailure, match="not all of it was written"):
            place.run()
    place.run()
    assert without_times(outcome(place)) == calm
