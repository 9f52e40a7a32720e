"""JavaScript's operators over all pairs of 24 values, on mixed and on plain columns, as V8 answers them."""

import json
import math
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path

import pyarrow as pa
from pyspark.sql import SparkSession

from engines.fixed_planning import FixedPlanning
from sheliak.engines.spark.arrow_values import arrow_array, values_of
from sheliak.engines.spark.expressions import prepared
from sheliak.expressions.values import Json, Value, decode, encode
from sheliak.plan.column_types import NUMBER, ColumnType, Missing, Mixed, type_of_values
from sheliak.plan.expressions import PlanExpression, Read
from sheliak.plan.scope import Scope
from sheliak.plan.unplannable import Unplannable
from sheliak.plan.vega_expressions import planned_text

RECORDED = json.loads((Path(__file__).parent / "recorded" / "operators.json").read_text())
VALUES: list[Value] = [decode(value) for value in RECORDED["values"]]
KINDS = {"number": range(4, 13), "boolean": range(2, 4), "text": range(13, 22), "date": range(22, 24)}
MISSING = {Missing.NEVER: (), Missing.UNDEFINED: (0,), Missing.NULL: (1,)}
OTHER_THAN_BITS = [operator for operator in RECORDED["binary"] if operator not in ("&", "|", "^", "<<", ">>", ">>>")]
PLAIN = [(*KINDS[kind], *MISSING[missing]) for kind, missing in product(KINDS, Missing)]


def same(found: Value, expected: Json) -> bool:
    """The same kind, and bit for bit the same value, except for the sign of zero, which only a division could tell."""
    wanted = decode(expected)
    if isinstance(found, float) and isinstance(wanted, float):
        return found == wanted or (math.isnan(found) and math.isnan(wanted))
    return encode(found) == encode(wanted)


class Pairs:
    """All pairs of the values of two columns, padded so that every such table has the same rows."""

    def __init__(self, lefts: Sequence[int], rights: Sequence[int], side: int) -> None:
        self.types = (type_of_values(VALUES[i] for i in lefts), type_of_values(VALUES[j] for j in rights))
        self.pairs = [(lefts[i % len(lefts)], rights[j % len(rights)]) for i, j in product(range(side), repeat=2)]

    def table(self, left: int, right: int) -> dict[str, pa.Array]:
        values = [[VALUES[pair[side]] for pair in self.pairs] for side in (0, 1)]
        return {f"c{left}": arrow_array(values[0], self.types[0]), f"c{right}": arrow_array(values[1], self.types[1])}

    def expressions(self, left: int, right: int) -> Iterator[tuple[str, PlanExpression]]:
        """`a op b` for each operator that the types of the operands allow."""
        scope = Scope({"a": Read(left, self.types[0]), "b": Read(right, self.types[1])}, FixedPlanning())
        numbers = all(isinstance(of, Mixed) or of == NUMBER for of in self.types)
        for operator in RECORDED["binary"] if numbers else OTHER_THAN_BITS:
            try:
                yield operator, planned_text(f"datum.a {operator} datum.b", scope)
            except Unplannable:
                continue

    def wrong(self, operator: str, found: list[Value]) -> Iterator[str]:
        for (i, j), value in zip(self.pairs, found, strict=True):
            expected = RECORDED["binary"][operator][i][j]
            if not same(value, expected):
                yield f"{VALUES[i]!r} {operator} {VALUES[j]!r}: {encode(value)}, not {expected}"


def computed(spark: SparkSession, table: pa.Table, expressions: Sequence[PlanExpression]) -> list[list[Value]]:
    frame, lowering = prepared(spark.createDataFrame(table), expressions)
    result = frame.select(*(lowering.column(e).alias(f"r{index}") for index, e in enumerate(expressions))).toArrow()
    return [values_of(result.column(f"r{index}"), e.of) for index, e in enumerate(expressions)]


def check(spark: SparkSession, tables: Sequence[Pairs]) -> int:
    """Computes all operators over all tables in one job; answers how many results there were."""
    data: dict[str, pa.Array] = {}
    wanted: list[tuple[Pairs, str, PlanExpression]] = []
    for index, pairs in enumerate(tables):
        data |= pairs.table(2 * index, 2 * index + 1)
        wanted += [(pairs, operator, e) for operator, e in pairs.expressions(2 * index, 2 * index + 1)]
    found = computed(spark, pa.table(data), [e for _, _, e in wanted])
    wrong = [fault for (pairs, operator, _), values in zip(wanted, found, strict=True) for fault in pairs.wrong(operator, values)]
    assert wrong == []
    return sum(map(len, found))


def test_mixed_columns(interpreted: SparkSession) -> None:
    """One side has dates, so that all operators but the two equalities are tried on them."""
    assert check(interpreted, [Pairs(range(24), range(22), 24)]) > 17 * 24 * 24


def test_plain_columns(interpreted: SparkSession) -> None:
    """Every kind of plain column meets every other, with every meaning of a missing value."""
    chosen = [Pairs(left, right, 10) for index, (left, right) in enumerate(product(PLAIN, PLAIN)) if index % 4 == index // 12 % 4]
    assert check(interpreted, chosen) > 36 * 10 * 100


def test_unary_operators(interpreted: SparkSession) -> None:
    of: ColumnType = type_of_values(VALUES)
    scope = Scope({"a": Read(0, of)}, FixedPlanning())
    expressions = [planned_text(f"{operator} datum.a", scope) for operator in RECORDED["unary"]]
    found = computed(interpreted, pa.table({"c0": arrow_array(VALUES, of)}), expressions)
    for operator, values in zip(RECORDED["unary"], found, strict=True):
        for value, operand, expected in zip(values, VALUES, RECORDED["unary"][operator], strict=True):
            assert same(value, expected), (operator, operand, value)
