"""The options that `run` and `plan` share, and what they mean."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

if TYPE_CHECKING:
    from sheliak.running.opening import RunOptions, SessionOptions, SpecFile

Command = TypeVar("Command", bound=Callable[..., object])

_OPTIONS = (
    click.option(
        "--data", multiple=True, metavar="NAME=WHAT", help="What a dataset starts with: a file, or table:NAME; repeatable."
    ),
    click.option("--data-dir", multiple=True, metavar="DIR", help="A folder whose files the spec may name; repeatable."),
    click.option("--allow-host", multiple=True, metavar="HOST", help="A host that data may be fetched from; repeatable."),
    click.option("--signal", multiple=True, metavar="NAME=JSON", help="The value of a signal; repeatable."),
    click.option("--timezone", metavar="ZONE", help="The time zone of the chart.  [default: that of this machine]"),
    click.option("--row-limit", type=click.IntRange(min=0), metavar="N", help="The most rows of a dataset.  [default: 100000]"),
    click.option("--master", metavar="URL", help="The master of a Spark cluster.  [default: this machine]"),
    click.option("--remote", metavar="sc://HOST:PORT", help="A server of Spark Connect."),
    click.option("--conf", multiple=True, metavar="KEY=VALUE", help="A setting of Spark; repeatable."),
    click.option("--no-check", is_flag=True, help="Run without looking for mistakes first."),
    click.option("-v", "--verbose", is_flag=True, help="All that is known about a failure."),
)


def run_options(command: Command) -> Command:
    """Gives a command the options of a run."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def session_options(master: str | None, remote: str | None, conf: tuple[str, ...]) -> SessionOptions:
    from sheliak.running.opening import SessionOptions

    if master is not None and remote is not None:
        raise click.UsageError("--master and --remote exclude each other")
    return SessionOptions(master, remote, tuple(_pair("--conf", "KEY=VALUE", text) for text in conf))


def options_of(
    data: tuple[str, ...],
    data_dir: tuple[str, ...],
    allow_host: tuple[str, ...],
    signal: tuple[str, ...],
    timezone: str | None,
    row_limit: int | None,
    no_check: bool,
) -> RunOptions:
    """What the command line and the project say about a run."""
    from sheliak.cli.check_options import Given
    from sheliak.project.checkup import data_dirs, read_schemas
    from sheliak.project.settings import SettingsError
    from sheliak.running.opening import RunOptions
    from sheliak.running.result import values_of

    settings = Given(data_dirs=data_dir).settings()
    try:
        folders, schemas = data_dirs(settings.data_dirs), read_schemas(settings.schemas)
    except SettingsError as problem:
        raise click.ClickException(str(problem)) from problem
    return RunOptions(
        data=dict(_pair("--data", "NAME=WHAT", text) for text in data),
        data_dirs=folders,
        hosts=allow_host,
        signals=values_of(dict(_signal(text) for text in signal)),
        timezone=timezone,
        row_limit=row_limit,
        check=not no_check,
        schemas=schemas,
        selection=settings.selection,
    )


def _pair(option: str, form: str, text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise click.UsageError(f"{option} takes {form}, not {text!r}")
    return name, value


def _signal(text: str) -> tuple[str, object]:
    name, value = _pair("--signal", "NAME=JSON", text)
    try:
        return name, json.loads(value)
    except ValueError as problem:
        raise click.UsageError(f"--signal {name}: {value!r} is no JSON; text stands in quotes: '\"{value}\"'") from problem


def read_spec(name: str) -> SpecFile:
    """The spec of a file; `-` is standard input."""
    from sheliak.cli.spec_files import read_spec_file
    from sheliak.running.opening import SpecFile

    return SpecFile(read_spec_file(name), Path() if name == "-" else Path(name).parent)
