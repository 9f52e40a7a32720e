"""`sheliak trace`: changes sent through the data of a chart, and what each vertex does with them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from sheliak.changes.lines import Pulse
    from sheliak.cli.trace_shown import Told
    from sheliak.engines.reference.live import Live

CLEAN, FINDINGS = 0, 1


@click.command(name="trace")
@click.argument("spec")
@click.option(
    "--changes", "changes_file", required=True, metavar="FILE", help="Changes, one JSON object a line; - is standard input."
)
@click.option("--rows", is_flag=True, help="Show the rows, not only how many.")
@click.option("--why", metavar="ID", help="Show where a row comes from: an id, or a trace such as 'aggregate(\"novel\")'.")
@click.option("--output-format", type=click.Choice(["text", "json"]), default="text", help="[default: text]")
@click.option("--data-dir", multiple=True, metavar="DIR", help="A folder whose files the spec may name; repeatable.")
@click.option("--timezone", metavar="ZONE", help="What local time is; this machine's zone by default.")
def trace(
    spec: str, changes_file: str, rows: bool, why: str | None, output_format: str, data_dir: tuple[str, ...], timezone: str | None
) -> int:
    """Send changes through the data of SPEC and show what each vertex received and sent, pulse by pulse.

    \b
    The changes:
      {"data": "books", "id": "b1", "add": {"title": "Low Water", "words": 91200}}
      {"data": "books", "id": "b1", "update": {"title": "Low Water", "words": 88000}}
      {"data": "books", "id": "b1", "remove": true}
      {"commit": true}
    An update holds the whole new row; a commit ends a pulse. Rows that SPEC starts with have the ids 1, 2, 3, ... A pulse
    with a change that cannot be (an add of a row that is there, an update of one that is not) is not applied at all; the
    next one is. Dates and what else JSON cannot hold: {"$date": 1577836800000}, {"$num": "NaN"}, {"$undefined": true}.

    Rows keep their ids through filters and formulas; a group has the trace aggregate("key"), a pair (1, 2), a row that
    `fold` or `flatten` makes fold(1, 0).

    \b
    Examples:
      sheliak trace examples/books.vg.json --changes examples/books-new.jsonl
      sheliak trace examples/books.vg.json --changes examples/books-new.jsonl --rows
      sheliak trace examples/books.vg.json --changes examples/books-new.jsonl --why 'aggregate("essay")'
      cat changes.jsonl | sheliak trace chart.vg.json --changes - --output-format json

    Exit codes: 0 done, 1 a pulse was not applied or the spec cannot be run, 2 bad usage or unreadable input.
    """
    from sheliak.cli.trace_shown import Told
    from sheliak.engines.failures import RunFailure

    if spec == "-" and changes_file == "-":
        raise click.UsageError("only one of SPEC and --changes can be standard input")
    pulses = _read_pulses(changes_file)
    try:
        live = _opened(spec, data_dir, timezone)
    except RunFailure as problem:
        click.echo(f"error: {problem}", err=True)
        return FINDINGS
    told = Told(live, rows=rows, remembers=why is not None, as_text=output_format == "text")
    is_clean = _run(live, pulses, told)
    told.end(why)
    return CLEAN if is_clean else FINDINGS


def _run(live: Live, pulses: list[Pulse], told: Told) -> bool:
    """Whether every pulse was applied."""
    from sheliak.changes.change import Rejected

    told.pulse(0, live.steps)
    is_clean = True
    for number, pulse in enumerate(pulses, start=1):
        try:
            told.pulse(number, live.apply_lines(pulse))
        except Rejected as rejected:
            told.rejected(number, pulse, rejected.error)
            is_clean = False
    return is_clean


def _opened(spec: str, data_dir: tuple[str, ...], timezone: str | None) -> Live:
    """The spec with the rows that it starts with. Raises RunFailure."""
    from sheliak.cli.run_options import options_of, read_spec
    from sheliak.engines.failures import RunFailure
    from sheliak.engines.reference.live import open_live
    from sheliak.loading.folders import DataFolders
    from sheliak.running.reading import vega_of
    from sheliak.running.zone import local_name, zone_called

    options = options_of((), data_dir, (), (), timezone, None, True)
    file = read_spec(spec)
    try:
        root = vega_of(file.source)
        zone_called(timezone)
    except RunFailure as problem:
        raise click.ClickException(str(problem)) from problem
    return open_live(root, DataFolders(file.folder, *options.data_dirs), timezone=timezone or local_name())


def _read_pulses(file: str) -> list[Pulse]:
    from sheliak.changes.lines import MalformedChange, read_pulses

    try:
        raw = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        return read_pulses(raw.decode("utf-8-sig"))
    except OSError as problem:
        raise click.ClickException(f"{file!r} cannot be read: {(problem.strerror or str(problem)).lower()}") from problem
    except UnicodeDecodeError as problem:
        raise click.ClickException(f"{file!r} is not UTF-8: byte {problem.start + 1} fits no character") from problem
    except MalformedChange as problem:
        column = f":{problem.column}" if problem.column is not None else ""
        name = "<stdin>" if file == "-" else file
        raise click.ClickException(f"{name}:{problem.line}{column}: {problem}") from problem
