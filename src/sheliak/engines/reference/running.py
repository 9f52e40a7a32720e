"""What transforms ask of a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sheliak.engines.reference.environment import function_of_rows
from sheliak.expressions.values import Row, Value
from sheliak.expressions.zones import Zone
from sheliak.transforms._contract import ExprRef
from sheliak.transforms._running import Getter

if TYPE_CHECKING:
    from sheliak.dataflow.definitions import Step
    from sheliak.engines.reference.run import Run


@dataclass(slots=True)
class TransformRunning:
    """The Running of one transform."""

    run: Run
    signal: str | None
    step: Step | None = None

    @property
    def zone(self) -> Zone:
        return self.run.surroundings.zone

    def random(self) -> float:
        return self.run.environment.random()

    def next_identifier(self) -> float:
        return self.run.next_identifier()

    def last_identifier(self) -> float:
        return self.run.latest_identifier()

    def evaluator(self, expression: ExprRef) -> Getter:
        return function_of_rows(expression.node.text or "", self.run.environment)

    def dataset(self, name: str) -> list[Row]:
        return self.run.output(name)

    def is_computed(self, parameter: str) -> bool:
        given = self.step.node.get(parameter) if self.step is not None else None
        text = given.get("signal") if given is not None else None
        return text is not None and text.text is not None and self.run.is_computed(text.text)

    def publish(self, value: Value) -> None:
        if self.signal is not None:
            self.run.published[self.signal] = value

    def warn(self, text: str) -> None:
        self.run.warn(text)
