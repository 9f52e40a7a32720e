"""What is told about one spec: the findings that are left when everything that hides or changes them was applied."""

from __future__ import annotations

from sheliak.checker.report import Finding, Report
from sheliak.source.declared import dataclass
from sheliak.source.text import Source


@dataclass(frozen=True)
class Outcome:
    """The report of one spec, and which of its findings are told."""

    report: Report
    findings: tuple[Finding, ...]

    @property
    def name(self) -> str:
        return self.report.source.name

    @property
    def source(self) -> Source:
        return self.report.source
