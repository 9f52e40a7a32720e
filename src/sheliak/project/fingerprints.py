"""What stays the same of a finding while the spec around it is edited."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sheliak.checker.report import Finding


class Fingerprint(NamedTuple):
    """A finding without its position: neither lines that move nor list elements that are inserted change it."""

    file: str
    code: str
    place: str
    """The pointer with `*` for every index."""
    message: str

    def digest(self, occurrence: int = 0) -> str:
        """Hexadecimal digits that are different for every fingerprint, and for every occurrence of the same."""
        from hashlib import sha256

        return sha256("\0".join((*self, str(occurrence))).encode("utf-8", "backslashreplace")).hexdigest()[:32]


def fingerprint(finding: Finding) -> Fingerprint:
    steps = finding.pointer.split("/")
    place = "/".join("*" if step.isdecimal() else step for step in steps)
    return Fingerprint(finding.file.replace("\\", "/"), finding.code, place, finding.message)


def with_digests(findings: Iterable[Finding]) -> Iterator[tuple[Finding, str]]:
    """Each finding with digits of its own."""
    seen: dict[Fingerprint, int] = {}
    for finding in findings:
        print_ = fingerprint(finding)
        seen[print_] = seen.get(print_, -1) + 1
        yield finding, print_.digest(seen[print_])
