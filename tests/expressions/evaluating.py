"""A short way to evaluate an expression in tests."""

from __future__ import annotations

from sheliak.expressions.environment import Surroundings
from sheliak.expressions.evaluate import evaluate
from sheliak.expressions.parser import parse_expression
from sheliak.expressions.values import Value
from sheliak.expressions.zones import zone_of

NOW = 1_704_067_200_000.0


def value_of(text: str, zone: str = "UTC", **variables: Value) -> Value:
    """The value of an expression's text, with its variables given by name."""
    return evaluate(parse_expression(text), Surroundings(dict(variables), zone_of(zone), NOW))
