"""Safe repairs of a spec: made in its text, and kept only if a new check finds less wrong than before."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable
from typing import NamedTuple

from sheliak.checker.report import Edit, Finding
from sheliak.project.outcome import Outcome
from sheliak.source.text import Source, Span

Check = Callable[[Source], Outcome]
"""Checks a text in the place of the spec that is repaired."""


class Repaired(NamedTuple):
    """A spec after its repairs."""

    outcome: Outcome
    made: tuple[Finding, ...]
    """The findings that were repaired."""


def repair(outcome: Outcome, check: Check) -> Repaired:
    """Makes every repair that is told; one that turns out not to help is left out."""
    wanted = [finding for finding in outcome.findings if finding.edits]
    if not wanted or outcome.source.encoding_fault is not None:
        return Repaired(outcome, ())
    after = check(edited(outcome.source, _edits(wanted)))
    if _is_better(outcome, after, wanted):
        return Repaired(after, tuple(wanted))
    return _one_by_one(outcome, wanted, check)


def _one_by_one(outcome: Outcome, wanted: list[Finding], check: Check) -> Repaired:
    made: list[Finding] = []
    best = outcome
    for finding in wanted:
        after = check(edited(outcome.source, _edits([*made, finding])))
        if _is_better(best, after, [finding]):
            made.append(finding)
            best = after
    return Repaired(best, tuple(made))


def _is_better(before: Outcome, after: Outcome, repaired: list[Finding]) -> bool:
    """What was repaired is gone, and nothing new has come."""
    left = _kinds(before.findings) - _kinds(repaired)
    return _kinds(after.findings) <= left


def _kinds(findings: Iterable[Finding]) -> Counter[tuple[str, str, str]]:
    return Counter((finding.code, finding.pointer, finding.message) for finding in findings)


def _edits(findings: Iterable[Finding]) -> list[Edit]:
    return [edit for finding in findings for edit in finding.edits]


def edited(source: Source, edits: Iterable[Edit]) -> Source:
    """The text after the edits, the last first; of edits that overlap, the first of the list is made."""
    text = source.text
    chosen: list[Edit] = []
    for edit in edits:
        if not any(edit.span.start < other.span.end and other.span.start < edit.span.end for other in chosen):
            chosen.append(edit)
    for edit in sorted(chosen, key=lambda edit: edit.span.start, reverse=True):
        text = text[: edit.span.start] + written(source.text, edit) + text[edit.span.end :]
    return Source(source.name, text, source.encoding)


def written(text: str, edit: Edit) -> str:
    """The new text as it stands in the file: escaped, and in quotes where the old one was."""
    escaped = json.dumps(edit.text, ensure_ascii=False)
    return escaped if _is_string(text, edit.span) else escaped[1:-1]


def _is_string(text: str, span: Span) -> bool:
    return span.end - span.start >= 2 and text[span.start] == '"' == text[span.end - 1]


def encoded(source: Source, old: bytes) -> bytes:
    """The text as bytes, in the encoding and with the byte order mark that the file had."""
    encoding = source.encoding.lower()
    for mark, name in _MARKS:
        if old.startswith(mark):
            return mark + source.text.encode(name)
    return source.text.encode(encoding)


_MARKS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\0\0", "utf-32-le"),
    (b"\0\0\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)


def diff(before: Source, after: Source) -> str:
    """What changed, as a unified diff; nothing when nothing did."""
    from difflib import unified_diff

    old, new = (source.text.splitlines(keepends=True) for source in (before, after))
    lines = unified_diff(old, new, before.name, before.name)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
