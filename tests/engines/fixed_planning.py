"""A planning without a chart around it: no signals, no other datasets."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count

from sheliak.expressions.environment import Surroundings
from sheliak.expressions.values import Row, Value
from sheliak.expressions.zones import UTC, Zone
from sheliak.plan.operators import Plan


class FixedPlanning:
    """Columns are numbered from 1000, so that a test may use the lower ones."""

    def __init__(self, signals: Mapping[str, Value] | None = None, zone: Zone = UTC) -> None:
        self.zone = zone
        self.environment = Surroundings(variables=dict(signals or {}), timezone=zone)
        self._columns = count(1000)

    def column(self) -> int:
        return next(self._columns)

    def dataset(self, name: str) -> Plan:
        raise KeyError(name)

    def ask(self, plan: Plan) -> list[Row]:
        raise AssertionError("nothing runs here")

    def seed(self) -> int:
        return 42
