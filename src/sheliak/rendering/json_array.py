"""`json`: an array with one object per finding; its members are a contract with other programs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from sheliak.checker.report import Finding, Location
from sheliak.project.outcome import Outcome


def render(outcomes: Iterable[Outcome]) -> Iterator[str]:
    """The array, one finding a line."""
    separator = "["
    for outcome in outcomes:
        for finding in outcome.findings:
            yield separator + json.dumps(as_object(finding))
            separator = ","
    yield "]" if separator == "," else "[]"


def as_object(finding: Finding) -> dict[str, object]:
    return {
        "file": finding.file,
        **_position(finding.location),
        "code": finding.code,
        "severity": finding.severity.value,
        "message": finding.message,
        "notes": list(finding.notes),
        "help": finding.help,
        "related": [{**_position(other.location), "message": other.message} for other in finding.related],
    }


def _position(location: Location) -> dict[str, object]:
    return {
        "line": location.line,
        "column": location.column,
        "end_line": location.end_line,
        "end_column": location.end_column,
        "pointer": location.pointer,
    }
