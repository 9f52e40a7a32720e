"""One call of `sheliak run` or `sheliak plan`: from specs to files, lines and an exit code."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sheliak.cli.check_options import is_coloured
from sheliak.cli.run_options import read_spec
from sheliak.engines.failures import RunFailure
from sheliak.engines.protocol import RunResult
from sheliak.rendering.paint import coloured, plain
from sheliak.rendering.visible import visible
from sheliak.rendering.waiting import waiting
from sheliak.running.opening import (
    NoSession,
    Ready,
    RunOptions,
    SessionOptions,
    SpecErrors,
    end_own_sessions,
    open_chart,
    own_session,
    ready,
    run_all,
    told_failures,
)
from sheliak.running.progress import progress_on_terminal
from sheliak.running.writing import CHARTS, ROWS, require_folder, require_writable, write_chart, write_folder, write_rows

if TYPE_CHECKING:
    from sheliak.engines.spark.passed_on import SparkSession
    from sheliak.engines.spark.pipeline import Pipeline

DONE, FINDINGS, UNUSABLE = 0, 1, 2


def require_sensible(specs: Sequence[str], output: str | None, dataset: str | None, folder: str | None) -> None:
    """Options that need each other, or exclude each other."""
    if folder is not None and (output is not None or dataset is not None):
        raise click.UsageError("--datasets writes every dataset: it cannot be combined with -o or --dataset")
    if folder is None and len(specs) > 1:
        raise click.UsageError("several specs are run together only with --datasets DIR")
    names = [_stem(spec) for spec in specs]
    twice = next((name for name in names if names.count(name) > 1), None)
    if folder is not None and twice is not None:
        raise click.UsageError(f"two specs are called {twice!r}, and would be written to one folder")


def _stem(spec: str) -> str:
    return Path(spec).stem if spec != "-" else "stdin"


class Job:
    """One call of a command."""

    def __init__(self, options: RunOptions, session_options: SessionOptions, verbose: bool) -> None:
        self.options = options
        self.session_options = session_options
        self.verbose = verbose
        self.paint = coloured if is_coloured("auto") else plain

    # One spec

    def run_one(self, spec: str, output: str | None, dataset: str | None) -> int:
        """The chart or one of its datasets, into a file or onto the terminal."""
        with self._ended() as exit_code:
            if output is not None:
                require_writable(output, ROWS if dataset is not None else CHARTS, "rows" if dataset is not None else "a chart")
            with self.opened(spec) as pipeline:
                self._write(pipeline, output, dataset)
        return exit_code[0]

    def _write(self, pipeline: Pipeline, output: str | None, dataset: str | None) -> None:
        if dataset is None:
            if output is not None:
                spec = pipeline.spec()
                with waiting("the chart is drawn"):
                    write_chart(output, spec, self.options.hosts, pipeline.run.surroundings.zone.name)
            else:
                from sheliak.engines.spark.counting import counted
                from sheliak.running.overview import overview

                self.echo(*overview(counted(pipeline.run), self.paint))
            return
        found = pipeline.dataset(dataset)
        if found.rows is None:
            raise RunFailure(f"its rows are made by the renderer: {found.reason}", dataset=dataset)
        if output is not None:
            write_rows(output, found.rows)
        else:
            from sheliak.running.tables_text import first_rows

            self.echo(*first_rows(found.rows, self.paint))

    def show_plan(self, spec: str, *, as_json: bool, explain: bool) -> int:
        """What runs where, and why."""
        with self._ended() as exit_code, self.opened(spec) as pipeline:
            from sheliak.engines.spark.chart_report import explained, report_of_pipeline
            from sheliak.running.plan_text import as_object, lines_of

            report = report_of_pipeline(pipeline)
            physical = explained(pipeline, report.plans) if explain else {}
            if as_json:
                self.echo(json.dumps({**as_object(report), **({"spark": physical} if explain else {})}, indent=1))
                return exit_code[0]
            self.echo(*lines_of(report, self.paint))
            for name, text in physical.items():
                self.echo(self.paint("title", f"Spark's plan of {visible(name)}"), text)
        return exit_code[0]

    @contextlib.contextmanager
    def opened(self, spec: str) -> Iterator[Pipeline]:
        """The pipeline of a spec, for the time of a block; failures of Spark are told in words."""
        with waiting("the spec is checked"):
            given = ready(read_spec(spec), self.options, lambda: self.session)
        try:
            with self._quiet():
                pipeline = open_chart(given, self.session, self.options.row_limit, progress_on_terminal(self.session))
                try:
                    with told_failures():
                        yield pipeline
                finally:
                    pipeline.close()
        finally:
            given.close()

    # Many specs

    def write_folders(self, specs: Sequence[str], folder: str) -> int:
        """Every dataset of every spec; one that fails has its reasons in its folder, and the others go on."""
        with self._ended() as exit_code:
            require_folder(folder)
            failed = [spec for spec in specs if not self._write_folder(spec, Path(folder, _stem(spec)))]
            exit_code[0] = FINDINGS if failed else DONE
        return exit_code[0]

    def _write_folder(self, spec: str, folder: Path) -> bool:
        """Whether the whole spec was run."""
        try:
            with self._quiet(), waiting(f"{spec} is run"):
                result = self._result(ready(read_spec(spec), as_vega_loads(self.options), lambda: self.session))
        except NoSession:
            raise
        except (RunFailure, click.ClickException) as problem:
            self._tell(problem, spec)
            result = RunResult({}, errors=(str(problem),))
        else:
            for error in result.errors:
                click.echo(f"error: {spec}: {error}", err=True)
        write_folder(folder, result)
        return not result.errors

    def _result(self, given: Ready) -> RunResult:
        try:
            return run_all(given, self.session)
        finally:
            given.close()

    # Around both

    @cached_property
    def session(self) -> SparkSession:
        with waiting("Spark starts"):
            return own_session(self.session_options)

    @contextlib.contextmanager
    def _quiet(self) -> Iterator[None]:
        from sheliak.engines.spark.session import quiet

        with quiet():
            yield

    @contextlib.contextmanager
    def _ended(self) -> Iterator[list[int]]:
        """The exit code of a block; failures are told, and the session is ended."""
        exit_code = [DONE]
        try:
            yield exit_code
        except RunFailure as problem:
            exit_code[0] = self._tell(problem)
        finally:
            with waiting("Spark ends"):
                end_own_sessions()

    def _tell(self, problem: RunFailure | click.ClickException, spec: str | None = None) -> int:
        if isinstance(problem, SpecErrors):
            self._tell_findings(problem)
            return FINDINGS
        place = f"{spec}: " if spec is not None else ""
        click.echo(f"error: {place}{problem}", err=True)
        if isinstance(problem, RunFailure):
            if problem.help:
                click.echo(f"help: {problem.help}", err=True)
            if self.verbose and problem.details:
                click.echo(problem.details, err=True)
        return UNUSABLE

    def _tell_findings(self, problem: SpecErrors) -> None:
        """As `sheliak check` shows them."""
        from sheliak.rendering.full_text import render_outcome
        from sheliak.rendering.summary import Tally, summary

        tally = Tally()
        for outcome in tally.counting([problem.outcome]):
            self.echo(*render_outcome(outcome, self.paint))
        self.echo(summary(tally, self.paint))

    def echo(self, *lines: str) -> None:
        click.echo("\n".join(lines), color=True if self.paint is coloured else None)
        sys.stdout.flush()


def as_vega_loads(options: RunOptions) -> RunOptions:
    """The same, but files that are missing are passed over, as Vega does."""
    return replace(options, strict_files=False)
