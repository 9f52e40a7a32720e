"""The plain parameters of a transform as JavaScript values, read the way Vega reads them when it runs.

Signals have been replaced by their values before; a parameter that is not written is undefined.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sheliak.expressions.values import UNDEFINED, Date, Function, RegExp, Undefined, Value, to_boolean, to_number, to_text
from sheliak.source.tree import Node


@dataclass(frozen=True, slots=True)
class Parameters:
    """What stands in one transform."""

    node: Node

    def all(self) -> dict[str, Value]:
        """Everything that is written, the type included."""
        given = value_of(self.node.value)
        return given if isinstance(given, dict) else {}

    def value(self, name: str) -> Value:
        """The parameter as it is."""
        node = self.node.get(name)
        return UNDEFINED if node is None else value_of(node.value)

    def number(self, name: str, default: float) -> float:
        """`_.name || default`: 0, "", null and NaN are as good as nothing."""
        value = self.value(name)
        return to_number(value) if to_boolean(value) else default

    def number_unless_null(self, name: str, default: float) -> float:
        """The number, also if it is 0; the default for null and undefined."""
        value = self.value(name)
        return default if value is None or value is UNDEFINED else to_number(value)

    def flag(self, name: str) -> bool:
        """Whether it is truthy."""
        return to_boolean(self.value(name))

    def elements(self, name: str) -> list[Value] | None:
        """A list; None where it is absent, null or no list."""
        value = self.value(name)
        return value if isinstance(value, list) else None

    def numbers(self, name: str) -> list[float] | None:
        """A list whose elements are read as numbers."""
        elements = self.elements(name)
        return None if elements is None else [to_number(element) for element in elements]

    def ends(self, name: str) -> tuple[Value, Value] | None:
        """The two ends of an extent, as they are."""
        elements = self.elements(name)
        if elements is None:
            return None
        start, stop, *_ = [*elements, UNDEFINED, UNDEFINED]
        return start, stop

    def names(self, *defaults: str) -> tuple[str, ...]:
        """The names of `as`, one for each default; a list that is too short names the rest "undefined"."""
        given = self.elements("as")
        if given is None:
            return defaults
        return tuple(to_text(given[index]) if index < len(given) else "undefined" for index in range(len(defaults)))

    def name(self, default: str) -> str:
        """The one name of `as`."""
        value = self.value("as")
        return to_text(value) if to_boolean(value) else default

    def names_or(self, fields: Sequence[str]) -> list[str]:
        """The names of `as`, each that is absent or empty replaced by that of the field."""
        given = self.elements("as") or []
        return [self._or(given, index, name) for index, name in enumerate(fields)]

    @staticmethod
    def _or(given: list[Value], index: int, default: str) -> str:
        return to_text(given[index]) if index < len(given) and to_boolean(given[index]) else default


def value_of(json: object) -> Value:
    """A JSON value, or one that a signal gave, as JavaScript sees it: all numbers are floats."""
    match json:
        case None | bool() | float() | str() | Undefined() | Date() | RegExp() | Function():
            return json
        case int():
            return float(json)
        case list():
            return [value_of(element) for element in json]
        case dict():
            return {name: value_of(member) for name, member in json.items()}
    raise AssertionError(f"{json!r} is no value")
