"""Runs pipelines of transforms over small datasets, with signals that are plain values or that the transforms publish."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sheliak.expressions.environment import Surroundings
from sheliak.expressions.evaluate import evaluate
from sheliak.expressions.parser import parse_expression
from sheliak.expressions.random_source import RandomSource
from sheliak.expressions.values import Row, Value
from sheliak.expressions.zones import UTC, Zone
from sheliak.source.tree import Node
from sheliak.transforms import transform_class
from sheliak.transforms._contract import ExprRef
from sheliak.transforms._parameters import value_of
from sheliak.transforms._reading import read_transform
from sheliak.transforms._running import Getter, begin, ingested

NOW = 1_704_067_200_000.0


@dataclass
class Run:
    """One run over some datasets; it is also the Running of their transforms."""

    zone: Zone = UTC
    datasets: dict[str, list[Row]] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    numbered: float = 0.0
    published: Value = None
    surroundings: Surroundings = field(default_factory=Surroundings)

    def __post_init__(self) -> None:
        self.surroundings = Surroundings(timezone=self.zone, now=NOW, random=RandomSource(), datasets=self.datasets)

    def random(self) -> float:
        return self.surroundings.random()

    def next_identifier(self) -> float:
        self.numbered += 1
        return self.numbered

    def last_identifier(self) -> float:
        return self.numbered

    def evaluator(self, expression: ExprRef) -> Getter:
        parsed, surroundings = parse_expression(expression.node.text or ""), self.surroundings

        def of_row(row: Row) -> Value:
            surroundings.variables["datum"] = row
            return evaluate(parsed, surroundings)

        return of_row

    def dataset(self, name: str) -> list[Row]:
        return self.datasets[name]

    def publish(self, value: Value) -> None:
        self.published = value

    def warn(self, text: str) -> None:
        self.warnings.append(text)

    def set_signals(self, signals: Sequence[Mapping[str, object]]) -> None:
        """Gives signals their first values, in their order."""
        for signal in signals:
            name, value = str(signal["name"]), signal.get("value")
            code = signal.get("init", signal.get("update"))
            self.surroundings.variables[name] = value_of(value) if code is None else self.signal(str(code))

    def signal(self, code: str) -> Value:
        return evaluate(parse_expression(code), self.surroundings)

    def run(self, dataset: Mapping[str, object]) -> list[Row]:
        """Runs the pipeline of a dataset of a spec and keeps its rows."""
        transforms = dataset.get("transform", [])
        assert isinstance(transforms, list)
        source = dataset.get("source")
        rows = self.datasets[str(source)] if source is not None else ingested(rows_of(dataset.get("values", [])))
        kinds = [cls for transform in transforms if (cls := transform_class(transform["type"])) is not None]
        kept = begin(kinds, rows, derived=source is not None)
        for transform in transforms:
            kept = self._step(transform, kept)
        self.datasets[str(dataset["name"])] = kept
        return kept

    def _step(self, transform: Mapping[str, object], rows: list[Row]) -> list[Row]:
        made = read_transform(Node(self._resolved(transform))).rows(rows, self)
        if "signal" in transform:
            self.surroundings.variables[str(transform["signal"])] = self.published
        return made

    def _resolved(self, value: object) -> object:
        """JSON with every signal replaced by its value."""
        if isinstance(value, list):
            return [self._resolved(element) for element in value]
        if not isinstance(value, dict):
            return value
        if value.keys() == {"signal"}:
            return self.signal(str(value["signal"]))
        return {name: self._resolved(member) for name, member in value.items()}


def rows_of(values: object) -> list[Row]:
    """Inline values as rows; what is no object becomes one with the field `data`."""
    assert isinstance(values, list)
    return [row if isinstance(row, dict) else {"data": row} for row in map(value_of, values)]
