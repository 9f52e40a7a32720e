"""`gitlab`: a Code Quality report, as GitLab shows it in merge requests."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from sheliak.checker.report import Finding
from sheliak.diagnostics.registry import Severity
from sheliak.project.fingerprints import with_digests
from sheliak.project.outcome import Outcome

_SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.HINT: "info"}


def render(outcomes: Iterable[Outcome]) -> Iterator[str]:
    """One array; the fingerprints are different for each finding, as GitLab wants."""
    findings = (finding for outcome in outcomes for finding in outcome.findings)
    yield json.dumps([_as_object(finding, digest) for finding, digest in with_digests(findings)], indent=1)


def _as_object(finding: Finding, digest: str) -> dict[str, object]:
    at = finding.location
    return {
        "description": finding.message if finding.help is None else f"{finding.message}; {finding.help}",
        "check_name": finding.code,
        "fingerprint": digest,
        "severity": _SEVERITIES[finding.severity],
        "location": {"path": finding.file.removeprefix("./"), "lines": {"begin": at.line, "end": at.end_line}},
    }
