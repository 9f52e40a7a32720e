"""What an aggregate or window operation declares: its name, what it asks of its field, the type of its result.

@aggregate_operation("sum", operand="number")
class Sum(Operation):
    ...
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Literal, TypeVar

from sheliak.types.shapes import NUMBER, Record, Type

Operand = Literal["none", "any", "number", "order"]
"""Whether it reads a field, and how: any value, values coerced to numbers, values compared as they are."""


class Operation:
    """One entry of an `ops` list. Most results are numbers; the others say theirs in `result`."""

    name: ClassVar[str] = ""
    operand: ClassVar[Operand] = "any"
    positive_parameter: ClassVar[bool] = False
    """It stops unless its entry in `params` is greater than zero."""

    def result(self, field: Type, rows: Record) -> Type:
        """The type of the output over a field of that type; `rows` is what the operation runs over."""
        return NUMBER


AGGREGATES: dict[str, Operation] = {}
"""The operations of `aggregate`, `joinaggregate` and `pivot`."""
WINDOW_ONLY: dict[str, Operation] = {}
"""The operations that only `window` has, beside the aggregates."""
O = TypeVar("O", bound=Operation)


def aggregate_operation(name: str, *, operand: Operand = "any") -> Callable[[type[O]], type[O]]:
    """Registers an operation over the rows of a group."""

    def register(cls: type[O]) -> type[O]:
        cls.name, cls.operand = name, operand
        AGGREGATES[name] = cls()
        return cls

    return register


def window_operation(name: str, *, operand: Operand = "any", positive_parameter: bool = False) -> Callable[[type[O]], type[O]]:
    """Registers an operation over a row's place in its sorted partition."""

    def register(cls: type[O]) -> type[O]:
        cls.name, cls.operand, cls.positive_parameter = name, operand, positive_parameter
        WINDOW_ONLY[name] = cls()
        return cls

    return register
