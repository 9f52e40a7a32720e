"""The inbox of a stream: pieces of change files, copied once, numbered, never changed again.

    inbox/0000000012-9f3c01aa     piece 12; the name holds a checksum; a first line says which file it is from, and which part of it
    inbox/_taken                  what was taken by pieces that are gone: a line for each file, with a checksum

Change files belong to others: they may be written slowly, grow, or be replaced. What a batch reads must stay what it was, since the
batch may have to be read again after a crash. So the stream reads copies. A piece is there when it has been renamed to its name; then the
part of the file that it holds counts as taken. A file is taken up to its last commit while it is being written, and whole when it has
not changed for a while; what is appended later is taken later.
"""

from __future__ import annotations

import json
import os
import re
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final

from sheliak.engines.failures import RunFailure
from sheliak.engines.spark.live.store.disk import discard, naming, write_aside
from sheliak.engines.spark.live.store.manifest import damaged
from sheliak.engines.spark.live.store.points import reached

SUFFIXES: Final = (".jsonl", ".ndjson", ".json")
SETTLED: Final = 1.0
"""After so many seconds without a change a file counts as written."""
PATIENCE: Final = 5.0
"""The same for a file that ends in the middle of a line."""
PIECE: Final = 32 << 20
"""A larger piece is cut after a commit, so that a batch fits into memory."""
_NAME: Final = re.compile(r"(\d{10})-([0-9a-f]{8})")
_COMMIT: Final = re.compile(rb'^[ \t]*\{[ \t]*"commit"[ \t]*:[ \t]*true[ \t]*\}[ \t\r]*\n', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Taken:
    """How much of a file was taken: up to `end`; `checksum` is that of all until there."""

    file: str
    start: int
    end: int
    checksum: int
    line: int = 1
    """The number of its first line in the file."""
    is_unfinished: bool = False
    """It ended in the middle of a line: nothing of it can be applied, and when the file goes on it is taken again from `start`."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a change file."""

    number: int
    taken: Taken
    content: bytes


@dataclass(slots=True)
class Seen:
    """A change file as it was when it was looked at, and since when it is like that."""

    stamp: tuple[int, int]
    since: float


@dataclass(slots=True)
class Inbox:
    """Takes change files from a folder. `tell` is given what the user should know."""

    changes: Path
    folder: Path
    tell: Callable[[str], None]
    last: int = 0
    """The number of the last piece that was taken or, after a start, applied."""
    taken: dict[str, Taken] = field(default_factory=dict)
    _done: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Files of which nothing is left to take, as long as they stay as they are."""
    _seen: dict[str, Seen] = field(default_factory=dict)
    _told: set[str] = field(default_factory=set)
    _modified: int = 0

    # What is there

    def open(self, applied: int) -> None:
        """Reads what was taken before. `applied` is the number of the last piece that the state knows of."""
        with naming(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
        discard(self.folder.glob(".*.aside"))
        self.taken = {taken.file: taken for taken in read_taken(self.folder / "_taken")}
        self.last = applied
        for path in pieces_in(self.folder):
            piece = read_piece(path)
            self.last = max(self.last, piece.number)
            self._remember(piece.taken)
            self._modified = max(self._modified, path.stat().st_mtime_ns)

    def _remember(self, taken: Taken) -> None:
        known = self.taken.get(taken.file)
        if known is None or taken.end >= known.end:
            self.taken[taken.file] = taken

    def waiting(self) -> list[str]:
        """Files that are not taken whole yet."""
        return [name for name, stamp in self._listed().items() if self._done.get(name) != stamp]

    def _listed(self) -> dict[str, tuple[int, int]]:
        """The change files, the oldest first."""
        with naming(self.changes, "read"):
            found = [(entry.name, entry.stat()) for entry in os.scandir(self.changes) if is_change_file(entry)]
        found.sort(key=lambda one: (one[1].st_mtime_ns, one[0]))
        return {name: (status.st_size, status.st_mtime_ns) for name, status in found}

    # Taking

    def take(self) -> int:
        """Takes what is ready; how many pieces that were."""
        before = self.last
        for name, stamp in self._listed().items():
            if self._done.get(name) != stamp:
                self._look(name, stamp)
        return self.last - before

    def take_settled(self) -> None:
        """Takes everything, after waiting for files that were changed just now."""
        self.take()
        deadline = time.monotonic() + 2 * PATIENCE
        while self.waiting() and time.monotonic() < deadline:
            time.sleep(SETTLED / 4)
            self.take()

    def _look(self, name: str, stamp: tuple[int, int]) -> None:
        seen = self._seen.get(name)
        if seen is None or seen.stamp != stamp:
            is_old = time.time() - stamp[1] / 1e9 > PATIENCE
            seen = self._seen[name] = Seen(stamp, time.monotonic() - (PATIENCE if is_old else 0))
        try:
            content = (self.changes / name).read_bytes()
        except OSError as problem:
            self._tell_once(name, stamp, f"cannot be read: {(problem.strerror or str(problem)).lower()}")
            return
        start = self._start(name, stamp, content)
        if start is None:
            return
        needed = PATIENCE if is_unfinished(content[start:]) else SETTLED
        is_settled = len(content) == stamp[0] and time.monotonic() - seen.since >= needed
        for end in cuts(content, start, is_settled=is_settled):
            self._take(name, content, start, end)
            start = end
        if is_settled and start == len(content):
            self._done[name] = stamp
            del self._seen[name]

    def _start(self, name: str, stamp: tuple[int, int], content: bytes) -> int | None:
        """Where the part begins that was not taken yet; None if the file is not the one that was begun."""
        known = self.taken.get(name)
        if known is None:
            return 0
        if zlib.crc32(content[: known.end]) != known.checksum or len(content) < known.end:
            self._tell_once(
                name, stamp, "was changed after its changes were taken; what it holds now is not applied: use another name"
            )
            self._done[name] = stamp
            return None
        return known.start if known.is_unfinished and len(content) > known.end else known.end

    def _tell_once(self, name: str, stamp: tuple[int, int], message: str) -> None:
        key = f"{name} {stamp} {message}"
        if key not in self._told:
            self._told.add(key)
            self.tell(f"{str(self.changes / name)!r} {message}")

    def _take(self, name: str, content: bytes, start: int, end: int) -> None:
        line = content.count(b"\n", 0, start) + 1
        taken = Taken(name, start, end, zlib.crc32(content[:end]), line, is_unfinished(content[start:end]))
        body = json.dumps(asdict(taken)).encode() + b"\n" + content[start:end]
        path = self.folder / f"{self.last + 1:010}-{zlib.crc32(body):08x}"
        reached("inbox: before a piece")
        write_aside(path, body)
        # Spark takes files in the order of their times, which go on in the order of the numbers, whatever the clock does.
        self._modified = max(time.time_ns(), self._modified + 1_000_000)
        with suppress(OSError):
            os.utime(path, ns=(self._modified, self._modified))
        reached("inbox: after a piece")
        self.last += 1
        self.taken[name] = taken

    # Clean-up

    def clean(self, until: int) -> None:
        """Removes the pieces up to a number; that they were taken stays known."""
        gone = [path for path in pieces_in(self.folder) if number_of(path) <= until]
        if gone:
            self._keep_in_mind()
            reached("clean: pieces are known")
            discard(gone)

    def _keep_in_mind(self) -> None:
        """Files that are not in the folder any more are forgotten: their names may come again."""
        present = self._listed()
        kept = [taken for taken in self.taken.values() if taken.file in present]
        write_aside(self.folder / "_taken", b"".join(taken_line(taken) for taken in kept))


def is_change_file(entry: os.DirEntry[str]) -> bool:
    """By its name, which neither begins with a dot or an underscore nor ends like that of a file in the making."""
    return entry.name.endswith(SUFFIXES) and not entry.name.startswith((".", "_")) and entry.is_file()


def cuts(content: bytes, start: int, *, is_settled: bool) -> Iterator[int]:
    """Where the pieces end that can be taken from `start` on: after commits, or at the end of a file that is written."""
    whole = len(content)
    commits = [found.end() for found in _COMMIT.finditer(content, start)]
    end = whole if is_settled else commits[-1] if commits else start
    while end - start > PIECE:
        fitting = [commit for commit in commits if start < commit <= start + PIECE] or [
            commit for commit in commits if commit > start
        ]
        if not fitting:
            break
        start = fitting[-1] if fitting[-1] <= start + PIECE else fitting[0]
        yield start
    if end > start:
        yield end


def is_unfinished(content: bytes) -> bool:
    """It ends in the middle of a line: there is no end of line, and what is there is no JSON."""
    last = content[content.rfind(b"\n") + 1 :]
    if not last.strip():
        return False
    try:
        json.loads(last)
    except (ValueError, RecursionError):
        return True
    return False


# Pieces


def pieces_in(folder: Path) -> list[Path]:
    """The pieces of an inbox in their order."""
    with naming(folder, "read"):
        return sorted(path for path in folder.iterdir() if _NAME.fullmatch(path.name))


def number_of(path: Path) -> int:
    return int(path.name[:10])


def read_piece(path: Path) -> Piece:
    """A piece as it was taken. Raises RunFailure, which names the file, if it is not."""
    found = _NAME.fullmatch(path.name)
    assert found is not None
    with naming(path, "read"):
        body = path.read_bytes()
    if f"{zlib.crc32(body):08x}" != found[2]:
        raise damaged(path, "its checksum is not that of its content")
    head, _, content = body.partition(b"\n")
    return Piece(int(found[1]), Taken(**json.loads(head)), content)


def pieces_between(folder: Path, after: int, until: int) -> list[Piece]:
    """The pieces after one number up to another, all of them. Raises RunFailure for one that is not there."""
    found = {number_of(path): path for path in pieces_in(folder)}
    for number in range(after + 1, until + 1):
        if number not in found:
            raise damaged(folder / f"{number:010}-*", "the file is not there")
    return [read_piece(found[number]) for number in range(after + 1, until + 1)]


# What was taken


def taken_line(taken: Taken) -> bytes:
    text = json.dumps(asdict(taken)).encode()
    return b"%08x %s\n" % (zlib.crc32(text), text)


def read_taken(path: Path) -> Iterable[Taken]:
    if not path.exists():
        return []
    with naming(path, "read"):
        lines = path.read_bytes().splitlines()
    found: list[Taken] = []
    for line in lines:
        told, _, text = line.partition(b" ")
        if told != b"%08x" % zlib.crc32(text):
            raise damaged(path, "its checksum is not that of its content")
        found.append(Taken(**json.loads(text)))
    return found


def require_folder(changes: Path) -> None:
    """Raises RunFailure where there is no folder to take changes from."""
    if not changes.is_dir():
        raise RunFailure(f"{str(changes)!r} is no folder")
