"""`sheliak init`: a repository whose charts are checked, in one command."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from sheliak.cli.init_files import Change


@click.command(name="init")
@click.option("-y", "--yes", is_flag=True, help="Write without asking.")
@click.option("--no-hook", is_flag=True, help="Without the hook of pre-commit.")
@click.option("--no-workflow", is_flag=True, help="Without the workflow of GitHub.")
@click.option("--baseline", is_flag=True, help="Accept the findings there are, so that only new ones are told.")
def init(yes: bool, no_hook: bool, no_workflow: bool, baseline: bool) -> int:
    """Set up a repository: settings, a pre-commit hook, a workflow.

    Each file is shown before it is written, and what is there already stays as it is: [tool.sheliak] in pyproject.toml, a
    hook in .pre-commit-config.yaml, a workflow in .github/workflows.

    \b
    Examples:
      sheliak init
      sheliak init --yes --no-workflow
      sheliak init --yes --baseline

    Exit codes: 0 done, 2 nobody answers, or a file cannot be written.
    """
    from sheliak.cli.init_files import hook_change, settings_change, workflow_change

    specs = _specs()
    click.echo(_found(specs))
    changes = [settings_change(specs, baseline)]
    changes += [] if no_hook else [hook_change()]
    changes += [] if no_workflow else [workflow_change()]
    for change in changes:
        _settle(change, yes)
    click.echo()
    for line in _accepted(yes) if baseline else ():
        click.echo(line)
    for line in _afterwards(specs, baseline):
        click.echo(line)
    return 0


def _specs() -> list[str]:
    from sheliak.project.files import find_specs

    return list(find_specs("."))


def _found(specs: list[str]) -> str:
    from sheliak.rendering.summary import counted

    if not specs:
        return "there are no specs here yet: they will be found as *.vg.json, *.vl.json, or by their $schema"
    return f"{counted(len(specs), 'spec')} found: {', '.join(specs[:3])}{' ...' if len(specs) > 3 else ''}"


def _settle(change: Change, yes: bool) -> None:
    """Shows one change, and makes it unless the user says no."""
    from sheliak.cli.init_files import write

    if change.text is None:
        click.echo(
            f"\n{change.file}: left as it is, {change.reason}" + (f"\n{_indented(change.added)}" if change.is_advice else "")
        )
        return
    click.echo(f"\n{change.file}:\n{_indented(change.added)}")
    if not yes and not _agrees(change.file):
        click.echo(f"{change.file}: not written")
        return
    try:
        write(change)
    except OSError as problem:
        raise click.ClickException(f"{change.file!r} cannot be written: {str(problem.strerror).lower()}") from problem
    click.echo(f"{change.file}: written")


def _agrees(file: str) -> bool:
    try:
        return click.confirm(f"write {file}", default=True)
    except click.Abort as ended:
        click.echo()
        raise click.ClickException("nobody answers; --yes writes without asking") from ended


def _indented(text: str) -> str:
    return "\n".join(f"  | {line}" for line in text.splitlines())


def _accepted(yes: bool) -> Iterator[str]:
    """Writes the baseline, unless there is one."""
    import os

    from sheliak.cli.check_options import Given, Request
    from sheliak.cli.check_run import run_check
    from sheliak.cli.init_files import BASELINE

    nothing_else = dict.fromkeys(("fix", "diff", "watch", "statistics", "quiet", "verbose", "exit_zero", "coloured"), False)
    settings = Given().settings()
    file = settings.baseline or BASELINE
    if os.path.lexists(file):
        yield f"{file}: left as it is, `sheliak check --write-baseline` writes it anew"
    elif yes or _agrees(file):
        run_check(Request((), None, write_baseline=True, **nothing_else), Given(baseline=file).settings())
    if settings.baseline is None:
        yield f'[tool.sheliak] has no baseline yet: add `baseline = "{BASELINE}"` to it'


def _afterwards(specs: list[str], baseline: bool) -> Iterator[str]:
    """What there is to do next."""
    yield "next: sheliak check" + ("" if specs else " chart.vg.json")
    if specs and not baseline:
        yield "in an old repository, `sheliak init --baseline` accepts the findings there are, and only new ones are told"
