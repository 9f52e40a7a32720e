"""A bar on the terminal: what is being computed, and how far it is. Where there is no terminal, nothing."""

from __future__ import annotations

import contextlib
import importlib.util
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from sheliak.engines.protocol import Progress, silent
from sheliak.rendering.waiting import waiting

if TYPE_CHECKING:
    from sheliak.engines.spark.passed_on import SparkSession


def progress_on_terminal(session: SparkSession) -> Progress:
    """A bar on standard error, a line where the package that draws the bar is missing; nothing where there is no terminal."""
    if not sys.stderr.isatty():
        return silent
    if importlib.util.find_spec("rich") is None:
        return waiting
    return Bar(session).showing


class Bar:
    """One bar for whatever runs; it vanishes when it is done."""

    def __init__(self, session: SparkSession) -> None:
        self.session = session
        self.busy = False

    @contextlib.contextmanager
    def showing(self, label: str) -> Iterator[None]:
        """The bar of one label, for the time of a block; a block within another is part of it."""
        if self.busy:
            yield
            return
        self.busy = True
        try:
            with self._shown(label):
                yield
        finally:
            self.busy = False

    @contextlib.contextmanager
    def _shown(self, label: str) -> Iterator[None]:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        from sheliak.engines.spark.progress import watched

        # Names of a spec may look like markup.
        columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn())
        with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(label, total=None)
            with watched(self.session, label, lambda done, total: bar.update(task, completed=done, total=total)):
                yield
