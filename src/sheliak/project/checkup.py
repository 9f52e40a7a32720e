"""Checks the specs of a project, one after the other, as its settings want."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from sheliak.checker.check import CheckOptions
from sheliak.checker.report import Report
from sheliak.loading import DataFolders, SchemaError, read_schema
from sheliak.project.front_end import check_source
from sheliak.project.outcome import Outcome
from sheliak.project.settings import Settings, SettingsError
from sheliak.source.text import Source, read_text
from sheliak.types.shapes import Record

if TYPE_CHECKING:
    from sheliak.project.baseline import Baseline

MakeFolders = Callable[..., DataFolders]


class Checkup:
    """One run over some specs. Raises SettingsError when a schema, a data folder or a baseline that was given
    cannot be used."""

    def __init__(self, settings: Settings, make_folders: MakeFolders = DataFolders) -> None:
        self.settings = settings
        self._make_folders = make_folders
        self._folders: dict[str, DataFolders] = {}
        self._schemas = read_schemas(settings.schemas)
        self._data_dirs = data_dirs(settings.data_dirs)
        self._accepted = _accepted(settings.baseline)

    def check_file(self, name: str) -> Outcome:
        """What is told about a file; OSError when it cannot be read."""
        return self.check_text(read_text(name), os.path.dirname(name))

    def check_text(self, source: Source, folder: str | None) -> Outcome:
        """What is told about a text that stands in a folder."""
        report = self.report(source, folder)
        outcome = Outcome(report, self.settings.selection.told(report))
        return outcome if self._accepted is None else self._accepted.new(outcome)

    def report(self, source: Source, folder: str | None) -> Report:
        """Everything that was found."""
        return check_source(source, CheckOptions(self.folders(folder), self._schemas, self.settings.strict))

    def folders(self, folder: str | None) -> DataFolders:
        """The folders whose files the specs of one folder may name."""
        key = folder if folder is not None else "\0"
        if key not in self._folders:
            own = Path(folder or ".") if folder is not None else None
            self._folders[key] = self._make_folders(own, *self._data_dirs)
        return self._folders[key]


def _accepted(file: str | None) -> Baseline | None:
    if file is None:
        return None
    from sheliak.project.baseline import BaselineError, read_baseline

    try:
        return read_baseline(file)
    except BaselineError as problem:
        raise SettingsError(str(problem)) from problem


def data_dirs(names: tuple[str, ...]) -> tuple[Path, ...]:
    """Folders that exist; a misspelt one would make every data file unseen without a word."""
    for name in names:
        if not os.path.isdir(name):
            raise SettingsError(f"the data folder {name!r} is not a folder")
    return tuple(Path(name) for name in names)


def read_schemas(files: Mapping[str, str]) -> dict[str, Path | Record]:
    """Dataset -> the record that its schema states."""
    schemas: dict[str, Path | Record] = {}
    for dataset, file in files.items():
        try:
            schemas[dataset] = read_schema(Path(file), dataset)
        except SchemaError as problem:
            raise SettingsError(str(problem)) from problem
    return schemas
