"""`sheliak graph`: the dataflow of a spec as a picture."""

from __future__ import annotations

import os

import click

from sheliak.checker.check import CheckOptions
from sheliak.cli.check_options import Given, is_coloured
from sheliak.cli.spec_files import read_spec_file
from sheliak.picturing.building import picture_of
from sheliak.picturing.formats import ENDINGS, FORMATS, format_of, written
from sheliak.picturing.picture import Picture
from sheliak.picturing.subject import NoPicture, Subject, subject_of
from sheliak.project.checkup import Checkup, read_schemas
from sheliak.project.front_end import NotChecked
from sheliak.project.replace_file import replace_file
from sheliak.project.settings import SettingsError
from sheliak.rendering.waiting import waiting
from sheliak.source.declared import replace


@click.command(name="graph")
@click.argument("spec")
@click.option(
    "-o", "--output", metavar="FILE", help="Write the picture to FILE; its ending says how, unless --output-format does."
)
@click.option("--output-format", type=click.Choice(FORMATS), help="[default: by the ending of FILE, else text]")
@click.option("--no-marks", is_flag=True, help="Only the data: no marks and scales.")
@click.option("--data-dir", multiple=True, metavar="DIR", help="A folder whose files the spec may name; repeatable.")
@click.option("--schema", multiple=True, metavar="NAME=FILE", help="The columns of a dataset that is not at hand; repeatable.")
def graph(
    spec: str,
    output: str | None,
    output_format: str | None,
    no_marks: bool,
    data_dir: tuple[str, ...],
    schema: tuple[str, ...],
) -> None:
    """Draw how the data of SPEC flow: datasets with their fields, transforms on the arrows, and who reads the result.

    What runs on Spark has a colour, mistakes are red (point at them for the message), groups are frames. Signals are shown
    where transforms use them. FILE may end with .svg, .png, .html, .mmd, .dot, .json or .txt; SPEC may be - for standard
    input, and Vega-Lite.

    \b
    Examples:
      sheliak graph chart.vg.json
      sheliak graph chart.vg.json -o flow.svg
      sheliak graph chart.vg.json -o flow.html --no-marks
      sheliak graph chart.vl.json --output-format mermaid
    """
    format_name = _format(output, output_format)
    picture = picture_of(_subject(spec, data_dir, schema), marks=not no_marks)
    if output is None and format_name == "text":
        _print_outline(picture)
        return
    content = _content(picture, format_name)
    if output is not None:
        _write(output, content)
    else:
        click.echo(content.decode("utf-8"), nl=False)


def _format(output: str | None, chosen: str | None) -> str:
    """What to write, known before anything is read."""
    if output is None:
        if chosen == "png":
            raise click.UsageError("a png goes to a file: give one with -o")
        return chosen or "text"
    found = chosen or format_of(output)
    if found is None:
        raise click.UsageError(f"{output!r} does not say how to draw: its name ends with none of {', '.join(ENDINGS)}")
    if os.path.isdir(output):
        raise click.UsageError(f"{output!r} cannot be written: it is a folder")
    if not os.path.isdir(os.path.dirname(os.path.realpath(output))):
        raise click.UsageError(f"{output!r} cannot be written: there is no folder {os.path.dirname(output)!r}")
    return found


def _subject(spec: str, data_dirs: tuple[str, ...], schemas: tuple[str, ...]) -> Subject:
    try:
        settings = replace(Given(data_dirs=data_dirs, schemas=schemas).settings(), baseline=None)
        checkup = Checkup(settings)
        folders = checkup.folders(os.path.dirname(spec))
        options = CheckOptions(folders, read_schemas(settings.schemas), settings.strict)
        source = read_spec_file(spec)
        with waiting(f"{spec} is checked"):
            return subject_of(source, options, settings.selection)
    except SettingsError as problem:
        raise click.ClickException(str(problem)) from problem
    except NotChecked as problem:
        raise click.ClickException(f"{spec!r} was not checked: {problem}") from problem
    except NoPicture as problem:
        raise click.ClickException(str(problem)) from problem


def _content(picture: Picture, format_name: str) -> bytes:
    from sheliak.picturing.png import CannotDraw

    try:
        with waiting("the picture is drawn"):
            return written(picture, format_name)
    except CannotDraw as problem:
        raise click.ClickException(str(problem)) from problem


def _write(output: str, content: bytes) -> None:
    try:
        replace_file(output, content)
    except OSError as problem:
        raise click.ClickException(f"{output!r} cannot be written: {(problem.strerror or str(problem)).lower()}") from problem


def _print_outline(picture: Picture) -> None:
    from sheliak.picturing.outline import outline
    from sheliak.rendering.paint import coloured, plain

    in_colour = is_coloured("auto")
    lines = outline(picture, coloured if in_colour else plain)
    click.echo("\n".join(lines), color=True if in_colour else None)
