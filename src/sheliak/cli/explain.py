"""`sheliak explain`: what a finding means, and what is behind a message of Vega."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click

from sheliak.cli.check_options import is_coloured
from sheliak.diagnostics.catalogue import all_codes, entries, families, page
from sheliak.diagnostics.suggest import closest
from sheliak.rendering.paint import Paint, coloured, plain, prose


@click.command(name="explain")
@click.argument("subject", required=False, metavar="[CODE | MESSAGE]")
@click.argument("spec", required=False, metavar="[SPEC]")
@click.option("--data-dir", multiple=True, metavar="DIR", help="A folder whose files the spec may name; repeatable.")
@click.option("--schema", multiple=True, metavar="NAME=FILE", help="The columns of a dataset that is not at hand; repeatable.")
def explain(subject: str | None, spec: str | None, data_dir: tuple[str, ...], schema: tuple[str, ...]) -> None:
    """Explain a finding by its code, or a message of Vega by its text and the spec that it is about.

    Without an argument, list all codes.

    \b
    Examples:
      sheliak explain unknown-field
      sheliak explain 'Infinite extent for field "x": [Infinity, -Infinity]' chart.vg.json
    """
    paint = coloured if is_coloured("auto") else plain
    if subject is None:
        _echo(_list(paint))
    elif subject in entries():
        from sheliak.rendering.page import render_page

        _echo(render_page(page(subject), paint))
    elif re.fullmatch(r"[\w-]+", subject):
        similar = closest(subject, all_codes())
        ending = f"; a similar code exists: {similar}" if similar else "; `sheliak explain` lists the codes"
        raise click.UsageError(f"no finding has the code {subject!r}{ending}")
    else:
        from sheliak.cli.explain_message import explain_message

        _echo(explain_message(subject, spec, data_dir, schema, paint))


def _list(paint: Paint) -> Iterator[str]:
    width = max(len(code) for code in all_codes())
    for family, members in families().items():
        yield paint("title", family)
        for entry in members:
            code = paint(entry.default_severity.value, f"{entry.code:{width}}")
            yield f"  {code}  {prose(paint, entry.title)}"
        yield ""
    yield "sheliak explain CODE explains one of them."


def _echo(lines: Iterator[str]) -> None:
    click.echo("\n".join(lines), color=True if is_coloured("auto") else None)
