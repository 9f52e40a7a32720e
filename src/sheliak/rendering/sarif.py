"""`sarif`: the exchange format of static analysers, version 2.1.0."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from urllib.parse import quote

from sheliak import __version__
from sheliak.checker.report import Finding, Location
from sheliak.diagnostics.registry import Severity, entry_of
from sheliak.project.fingerprints import with_digests
from sheliak.project.outcome import Outcome
from sheliak.project.repairs import written
from sheliak.source.text import Source

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.HINT: "note"}
_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
Object = dict[str, object]


def render(outcomes: Iterable[Outcome]) -> Iterator[str]:
    """One log with one run."""
    told = [(finding, outcome.source) for outcome in outcomes for finding in outcome.findings]
    codes = sorted({finding.code for finding, _ in told})
    digests = with_digests(finding for finding, _ in told)
    results = [_result(finding, source, codes, digest) for (finding, source), (_, digest) in zip(told, digests, strict=True)]
    driver: Object = {
        "name": "sheliak",
        "semanticVersion": __version__,
        "version": __version__,
        "rules": [_rule(code) for code in codes],
    }
    run: Object = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    yield json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1)


def _rule(code: str) -> Object:
    from sheliak.diagnostics.catalogue import explanation

    entry = entry_of(code)
    rule: Object = {"id": code, "name": "".join(word.capitalize() for word in code.split("-"))}
    if entry is not None:
        page = explanation(code)
        rule |= {
            "shortDescription": {"text": entry.title},
            "help": {"text": page, "markdown": page},
            "defaultConfiguration": {"level": _LEVELS[entry.default_severity]},
        }
    return rule


def _result(finding: Finding, source: Source, codes: list[str], digest: str) -> Object:
    result: Object = {
        "ruleId": finding.code,
        "ruleIndex": codes.index(finding.code),
        "level": _LEVELS[finding.severity],
        "message": {"text": _text(finding)},
        "locations": [_location(finding.file, finding.location)],
        "partialFingerprints": {"sheliak/v1": digest},
    }
    if finding.related:
        result["relatedLocations"] = [
            _location(finding.file, other.location) | {"id": number, "message": {"text": other.message}}
            for number, other in enumerate(finding.related, 1)
        ]
    if finding.edits:
        result["fixes"] = [_fix(finding, source)]
    return result


def _text(finding: Finding) -> str:
    return ". ".join([finding.message, *finding.notes, *([finding.help] if finding.help else [])])


def _location(file: str, at: Location) -> Object:
    return {
        "physicalLocation": {"artifactLocation": {"uri": _uri(file)}, "region": _region(at)},
        "logicalLocations": [{"fullyQualifiedName": at.pointer or "/", "kind": "value"}],
    }


def _region(at: Location) -> Object:
    return {"startLine": at.line, "startColumn": at.column, "endLine": at.end_line, "endColumn": at.end_column}


def _fix(finding: Finding, source: Source) -> Object:
    replacements: list[Object] = []
    for edit in finding.edits:
        length = edit.span.end - edit.span.start
        region: Object = {"charOffset": edit.span.start, "charLength": length}
        replacements.append({"deletedRegion": region, "insertedContent": {"text": written(source.text, edit)}})
    change: Object = {"artifactLocation": {"uri": _uri(finding.file)}, "replacements": replacements}
    return {"description": {"text": finding.edits[0].description}, "artifactChanges": [change]}


def _uri(file: str) -> str:
    """A relative reference for a relative path, a file URI for an absolute one."""
    path = quote(file.replace(os.sep, "/").removeprefix("./"), errors="surrogatepass")
    return f"file://{path}" if path.startswith("/") else path
