"""`sheliak explain MESSAGE SPEC`: from what Vega said to the finding behind it."""

from __future__ import annotations

import os
from collections.abc import Iterator

from sheliak.checker.report import Report
from sheliak.cli.one_spec import report_of
from sheliak.explaining.causes import Cause, find_cause
from sheliak.explaining.vega_messages import Recognised, recognise
from sheliak.rendering.full_text import render_finding
from sheliak.rendering.paint import Paint, prose


def explain_message(
    text: str, spec: str | None, data_dirs: tuple[str, ...], schemas: tuple[str, ...], paint: Paint
) -> Iterator[str]:
    """What the message means, then what is wrong with the spec."""
    recognised = recognise(text)
    yield prose(paint, recognised.meaning if recognised is not None else "This is not among the messages of Vega known here.")
    yield ""
    if spec is None:
        yield from _without_spec(recognised, paint)
        return
    report = report_of(spec, data_dirs, schemas)
    yield from _with_spec(recognised, find_cause(recognised, report), report, paint)


def _without_spec(recognised: Recognised | None, paint: Paint) -> Iterator[str]:
    if recognised is not None:
        yield "What can be behind it:"
        yield from (f"  {paint('name', code)}" for code in recognised.message.codes)
        yield ""
    yield "With the spec as a second argument, the cause is looked for in it."


def _with_spec(recognised: Recognised | None, cause: Cause, report: Report, paint: Paint) -> Iterator[str]:
    if cause.findings and not cause.certain:
        yield "Nothing in the spec is known to cause exactly this, but this is wrong with it:"
        yield ""
    elif cause.connection:
        yield prose(paint, cause.connection)
        yield ""
    for finding in cause.findings:
        yield from render_finding(finding, report.source, paint)
        yield ""
    if not cause.findings:
        yield f"The check of {os.path.basename(report.source.name)} finds no cause."
    if not cause.findings or not cause.certain:
        yield from _unseen(report, paint)


def _unseen(report: Report, paint: Paint) -> Iterator[str]:
    """Data that nobody looked at may be the cause."""
    for place, note in report.checked.notes:
        location = report.locate(place)
        yield prose(paint, f"{location.line}:{location.column}: {note}, so the cause may lie in the data.")
