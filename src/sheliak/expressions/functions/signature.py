"""Σ(builtin) = (T₁, …, Tₙ) ⇒ T: what a function of the expression language takes and gives.

A function is declared in one line, `signature("pad", "string:text length:number character?:string", STRING)`:

    name:kind    an argument that must be given          name?:kind   one that may be left out
    name*:kind   any number of arguments                 name+:kind   one or more
    kind!        the argument must be written as a literal, because Vega reads it before anything runs
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Literal, NamedTuple, TypeAlias, cast

from sheliak.types.shapes import Type

Kind: TypeAlias = Literal[
    "any",
    "number",  # coerced by Number(x)
    "formatted",  # a number, or text that a specifier of type c prints as it is
    "finite",  # a number; everything else is taken as it is, and is not finite
    "tested",  # a number; everything else is taken as it is, and is not NaN
    "instant",  # a date or its milliseconds: coerced by Number(x), so text is not parsed
    "date",  # coerced by new Date(x): text is parsed
    "text",  # coerced by String(x): everything goes
    "string",
    "boolean",
    "array",
    "sequence",  # an array or text
    "object",
    "item",
    "color",
    "geojson",
    "regexp",
    "dataset",
    "field",  # an access path, read from what the first argument stands for
    "scale",
    "projection",
    "mark",
    "marks",  # an object whose `markname` names marks
]

Purity: TypeAlias = Literal[
    "pure",
    "timezone",
    "locale",
    "locale,timezone",
    "clock",
    "random",
    "environment",
    "view",
    "event",  # reads `event`: exists in event handlers only
    "effect",
]

Rule: TypeAlias = Callable[[tuple[Type, ...]], Type]
"""A result that depends on the arguments' types. A dataset's name has the type of its datum."""


class Parameter(NamedTuple):
    """One argument of a function."""

    name: str
    kind: Kind
    optional: bool = False
    repeated: bool = False
    literal: bool = False


class Signature(NamedTuple):
    """A function: its arguments, the type of its result or the rule for it, and what else the result depends on."""

    name: str
    parameters: tuple[Parameter, ...]
    least: int
    most: int | None
    result: Type | Rule
    purity: Purity = "pure"
    throws: bool = False
    """An argument that is not an array (or text, for a sequence) stops the whole run of the chart."""
    strict_arity: bool = False
    """Vega itself counts the arguments."""

    def parameter(self, index: int) -> Parameter | None:
        """The parameter that takes the argument at an index; a repeated one takes all that follow."""
        parameters = self.parameters
        if index < len(parameters):
            return parameters[index]
        return parameters[-1] if parameters and parameters[-1].repeated else None

    def usage(self) -> str:
        """The call as documentation writes it: `pad(string, length, [character], [align])`."""
        parts = [f"[{p.name}]" if p.optional and not p.repeated else p.name for p in self.parameters]
        return f"{self.name}({', '.join(parts)}{', ...' if self.most is None else ''})"


def signature(
    name: str, takes: str, gives: Type | Rule, purity: Purity = "pure", *, throws: bool = False, strict_arity: bool = False
) -> Signature:
    """A function as one line; see the module's head for how `takes` is written."""
    parameters, least, most = _parameters(takes)
    return Signature(name, parameters, least, most, gives, purity, throws, strict_arity)


@cache
def _parameters(takes: str) -> tuple[tuple[Parameter, ...], int, int | None]:
    parameters = tuple([_parameter(text) for text in takes.split()])
    least = sum(not parameter.optional for parameter in parameters)
    repeated = bool(parameters) and parameters[-1].repeated
    return parameters, least, None if repeated else len(parameters)


def _parameter(text: str) -> Parameter:
    name, _, kind = text.partition(":")
    mark = name[-1]
    literal = kind.endswith("!")
    return Parameter(name.rstrip("?*+"), cast(Kind, kind.rstrip("!") or "any"), mark in "?*", mark in "*+", literal)
