"""Files that survive a crash: written aside, brought to the disk, renamed; with checksums; failures name the file."""

from __future__ import annotations

import errno
import os
import shutil
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sheliak.engines.failures import RunFailure

_PIECE = 1 << 20


@contextmanager
def naming(path: Path, deed: str = "written") -> Iterator[None]:
    """A block in which a failure of the file system is a RunFailure with the file's name: the one it tells itself, or this one."""
    try:
        yield
    except ConnectionError:
        raise  # no file: Spark has gone
    except OSError as problem:
        name = problem.filename if isinstance(problem.filename, str) else str(path)
        raise RunFailure(f"{name!r} cannot be {deed}: {(problem.strerror or str(problem)).lower()}") from problem


def checksum(path: Path) -> tuple[int, int]:
    """The size of a file, and a sum that any change of a few bytes changes."""
    size = total = 0
    with naming(path, "read"), path.open("rb") as file:
        while piece := file.read(_PIECE):
            size += len(piece)
            total = zlib.crc32(piece, total)
    return size, total


def write_aside(path: Path, content: bytes, *, durable: bool = True) -> None:
    """The whole content under this name, or what was there before: written under another name first, then renamed."""
    aside = path.with_name(f".{path.name}.aside")
    with naming(path):
        write_whole(aside, content, durable=durable)
        aside.replace(path)
        if durable:
            sync_folder(path.parent)


def write_whole(path: Path, content: bytes, *, durable: bool = True) -> None:
    """All of the content, on the disk. Raises OSError, also where the disk has less than it was given."""
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        if durable:
            os.fsync(file.fileno())
    if path.stat().st_size != len(content):
        raise OSError(errno.EIO, "Not all of it was written")


def sync_file(path: Path) -> None:
    with naming(path):
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def sync_folder(path: Path) -> None:
    """Names are on the disk only when their folder is."""
    if os.name == "nt":
        return  # folders cannot be opened there, and renames are written through
    sync_file(path)


def files_below(path: Path) -> list[Path]:
    """The files of a folder, at any depth, in a fixed order; a file itself."""
    if not path.is_dir():
        return [path]
    return sorted(Path(folder, name) for folder, _, names in os.walk(path) for name in names)


def folders_below(path: Path) -> list[Path]:
    return [Path(folder) for folder, _, _ in os.walk(path)] if path.is_dir() else []


def discard(paths: Iterable[Path]) -> None:
    """Removes files and folders; what cannot be removed stays, and is tried again by the next clean-up."""
    for path in paths:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            with suppress(OSError):
                path.unlink()
