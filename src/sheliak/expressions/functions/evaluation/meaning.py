"""How a function's evaluation is declared: a Python function over values, beside the group of its signature.

    @pure("pad")            its parameters are the arguments
    @local("year")          the time zone comes first
    @surrounded("data")     the environment comes first

An argument that a call leaves out is undefined; one too many is evaluated and dropped. A parameter `*rest` takes all, and sees
how many there were.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from inspect import Parameter, signature
from typing import Literal, TypeAlias

from sheliak.expressions.environment import Environment
from sheliak.expressions.values import Value

Needs: TypeAlias = Literal["nothing", "zone", "environment"]
Evaluation: TypeAlias = Callable[..., Value]


@dataclass(frozen=True, slots=True)
class Meaning:
    """A function's evaluation, what it needs besides its arguments, and how many it takes at most (None: any number)."""

    call: Evaluation
    needs: Needs
    most: int | None


Meanings: TypeAlias = dict[str, Meaning]


def declared(meanings: Meanings, needs: Needs) -> Callable[..., Callable[[Evaluation], Evaluation]]:
    """A decorator that enters a function into a group under Vega's names for it."""

    def under(*names: str) -> Callable[[Evaluation], Evaluation]:
        def enter(call: Evaluation) -> Evaluation:
            meaning = Meaning(call, needs, _most(call, 0 if needs == "nothing" else 1))
            meanings.update(dict.fromkeys(names, meaning))
            return call

        return enter

    return under


def _most(call: Evaluation, given: int) -> int | None:
    parameters = list(signature(call).parameters.values())[given:]
    return None if any(parameter.kind is Parameter.VAR_POSITIONAL for parameter in parameters) else len(parameters)


def asked(meanings: Meanings, *names: str) -> None:
    """Enters functions that only the environment can answer."""
    for name in names:
        declared(meanings, "environment")(name)(_question(name))


def _question(name: str) -> Evaluation:
    def ask(environment: Environment, *arguments: Value) -> Value:
        return environment.ask(name, arguments)

    return ask
