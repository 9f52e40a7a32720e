"""The report of the one spec that a command is about."""

from __future__ import annotations

import os

import click

from sheliak.checker.report import Report
from sheliak.cli.check_options import Given
from sheliak.cli.spec_files import read_spec_file
from sheliak.project.checkup import Checkup
from sheliak.project.front_end import NotChecked
from sheliak.project.settings import SettingsError
from sheliak.rendering.waiting import waiting
from sheliak.source.declared import replace


def report_of(spec: str, data_dirs: tuple[str, ...], schemas: tuple[str, ...], *, without_data: bool = False) -> Report:
    """Everything about a spec, with the data folders and schemas of the project; `-` is standard input."""
    try:
        settings = replace(Given(data_dirs=data_dirs, schemas=schemas).settings(), baseline=None)
        checkup = Checkup(replace(settings, data_dirs=(), schemas={}) if without_data else settings)
    except SettingsError as problem:
        raise click.ClickException(str(problem)) from problem
    source = read_spec_file(spec)
    try:
        with waiting(f"{spec} is checked"):
            return checkup.report(source, None if without_data else os.path.dirname(spec))
    except NotChecked as problem:
        raise click.ClickException(f"{spec!r} was not checked: {problem}") from problem


def require_readable(report: Report) -> None:
    """Ends the command when there is no spec to speak of; what is wrong with its text is said."""
    document = report.checked.document
    if document.readable and document.root.is_object:
        return
    finding = report.diagnostics[0]
    place = f"{report.source.name}:{finding.location.line}:{finding.location.column}"
    raise click.ClickException(f"{place}: {finding.message}")
