"""What `sheliak check` was asked to do: the options of the command line over the settings of the project."""

from __future__ import annotations

import os
import sys

import click

from sheliak.project.codes import UnknownCode, require_known
from sheliak.project.settings import Settings
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


def combined(
    settings: Settings,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    strict: bool,
    error_on_warning: bool,
    data_dirs: tuple[str, ...],
    schemas: tuple[str, ...],
    baseline: str | None,
    output_format: str | None,
) -> Settings:
    """The settings with the options of the command line: lists grow, but `--select` replaces what was selected."""
    selected, ignored = _codes("--select", select), _codes("--ignore", ignore)
    selection = replace(
        settings.selection,
        select=selected or settings.selection.select,
        ignore=(*settings.selection.ignore, *ignored),
    )
    return replace(
        settings,
        selection=selection,
        strict=strict or settings.strict,
        error_on_warning=error_on_warning or settings.error_on_warning,
        data_dirs=(*data_dirs, *settings.data_dirs),
        schemas={**settings.schemas, **dict(_schema(text) for text in schemas)},
        baseline=baseline or settings.baseline,
        output_format=output_format or settings.output_format,
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
