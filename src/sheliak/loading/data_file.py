"""One data file, opened so that nothing but a regular file can be read, and read in pieces."""

from __future__ import annotations

import codecs
import os
import re
import stat
from collections.abc import Iterator
from io import TextIOWrapper
from pathlib import Path
from typing import Self

_SAFE_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)

_PIECE = 1 << 22


class Unreadable(Exception):
    """The data cannot be had; the text says why, in words for the user."""


class DataFile:
    """An open regular file. A pipe or a device is refused before a byte is read, so nothing can hang."""

    def __init__(self, path: Path) -> None:
        try:
            self._descriptor = os.open(path, _SAFE_FLAGS | getattr(os, "O_BINARY", 0))
        except OSError as error:
            raise Unreadable(_reason(error)) from error
        status = os.fstat(self._descriptor)
        self.size = status.st_size
        if not stat.S_ISREG(status.st_mode):
            self.close()
            raise Unreadable("it is not a regular file")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        os.close(self._descriptor)

    def bytes_at(self, start: int, length: int) -> bytes:
        """At most `length` bytes from `start` on."""
        try:
            os.lseek(self._descriptor, start, os.SEEK_SET)
            parts = []
            while length > 0 and (part := os.read(self._descriptor, length)):
                parts.append(part)
                length -= len(part)
        except OSError as error:
            raise Unreadable(_reason(error)) from error
        return b"".join(parts)

    def text_at(self, start: int, length: int) -> str:
        """The same as text. Browsers read data as UTF-8, drop a byte order mark, and replace what is not UTF-8."""
        found = self.bytes_at(start, length)
        if start == 0:
            found = found.removeprefix(codecs.BOM_UTF8)
        return found.decode("utf-8", "replace")

    def text(self) -> str:
        return self.text_at(0, self.size)

    def lines(self) -> Iterator[str]:
        """The lines of the text with their ends, whichever these are; only some of the file is in memory."""
        with self.stream() as stream:
            yield from stream

    def stream(self) -> TextIOWrapper:
        """The text from the start, as a stream that is read piece by piece."""
        os.lseek(self._descriptor, 0, os.SEEK_SET)
        raw = os.fdopen(os.dup(self._descriptor), "rb", buffering=_PIECE)
        return TextIOWrapper(raw, encoding="utf-8-sig", errors="replace", newline="")

    def matches(self, pattern: re.Pattern[bytes], longest: int) -> bool:
        """The pattern occurs somewhere in the file; no match is longer than `longest` bytes.

        Read piece by piece rather than mapped: a mapped file that shrinks meanwhile ends the whole process.
        """
        start = 0
        while piece := self.bytes_at(start, _PIECE):
            if pattern.search(piece):
                return True
            if len(piece) < _PIECE:
                return False
            start += _PIECE - longest
        return False


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
