"""Where a typing rule puts what it finds."""

from __future__ import annotations

from typing import Protocol

from sheliak.diagnostics.registry import Diagnostic
from sheliak.types.shapes import Type, Unseen


class Findings(Protocol):
    """Takes findings, and the demands that a spec makes on data nobody has seen."""

    strict: bool

    def report(self, finding: Diagnostic) -> None: ...

    def require(self, unseen: Unseen, demanded: Type) -> None: ...
