"""`sheliak shapes`: the fields and types of every dataset, step by step."""

from __future__ import annotations

import json

import click

from sheliak.cli.check_options import is_coloured
from sheliak.cli.one_spec import report_of, require_readable
from sheliak.diagnostics.suggest import closest
from sheliak.explaining.shapes import DatasetShape, dataset_shapes
from sheliak.rendering.paint import coloured, plain
from sheliak.rendering.shapes import as_objects, render_text


@click.command(name="shapes")
@click.argument("spec")
@click.option("--output-format", type=click.Choice(["text", "json"]), default="text", help="[default: text]")
@click.option("--dataset", metavar="NAME", help="Only this dataset.")
@click.option("--data-dir", multiple=True, metavar="DIR", help="A folder whose files the spec may name; repeatable.")
@click.option("--schema", multiple=True, metavar="NAME=FILE", help="The columns of a dataset that is not at hand; repeatable.")
def shapes(spec: str, output_format: str, dataset: str | None, data_dir: tuple[str, ...], schema: tuple[str, ...]) -> None:
    """Show the shape of every dataset of SPEC after every transform.

    `+` marks a field that a step adds, `-` those it drops, `~` one whose type it changes; `…` stands for columns that were
    not looked at. SPEC may be - for standard input.

    \b
    Examples:
      sheliak shapes chart.vg.json
      sheliak shapes chart.vg.json --dataset totals
      sheliak shapes chart.vg.json --output-format json
    """
    report = report_of(spec, data_dir, schema)
    require_readable(report)
    chosen = _chosen(dataset_shapes(report), dataset)
    if output_format == "json":
        click.echo(json.dumps(as_objects(chosen), indent=1))
        return
    in_colour = is_coloured("auto")
    lines = list(render_text(chosen, coloured if in_colour else plain)) or ["the spec has no datasets"]
    click.echo("\n".join(lines), color=True if in_colour else None)


def _chosen(found: tuple[DatasetShape, ...], name: str | None) -> tuple[DatasetShape, ...]:
    if name is None:
        return found
    chosen = tuple(shape for shape in found if shape.name == name)
    if not chosen:
        similar = closest(name, [shape.name for shape in found])
        ending = f"; a similar name exists: {similar}" if similar else ""
        raise click.UsageError(f"the spec has no dataset {name!r}{ending}")
    return chosen
