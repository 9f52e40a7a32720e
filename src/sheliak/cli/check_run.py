"""One run of `sheliak check`: from paths to outcomes, from outcomes to lines and an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import click

from sheliak.checker.report import Report
from sheliak.cli.check_options import Request
from sheliak.cli.spec_files import similar_path, what_it_is
from sheliak.loading import DataFolders
from sheliak.project.checkup import Checkup, MakeFolders
from sheliak.project.files import NoSuchPath, find_specs
from sheliak.project.front_end import NotChecked
from sheliak.project.outcome import Outcome
from sheliak.project.settings import Settings, SettingsError
from sheliak.rendering.paint import coloured, plain
from sheliak.rendering.summary import Tally, counted, statistics, summary
from sheliak.rendering.waiting import Waiting
from sheliak.source.declared import replace
from sheliak.source.text import decode_text

CLEAN, FINDINGS, UNUSABLE = 0, 1, 2
STDIN = "-"
_WHAT_IS_A_SPEC = "a folder is searched for *.vg.json, *.vl.json, and every *.json whose $schema is that of Vega"


class Run:
    """One run: what was checked, what could not be, and what is written."""

    def __init__(self, request: Request, settings: Settings, checkup: Checkup) -> None:
        self.request = request
        self.settings = settings
        self.checkup = checkup
        self.tally = Tally()
        self.paint = coloured if request.coloured else plain
        self.names: list[str] = []
        """The files that were looked at."""
        self._unusable = False
        self._seen: set[str] = set()
        self.waiting = Waiting(self._waited_for)

    @property
    def exit_code(self) -> int:
        """Unreadable files count first: the answer is not complete without them."""
        if self._unusable:
            return UNUSABLE
        findings = self.tally.errors + (self.tally.warnings if self.settings.error_on_warning else 0)
        return FINDINGS if findings and not self.request.exit_zero else CLEAN

    def outcomes(self) -> Iterator[Outcome]:
        """Every spec that the paths mean, each once, in their order."""
        for path in self.request.paths or self.settings.include or (".",):
            for name in self._names(path):
                outcome = self._check(name)
                if outcome is not None:
                    yield outcome

    def _names(self, path: str) -> Iterator[str]:
        if path == STDIN:
            yield STDIN
            return
        found = False
        try:
            for name in find_specs(path, self.settings.exclude, self.settings.selection.root):
                found = True
                if self._is_new(name):
                    yield name
        except NoSuchPath as problem:
            self.complain(f"{problem}{similar_path(path) if not _is_pattern(path) else ''}")
        except OSError as problem:
            self.complain_of_file(path, problem)
        if not found and not self._unusable:
            where = "here" if path == "." else f"in {path!r}"
            click.echo(f"there are no specs {where}; {_WHAT_IS_A_SPEC}", err=True)

    def _waited_for(self) -> str:
        return f"{self.names[-1]} is checked" if self.names else "specs are looked for"

    def _is_new(self, name: str) -> bool:
        path = os.path.normpath(os.path.join(os.getcwd(), name))
        if path in self._seen:
            return False
        self._seen.add(path)
        return True

    def _check(self, name: str) -> Outcome | None:
        shown = name if name != STDIN else self.request.stdin_filename or "<stdin>"
        try:
            if name == STDIN:
                folder = os.path.dirname(self.request.stdin_filename or "")
                return self.checkup.check_text(decode_text(shown, sys.stdin.buffer.read()), folder)
            other = what_it_is(name)
            if other is not None:
                self.complain(other)
                return None
            self.names.append(name)
            return self.checkup.check_file(name)
        except OSError as problem:
            self.complain_of_file(shown, problem)
        except NotChecked as problem:
            self.complain(f"{shown!r} was not checked: {problem}")
        return None

    def complain_of_file(self, name: str, problem: OSError) -> None:
        self.complain(f"{name!r} cannot be read: {(problem.strerror or str(problem)).lower()}")

    def complain(self, message: str) -> None:
        """Says what is wrong with the command's own input, and goes on with the rest."""
        self._unusable = True
        self.waiting.clear()
        click.echo(f"error: {message}", err=True)

    def write(self, outcomes: Iterator[Outcome]) -> None:
        """Writes the findings in the format that was asked for."""
        counted = self.tally.counting(outcomes)
        format = self.settings.output_format
        if self.request.statistics:
            self._write_statistics(counted)
        elif format == "full":
            self._write_full(counted)
        elif format == "concise":
            self._write_concise(counted)
        else:
            from sheliak.rendering.formats import machine_lines

            self.echo(*machine_lines(format, counted))

    def _write_full(self, outcomes: Iterator[Outcome]) -> None:
        for outcome in outcomes:
            if outcome.findings:
                from sheliak.rendering.full_text import render_outcome

                self.echo(*render_outcome(outcome, self.paint, _columns()))
            self._write_notes(outcome.report)
        self._write_summary()

    def _write_concise(self, outcomes: Iterator[Outcome]) -> None:
        for outcome in outcomes:
            if outcome.findings:
                from sheliak.rendering.concise_text import render_outcome

                self.echo(*render_outcome(outcome, self.paint))
            self._write_notes(outcome.report)
        self._write_summary()

    def _write_statistics(self, outcomes: Iterator[Outcome]) -> None:
        for _ in outcomes:
            pass
        self.echo(*statistics(self.tally, self.paint))
        self._write_summary()

    def _write_notes(self, report: Report) -> None:
        if self.request.verbose:
            for place, note in report.checked.notes:
                location = report.locate(place)
                self.echo(self.paint("faint", f"{report.source.name}:{location.line}:{location.column}: note: {note}"))

    def _write_summary(self) -> None:
        if not self.request.quiet and self.tally.files:
            self.echo(summary(self.tally, self.paint, told_all=self.request.verbose))

    def echo(self, *lines: str) -> None:
        if lines:
            self.waiting.clear()
            click.echo("\n".join(lines), color=True if self.request.coloured else None)


def _is_pattern(path: str) -> bool:
    return any(mark in path for mark in "*?[")


def _columns() -> int:
    """The width of the terminal; where there is none, always the same."""
    from sheliak.rendering.full_text import COLUMNS

    if not sys.stdout.isatty():
        return COLUMNS
    from shutil import get_terminal_size

    return max(get_terminal_size((COLUMNS, 24)).columns, 40)


def run_check(request: Request, settings: Settings, make_folders: MakeFolders = DataFolders) -> Run:
    """Runs once: check, perhaps repair, write."""
    require_sensible(request, settings)
    if request.write_baseline:
        return accept_all(request, settings, make_folders)
    run = _new_run(request, settings, make_folders)
    outcomes = run.outcomes()
    with run.waiting:
        if request.fix or request.diff:
            from sheliak.cli.check_fix import Repairing

            Repairing(run).write(outcomes)
        else:
            run.write(outcomes)
    return run


def _new_run(request: Request, settings: Settings, make_folders: MakeFolders) -> Run:
    try:
        return Run(request, settings, Checkup(settings, make_folders))
    except SettingsError as problem:
        raise click.ClickException(str(problem)) from problem


def accept_all(request: Request, settings: Settings, make_folders: MakeFolders) -> Run:
    """Writes every finding into the baseline; findings that are accepted are no reason to fail."""
    from sheliak.project.baseline import BaselineError, write_baseline

    run = _new_run(request, replace(settings, baseline=None), make_folders)
    file = settings.baseline or ""
    try:
        accepted = write_baseline(file, run.outcomes())
    except BaselineError as problem:
        raise click.ClickException(str(problem)) from problem
    if not request.quiet:
        run.echo(f"{counted(accepted, 'finding')} written to {file}")
    return run


def require_sensible(request: Request, settings: Settings) -> None:
    """Options that need each other, or exclude each other."""
    if request.write_baseline and settings.baseline is None:
        raise click.UsageError("--write-baseline needs --baseline FILE, or `baseline` in pyproject.toml")
    if request.write_baseline and (request.fix or request.diff):
        raise click.UsageError("--write-baseline cannot be combined with --fix or --diff")
    if request.fix and not request.diff and STDIN in request.paths:
        raise click.UsageError("--fix cannot write to standard input; --fix --diff shows what it would change")
