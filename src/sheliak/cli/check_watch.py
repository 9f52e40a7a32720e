"""`sheliak check --watch`: runs again whenever a spec, a data file, a schema or the settings change."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import click

from sheliak.cli.check_options import Request
from sheliak.cli.check_run import CLEAN, STDIN, run_check
from sheliak.loading.folders import DataFolders, Located
from sheliak.project.settings import FILE, Settings
from sheliak.rendering.summary import counted

_PAUSE = 0.2
Stamp = tuple[int, int] | None
"""When a file was changed and how large it is; None when it is not there."""


class TracedFolders(DataFolders):
    """Data folders that remember every file a spec asked for, also those that are not there."""

    def __init__(self, trace: set[str], spec_folder: Path | None, *data_dirs: Path) -> None:
        super().__init__(spec_folder, *data_dirs)
        self._trace = trace

    def locate(self, url: str) -> Located:
        for folder, relative in self._candidates(url):
            self._trace.add(os.path.join(folder, relative.lstrip("/")))
        return super().locate(url)


def watch_check(request: Request, settings_of: Callable[[], Settings]) -> int:
    """Checks, waits for a change, checks again, until Ctrl-C."""
    if STDIN in request.paths:
        raise click.UsageError("--watch needs files: standard input does not change")
    try:
        while True:
            watched = _run_once(request, settings_of)
            before = _stamps(watched)
            click.echo(f"watching {counted(len(before), 'file')} and folders; Ctrl-C ends it", err=True)
            while _stamps(watched) == before:
                time.sleep(_PAUSE)
            if sys.stdout.isatty():
                click.clear()
    except KeyboardInterrupt:
        return CLEAN


def _run_once(request: Request, settings_of: Callable[[], Settings]) -> set[str]:
    """One run; the files and folders whose change can change its outcome. What cannot be used is said and waited for."""
    watched = {FILE, *request.paths}
    traced: set[str] = set()
    try:
        settings = settings_of()
        watched.update((settings.file or FILE, *settings.schemas.values(), *settings.data_dirs))
        run = run_check(request, settings, lambda own, *others: TracedFolders(traced, own, *others))
        watched.update(run.names, traced, *map(_folders_below, request.paths or settings.include or (".",)))
    except click.ClickException as problem:
        click.echo(f"error: {problem.format_message()}", err=True)
    return watched


def _folders_below(path: str) -> Iterable[str]:
    """The folders that are searched for specs: a new file changes the time of the folder it is in."""
    return [directory for directory, _, _ in os.walk(path)]


def _stamps(paths: Iterable[str]) -> dict[str, Stamp]:
    return {path: _stamp(path) for path in paths}


def _stamp(path: str) -> Stamp:
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size
