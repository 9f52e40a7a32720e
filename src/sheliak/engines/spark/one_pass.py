"""Several sets of cells out of Spark in one pass, in which each row is looked up by one number for each set (plan.rewrite.numbered_cells)."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sheliak.engines.spark.expressions import Lowering, column_name, prepared
from sheliak.engines.spark.lazy_functions import F
from sheliak.engines.spark.summaries import POSITION, given_as, summary_column
from sheliak.plan.column_types import Plain
from sheliak.plan.expressions import PlanExpression
from sheliak.plan.operators import Source, Summary
from sheliak.plan.rewrite.numbered_cells import Digit, NumberedCells

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import Column, DataFrame

    from sheliak.engines.spark.lower import Lower

_NUMBER = "number"


@dataclass(frozen=True, slots=True, eq=False)
class OnePass:
    """Sets of cells over one scan, and the numbers of all their combinations, set after set."""

    sets: tuple[NumberedCells, ...]
    lower: Lower
    numbers: pa.Array

    @property
    def source(self) -> Source:
        """What the cells are made of."""
        return self.sets[0].cells.scan.source

    def all_cells(self) -> DataFrame:
        """The cells of all sets, by their numbers."""
        summaries = self._summaries()
        operands = list({id(one): one for summary in summaries.values() for one in given_as(summary)}.values())
        keys = [digit.base.value for one in self.sets for digit in one.digits]
        rows = self.lower.frame(self.sets[0].cells.scan, position=True)
        frame, lowering = prepared(rows, [*keys, *operands])
        given = {id(one): f"m{index}" for index, one in enumerate(operands)}
        numbers = [f"n{index}" for index in range(len(self.sets))]
        made = frame.select(
            POSITION,
            *(lowering.column(one).alias(given[id(one)]) for one in operands),
            *(_number(one, lowering).alias(name) for one, name in zip(self.sets, numbers, strict=True)),
        )
        looked_up = made.unpivot((POSITION, *given.values()), tuple(numbers), "set", _NUMBER)
        over = Lowering({part: F.col(name) for part, name in given.items()})
        columns = [summary_column(summary, over).alias(f"s{index}") for index, summary in enumerate(summaries.values())]
        return looked_up.groupBy(_NUMBER).agg(F.min(POSITION).alias(POSITION), *columns)

    def tables(self, rows: pa.Table) -> dict[int, pa.Table]:
        """The cells of each set, with their keys, by the identity of its group; none if a row's keys are not among those that were known."""
        import pyarrow.compute as pc

        places = pc.index_in(rows.column(_NUMBER), value_set=self.numbers)
        if places.null_count:
            return {}
        named = {key: f"s{index}" for index, key in enumerate(self._summaries())}
        tables = {}
        start = 0
        for one in self.sets:
            mine = pc.and_(pc.greater_equal(places, start), pc.less(places, start + one.count))
            tables[id(one.group)] = _cells(one, pc.subtract(pc.filter(places, mine), start), rows.filter(mine), named)
            start += one.count
        return tables

    def _summaries(self) -> dict[Hashable, Summary]:
        """What is computed of all sets; several that are the same are one."""
        found: dict[Hashable, Summary] = {}
        for one in self.sets:
            for key, made in one.cells.partial.items():
                found.setdefault(key, made.summary)
        return found


def one_pass(sets: Sequence[NumberedCells], lower: Lower) -> OnePass | None:
    """The sets in one pass; None if two combinations have the same number."""
    import pyarrow as pa
    import pyarrow.compute as pc

    numbers = pa.concat_arrays([_numbers_of(one) for one in sets])
    return OnePass(tuple(sets), lower, numbers) if pc.count_distinct(numbers).as_py() == len(numbers) else None


def _numbers_of(cells: NumberedCells) -> pa.Array:
    """The numbers of all combinations: those of the first key's values, for each value of the second, and so on."""
    import pyarrow as pa
    import pyarrow.compute as pc

    first, *others = (digit.parts for digit in cells.digits)
    made = pc.bit_wise_xor(pa.array(first, pa.int64()), cells.mark)
    for parts in others:
        made = pa.concat_arrays([pc.bit_wise_xor(made, part) for part in parts])
    return made


def _cells(cells: NumberedCells, places: pa.ChunkedArray, rows: pa.Table, named: Mapping[Hashable, str]) -> pa.Table:
    """The cells at these places among all combinations, with their keys and summaries in the columns that plans read."""
    import pyarrow as pa
    import pyarrow.compute as pc

    columns = {POSITION: rows.column(POSITION)}
    for digit in cells.digits:
        is_truth = _is_truth(digit.base.value)
        values = pa.array(digit.values, pa.int64()).cast(pa.bool_() if is_truth else pa.int64())
        left = pc.divide(places, len(values))
        columns[column_name(digit.base.column)] = pc.take(values, pc.subtract(places, pc.multiply(left, len(values))))
        places = left
    columns |= {column_name(made.column): rows.column(named[key]) for key, made in cells.cells.partial.items()}
    return pa.table(columns)


def _number(cells: NumberedCells, lowering: Lowering) -> Column:
    number = F.lit(cells.mark).cast("bigint")
    for digit in cells.digits:
        number = number.bitwiseXOR(_part(digit, lowering))
    return number


def _part(digit: Digit, lowering: Lowering) -> Column:
    key = digit.base.value
    code = lowering.column(key)
    if _is_truth(key):
        code = code.cast("bigint")
    if digit.missing is not None:
        code = F.coalesce(code, F.lit(digit.missing).cast("bigint"))
    if digit.start:
        code = code - F.lit(digit.start)
    return F.shiftleft(code, digit.shift) if digit.shift else code


def _is_truth(key: PlanExpression) -> bool:
    return isinstance(key.of, Plain) and key.of.kind == "boolean"
