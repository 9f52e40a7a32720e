"""The environments of expressions during a run: signals, datasets and scales as they are at that moment."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from sheliak.engines.protocol import Unavailable
from sheliak.engines.reference.selections import SELECTION_FUNCTIONS
from sheliak.expressions.environment import Scale
from sheliak.expressions.evaluate import compiled
from sheliak.expressions.parser import ExpressionSyntaxError, parse_expression
from sheliak.expressions.random_source import RandomSource
from sheliak.expressions.values import EvaluationError, Row, Value, to_text
from sheliak.expressions.zones import Zone


class Names(Protocol):
    """What a run knows by name. Whatever only the renderer knows raises Unavailable."""

    def signal(self, name: str) -> Value: ...

    def dataset(self, name: str) -> list[Row] | None: ...

    def scale(self, name: str) -> Scale | None: ...

    def counts(self, dataset: str, field: str) -> Mapping[str, int]: ...

    def is_row(self, value: Value) -> bool: ...

    def set_data(self, dataset: str, rows: Value) -> float: ...

    def modify(self, dataset: str, *parts: Value) -> float: ...

    def warn(self, text: str) -> None: ...


@dataclass(slots=True)
class RunEnvironment:
    """The environment of a signal's expression; `datum` exists only in those of transforms."""

    names: Names
    timezone: Zone
    now: float
    random: RandomSource
    datum: Value = field(default=None, kw_only=True)
    has_datum: bool = field(default=False, kw_only=True)

    def variable(self, name: str) -> Value:
        if name == "datum" and self.has_datum:
            return self.datum
        if name in ("datum", "event", "item"):
            raise EvaluationError(f"{name} is not defined")
        return self.names.signal(name)

    def dataset(self, name: str) -> list[Row] | None:
        return self.names.dataset(name)

    def scale(self, name: str) -> Scale | None:
        return self.names.scale(name)

    def counts(self, dataset: str, field: str) -> Mapping[str, int]:
        return self.names.counts(dataset, field)

    def is_tuple(self, value: Value) -> bool:
        return self.names.is_row(value)

    def log(self, level: str, values: tuple[Value, ...]) -> None:
        if level == "warn":
            self.names.warn(" ".join(str(value) for value in values))

    def ask(self, function: str, arguments: tuple[Value, ...]) -> Value:
        selection = SELECTION_FUNCTIONS.get(function)
        if selection is not None:
            return selection(self, *arguments)
        if function == "modify" and arguments:
            return self.names.modify(to_text(arguments[0]), *arguments[1:])
        if function == "setdata" and len(arguments) > 1:
            return self.names.set_data(to_text(arguments[0]), arguments[1])
        raise Unavailable(f"only the renderer can answer `{function}`")

    def of_rows(self) -> RunEnvironment:
        """The same with a datum."""
        return RunEnvironment(self.names, self.timezone, self.now, self.random, has_datum=True)


def value_of_text(text: str, environment: RunEnvironment) -> Value:
    """The value of an expression's text."""
    return _compiled(text)(environment)


def _compiled(text: str) -> Callable[[RunEnvironment], Value]:
    try:
        return compiled(parse_expression(text))
    except ExpressionSyntaxError as error:
        raise EvaluationError(f"Expression parse error: {text}") from error


def function_of_rows(text: str, environment: RunEnvironment) -> Callable[[Row], Value]:
    """An expression's text as a function of the datum."""
    run = _compiled(text)
    surroundings = environment.of_rows()

    def evaluate(row: Row) -> Value:
        surroundings.datum = row
        return run(surroundings)

    return evaluate
