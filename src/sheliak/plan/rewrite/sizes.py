"""How many values expressions have, and how many combinations of values several have together: estimates, by which passes are chosen."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from math import prod
from typing import TypeAlias

from sheliak.plan.column_types import BOOLEAN
from sheliak.plan.expressions import Apply, Choose, Constant, PlanExpression, Read, operands_of, parts_of
from sheliak.plan.rewrite.rebuilding import Signatures

PARTS = {
    "calendar.hours": 24,
    "calendar.minutes": 60,
    "calendar.seconds": 60,
    "calendar.day": 7,
    "calendar.month": 12,
    "calendar.date": 31,
}
_COMPARISONS = frozenset({"number.less", "number.less_or_equal", "number.equal"})
_IN_PIECES = _COMPARISONS | {
    *("and", "or", "not", "missing", "known", "fill", "date.number", "number.date"),
    *("number.bin", "whole.bin", "date.floor", "whole.floor"),
}
"""What has the same value for all numbers between two others; a few pieces make up all numbers."""

Sizes: TypeAlias = Mapping[int, int]
"""About how many different values columns have, of those for which that is known."""


def size_of(e: PlanExpression, sizes: Sizes) -> int | None:
    """The most values that an expression can have, missing and NaN among them; None where nothing says."""
    if e.of == BOOLEAN:
        return 2
    match e:
        case Constant():
            return 1
        case Read(column):
            return sizes.get(column)
        case Apply("number.bin" | "whole.bin", _, _, (float(start), float(stop), float(step))):
            return int((stop - start) / step) + 5
        case Apply("whole.part", _, _, (str(operation),)) | Apply(operation) if operation in PARTS:
            return PARTS[operation] + 1
        case Apply("whole.constant" | "whole.missing"):
            return 1
        case Choose(_, consequent, alternate):
            both = [size_of(one, sizes) for one in (consequent, alternate)]
            return None if None in both else sum(one for one in both if one is not None)
        case _:
            inside = [size_of(operand, sizes) for operand in operands_of(e)]
            return None if None in inside or not inside else prod(one for one in inside if one is not None)


def count_of(bases: Sequence[PlanExpression], sizes: Sizes) -> int | None:
    """The most combinations of values that expressions can have; None where nothing says.

    Pieces of one number do not multiply: where a brush ends inside of a bin there is one combination more, not twice as many.
    """
    signature = Signatures()
    along: dict[Hashable, int] = {}
    others = 1
    for base in bases:
        size = size_of(base, sizes)
        if size is None:
            return None
        numbers = set(_numbers(base, signature))
        if len(numbers) == 1:
            (number,) = numbers
            along[number] = along.get(number, 0) + (_pieces(base) if base.of == BOOLEAN else size)
        else:
            others *= size
    return others * prod(along.values())


def _pieces(test: PlanExpression) -> int:
    """How many pieces a test of one number has: each comparison ends one."""
    return 1 + sum(isinstance(part, Apply) and part.operation in _COMPARISONS for part in parts_of(test))


def _numbers(e: PlanExpression, signature: Signatures) -> Iterator[Hashable]:
    """The numbers of which an expression has its pieces."""
    match e:
        case Constant():
            return
        case Apply("whole.part", (ms,), _, (str(operation),)) | Apply(operation, (ms,)) if operation in PARTS:
            yield operation, signature(ms)
        case Apply(operation) if operation in _IN_PIECES or operation.startswith("whole."):
            for operand in operands_of(e):
                yield from _numbers(operand, signature)
        case Choose():
            for operand in operands_of(e):
                yield from _numbers(operand, signature)
        case _:
            yield signature(e)
