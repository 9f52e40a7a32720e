"""The surroundings in which a chart's transforms make their plans."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import count

from sheliak.compiler.scans import scan_rows
from sheliak.expressions.environment import Environment
from sheliak.expressions.values import Row, Value
from sheliak.expressions.zones import Zone
from sheliak.plan.operators import Plan


@dataclass(slots=True)
class Identifiers:
    """The one counter of all `identifier` transforms; how many numbers the last one took is counted only if another follows."""

    last: float = 0.0
    pending: Callable[[], int] | None = None

    def take(self, numbers: Callable[[], int]) -> float:
        last = self.latest()
        self.pending = numbers
        return last

    def latest(self) -> float:
        """The last number that was taken."""
        if self.pending is not None:
            self.last, self.pending = self.last + self.pending(), None
        return self.last

    def following(self) -> float:
        """One more number."""
        self.last = self.latest() + 1
        return self.last


@dataclass(slots=True)
class ChartPlanning:
    """One chart: its columns are numbered through, plans that must be run now are handed to an engine."""

    zone: Zone
    environment: Environment
    run: Callable[[Plan], list[Row]]
    """The rows of a plan, computed by an engine."""
    datasets: Mapping[str, Plan] = field(default_factory=dict)
    columns: count[int] = field(default_factory=count)
    identifiers: Identifiers = field(default_factory=Identifiers)
    computed: Callable[[str], bool] = lambda parameter: False
    """Whether the run has computed the signal that gives a parameter of the transform at hand."""
    published: Callable[[], Value] | None = None
    """What the transform at hand publishes, once somebody reads its signal."""

    def column(self) -> int:
        return next(self.columns)

    def dataset(self, name: str) -> Plan:
        return self.datasets[name]

    def rows(self, name: str, rows: list[Row]) -> Plan:
        return scan_rows(name, rows, self.column)

    def ask(self, plan: Plan) -> list[Row]:
        return self.run(plan)

    def is_computed(self, parameter: str) -> bool:
        return self.computed(parameter)

    def publish(self, value: Value) -> None:
        self.published = lambda: value

    def publish_later(self, value: Callable[[], Value]) -> None:
        self.published = value

    def publish_rows(self, plan: Plan) -> None:
        self.published = lambda: list(self.run(plan))

    def take_identifiers(self, count: Callable[[], int]) -> float:
        return self.identifiers.take(count)
