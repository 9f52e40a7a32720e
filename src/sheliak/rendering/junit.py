"""`junit`: the XML that test runners write and build servers read: a suite per spec, a failed case per finding."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from sheliak.checker.report import Finding
from sheliak.diagnostics.registry import Severity
from sheliak.project.outcome import Outcome

# XML 1.0 has no way to write these, not even escaped.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(outcomes: Iterable[Outcome]) -> Iterator[str]:
    """One document; the whole run is its outer element."""
    suites = [(outcome.name, outcome.findings) for outcome in outcomes]
    cases = sum(max(len(findings), 1) for _, findings in suites)
    failures = sum(_failures(findings) for _, findings in suites)
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f'<testsuites name="sheliak" tests="{cases}" failures="{failures}" errors="0">'
    for name, findings in suites:
        yield from _suite(name, findings)
    yield "</testsuites>"


def _failures(findings: Iterable[Finding]) -> int:
    """Hints do not fail."""
    return sum(finding.severity is not Severity.HINT for finding in findings)


def _suite(name: str, findings: Sequence[Finding]) -> Iterator[str]:
    counts = f'tests="{max(len(findings), 1)}" failures="{_failures(findings)}" errors="0"'
    yield f'  <testsuite name="{_escaped(name)}" {counts}>'
    for finding in findings:
        yield from _case(name, finding)
    if not findings:
        yield f'    <testcase name="no findings" classname="{_escaped(name)}"/>'
    yield "  </testsuite>"


def _case(name: str, finding: Finding) -> Iterator[str]:
    at = finding.location
    title = f"{finding.code} at {at.line}:{at.column}"
    opening = f'    <testcase name="{_escaped(title)}" classname="{_escaped(name)}" file="{_escaped(name)}" line="{at.line}"'
    text = "\n".join([f"{name}:{at.line}:{at.column}: {finding.message}", *finding.notes, *_help(finding)])
    if finding.severity is Severity.HINT:
        yield f"{opening}><system-out>{_escaped(text)}</system-out></testcase>"
        return
    yield f"{opening}>"
    yield f'      <failure type="{finding.severity.value}" message="{_escaped(finding.message)}">{_escaped(text)}</failure>'
    yield "    </testcase>"


def _help(finding: Finding) -> list[str]:
    return [f"help: {finding.help}"] if finding.help is not None else []


def _escaped(text: str) -> str:
    """Text for an element or an attribute, in ASCII: the stream may know nothing else."""
    text = _FORBIDDEN.sub("\ufffd", text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    return text.encode("ascii", "xmlcharrefreplace").decode("ascii")
