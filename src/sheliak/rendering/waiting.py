"""A line on the terminal that says what is waited for, once it takes longer than a moment; it vanishes at the end."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Self

PATIENCE = 1.0
"""Seconds that need no explanation."""
_TICK = 0.2
_SIGNS = "|/-\\"
_CLEAR = "\r\x1b[K"


class Waiting:
    """One line on standard error, for the time of a block. What is printed meanwhile is printed after `clear`."""

    def __init__(self, words: Callable[[], str]) -> None:
        self._words = words
        self._done = threading.Event()
        self._lock = threading.Lock()
        self._shown = False
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
            self._thread = threading.Thread(target=self._watch, daemon=True)
            self._thread.start()
        return self

    def __exit__(self, *ended: object) -> None:
        self._done.set()
        if self._thread is not None:
            self._thread.join()
        self.clear()

    def clear(self) -> None:
        """Takes the line away until it is due again."""
        with self._lock:
            if self._shown:
                sys.stderr.write(_CLEAR)
                sys.stderr.flush()
                self._shown = False

    def _watch(self) -> None:
        started = time.monotonic()
        turn = 0
        while not self._done.wait(_TICK):
            seconds = time.monotonic() - started
            if seconds < PATIENCE:
                continue
            turn += 1
            with self._lock:
                sys.stderr.write(f"{_CLEAR}{_SIGNS[turn % len(_SIGNS)]} {self._words()[:100]}, {seconds:.0f} s")
                sys.stderr.flush()
                self._shown = True


_now: list[str] = []


@contextlib.contextmanager
def waiting(words: str) -> Iterator[None]:
    """The line of a block; of blocks within one another there is one line, with the words of the innermost."""
    _now.append(words)
    try:
        if len(_now) > 1:
            yield
        else:
            with Waiting(lambda: _now[-1]):
                yield
    finally:
        _now.pop()
