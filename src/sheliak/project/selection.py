"""Which findings are told, and how severe they are: the choices of the command line and of the project's settings."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase

from sheliak.checker.report import Finding, Report
from sheliak.diagnostics.registry import Severity
from sheliak.project.codes import matches
from sheliak.project.suppression import Suppressions
from sheliak.source.declared import dataclass, field, replace


@dataclass(frozen=True, slots=True)
class Selection:
    """What to tell: everything, unless something is selected; without what is ignored, here or in some files."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity: Mapping[str, Severity] = field(default_factory=dict)
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Pattern of files, from the project's folder -> codes."""
    root: str = "."

    def codes(self) -> Iterable[str]:
        """Every code that is named somewhere."""
        yield from (*self.select, *self.ignore, *self.severity)
        for codes in self.per_file_ignores.values():
            yield from codes

    def told(self, report: Report) -> tuple[Finding, ...]:
        """The findings that are told, with their severities as chosen."""
        found = report.diagnostics
        if not found:
            return ()
        ignored = (*self.ignore, *self._ignored_in(report.source.name))
        suppressions = Suppressions(report)
        return tuple(
            self._with_severity(finding)
            for finding in found
            if not self.select or matches(finding.code, self.select)
            if not matches(finding.code, ignored)
            if not suppressions.cover(finding)
        )

    def _ignored_in(self, name: str) -> Iterable[str]:
        if not self.per_file_ignores:
            return
        path = os.path.relpath(name, self.root).replace(os.sep, "/")
        for pattern, codes in self.per_file_ignores.items():
            if fnmatchcase(path, pattern) or fnmatchcase(os.path.basename(name), pattern):
                yield from codes

    def _with_severity(self, finding: Finding) -> Finding:
        for pattern, severity in self.severity.items():
            if matches(finding.code, (pattern,)):
                return replace(finding, severity=severity)
        return finding
