"""`sheliak check --fix`: makes the safe repairs; with `--diff` it only shows them."""

from __future__ import annotations

import os
from collections.abc import Iterator

import click

from sheliak.cli.check_run import Run
from sheliak.project.outcome import Outcome
from sheliak.project.repairs import Repaired, diff, encoded, repair
from sheliak.project.replace_file import replace_file
from sheliak.rendering.summary import counted
from sheliak.source.text import Source, decode_text


class FileChanged(OSError):
    """The file is no longer what was checked."""


class Repairing:
    """Repairs the outcomes of a run while they are written."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._findings = 0
        self._files = 0

    def write(self, outcomes: Iterator[Outcome]) -> None:
        """The differences, or what is left to tell after the repairs."""
        if self._run.request.diff:
            for _ in self._run.tally.counting(self._shown(outcomes)):
                pass
        else:
            self._run.write(self._made(outcomes))
        if not self._run.request.quiet:
            verb = "would be" if self._run.request.diff else "were" if self._findings != 1 else "was"
            total = f"{counted(self._findings, 'finding')} {verb} repaired in {counted(self._files, 'file')}"
            click.echo(total if self._findings else "no finding has a repair that is safe to make", err=True)

    def _repair(self, outcome: Outcome) -> Repaired:
        folder = os.path.dirname(outcome.name)
        repaired = repair(outcome, lambda source: self._run.checkup.check_text(source, folder))
        return repaired

    def _shown(self, outcomes: Iterator[Outcome]) -> Iterator[Outcome]:
        """The outcomes as they are: as long as nothing is changed, everything is still to be told."""
        for outcome in outcomes:
            repaired = self._repair(outcome)
            if repaired.made:
                self._count(repaired)
                self._run.echo(diff(outcome.source, repaired.outcome.source).removesuffix("\n"))
            yield outcome

    def _made(self, outcomes: Iterator[Outcome]) -> Iterator[Outcome]:
        for outcome in outcomes:
            repaired = self._repair(outcome)
            if not repaired.made:
                yield outcome
                continue
            try:
                _save(outcome.source, repaired.outcome.source)
            except OSError as problem:
                self._run.complain(f"{outcome.name!r} cannot be written: {(problem.strerror or str(problem)).lower()}")
                yield outcome
            else:
                self._count(repaired)
                yield repaired.outcome

    def _count(self, repaired: Repaired) -> None:
        self._files += 1
        self._findings += len(repaired.made)


def _save(before: Source, after: Source) -> None:
    with open(before.name, "rb") as file:
        old = file.read()
    if decode_text(before.name, old).text != before.text:
        raise FileChanged("it was changed meanwhile")
    replace_file(before.name, encoded(after, old))
