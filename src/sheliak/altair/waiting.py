"""A line in the notebook for as long as something is waited for; where there is no notebook, nothing."""

from __future__ import annotations

import contextlib
import contextvars
import sys
import threading
import time
from collections.abc import Iterator
from typing import Protocol

PATIENCE = 1.0
"""What takes less is not announced."""


class _Line(Protocol):
    def update(self, shown: object) -> None: ...


@contextlib.contextmanager
def waiting(words: str) -> Iterator[None]:
    """Shows the words and the seconds after a moment, and takes them away at the end."""
    if not _in_notebook():
        yield
        return
    done = threading.Event()
    # A kernel knows by the context which cell a line belongs to.
    context = contextvars.copy_context()
    watcher = threading.Thread(target=context.run, args=(_watch, words, done), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


def _in_notebook() -> bool:
    # Without a kernel there is no page that a line could be taken away from again.
    shell = sys.modules.get("IPython")
    return shell is not None and hasattr(shell.get_ipython(), "kernel")


def _watch(words: str, done: threading.Event) -> None:
    from IPython.display import Pretty, display

    started = time.monotonic()
    line: _Line | None = None
    while not done.wait(PATIENCE):
        shown = Pretty(f"{words}, {time.monotonic() - started:.0f} s")
        if line is None:
            line = display(shown, display_id=True)
        else:
            line.update(shown)
    if line is not None:
        line.update(Pretty(""))
