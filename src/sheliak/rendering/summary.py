"""The one line after the findings, and the table of `--statistics`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sheliak.diagnostics.registry import Severity
from sheliak.project.outcome import Outcome
from sheliak.rendering.paint import Paint, plain


class Tally:
    """What a run came to, counted while its outcomes go by."""

    def __init__(self) -> None:
        self.files = 0
        self.severities = dict.fromkeys(Severity, 0)
        self.codes: dict[tuple[str, Severity, str], int] = {}
        self.fixable = 0
        self.unseen = 0
        """Sources that were looked at in part or not at all."""

    def counting(self, outcomes: Iterable[Outcome]) -> Iterator[Outcome]:
        """The same outcomes, counted."""
        for outcome in outcomes:
            self._count(outcome)
            yield outcome

    def _count(self, outcome: Outcome) -> None:
        self.files += 1
        self.unseen += len(outcome.report.checked.notes)
        for finding in outcome.findings:
            self.severities[finding.severity] += 1
            self.fixable += bool(finding.edits)
            key = (finding.code, finding.severity, finding.title)
            self.codes[key] = self.codes.get(key, 0) + 1

    @property
    def errors(self) -> int:
        return self.severities[Severity.ERROR]

    @property
    def warnings(self) -> int:
        return self.severities[Severity.WARNING]


def summary(tally: Tally, paint: Paint = plain, *, told_all: bool = False, can_fix: bool = True) -> str:
    """`3 errors, 1 warning in 12 files`, or that there is nothing to tell; and what that rests on."""
    line = _counts(tally, paint, can_fix)
    if not tally.unseen or told_all:
        return line
    sources = "1 source was" if tally.unseen == 1 else f"{tally.unseen} sources were"
    return line + paint("faint", f"; {sources} looked at in part or not at all (--verbose)")


def _counts(tally: Tally, paint: Paint, can_fix: bool) -> str:
    files = counted(tally.files, "file")
    told = [paint(severity.value, counted(number, severity.value)) for severity, number in tally.severities.items() if number]
    if not told:
        return paint("good", f"{files} checked, no findings")
    return f"{', '.join(told)}{paint('text', f' in {files}')}" + (
        f"; {tally.fixable} can be repaired by --fix" if tally.fixable and can_fix else ""
    )


def counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def statistics(tally: Tally, paint: Paint = plain) -> Iterator[str]:
    """How often each code occurs, the most frequent first."""
    rows = sorted(tally.codes.items(), key=lambda row: (-row[1], row[0][0]))
    digits = max((len(str(number)) for number in tally.codes.values()), default=0)
    letters = max((len(code) for code, _, _ in tally.codes), default=0)
    for (code, severity, title), number in rows:
        yield f"{number:>{digits}}  {paint(severity.value, f'{code:{letters}}')}  {title}"
