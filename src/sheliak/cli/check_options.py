"""What `sheliak check` was asked to do: the options of the command line over the settings of the project."""

from __future__ import annotations

import os
import sys

import click

from sheliak.project.codes import UnknownCode, require_known
from sheliak.project.settings import Settings, SettingsError, read_settings
from sheliak.source.declared import dataclass, replace


@dataclass(frozen=True, slots=True)
class Request:
    """What to do, apart from the settings that a project may make."""

    paths: tuple[str, ...]
    stdin_filename: str | None
    write_baseline: bool
    fix: bool
    diff: bool
    watch: bool
    statistics: bool
    quiet: bool
    verbose: bool
    exit_zero: bool
    coloured: bool


@dataclass(frozen=True, slots=True)
class Given:
    """What the command line says about things that a project may set as well."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    strict: bool = False
    error_on_warning: bool = False
    data_dirs: tuple[str, ...] = ()
    schemas: tuple[str, ...] = ()
    baseline: str | None = None
    output_format: str | None = None
    isolated: bool = False

    def settings(self) -> Settings:
        """The settings of the project with these on top: lists grow, but `--select` replaces what was selected."""
        try:
            project = Settings() if self.isolated else read_settings()
        except SettingsError as problem:
            raise click.ClickException(str(problem)) from problem
        selection = replace(
            project.selection,
            select=_codes("--select", self.select) or project.selection.select,
            ignore=(*project.selection.ignore, *_codes("--ignore", self.ignore)),
        )
        return replace(
            project,
            selection=selection,
            strict=self.strict or project.strict,
            error_on_warning=self.error_on_warning or project.error_on_warning,
            data_dirs=(*self.data_dirs, *project.data_dirs),
            schemas={**project.schemas, **dict(_schema(text) for text in self.schemas)},
            baseline=self.baseline or project.baseline,
            output_format=self.output_format or project.output_format,
        )


def _codes(option: str, given: tuple[str, ...]) -> tuple[str, ...]:
    codes = tuple(code.strip() for text in given for code in text.split(",") if code.strip())
    try:
        require_known(codes)
    except UnknownCode as problem:
        raise click.UsageError(f"{option}: {problem}") from problem
    return codes


def _schema(text: str) -> tuple[str, str]:
    name, equals, file = text.partition("=")
    if not (name and equals and file):
        raise click.UsageError(f"--schema takes NAME=FILE, not {text!r}")
    return name, file


def is_coloured(choice: str) -> bool:
    """Colours on a terminal that can show them, unless the user says otherwise here or in the environment."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
