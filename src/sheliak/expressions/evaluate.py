"""e ⇓ v: an expression's value, with JavaScript's values and coercions.

An expression becomes a function of the environment once, and is then called for every row. Operands are evaluated from left to
right, and only those that JavaScript would evaluate.
"""

from __future__ import annotations

from functools import lru_cache
from typing import assert_never

from sheliak.expressions.environment import Environment
from sheliak.expressions.functions import CONSTANTS
from sheliak.expressions.legality import illegal_parts
from sheliak.expressions.nodes import (
    ArrayLiteral,
    Binary,
    Call,
    Conditional,
    Expression,
    Identifier,
    Literal,
    Logical,
    Member,
    ObjectLiteral,
    Regex,
    Unary,
)
from sheliak.expressions.properties import item_of, property_of
from sheliak.expressions.running_operators import BINARY, UNARY, Run, choice
from sheliak.expressions.values import EvaluationError, RegExp, Value, to_boolean

__all__ = ["EvaluationError", "compiled", "evaluate"]


def evaluate(expression: Expression, environment: Environment) -> Value:
    """The value of an expression. Raises EvaluationError where Vega would stop the run, or cannot run the expression at all."""
    return compiled(expression)(environment)


@lru_cache(maxsize=1 << 12)
def compiled(expression: Expression) -> Run:
    """The expression as a function of its environment. Raises EvaluationError where Vega cannot compile it."""
    for part in illegal_parts(expression):
        raise EvaluationError(part.message)
    return _run(expression)


def _run(expression: Expression) -> Run:
    match expression:
        case Literal(value):
            return lambda environment: value
        case Regex(pattern, flags):
            return _regex(pattern, flags)
        case Identifier(name):
            return _name(name)
        case Member():
            return _member(expression)
        case Unary(operator, operand):
            return UNARY[operator](_run(operand))
        case Binary(operator, left, right):
            return BINARY[operator](_run(left), _run(right))
        case Logical(operator, left, right):
            return _logical(operator, _run(left), _run(right))
        case Conditional(test, consequent, alternate):
            return choice(_run(test), _run(consequent), _run(alternate))
        case Call(_, arguments):
            return _call(expression.name or "", arguments)
        case ArrayLiteral(elements):
            return _array([_run(element) for element in elements])
        case ObjectLiteral(properties):
            return _object([(entry.name, _run(entry.value)) for entry in properties])
        case _:
            assert_never(expression)


def _regex(pattern: str, flags: str) -> Run:
    """A new one every time: it remembers where it was last found."""
    from sheliak.expressions.patterns import matcher_of

    matcher_of(pattern, flags)
    return lambda environment: RegExp(pattern, flags)


def _name(name: str) -> Run:
    if name in CONSTANTS:
        constant = CONSTANTS[name]
        return lambda environment: constant
    return lambda environment: environment.variable(name)


def _member(member: Member) -> Run:
    run = _run(member.object)
    if not member.computed:
        assert isinstance(member.property, Identifier)
        return _property(run, member.property.name)
    if isinstance(member.property, Literal) and isinstance(member.property.value, str):
        return _property(run, member.property.value)
    key = _run(member.property)
    return lambda environment: item_of(run(environment), key(environment), environment.timezone)


def _property(run: Run, name: str) -> Run:
    def read(environment: Environment) -> Value:
        value = run(environment)
        if type(value) is dict and name in value:
            return value[name]
        return property_of(value, name)

    return read


def _logical(operator: str, left: Run, right: Run) -> Run:
    def both(environment: Environment) -> Value:
        value = left(environment)
        return right(environment) if to_boolean(value) else value

    def either(environment: Environment) -> Value:
        value = left(environment)
        return value if to_boolean(value) else right(environment)

    return both if operator == "&&" else either


def _array(elements: list[Run]) -> Run:
    return lambda environment: [element(environment) for element in elements]


def _object(properties: list[tuple[str, Run]]) -> Run:
    return lambda environment: {name: value(environment) for name, value in properties}


def _call(name: str, arguments: tuple[Expression, ...]) -> Run:
    from sheliak.expressions.running_calls import call

    return call(name, arguments, _run)
