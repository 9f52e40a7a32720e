"""The operators over running operands: each takes the functions that give its operands, and is one itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from sheliak.expressions.environment import Environment
from sheliak.expressions.properties import has_property
from sheliak.expressions.values import (
    EvaluationError,
    Value,
    add,
    divided,
    less_or_equal,
    less_than,
    loose_equal,
    remainder,
    strict_equal,
    to_boolean,
    to_int32,
    to_number,
    to_text,
    to_uint32,
)

Run: TypeAlias = Callable[[Environment], Value]


def _plus(left: Run, right: Run) -> Run:
    def run(environment: Environment) -> Value:
        a, b = left(environment), right(environment)
        return a + b if type(a) is float and type(b) is float else add(a, b, environment.timezone)

    return run


def _arithmetic(operation: Callable[[float, float], float]) -> Callable[[Run, Run], Run]:
    def build(left: Run, right: Run) -> Run:
        return lambda environment: operation(to_number(left(environment)), to_number(right(environment)))

    return build


def _less(left: Run, right: Run) -> Run:
    return lambda environment: less_than(left(environment), right(environment), environment.timezone)


def _greater(left: Run, right: Run) -> Run:
    def run(environment: Environment) -> Value:
        a, b = left(environment), right(environment)
        return less_than(b, a, environment.timezone)

    return run


def _at_most(left: Run, right: Run) -> Run:
    return lambda environment: less_or_equal(left(environment), right(environment), environment.timezone)


def _at_least(left: Run, right: Run) -> Run:
    def run(environment: Environment) -> Value:
        a, b = left(environment), right(environment)
        return less_or_equal(b, a, environment.timezone)

    return run


def _equal(left: Run, right: Run) -> Run:
    return lambda environment: loose_equal(left(environment), right(environment), environment.timezone)


def _unequal(left: Run, right: Run) -> Run:
    return lambda environment: not loose_equal(left(environment), right(environment), environment.timezone)


def _same(left: Run, right: Run) -> Run:
    return lambda environment: strict_equal(left(environment), right(environment))


def _different(left: Run, right: Run) -> Run:
    return lambda environment: not strict_equal(left(environment), right(environment))


def _within(left: Run, right: Run) -> Run:
    def run(environment: Environment) -> Value:
        name, owner = left(environment), right(environment)
        return has_property(owner, to_text(name, environment.timezone))

    return run


def _instance(left: Run, right: Run) -> Run:
    def run(environment: Environment) -> Value:
        left(environment)
        right(environment)
        raise EvaluationError("Right-hand side of 'instanceof' is not callable")

    return run


def _shifted(operation: Callable[[int, int], int]) -> Callable[[Run, Run], Run]:
    def build(left: Run, right: Run) -> Run:
        def run(environment: Environment) -> Value:
            a, b = to_int32(left(environment)), to_uint32(right(environment)) & 31
            return float(to_int32(float(operation(a, b))))

        return run

    return build


def _shifted_unsigned(left: Run, right: Run) -> Run:
    def run(environment: Environment) -> Value:
        a, b = to_uint32(left(environment)), to_uint32(right(environment)) & 31
        return float(a >> b)

    return run


def _bits(operation: Callable[[int, int], int]) -> Callable[[Run, Run], Run]:
    def build(left: Run, right: Run) -> Run:
        return lambda environment: float(operation(to_int32(left(environment)), to_int32(right(environment))))

    return build


def choice(test: Run, consequent: Run, alternate: Run) -> Run:
    """`test ? consequent : alternate`, which is also what `if` means."""
    return lambda environment: consequent(environment) if to_boolean(test(environment)) else alternate(environment)


BINARY: dict[str, Callable[[Run, Run], Run]] = {
    "+": _plus,
    "-": _arithmetic(lambda a, b: a - b),
    "*": _arithmetic(lambda a, b: a * b),
    "/": _arithmetic(divided),
    "%": _arithmetic(remainder),
    "==": _equal,
    "!=": _unequal,
    "===": _same,
    "!==": _different,
    "<": _less,
    ">": _greater,
    "<=": _at_most,
    ">=": _at_least,
    "&": _bits(lambda a, b: a & b),
    "|": _bits(lambda a, b: a | b),
    "^": _bits(lambda a, b: a ^ b),
    "<<": _shifted(lambda a, b: a << b),
    ">>": _shifted(lambda a, b: a >> b),
    ">>>": _shifted_unsigned,
    "in": _within,
    "instanceof": _instance,
}
UNARY: dict[str, Callable[[Run], Run]] = {
    "+": lambda run: lambda environment: to_number(run(environment)),
    "-": lambda run: lambda environment: -to_number(run(environment)),
    "~": lambda run: lambda environment: float(~to_int32(run(environment))),
    "!": lambda run: lambda environment: not to_boolean(run(environment)),
}
