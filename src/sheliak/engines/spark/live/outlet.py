"""The folder that a stream writes to, readable at any time.

    current.json                          which version is the current one, and which files hold the rows of each dataset
    rows/DATASET.parquet                  the current rows
    versions/DATASET/0000000012.parquet   the rows as version 12 left them; the last few are kept
    changes/DATASET/0000000012.jsonl      what version 12 changed, in the format of changes; the first file of a folder holds all rows as adds
    rejected/                             changes that were not applied, each with a message

Every file appears whole, under its name, by a renaming; none is changed afterwards. `current.json` comes last: what it names is there.
Version 0 is the start, version n the n-th batch.
"""

from __future__ import annotations

import json
import os
import shutil
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from sheliak.changes.change import Add, Change
from sheliak.changes.lines import line_text
from sheliak.engines.failures import RowLimit, RunFailure
from sheliak.engines.spark.live.store.disk import checksum, discard, naming, sync_file, sync_folder, write_aside
from sheliak.engines.spark.live.store.points import reached
from sheliak.expressions.values import Json

if TYPE_CHECKING:
    import pyarrow as pa

    from sheliak.engines.spark.live.protocol import LiveDatasets

KEPT: Final = 3
KEPT_SECONDS: Final = 60.0
"""Older versions of rows stay for readers who have begun: the last few, and all of the last minute."""


@dataclass(slots=True)
class Outlet:
    """What is written for some datasets of one stream."""

    folder: Path
    stream: str
    """The stream that the folder belongs to."""
    datasets: Sequence[str]
    version: int | None = None
    """The version that readers see; None before the first."""
    _entries: dict[str, Json] = field(default_factory=dict)
    _large: dict[str, str] = field(default_factory=dict)
    """Datasets that turned out to have too many rows to be written, and how that is told."""

    def open(self) -> None:
        """Reads which version is there. Raises RunFailure where the folder belongs to another stream."""
        with naming(self.folder):
            for part in ("rows", "versions", "changes", "rejected"):
                (self.folder / part).mkdir(parents=True, exist_ok=True)
        found = read_current(self.folder)
        if found is None:
            return
        if found.get("stream") != self.stream:
            raise RunFailure(
                f"{str(self.folder)!r} holds the output of another stream", help="give another folder, or empty this one"
            )
        version, entries = found.get("version"), found.get("datasets")
        if isinstance(version, int) and isinstance(entries, dict) and set(entries) == set(self.datasets):
            self.version, self._entries = version, dict(entries)
            if all(is_whole(self.folder, entry) for entry in entries.values()):
                self._link()
            else:
                self.version = None  # all of it is written anew

    # A version

    def begin(self, version: int, live: LiveDatasets) -> None:
        """A version without one before it: all rows, and a log that starts with them."""
        self._entries = {}
        for dataset in self.datasets:
            if live.reason(dataset) is None:
                write_lines(
                    self.log(dataset, version), (line_text(dataset, Add(trace, row)) for trace, row in live.rows(dataset))
                )
        self._finish(version, self.datasets, live)

    def publish(self, version: int, logs: Mapping[str, Path], live: LiveDatasets) -> None:
        """The next version: `logs` are the changes of the datasets that have changed."""
        reached("output: before")
        changed = [dataset for dataset in self.datasets if dataset in logs]
        for dataset in changed:
            copy_whole(logs[dataset], self.log(dataset, version))
        reached("output: logs written")
        self._finish(version, changed, live)

    def _finish(self, version: int, changed: Iterable[str], live: LiveDatasets) -> None:
        for dataset in changed:
            self._entries[dataset] = self._written(dataset, version, live)
        for dataset in self.datasets:  # what had no rows for lack of data may have some now, and the other way round
            if (reason := live.reason(dataset)) is not None:
                self._entries[dataset] = {"reason": reason}
        reached("output: rows written")
        document: dict[str, Json] = {"format": 1, "stream": self.stream, "version": version, "datasets": self._entries}
        document["crc32"] = sum_of(document)
        write_aside(self.folder / "current.json", (json.dumps(document, indent=1) + "\n").encode())
        self.version = version
        reached("output: after")
        self._link()
        self._clean()

    def _written(self, dataset: str, version: int, live: LiveDatasets) -> Json:
        if live.reason(dataset) is None and dataset not in self._large:
            with self._unless_large(dataset):
                return self._rows_written(dataset, version, live.table(dataset))
        return {"reason": live.reason(dataset) or self._large[dataset]}

    @contextmanager
    def _unless_large(self, dataset: str) -> Iterator[None]:
        """A block that is left when the dataset has too many rows, which is then remembered."""
        try:
            yield
        except RowLimit as problem:
            self._large[dataset] = problem.message

    def _rows_written(self, dataset: str, version: int, table: pa.Table) -> Json:
        path = self.rows(dataset, version)
        write_made(path, lambda aside: write_parquet(aside, table))
        size, total = checksum(path)
        name = path.relative_to(self.folder).as_posix()
        return {"rows": name, "count": table.num_rows, "version": version, "bytes": size, "crc32": total}

    # Places

    def log(self, dataset: str, version: int) -> Path:
        return self.folder / "changes" / file_name(dataset) / f"{version:010}.jsonl"

    def rows(self, dataset: str, version: int) -> Path:
        return self.folder / "versions" / file_name(dataset) / f"{version:010}.parquet"

    def _link(self) -> None:
        """The current rows under a name that stays."""
        for dataset, entry in self._entries.items():
            place = self.folder / "rows" / f"{file_name(dataset)}.parquet"
            if isinstance(entry, dict) and isinstance(name := entry.get("rows"), str):
                renew_link(self.folder / name, place)
            else:
                discard([place])

    def _clean(self) -> None:
        now = time.time()
        for dataset in self.datasets:
            current = self._entries.get(dataset)
            named = current.get("rows") if isinstance(current, dict) else None
            folder = self.folder / "versions" / file_name(dataset)
            versions = sorted(folder.glob("*.parquet"))[:-KEPT] if folder.is_dir() else []
            for path in versions:
                if path.relative_to(self.folder).as_posix() != named and is_older(path, now - KEPT_SECONDS):
                    discard([path])
                    reached("clean: rows removed")


def read_current(folder: Path) -> dict[str, Json] | None:
    """What `current.json` says; None where it is not there."""
    path = folder / "current.json"
    if not path.exists():
        return None
    with naming(path, "read"):
        raw = path.read_bytes()
    try:
        found = json.loads(raw)
    except ValueError:
        found = None
    if not isinstance(found, dict) or found.pop("crc32", None) != sum_of(found):
        raise RunFailure(f"{str(path)!r} is damaged", help="remove it: the stream writes the current rows anew")
    return found


def sum_of(document: Mapping[str, Json]) -> int:
    """A checksum of what `current.json` says, however it is written."""
    return zlib.crc32(json.dumps(document, sort_keys=True, separators=(",", ":")).encode())


def is_whole(folder: Path, entry: Json) -> bool:
    """The rows that an entry of `current.json` names are there, as they were written."""
    if not isinstance(entry, dict) or not isinstance(name := entry.get("rows"), str):
        return True
    path = folder / name
    return path.is_file() and checksum(path) == (entry.get("bytes"), entry.get("crc32"))


def file_name(dataset: str) -> str:
    """A dataset's name as that of a file or a folder."""
    plain = quote(dataset, safe=" ()[]+,;=@")
    return f"%2E{plain[1:]}" if plain.startswith(".") else plain or "%"


def log_lines(dataset: str, changes: Iterable[Change]) -> bytes:
    """Changes as they stand in a log."""
    return b"".join(log_line(line_text(dataset, change)) for change in changes) + b'{"commit":true}\n'


def log_line(text: str) -> bytes:
    return text.encode("utf-8", "replace") + b"\n"


# Files that appear whole


def write_made(path: Path, make: Callable[[Path], object]) -> None:
    """A file that `make` writes elsewhere first."""
    aside = path.with_name(f".{path.name}.aside")
    with naming(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        make(aside)
        sync_file(aside)
        aside.replace(path)
        sync_folder(path.parent)


def copy_whole(source: Path, path: Path) -> None:
    write_made(path, lambda aside: shutil.copyfile(source, aside))


def write_lines(path: Path, lines: Iterable[str]) -> None:
    def make(aside: Path) -> None:
        with aside.open("wb") as file:
            for line in lines:
                file.write(log_line(line))
            file.write(b'{"commit":true}\n')

    write_made(path, make)


def write_parquet(path: Path, table: pa.Table) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        pq.write_table(table, path)
    except pa.ArrowException as problem:
        raise RunFailure(f"{str(path)!r} cannot be written: {problem}") from problem


def renew_link(target: Path, place: Path) -> None:
    """A second name for a file, in the place of what had it; a copy where files have one name only."""
    aside = place.with_name(f".{place.name}.aside")
    with suppress(OSError):
        if place.samefile(target):
            return
    with naming(place):
        discard([aside])
        try:
            os.link(target, aside)
        except OSError:
            shutil.copyfile(target, aside)
        aside.replace(place)


def is_older(path: Path, moment: float) -> bool:
    with suppress(OSError):
        return path.stat().st_mtime < moment
    return False
