"""A baseline: the findings a project has accepted, so that only new ones are told.

The file is JSON made for review: one line per kind of finding, sorted, with how often it occurs. Files are named from the
folder of the baseline.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable

from sheliak.checker.report import Finding
from sheliak.project.fingerprints import Fingerprint, fingerprint
from sheliak.project.outcome import Outcome
from sheliak.project.replace_file import replace_file

_VERSION = 1


class BaselineError(Exception):
    """A baseline that cannot be used; the text says why."""


class Baseline:
    """Accepted findings; each hides as many equal ones as were there when it was written."""

    def __init__(self, folder: str, counts: dict[Fingerprint, int]) -> None:
        self._folder = folder
        self._counts = counts

    def new(self, outcome: Outcome) -> Outcome:
        """The outcome without what was accepted."""
        if not outcome.findings:
            return outcome
        left = dict(self._counts)
        return Outcome(outcome.report, tuple(finding for finding in outcome.findings if not self._takes(left, finding)))

    def _takes(self, left: dict[Fingerprint, int], finding: Finding) -> bool:
        key = _relative(fingerprint(finding), self._folder)
        left[key] = left.get(key, 0) - 1
        return left[key] >= 0


def read_baseline(file: str) -> Baseline:
    """Raises BaselineError."""
    try:
        with open(file, encoding="utf-8") as opened:
            document = json.load(opened)
        entries = document["findings"]
        counts = {Fingerprint(*(str(entry[key]) for key in Fingerprint._fields)): int(entry["count"]) for entry in entries}
    except OSError as problem:
        advice = "; --write-baseline makes it" if isinstance(problem, FileNotFoundError) else ""
        raise BaselineError(f"the baseline {file!r} cannot be read: {str(problem.strerror).lower()}{advice}") from problem
    except (ValueError, KeyError, TypeError, RecursionError) as problem:
        raise BaselineError(f"{file!r} is not a baseline that `sheliak check --write-baseline` wrote") from problem
    return Baseline(os.path.dirname(file), counts)


def write_baseline(file: str, outcomes: Iterable[Outcome]) -> int:
    """Accepts every finding of the outcomes, and says how many they were; BaselineError when the file cannot be written."""
    counts: dict[Fingerprint, int] = {}
    for outcome in outcomes:
        for finding in outcome.findings:
            key = _relative(fingerprint(finding), os.path.dirname(file))
            counts[key] = counts.get(key, 0) + 1
    lines = [json.dumps({**key._asdict(), "count": number}) for key, number in sorted(counts.items())]
    findings = ",\n    ".join(lines)
    text = f'{{\n  "version": {_VERSION},\n  "findings": [\n    {findings}\n  ]\n}}\n'
    try:
        replace_file(file, text.encode("ascii"))
    except OSError as problem:
        raise BaselineError(f"the baseline {file!r} cannot be written: {str(problem.strerror).lower()}") from problem
    return sum(counts.values())


def _relative(key: Fingerprint, folder: str) -> Fingerprint:
    return key._replace(file=os.path.relpath(key.file, folder or ".").replace(os.sep, "/"))
