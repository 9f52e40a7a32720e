"""`sheliak requires`: the columns that a spec needs of data that are not at hand."""

from __future__ import annotations

import json
from collections.abc import Iterator

import click

from sheliak.cli.check_options import is_coloured
from sheliak.cli.one_spec import report_of, require_readable
from sheliak.explaining.demands import Demand, demands, json_schema
from sheliak.rendering.demands import as_objects, render_text
from sheliak.rendering.paint import Paint, coloured, plain

Found = list[tuple[str, tuple[Demand, ...]]]


@click.command(name="requires")
@click.argument("specs", nargs=-1, required=True, metavar="SPEC...")
@click.option("--output-format", type=click.Choice(["text", "json", "json-schema"]), default="text", help="[default: text]")
@click.option("--dataset", metavar="NAME", help="Only this dataset; with json-schema its schema alone.")
@click.option("--without-data", is_flag=True, help="As if no data file were at hand.")
@click.option("--data-dir", multiple=True, metavar="DIR", help="A folder whose files the specs may name; repeatable.")
def requires(
    specs: tuple[str, ...], output_format: str, dataset: str | None, without_data: bool, data_dir: tuple[str, ...]
) -> None:
    """Show which columns, and of which types, each SPEC needs of the data that are not at hand.

    \b
    Examples:
      sheliak requires chart.vg.json
      sheliak requires chart.vg.json --without-data
      sheliak requires chart.vg.json --output-format json-schema --dataset sales > sales.schema.json
    """
    if output_format == "json-schema" and len(specs) > 1:
        raise click.UsageError("--output-format json-schema takes one spec")
    found = [(spec, _demands(spec, data_dir, dataset, without_data)) for spec in specs]
    in_colour = is_coloured("auto")
    if output_format == "text":
        click.echo("\n".join(_text(found, coloured if in_colour else plain)), color=True if in_colour else None)
    elif output_format == "json":
        click.echo(json.dumps([entry for spec, of in found for entry in as_objects(spec, of)], indent=1))
    else:
        click.echo(json.dumps(_schemas(found, dataset), indent=1))


def _demands(spec: str, data_dirs: tuple[str, ...], dataset: str | None, without_data: bool) -> tuple[Demand, ...]:
    report = report_of(spec, data_dirs, (), without_data=without_data)
    require_readable(report)
    return tuple(demand for demand in demands(report) if dataset in (None, demand.dataset))


def _text(found: Found, paint: Paint) -> Iterator[str]:
    for number, (spec, of) in enumerate(found):
        if len(found) > 1:
            if number:
                yield ""
            yield paint("faint", f"{spec}:")
        yield from render_text(of, paint)
        if not of:
            yield "nothing: every column that the spec reads was seen"


def _schemas(found: Found, dataset: str | None) -> object:
    by_name = {demand.dataset: json_schema(demand) for _, of in found for demand in of}
    if dataset is None:
        return by_name
    if dataset not in by_name:
        raise click.UsageError(f"the spec needs nothing of a dataset {dataset!r}")
    return by_name[dataset]
