"""What a transform may ask for while it makes its plan."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from sheliak.expressions.environment import Environment
from sheliak.expressions.values import Row
from sheliak.expressions.zones import Zone

if TYPE_CHECKING:
    from sheliak.plan.operators import Plan


class Planning(Protocol):
    """The surroundings of one plan: signals have their values, other datasets have their plans."""

    @property
    def zone(self) -> Zone:
        """What local time is."""

    @property
    def environment(self) -> Environment:
        """Evaluates what does not depend on the row."""

    def column(self) -> int:
        """A column that no plan uses yet."""

    def dataset(self, name: str) -> Plan:
        """The plan of another dataset, as far as it stands."""

    def ask(self, plan: Plan) -> list[Row]:
        """The rows of a small plan, computed now: what the shape or a parameter of a later plan depends on."""

    def seed(self) -> int:
        """Where a random choice begins."""
