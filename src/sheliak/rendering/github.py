"""`github`: commands that the runner of GitHub Actions turns into annotations of the files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sheliak.checker.report import Finding
from sheliak.diagnostics.registry import Severity
from sheliak.project.outcome import Outcome
from sheliak.rendering.visible import visible

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.HINT: "notice"}


def render(outcomes: Iterable[Outcome]) -> Iterator[str]:
    """One command per finding."""
    for outcome in outcomes:
        for finding in outcome.findings:
            yield _command(finding)


def _command(finding: Finding) -> str:
    at = finding.location
    properties = {
        "file": finding.file,
        "line": str(at.line),
        "endLine": str(at.end_line),
        "title": f"sheliak ({finding.code})",
    }
    if at.line == at.end_line:
        # The runner refuses columns that belong to different lines.
        properties |= {"col": str(at.column), "endColumn": str(at.end_column)}
    given = ",".join(f"{name}={_escaped(value, ':', ',')}" for name, value in properties.items())
    return f"::{_COMMANDS[finding.severity]} {given}::{_escaped(_text(finding))}"


def _text(finding: Finding) -> str:
    parts = [finding.message, *finding.notes, *([f"help: {finding.help}"] if finding.help else [])]
    return "\n".join(visible(part) for part in parts)


def _escaped(text: str, *more: str) -> str:
    for character in ("%", "\r", "\n", *more):
        text = text.replace(character, f"%{ord(character):02X}")
    return text
