"""What an aggregate or window operation declares: its name, what it asks of its field, the type of its result, its meaning.

@aggregate_operation("sum", operand="number")
class Sum(Operation):
    ...

An aggregate operation takes in the valid values of a field one by one, and in a moving window gives them up again; its state is
in the `Measure`, which all operations over one field of one group share, so that the deviation is built upon the mean. A window
operation looks at the `Frame` of a row. The state is imported only when something runs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, Literal, TypeVar

from sheliak.types.shapes import NUMBER, Record, Type

if TYPE_CHECKING:
    from sheliak.expressions.values import Row, Value
    from sheliak.transforms._operations.cells import Measure
    from sheliak.transforms._operations.frames import WindowFunction
    from sheliak.transforms._running import Getter

Operand = Literal["none", "any", "number", "order"]
"""Whether it reads a field, and how: any value, values coerced to numbers, values compared as they are."""


class Operation:
    """One entry of an `ops` list. Most results are numbers; the others say theirs in `result`."""

    name: ClassVar[str] = ""
    operand: ClassVar[Operand] = "any"
    positive_parameter: ClassVar[bool] = False
    """It stops unless its entry in `params` is greater than zero."""
    rank: ClassVar[int] = 0
    """Among the operations over one field those of a lower rank take in a value, and write their result, before the others."""
    needs: ClassVar[tuple[str, ...]] = ()
    """The operations whose state it builds upon."""

    def result(self, field: Type, rows: Record) -> Type:
        """The type of the output over a field of that type; `rows` is what the operation runs over."""
        return NUMBER

    def start(self, measure: Measure, parameter: float | None) -> None:
        """The state over no values; `parameter` is the entry in `aggregate_params`, if there is one."""

    def add(self, measure: Measure, value: Value, row: Row) -> None:
        """Takes in a valid value."""

    def remove(self, measure: Measure, value: Value, row: Row) -> None:
        """Gives up a valid value, which in Vega need not have been taken in."""

    def value(self, measure: Measure) -> Value:
        """What it comes to."""
        raise AssertionError(f"{self.name} is no aggregate operation")

    def window(self, get: Getter, parameter: float) -> WindowFunction:
        """A window operation at work; `parameter` is the entry in `params`, NaN if there is none."""
        raise AssertionError(f"{self.name} is no window operation")

    def check_positive(self, parameter: float, message: str) -> None:
        """Ends the run unless the parameter is greater than zero."""
        if not parameter > 0:
            from sheliak.transforms._running import RunError

            raise RunError(message)


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
