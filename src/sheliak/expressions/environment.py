"""What an expression can ask for while it is evaluated, besides its own text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import reduce
from typing import Protocol

from sheliak.expressions.properties import property_of
from sheliak.expressions.random_source import RandomSource
from sheliak.expressions.values import EvaluationError, Row, Value, key_text
from sheliak.expressions.zones import UTC, Zone


class Scale(Protocol):
    """A scale, as far as expressions use it. What a kind of scale does not have raises EvaluationError."""

    def apply(self, value: Value) -> Value:
        """scale(name, value)"""

    def invert(self, value: Value) -> Value:
        """invert(name, value): of one position, or of an array with the two ends of a range."""

    def domain(self) -> Value:
        """domain(name)"""

    def range(self) -> Value:
        """range(name)"""

    def bandwidth(self) -> float:
        """bandwidth(name): 0 for a scale without bands."""


class Environment(Protocol):
    """Where an expression is evaluated."""

    @property
    def timezone(self) -> Zone:
        """What local time is."""

    @property
    def now(self) -> float:
        """The present, in milliseconds."""

    @property
    def random(self) -> RandomSource:
        """Where random numbers come from."""

    def variable(self, name: str) -> Value:
        """The value of `datum`, `event`, `item` or a signal."""

    def dataset(self, name: str) -> list[Row] | None:
        """The rows of a dataset; none where it does not exist, null where it is still to run."""

    def scale(self, name: str) -> Scale | None:
        """The scale of a name, if there is one in this scope."""

    def counts(self, dataset: str, field: str) -> Mapping[str, int]:
        """How many rows of a dataset have each value, as text, at an access path (indata)."""

    def is_tuple(self, value: Value) -> bool:
        """Whether a value is a row of some dataset (isTuple)."""

    def log(self, level: str, values: tuple[Value, ...]) -> None:
        """What warn, info and debug were told."""

    def ask(self, function: str, arguments: tuple[Value, ...]) -> Value:
        """The answer to a function about items, events, projections, trees, selections or the page; raises EvaluationError."""


def counted(rows: list[Row], path: str, zone: Zone) -> Mapping[str, int]:
    """The index that `indata` looks into: the number of rows by the text of what they have at an access path."""
    from collections import Counter

    read = reader_of(path)
    return Counter([key_text(read(row), zone) for row in rows])


def reader_of(path: str) -> Callable[[Value], Value]:
    """What an access path such as `a.b[0]` reads; raises EvaluationError for a path that Vega cannot read."""
    from sheliak.expressions.field_paths import FieldPathError, split_path

    try:
        names = split_path(path)
    except FieldPathError as problem:
        raise EvaluationError(str(problem)) from None
    return lambda value: reduce(property_of, names, value)


@dataclass(slots=True)
class Surroundings:
    """An environment made of plain parts, and a base for those that know more."""

    variables: dict[str, Value] = field(default_factory=dict)
    timezone: Zone = UTC
    now: float = 0.0
    random: RandomSource = field(default_factory=RandomSource)
    datasets: dict[str, list[Row]] = field(default_factory=dict)
    scales: dict[str, Scale] = field(default_factory=dict)

    def variable(self, name: str) -> Value:
        try:
            return self.variables[name]
        except KeyError:
            raise EvaluationError(f"{name} is not defined") from None

    def dataset(self, name: str) -> list[Row]:
        return self.datasets.get(name, [])

    def scale(self, name: str) -> Scale | None:
        return self.scales.get(name)

    def counts(self, dataset: str, field: str) -> Mapping[str, int]:
        return counted(self.dataset(dataset), field, self.timezone)

    def is_tuple(self, value: Value) -> bool:
        return value is self.variables.get("datum")

    def log(self, level: str, values: tuple[Value, ...]) -> None:
        """Nobody listens here."""

    def ask(self, function: str, arguments: tuple[Value, ...]) -> Value:
        raise EvaluationError(f"only the renderer can answer `{function}`")
