"""Whole-group kernels: the rows of a group as one list, the meaning itself run on it in Python, its rows unfolded again."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sheliak.engines.spark.arrow_values import arrow_array, values_of
from sheliak.engines.spark.column_schema import spark_type
from sheliak.engines.spark.expressions import Lowering, column_name
from sheliak.engines.spark.lazy_functions import F
from sheliak.engines.spark.places import keyed_place
from sheliak.engines.spark.summaries import POSITION, in_order
from sheliak.expressions.values import Row, Value
from sheliak.plan.column_types import List, Record
from sheliak.plan.operators import PerGroup

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import Column, DataFrame


def run_kernel(frame: DataFrame, plan: PerGroup, lowering: Lowering, hidden: list[str], *, traced: bool = False) -> DataFrame:
    """The kernel's rows for each group, behind each other in the order of the groups' first rows; aligned, those rows themselves.

    `hidden` are the columns beside the fields that an aligned row keeps; `traced` puts the keys into the places of the others.
    """
    members = [lowering.column(value).alias(f"f{index}") for index, value in enumerate(plan.inputs.values())]
    kept = [*dict.fromkeys(column_name(field.column) for field in plan.upstream.schema.fields), *hidden] if plan.aligned else []
    row = F.struct(F.struct(*members).alias("given"), F.struct(*kept, F.lit(0).alias("none")).alias("kept"))
    keys = [lowering.column(key).alias(f"k{index}") for index, key in enumerate(plan.keys)]
    rows = in_order(F.collect_list(F.struct(F.col(POSITION).alias("p"), row.alias("x"))))
    # The one group without keys needs no place, and of no rows it has none.
    place = F.min(POSITION) if keys else F.coalesce(F.min(F.lit(0)), F.lit(0))
    grouped = frame.groupBy(*keys).agg(rows.alias("rows"), place.alias(POSITION))
    if not keys and not plan.always:
        grouped = grouped.filter(F.size("rows") > 0)
    if keys and traced:
        grouped = keyed_place(grouped, [f"k{index}" for index in range(len(keys))])
    made = _kernel(plan)(F.transform(F.col("rows"), lambda one: one["given"]))
    grouped = grouped.select(POSITION, F.transform(F.col("rows"), lambda one: one["kept"]).alias("kept"), made.alias("made"))
    return _aligned(grouped, plan, kept) if plan.aligned else _unfolded(grouped, plan)


def _unfolded(grouped: DataFrame, plan: PerGroup) -> DataFrame:
    results = grouped.select(POSITION, F.posexplode("made").alias("u", "row"))
    place = F.struct(F.col(POSITION).alias("a"), F.col("u").alias("b")).alias(POSITION)
    return results.select(*_fields(plan, F.col("row")), place)


def _aligned(grouped: DataFrame, plan: PerGroup, kept: list[str]) -> DataFrame:
    pairs = grouped.select(F.explode(F.arrays_zip("kept", "made")).alias("pair"))
    return pairs.select(*(F.col("pair")["kept"][name].alias(name) for name in kept), *_fields(plan, F.col("pair")["made"]))


def _fields(plan: PerGroup, row: Column) -> list[Column]:
    return [row[f"f{index}"].alias(column_name(field.column)) for index, field in enumerate(plan.outputs)]


def _kernel(plan: PerGroup) -> Callable[[Column], Column]:
    kernel = plan.kernel
    inputs = List(Record(tuple((name, value.of) for name, value in plan.inputs.items())))
    outputs = List(Record(tuple((field.name, field.of) for field in plan.outputs)))

    def groups(rows: pa.Array) -> pa.Array:
        results: list[Value] = [list(kernel(_rows(group))) for group in values_of(rows, inputs)]
        return arrow_array(results, outputs)

    # pyspark reads the annotations, and knows no names that only a type checker imports.
    import pyarrow

    groups.__annotations__ = {"rows": pyarrow.Array, "return": pyarrow.Array}
    made: Callable[[Column], Column] = F.arrow_udf(groups, spark_type(outputs))  # type: ignore[attr-defined]
    return made


def _rows(group: Value) -> list[Row]:
    assert isinstance(group, list)
    return [row for row in group if isinstance(row, dict)]
