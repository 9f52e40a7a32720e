"""`concise`: one line per finding."""

from __future__ import annotations

from collections.abc import Iterator

from sheliak.project.outcome import Outcome
from sheliak.rendering.paint import Paint, plain, prose
from sheliak.rendering.visible import visible


def render_outcome(outcome: Outcome, paint: Paint = plain) -> Iterator[str]:
    """`file:line:column: severity[code] message`."""
    for finding in outcome.findings:
        place = f"{visible(finding.file)}:{finding.location.line}:{finding.location.column}: "
        severity = finding.severity.value
        yield paint("title", place) + paint(severity, f"{severity}[{finding.code}] ") + prose(paint, visible(finding.message))
