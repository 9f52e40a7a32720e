"""Calls: from a function's name and arguments to something that runs.

Vega writes some functions as methods or operators of JavaScript, which shows: they do not exist without their first argument, and
those without parameters of their own (`year`, `upper`) never evaluate a second one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from sheliak.expressions.functions import FUNCTIONS
from sheliak.expressions.functions.evaluation import meaning_of
from sheliak.expressions.functions.evaluation.meaning import Meaning
from sheliak.expressions.nodes import Expression, Literal
from sheliak.expressions.running_operators import Run, choice
from sheliak.expressions.values import UNDEFINED, EvaluationError, Value

Build: TypeAlias = Callable[[Expression], Run]

_DATE_PARTS = "date day year month hours minutes seconds milliseconds"
_METHODS_WITHOUT_PARAMETERS = frozenset(
    [
        *_DATE_PARTS.split(),
        *(f"utc{part}" for part in _DATE_PARTS.split()),
        *["time", "timezoneoffset", "length", "upper", "lower", "trim"],
    ]
)
_OTHER_METHODS = frozenset({"substring", "split", "test"})


def call(name: str, arguments: tuple[Expression, ...], build: Build) -> Run:
    """A call as a function of the environment. Raises EvaluationError where Vega's own compiler refuses it."""
    _refuse(name, arguments)
    if name == "if":
        return choice(*map(build, arguments))
    meaning = meaning_of(name)
    if meaning is None:
        raise EvaluationError(f"Unrecognized function: {name}")
    used = arguments[:1] if name in _METHODS_WITHOUT_PARAMETERS else arguments
    return _applied(meaning, [build(argument) for argument in used])


def _refuse(name: str, arguments: tuple[Expression, ...]) -> None:
    signature = FUNCTIONS.get(name)
    if signature is None:
        raise EvaluationError(f"Unrecognized function: {name}")
    count = len(arguments)
    if signature.strict_arity and count != signature.least:
        raise EvaluationError(f"{'Missing' if count < signature.least else 'Too many'} arguments to {name} function.")
    if not count and (name in _METHODS_WITHOUT_PARAMETERS or name in _OTHER_METHODS):
        raise EvaluationError(f"`{name}` needs an argument")
    if name == "length" and isinstance(arguments[0], Literal) and arguments[0].raw.isdigit():
        raise EvaluationError("Invalid or unexpected token")
    for argument, parameter in zip(arguments, signature.parameters, strict=False):
        if parameter.literal and not isinstance(argument, Literal):
            raise EvaluationError(f"the argument `{parameter.name}` of `{name}` must be a literal")


def _applied(meaning: Meaning, arguments: list[Run]) -> Run:
    missing = () if meaning.most is None else (UNDEFINED,) * (meaning.most - len(arguments))
    if meaning.needs == "nothing":
        return _pure(meaning, arguments, missing)
    function, most = meaning.call, meaning.most
    if meaning.needs == "zone":
        return lambda environment: function(
            environment.timezone, *[argument(environment) for argument in arguments][:most], *missing
        )
    return lambda environment: function(environment, *[argument(environment) for argument in arguments][:most], *missing)


def _pure(meaning: Meaning, arguments: list[Run], missing: tuple[Value, ...]) -> Run:
    function, most = meaning.call, meaning.most
    if missing or most != len(arguments):
        return lambda environment: function(*[argument(environment) for argument in arguments][:most], *missing)
    if most == 1:
        (only,) = arguments
        return lambda environment: function(only(environment))
    return lambda environment: function(*[argument(environment) for argument in arguments])
