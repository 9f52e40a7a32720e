"""`sheliak stream`: the data of a chart kept up to date on Spark, as files of changes arrive."""

from __future__ import annotations

import click


@click.command(name="stream")
@click.argument("spec", required=False)
@click.option("--changes", metavar="DIR", help="The folder that change files are put into (.jsonl, .ndjson, .json).")
@click.option("--state", required=True, metavar="DIR", help="The folder of the stream's state: give the same one to go on.")
@click.option("--out", metavar="DIR", help="The folder for rows and change logs, readable at any time.")
@click.option("--once", is_flag=True, help="Apply what is there, then end.")
@click.option("--status", is_flag=True, help="Show how far a stream is; it may be running.")
@click.option("--dataset", multiple=True, metavar="NAME", help="Write only this dataset; repeatable.  [default: all]")
@click.option(
    "--files-per-batch",
    type=click.IntRange(min=1),
    default=16,
    metavar="N",
    help="The most pieces of files in one batch.  [default: 16]",
)
@click.option(
    "--interval", type=click.FloatRange(min=0.01), default=0.5, metavar="SECONDS", help="How often to look.  [default: 0.5]"
)
@click.option("--data", multiple=True, metavar="NAME=WHAT", help="What a dataset starts with: a file, or table:NAME; repeatable.")
@click.option("--data-dir", multiple=True, metavar="DIR", help="A folder whose files the spec may name; repeatable.")
@click.option("--signal", multiple=True, metavar="NAME=JSON", help="The value of a signal; repeatable.")
@click.option(
    "--row-limit",
    type=click.IntRange(min=0),
    metavar="N",
    help="Of a dataset with more rows only the log is written.  [default: 100000]",
)
@click.option("--timezone", metavar="ZONE", help="The time zone of the chart.  [default: that of this machine]")
@click.option("--master", metavar="URL", help="The master of a Spark cluster.  [default: this machine]")
@click.option("--conf", multiple=True, metavar="KEY=VALUE", help="A setting of Spark; repeatable.")
@click.option("--no-check", is_flag=True, help="Run without looking for mistakes first.")
@click.option("--output-format", type=click.Choice(["text", "json"]), default="text", help="Of --status.  [default: text]")
@click.option("-v", "--verbose", is_flag=True, help="A line for every batch, and all that is known about a failure.")
def stream(
    spec: str | None,
    changes: str | None,
    state: str,
    out: str | None,
    once: bool,
    status: bool,
    dataset: tuple[str, ...],
    files_per_batch: int,
    interval: float,
    data: tuple[str, ...],
    data_dir: tuple[str, ...],
    signal: tuple[str, ...],
    row_limit: int | None,
    timezone: str | None,
    master: str | None,
    conf: tuple[str, ...],
    no_check: bool,
    output_format: str,
    verbose: bool,
) -> int:
    """Keep the datasets of SPEC up to date while files of changes arrive; end it with Ctrl-C, and start it again at any time.

    Changes are lines of JSON as `sheliak trace` takes them; each is applied once, whatever happens to the stream. In the
    folder --out every dataset has its current rows (rows/NAME.parquet) and a log of its changes (changes/NAME/*.jsonl), which is
    itself a folder of change files. Changes that cannot be applied are put into rejected/, each with a message.

    \b
    Examples:
      sheliak stream chart.vg.json --changes new --state state --out out
      sheliak stream chart.vg.json --changes new --state state --out out --once
      sheliak stream chart.vg.json --changes new --state state --out out --dataset totals --data sales=sales.parquet
      sheliak stream --status --state state --changes new --out out
      sheliak stream next.vg.json --changes out/changes/totals --state state2 --out out2

    Exit codes: 0 done or stopped, 1 the spec has errors, or with --once changes were set aside, 2 the stream cannot go on.
    """
    from sheliak.cli.stream_job import StreamJob, show_status

    if status:
        return show_status(state, changes, out, as_json=output_format == "json")
    if spec is None or changes is None or out is None:
        raise click.UsageError("a stream takes SPEC, --changes and --out; --status needs only --state")
    from sheliak.cli.run_options import options_of, session_options

    options = options_of(data, data_dir, (), signal, timezone, row_limit, no_check)
    job = StreamJob(options, session_options(master, None, conf), verbose)
    return job.run(spec, changes, state, out, dataset, files_per_batch=files_per_batch, interval=interval, once=once)
