"""`sheliak run`: the data of a chart computed on Spark, and what comes of it in files."""

from __future__ import annotations

import click

from sheliak.cli.run_options import run_options


@click.command(name="run")
@click.argument("specs", nargs=-1, required=True, metavar="SPEC...")
@click.option("-o", "--output", metavar="FILE", help="The chart as .vg.json, .html, .svg, .png or .pdf; with --dataset its rows.")
@click.option("--dataset", metavar="NAME", help="Only the rows of this dataset: .json, .jsonl, .csv, .parquet or .arrow.")
@click.option(
    "--datasets", "folder", metavar="DIR", help="Every dataset of every SPEC, each in DIR/<name of SPEC>/<dataset>.jsonl."
)
@run_options
def run(
    specs: tuple[str, ...],
    output: str | None,
    dataset: str | None,
    folder: str | None,
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
    """Run the data of a chart on Spark.

    SPEC is Vega or Vega-Lite, - for standard input. It is checked against the columns its data really have, and run only
    when no error is found. Transforms that reduce data run on Spark; the spec that is written holds what they leave, and
    draws the same picture. Without -o a table of the datasets is shown.

    \b
    Examples:
      sheliak run chart.vg.json
      sheliak run chart.vg.json -o chart.html
      sheliak run chart.vg.json -o small.vg.json --data flights=flights.parquet
      sheliak run chart.vg.json --dataset totals -o totals.csv
      sheliak run charts/*.vg.json --datasets results
      sheliak run chart.vg.json -o chart.png --remote sc://spark.example.org:15002

    Exit codes: 0 done, 1 the spec has errors and nothing was run, 2 what was asked for cannot be done.
    """
    # Only here, so that `--help` and completion load nothing of the engine.
    from sheliak.cli.run_job import Job, require_sensible
    from sheliak.cli.run_options import options_of, session_options

    require_sensible(specs, output, dataset, folder)
    options = options_of(data, data_dir, allow_host, signal, timezone, row_limit, no_check)
    job = Job(options, session_options(master, remote, conf), verbose)
    if folder is not None:
        return job.write_folders(specs, folder)
    return job.run_one(specs[0], output, dataset)
