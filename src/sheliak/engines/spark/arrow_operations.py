"""Operations of a plan's expressions on Arrow's columns, for what is computed where groups are at hand.

These are the operations that charts do on groups: back from whole numbers to what they stand for, means, shares, tests. Plans with others stay with
Spark, so that an operation that is not here costs time and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import TYPE_CHECKING, Any, TypeAlias

from sheliak.engines.failures import RunFailure
from sheliak.engines.spark.arrow_values import arrow_type, plain_value
from sheliak.engines.spark.columns import ANSWERS_NULL
from sheliak.engines.spark.whole_numbers import OTHER_TEXTS
from sheliak.plan.column_types import Nothing, Plain
from sheliak.plan.expressions import Apply, Choose, Constant, PlanExpression, Read, parts_of
from sheliak.plan.known_texts import Texts
from sheliak.plan.rewrite.whole_keys import CODES, MEANINGS

if TYPE_CHECKING:
    import pyarrow as pa

Values: TypeAlias = Any
"""A column of Arrow's, or one value for all rows."""


def is_known(expression: PlanExpression) -> bool:
    """Arrow's columns can hold the expression and all its parts, and have the operations."""
    return all(map(_is_known_part, parts_of(expression)))


def _is_known_part(part: PlanExpression) -> bool:
    if not isinstance(part.of, Plain | Nothing):
        return False
    if not isinstance(part, Apply):
        return isinstance(part, Read | Constant | Choose)
    # A column that holds nothing has no type of its own, and operations have columns for numbers, texts and truth values.
    return part.operation == "missing" or (
        part.operation in OPERATIONS and not any(isinstance(operand.of, Nothing) for operand in part.operands)
    )


class Computing:
    """Expressions over the columns of one table; what is used twice is computed once."""

    def __init__(self, columns: dict[int, pa.ChunkedArray]) -> None:
        self.columns = columns
        self._done: dict[int, Values] = {}

    def __call__(self, expression: PlanExpression) -> Values:
        if id(expression) not in self._done:
            self._done[id(expression)] = self._computed(expression)
        return self._done[id(expression)]

    def _computed(self, expression: PlanExpression) -> Values:
        import pyarrow as pa
        import pyarrow.compute as pc

        match expression:
            case Read(column):
                return self.columns[column]
            case Constant(value, of):
                return pa.scalar(plain_value(value, of), arrow_type(of))
            case Choose(test, consequent, alternate, of):
                one, other = (_of_type(self(part), arrow_type(of)) for part in (consequent, alternate))
                return pc.if_else(pc.fill_null(self(test), False), one, other)
            case Apply(operation, operands, _, options):
                made = OPERATIONS[operation](*map(self, operands), *options)
                return pc.fill_null(made, False) if operation in ANSWERS_NULL else made
            case _:
                raise AssertionError(f"not known on Arrow's columns: {expression}")


def _of_type(values: Values, of: pa.DataType) -> Values:
    """What is missing has whatever type is asked for; a whole number stays one."""
    import pyarrow as pa

    return values if values.type == pa.int64() or values.type == of else values.cast(of)


def _called(name: str) -> Callable[..., Values]:
    def operation(*operands: Values) -> Values:
        import pyarrow.compute as pc

        return getattr(pc, name)(*operands)

    return operation


def _same(values: Values) -> Values:
    return values


def _present(values: Values, valid: Callable[[Values], Values]) -> Values:
    """The numbers that are valid; the others are missing."""
    import pyarrow as pa
    import pyarrow.compute as pc

    return pc.if_else(valid(values), values, pa.scalar(None, pa.float64()))


def _not_nan(values: Values) -> Values:
    import pyarrow.compute as pc

    return pc.invert(pc.is_nan(values))


def _is_nan(values: Values) -> Values:
    import pyarrow.compute as pc

    return pc.fill_null(pc.is_nan(values), False)


def _number_truth(values: Values) -> Values:
    import pyarrow.compute as pc

    return pc.fill_null(pc.and_(_not_nan(values), pc.not_equal(values, 0.0)), False)


def _text_truth(values: Values) -> Values:
    import pyarrow.compute as pc

    return pc.fill_null(pc.not_equal(values, ""), False)


def _among(values: Values, *names: str) -> Values:
    import pyarrow as pa
    import pyarrow.compute as pc

    return pc.is_in(values, value_set=pa.array(names, pa.string()))


def _bin_end(values: Values, start: float, step: float) -> Values:
    import pyarrow.compute as pc

    steps = pc.divide(pc.subtract(values, start), step)
    return pc.add(pc.multiply(pc.add(1.0, steps), step), start)


def _whole_value(codes: Values, step: float, start: float) -> Values:
    """What a whole number stands for."""
    import pyarrow as pa
    import pyarrow.compute as pc

    found = pc.multiply(pc.cast(codes, pa.float64()), step)
    found = found if start == 0 else pc.add(found, start)
    for code, meaning in MEANINGS.items():
        found = pc.if_else(pc.equal(codes, code), pa.scalar(meaning, pa.float64()), found)
    return found


def _whole_part(ms: Values, operation: str) -> Values:
    """A part of a date that follows from its milliseconds by arithmetic, as a whole number."""
    import pyarrow as pa
    import pyarrow.compute as pc

    unit, count, first = _PARTS[operation]
    is_date = pc.less_equal(pc.abs(ms), _LARGEST)
    found = pc.add(pc.floor(pc.divide(pc.if_else(is_date, ms, 0.0), unit)), first)
    part = pc.subtract(found, pc.multiply(pc.floor(pc.divide(found, count)), count))
    return pc.if_else(is_date, part.cast(pa.int64()), CODES["nan"])


_LARGEST = 2 * 8.64e15
"""Beyond it there is no date in any zone."""


_PARTS = {
    "calendar.day": (86_400_000.0, 7.0, 4.0),
    "calendar.hours": (3_600_000.0, 24.0, 0.0),
    "calendar.minutes": (60_000.0, 60.0, 0.0),
    "calendar.seconds": (1000.0, 60.0, 0.0),
}
"""Parts of dates: the milliseconds of one, how many come before the first again, and which the year 1970 began with."""


def _text_code(values: Values, texts: Texts) -> Values:
    """Codes of texts, and the one of what is missing."""
    import pyarrow as pa
    import pyarrow.compute as pc

    found = pc.take(pa.array(texts.codes, pa.int64()), pc.index_in(values, pa.array(texts.values, pa.string())))
    return pc.fill_null(found, texts.missing)


def _text_of_code(codes: Values, texts: Texts) -> Values:
    """The texts that codes stand for."""
    import pyarrow as pa
    import pyarrow.compute as pc

    places = pc.index_in(codes, pa.array(texts.codes, pa.int64()))
    found = pc.take(pa.array(texts.values, pa.string()), places)
    if pc.any(pc.and_(pc.is_null(found), pc.not_equal(codes, texts.missing))).as_py():
        raise RunFailure(OTHER_TEXTS)
    return found


def _as_number(values: Values) -> Values:
    import pyarrow as pa

    return values.cast(pa.float64())


def _is_finite(values: Values) -> Values:
    import pyarrow.compute as pc

    return pc.and_(_not_nan(values), pc.less(pc.abs(values), inf))


OPERATIONS: dict[str, Callable[..., Values]] = {
    "number.add": _called("add"),
    "number.subtract": _called("subtract"),
    "number.multiply": _called("multiply"),
    "number.divide": _called("divide"),
    "number.negate": _called("negate"),
    "number.abs": _called("abs"),
    "number.less": _called("less"),
    "number.less_or_equal": _called("less_equal"),
    "number.equal": _called("equal"),
    "number.is_nan": _is_nan,
    "number.is_finite": _is_finite,
    "number.valid": lambda values: _present(values, _not_nan),
    "number.finite_part": lambda values: _present(values, _is_finite),
    "number.truth": _number_truth,
    "number.bin_end": _bin_end,
    "number.date": _same,
    "date.number": _same,
    "boolean.number": _as_number,
    "boolean.equal": _called("equal"),
    "text.equal": _called("equal"),
    "text.truth": _text_truth,
    "text.among": _among,
    "whole.value": _whole_value,
    "whole.part": _whole_part,
    "text.code": _text_code,
    "text.of_code": _text_of_code,
    "missing": _called("is_null"),
    "known": _same,
    "fill": _called("coalesce"),
    "not": _called("invert"),
    "and": _called("and_kleene"),
    "or": _called("or_kleene"),
}
