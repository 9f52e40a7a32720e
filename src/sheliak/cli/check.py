"""`sheliak check`: the mistakes of specs."""

from __future__ import annotations

import gc

import click

from sheliak.project.output_formats import OUTPUT_FORMATS

# Looking for unused cycles again and again takes a twentieth of the time of a large run, and there are few to be found.
_ALLOCATIONS = 50_000


@click.command(name="check")
@click.argument("paths", nargs=-1, metavar="[PATHS]...")
@click.option("--output-format", type=click.Choice(OUTPUT_FORMATS), help="How findings are told.  [default: full]")
@click.option("--select", multiple=True, metavar="CODE", help="Only findings with this code; repeatable, `*` allowed.")
@click.option("--ignore", multiple=True, metavar="CODE", help="No findings with this code; repeatable, `*` allowed.")
@click.option("--strict", is_flag=True, help="The discipline of the calculus: nothing unknown, missing or converted.")
@click.option("--error-on-warning", is_flag=True, help="Exit with 1 for warnings too.")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 whatever was found.")
@click.option("--data-dir", multiple=True, metavar="DIR", help="A folder whose files the specs may name; repeatable.")
@click.option("--schema", multiple=True, metavar="NAME=FILE", help="The columns of a dataset that is not at hand; repeatable.")
@click.option("--baseline", metavar="FILE", help="Findings that are listed in this file are not told.")
@click.option("--write-baseline", is_flag=True, help="Write all present findings into the baseline.")
@click.option("--fix", is_flag=True, help="Make the repairs that are safe.")
@click.option("--diff", is_flag=True, help="Show what --fix would change, and change nothing.")
@click.option("--watch", is_flag=True, help="Check again whenever a spec or a data file changes; Ctrl-C ends it.")
@click.option("--statistics", is_flag=True, help="How often each code occurs, instead of the findings.")
@click.option("--stdin-filename", metavar="NAME", help="What to call the spec that is read from standard input.")
@click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="Colours.  [default: auto]")
@click.option("--no-color", is_flag=True, help="The same as --color never.")
@click.option("-q", "--quiet", is_flag=True, help="The findings and nothing else.")
@click.option("-v", "--verbose", is_flag=True, help="Also what was looked at in part or not at all.")
@click.option("--isolated", is_flag=True, help="Without the settings of pyproject.toml.")
def check(
    paths: tuple[str, ...],
    output_format: str | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    strict: bool,
    error_on_warning: bool,
    exit_zero: bool,
    data_dir: tuple[str, ...],
    schema: tuple[str, ...],
    baseline: str | None,
    write_baseline: bool,
    fix: bool,
    diff: bool,
    watch: bool,
    statistics: bool,
    stdin_filename: str | None,
    color: str,
    no_color: bool,
    quiet: bool,
    verbose: bool,
    isolated: bool,
) -> int:
    """Find the mistakes of Vega specs.

    PATHS are files, folders, patterns, or - for standard input; without any, the folders that pyproject.toml names, else
    this one. In a folder, specs are the files *.vg.json and *.vl.json, and every *.json whose $schema is that of Vega.

    \b
    Examples:
      sheliak check chart.vg.json
      sheliak check charts --output-format concise
      sheliak check charts --data-dir data --schema sales=sales.schema.json
      sheliak check charts --fix --diff
      sheliak check --output-format sarif > sheliak.sarif
      sheliak check - --stdin-filename chart.vg.json < chart.vg.json

    Exit codes: 0 no errors, 1 findings, 2 bad usage or an unreadable file.
    """
    gc.set_threshold(_ALLOCATIONS)
    # Only here, so that `--help` and completion do not load the checker.
    from sheliak.cli.check_options import Given, Request, is_coloured
    from sheliak.cli.check_run import run_check

    request = Request(
        *(paths, stdin_filename, write_baseline, fix, diff, watch, statistics, quiet, verbose, exit_zero),
        coloured=is_coloured("never" if no_color else color),
    )
    given = Given(select, ignore, strict, error_on_warning, data_dir, schema, baseline, output_format, isolated)
    if watch:
        from sheliak.cli.check_watch import watch_check

        return watch_check(request, given.settings)
    return run_check(request, given.settings()).exit_code
