"""From a plan's expressions to columns. What is used more than once is computed once, in a column of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, assert_never

from sheliak.engines.spark import columns, dates, lists, text_dates, texts, whole_numbers
from sheliak.engines.spark.column_schema import literal, spark_type
from sheliak.engines.spark.lazy_functions import F
from sheliak.plan.column_types import NEVER, missing_of
from sheliak.plan.expressions import Apply, Choose, Constant, Element, ForEach, PlanExpression, Read, operands_of, parts_of
from sheliak.plan.stopping import stops

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

OPERATIONS = {
    **columns.OPERATIONS,
    **dates.OPERATIONS,
    **whole_numbers.OPERATIONS,
    **texts.OPERATIONS,
    **text_dates.OPERATIONS,
    **lists.OPERATIONS,
}

_FREE = frozenset({"known", "missing", "date.number", "number.date", "record.field", "fill", "not", "mixed.tag", "mixed.missing"})
"""Not worth a column of its own."""
_ONCE = frozenset(
    {
        *("number.add", "number.subtract", "number.multiply", "number.negate", "number.truth", "number.max", "number.min"),
        *(
            "text.concatenate",
            "text.equal",
            "text.among",
            "text.truth",
            "text.code",
            "text.of_code",
            "boolean.number",
            "boolean.equal",
            "and",
            "or",
        ),
        *("list", "record", "number.abs", "number.exp", "number.sqrt", "number.sin", "number.cos", "number.remainder"),
        *("text.upper", "text.lower", "text.trim", "list.length", "list.join", "required", *_FREE),
    }
)
"""Operations whose columns hold each operand once; all others repeat some."""
_LARGE = 500
"""Parts that are larger than this when they are written out are not left to Spark to write out."""


@dataclass(slots=True)
class Lowering:
    """Turns expressions into columns; `named` holds those that already have a column of their own."""

    named: dict[int, Column] = field(default_factory=dict)

    def column(self, expression: PlanExpression) -> Column:
        """The column of an expression."""
        ready = self.named.get(id(expression))
        if ready is not None:
            return ready
        match expression:
            case Read(column):
                return F.col(column_name(column))
            case Constant(value, of):
                return literal(value, of)
            case Apply():
                return self._apply(expression)
            case Choose(test, consequent, alternate):
                return F.when(self.column(test), self.column(consequent)).otherwise(self.column(alternate))
            case ForEach():
                return self._for_each(expression)
            case Element():
                raise AssertionError("an element outside its list")
            case _:
                assert_never(expression)

    def _apply(self, expression: Apply) -> Column:
        result = self._raw(expression)
        if expression.operation in columns.ANSWERS_NULL and _may_miss(expression.operands):
            return F.coalesce(result, F.lit(False))
        return result

    def _raw(self, expression: Apply) -> Column:
        given = [self.column(operand) for operand in expression.operands]
        if expression.operation == "list.empty":
            # A list that is missing stays so, and one that must not be stops the run.
            return F.when(given[0].isNotNull(), F.array().cast(spark_type(expression.of)))
        result = OPERATIONS[expression.operation](*given, *expression.options)
        return result.cast(spark_type(expression.of)) if expression.operation == "list" and not given else result

    def _for_each(self, expression: ForEach) -> Column:
        over = self.column(expression.over)

        def body(element: Column) -> Column:
            self.named[id(expression.element)] = element
            result = self.column(expression.body)
            del self.named[id(expression.element)]
            return result

        match expression.what:
            case "map":
                return F.transform(over, body)
            case "keep":
                return F.filter(over, body)
            case "any":
                return F.coalesce(F.exists(over, body), F.lit(False))

    def condition(self, test: PlanExpression) -> Column:
        """A test as a filter takes it: NULL is as good as false, which lets a source skip what cannot match."""
        if stops(test):
            return held(self.column(test))
        if id(test) not in self.named and isinstance(test, Apply):
            if test.operation in ("and", "or"):
                left, right = (self.condition(operand) for operand in test.operands)
                return left & right if test.operation == "and" else left | right
            if test.operation in columns.ANSWERS_NULL:
                return self._raw(test)
        return self.column(test)


def column_name(column: int) -> str:
    return f"c{column}"


def _may_miss(operands: Iterable[PlanExpression]) -> bool:
    return any(missing_of(operand.of) is not NEVER for operand in operands)


def prepared(frame: DataFrame, expressions: Iterable[PlanExpression]) -> tuple[DataFrame, Lowering]:
    """The frame with a column for every part that is used more than once, and the lowering that knows them."""
    lowering = Lowering()
    written_out = WrittenOut()
    for level in shared_parts(list(expressions)):
        named = {id(part): f"t{len(lowering.named) + index}" for index, part in enumerate(level)}
        made = {
            named[id(part)]: held(lowering.column(part)) if written_out.size(part) > _LARGE else lowering.column(part)
            for part in level
        }
        frame = frame.select("*", *(column.alias(name) for name, column in made.items()))
        lowering.named.update({part: F.col(name) for part, name in named.items()})
    return frame, lowering


class WrittenOut:
    """How large expressions are with every part written as often as columns use it."""

    def __init__(self) -> None:
        self._sizes: dict[int, int] = {}

    def size(self, expression: PlanExpression) -> int:
        if id(expression) not in self._sizes:
            below = sum(map(self.size, operands_of(expression)))
            self._sizes[id(expression)] = 1 + _uses_of_operands(expression) * below
        return self._sizes[id(expression)]


def _uses_of_operands(part: PlanExpression) -> int:
    """How often the column of an expression holds each operand, at least."""
    return 1 if isinstance(part, Choose) or (isinstance(part, Apply) and part.operation in _ONCE) else 2


def held(column: Column) -> Column:
    """The column for Spark to compute where it stands, for every row that comes there: what counts rows is left where it is.

    Other columns have filters put below them, by writing them out in these however often they use it, which takes minutes over long formulas;
    and what stops the run would not meet the rows that a later filter leaves out.
    """
    return F.when(F.monotonically_increasing_id() >= 0, column)


def shared_parts(expressions: list[PlanExpression]) -> list[list[PlanExpression]]:
    """The parts that are used more than once, those that others are made of first."""
    uses: Counter[int] = Counter()
    parts: dict[int, PlanExpression] = {}
    for expression in expressions:
        uses[id(expression)] += 1
        for part in parts_of(expression):
            if id(part) not in parts:
                parts[id(part)] = part
                weight = _uses_of_operands(part)
                uses.update({id(operand): weight * operands_of(part).count(operand) for operand in operands_of(part)})
    unmovable = _unmovable(parts.values())
    shared = {key for key, part in parts.items() if uses[key] > 1 and key not in unmovable and _costs(part)}
    return _levels(shared, parts)


def _costs(part: PlanExpression) -> bool:
    return isinstance(part, Choose | ForEach) or (isinstance(part, Apply) and part.operation not in _FREE)


def _unmovable(parts: Iterable[PlanExpression]) -> set[int]:
    """Parts of a loop's body, and parts that may stop the run: those are computed only where they stand."""
    inside: set[int] = set()
    for part in parts:
        if isinstance(part, ForEach):
            inside.update(id(inner) for inner in parts_of(part.body))
    return inside | {id(part) for part in parts if stops(part)}


def _levels(shared: set[int], parts: Mapping[int, PlanExpression]) -> list[list[PlanExpression]]:
    depths: dict[int, int] = {}

    def depth(part: PlanExpression) -> int:
        if id(part) not in depths:
            below = max((depth(operand) for operand in operands_of(part)), default=0)
            depths[id(part)] = below + (1 if id(part) in shared else 0)
        return depths[id(part)]

    levels: dict[int, list[PlanExpression]] = {}
    for key in parts:
        if key in shared:
            levels.setdefault(depth(parts[key]), []).append(parts[key])
    return [levels[level] for level in sorted(levels)]
