"""`sheliak plan`: what of a chart runs on Spark, what stays, and why."""

from __future__ import annotations

import click

from sheliak.cli.run_options import run_options


@click.command(name="plan")
@click.argument("spec")
@click.option("--output-format", type=click.Choice(["text", "json"]), default="text", help="[default: text]")
@click.option("--explain", is_flag=True, help="Also the plans that Spark makes of it.")
@run_options
def plan(
    spec: str,
    output_format: str,
    explain: bool,
    data: tuple[str, ...],
    data_dir: tuple[str, ...],
    allow_host: tuple[str, ...],
    signal: tuple[str, ...],
    timezone: str | None,
    row_limit: int | None,
    master: str | None,
    remote: str | None,
    conf: tuple[str, ...],
    no_check: bool,
    verbose: bool,
) -> int:
    """Show what of a chart runs on Spark, what stays with the renderer, and why.

    For every dataset: who runs each of its transforms, and what of it the renderer gets. For every source: the columns that
    are read and the number of scans. For every signal that a reader may change: whether its changes still reach the data.
    Only signals that transforms need are computed.

    \b
    Examples:
      sheliak plan chart.vg.json
      sheliak plan chart.vg.json --data flights=flights.parquet
      sheliak plan chart.vg.json --output-format json
      sheliak plan chart.vg.json --explain

    Exit codes: 0 done, 1 the spec has errors, 2 what was asked for cannot be done.
    """
    from sheliak.cli.run_job import Job
    from sheliak.cli.run_options import options_of, session_options

    options = options_of(data, data_dir, allow_host, signal, timezone, row_limit, no_check)
    return Job(options, session_options(master, remote, conf), verbose).show_plan(
        spec, as_json=output_format == "json", explain=explain
    )
