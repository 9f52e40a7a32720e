"""Plans of transforms over a made-up source, for tests of what becomes of them."""

from __future__ import annotations

from collections.abc import Sequence

from sheliak.compiler.planning import ChartPlanning
from sheliak.expressions.environment import Surroundings
from sheliak.expressions.values import Row
from sheliak.expressions.zones import UTC
from sheliak.plan.column_types import NULL, Plain
from sheliak.plan.operators import Field, Plan, Scan, Schema, Source
from sheliak.source.tree import Node
from sheliak.transforms._reading import read_transform

COLUMNS = {
    "delay": Plain("number", NULL),
    "distance": Plain("number"),
    "carrier": Plain("text"),
    "origin": Plain("text", NULL),
    "date": Plain("date"),
}


class Flights:
    """A source of these columns, c0 to c4, somewhere outside of the driver."""

    def __init__(self) -> None:
        self.planning = ChartPlanning(UTC, Surroundings(variables={}, timezone=UTC), self.asked)
        fields = tuple(Field(name, self.planning.column(), of) for name, of in COLUMNS.items())
        self.scan = Scan(Source("flights", place=object(), count=10_000_000), Schema(fields))

    def asked(self, plan: Plan) -> list[Row]:
        raise AssertionError("nothing runs here")

    def plan(self, *transforms: dict[str, object]) -> Plan:
        """The plan of the transforms, one after another."""
        plan: Plan = self.scan
        for given in transforms:
            plan = read_transform(Node(given)).plan(plan, self.planning)
        return plan


def lines(text: str) -> Sequence[str]:
    """The lines of a plan that is written below a test, without the indentation of the test."""
    rows = [line for line in text.splitlines() if line.strip()]
    margin = min(len(line) - len(line.lstrip()) for line in rows)
    return [line[margin:].rstrip() for line in rows]
