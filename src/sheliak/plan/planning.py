"""What a transform may ask for while it makes its plan."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from sheliak.expressions.environment import Environment
from sheliak.expressions.values import Row, Value
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

    def rows(self, name: str, rows: list[Row]) -> Plan:
        """A plan of rows that are at hand."""

    def ask(self, plan: Plan) -> list[Row]:
        """The rows of a small plan, computed now: what the shape or a parameter of a later plan depends on."""

    def is_computed(self, parameter: str) -> bool:
        """Whether the run has computed the signal that gives the parameter; a signal that is a plain value does not count."""

    def publish(self, value: Value) -> None:
        """The value of the signal that the transform names."""

    def publish_later(self, value: Callable[[], Value]) -> None:
        """The same, for a value that must be computed, and only if somebody reads the signal."""

    def publish_rows(self, plan: Plan) -> None:
        """The same, for the rows of a plan."""

    def take_identifiers(self, count: Callable[[], int]) -> float:
        """The last number that `identifier` gave before; `count` says how many it gives now, if somebody must know."""
