"""What a campaign found: differences, as they come; who ran the transforms of many specs, and why not Spark."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Container
from dataclasses import dataclass, field

from fuzzing.transform_specs import TYPES
from sheliak.engines.protocol import RunResult

ON_SPARK = frozenset(TYPES)
"""The transforms that have plans."""


@dataclass(slots=True)
class Findings:
    """What was tried, and what differed: told at once, since a campaign takes long."""

    tally: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    started: float = field(default_factory=time.monotonic)

    def fail(self, text: str) -> None:
        self.failures.append(text)
        print(text, flush=True)

    def progress(self, done: int, count: int, what: str) -> None:
        spent = time.monotonic() - self.started
        print(f"  {done} of {count} {what}, {len(self.failures)} differences, {spent:.0f} s", file=sys.stderr, flush=True)


@dataclass(slots=True)
class Engines:
    """Transforms by type and engine, and the reasons of those that Spark did not run."""

    runs: Counter[tuple[str, str]] = field(default_factory=Counter)
    reasons: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, result: RunResult) -> None:
        """What became of a spec; where a run stops, its plain run tells what it stops with, and nobody's share changes."""
        for dataset in result.datasets.values():
            for step in () if result.errors else dataset.transforms:
                self.runs[step.type, step.engine] += 1
                if step.engine != "spark":
                    self.reasons[step.type, f"{step.engine}: {step.reason}"] += 1

    def share(self, types: Container[str] = ON_SPARK) -> float:
        """The share of the transforms of these types that ran on Spark."""
        chosen = {key: count for key, count in self.runs.items() if key[0] in types}
        on_spark = sum(count for (_, engine), count in chosen.items() if engine == "spark")
        return on_spark / max(sum(chosen.values()), 1)

    def lines(self, most: int | None = 40, types: Container[str] = ON_SPARK) -> list[str]:
        """The reasons, and the share, for a reader."""
        reasons = [(kind, reason, count) for (kind, reason), count in self.reasons.most_common() if kind in types]
        told = [f"{count:5}  {kind}: {reason[:150]}" for kind, reason, count in reasons[:most]]
        total = sum(count for (kind, _), count in self.runs.items() if kind in types)
        return [*told, f"{total} transforms of {len(TYPES)} types, {100 * self.share(types):.1f} % of them on Spark"]
