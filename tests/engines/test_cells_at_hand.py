"""What is computed on Arrow's columns where cells are at hand is what Spark computes."""

from itertools import product
from math import inf, nan

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

from sheliak.engines.spark.arrow_operations import OPERATIONS, Computing, is_known
from sheliak.engines.spark.cells_at_hand import cells_below, computed, numbered
from sheliak.engines.spark.expressions import Lowering, column_name
from sheliak.engines.spark.lower import Lower
from sheliak.engines.spark.results import rows_of_table
from sheliak.engines.spark.summaries import POSITION
from sheliak.expressions.values import Row, encode
from sheliak.plan.column_types import BOOLEAN, NULL, UNDEFINED, Mixed, Nothing, Plain
from sheliak.plan.expressions import Apply, Choose, Option, PlanExpression, Read, constant
from sheliak.plan.known_texts import Texts
from sheliak.plan.operators import (
    WHOLE,
    Around,
    Field,
    Frame,
    Group,
    Keep,
    Output,
    Plan,
    Project,
    Scan,
    Schema,
    Sort,
    SortKey,
    Source,
    Summarized,
    Summary,
    SummaryFunction,
    Surveyed,
    Window,
)
from sheliak.plan.rewrite.whole_keys import CODES

NUMBERS = (None, nan, -inf, -2.5, -0.0, 0.0, 1.5, inf)
PAIRS = list(product(NUMBERS, NUMBERS))
TRUTHS = (None, True, False)
TEXTS = (None, "", "a", "b")
TEXT_CODES = Texts(("", "a", "b"), (-7444071767201028348, -8582455328737087284, -6391946315847899181), 42)
"""As Spark hashes them."""
CODED = (None, *CODES.values(), -3, 0, 7)


def repeated(values: tuple[object, ...], shift: int) -> list[object]:
    """Values in turn, and each beside each of another column whose turn is longer."""
    return [values[(index + index // len(values) * shift) % len(values)] for index in range(len(PAIRS))]


TABLE = pa.table(
    {
        "c0": pa.array([one for one, _ in PAIRS], pa.float64()),
        "c1": pa.array([other for _, other in PAIRS], pa.float64()),
        "c2": pa.array(repeated(TRUTHS, 0), pa.bool_()),
        "c3": pa.array(repeated(TRUTHS, 1), pa.bool_()),
        "c4": pa.array(repeated(TEXTS, 0), pa.string()),
        "c5": pa.array(repeated(TEXTS, 1), pa.string()),
        "c6": pa.array(repeated(CODED, 0), pa.int64()),
        POSITION: pa.array(range(len(PAIRS)), pa.int64()),
    }
)
NUMBER, TRUTH, TEXT = Plain("number", UNDEFINED), Plain("boolean", NULL), Plain("text", NULL)
X, Y, A, B, S, T, CODE = (Read(index, of) for index, of in enumerate((NUMBER, NUMBER, TRUTH, TRUTH, TEXT, TEXT, NUMBER)))
MS = Choose(Apply("number.is_finite", (X,), BOOLEAN), Apply("number.multiply", (X, constant(1e9)), NUMBER), constant(nan), NUMBER)
"""Dates, and what is none."""
OPERANDS: dict[str, tuple[tuple[PlanExpression, ...], tuple[Option | Texts, ...]]] = {
    **{f"number.{name}": ((X, Y), ()) for name in ("add", "subtract", "multiply", "divide", "less", "less_or_equal", "equal")},
    **{
        f"number.{name}": ((X,), ()) for name in ("negate", "abs", "is_nan", "is_finite", "valid", "finite_part", "truth", "date")
    },
    "number.bin_end": ((X,), (1.0, 0.1)),
    "date.number": ((X,), ()),
    "boolean.number": ((A,), ()),
    "boolean.equal": ((A, B), ()),
    "text.equal": ((S, T), ()),
    "text.truth": ((S,), ()),
    "text.among": ((S,), ("a", "")),
    "whole.value": ((CODE,), (0.3, 0.1)),
    "whole.part": ((MS,), ("calendar.hours",)),
    "text.code": ((S,), (TEXT_CODES,)),
    "text.of_code": ((Apply("text.code", (S,), TEXT, (TEXT_CODES,)),), (TEXT_CODES,)),
    "missing": ((S,), ()),
    "known": ((X,), ()),
    "fill": ((X, constant(4.0)), ()),
    "not": ((A,), ()),
    "and": ((A, B), ()),
    "or": ((A, B), ()),
}
KINDS = {
    "less": TRUTH,
    "less_or_equal": TRUTH,
    "equal": TRUTH,
    "is_nan": TRUTH,
    "is_finite": TRUTH,
    "truth": TRUTH,
    "among": TRUTH,
}


def applied(operation: str) -> Apply:
    operands, options = OPERANDS[operation]
    logical = operation in ("missing", "not", "and", "or")
    return Apply(operation, operands, TRUTH if logical else KINDS.get(operation.split(".")[-1], NUMBER), options)


def written(values: list[object]) -> list[object]:
    return [encode(value) for value in values]  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def on_spark(spark: SparkSession) -> pa.Table:
    frame = spark.createDataFrame(TABLE)
    columns = [Lowering().column(applied(operation)).alias(operation) for operation in OPERATIONS]
    chosen = Lowering().column(CHOICE).alias("choice")
    return frame.select(POSITION, chosen, *columns).orderBy(POSITION).toArrow()


@pytest.mark.parametrize("operation", ["day", "hours", "minutes", "seconds"])
def test_parts_of_dates_are_the_same(spark: SparkSession, operation: str) -> None:
    part = Apply("whole.part", (X,), NUMBER, (f"calendar.{operation}",))
    dates = [None, nan, 0.0, -1.0, 86_399_999.0, 86_400_000.0, -62_167_219_200_000.0, 1.7e12, 8.64e15, -8.64e15]
    table = pa.table({"c0": pa.array(dates, pa.float64())})
    on_spark = spark.createDataFrame(table).select(Lowering().column(part).alias("part")).toArrow()
    assert Computing({0: table.column("c0")})(part).to_pylist() == on_spark.column("part").to_pylist()


CHOICE = Choose(Apply("number.less", (X, Y), BOOLEAN), X, constant(None), NUMBER)


def on_arrow(expression: PlanExpression) -> list[object]:
    computing = Computing({index: TABLE.column(column_name(index)) for index in range(7)})
    return list(computing(expression).to_pylist())


@pytest.mark.parametrize("operation", OPERATIONS)
def test_an_operation_is_the_same(on_spark: pa.Table, operation: str) -> None:
    assert written(on_arrow(applied(operation))) == written(on_spark.column(operation).to_pylist())


def test_a_choice_is_the_same_also_where_one_side_is_missing_always(on_spark: pa.Table) -> None:
    assert written(on_arrow(CHOICE)) == written(on_spark.column("choice").to_pylist())


def test_what_arrow_has_no_operation_or_column_for_is_not_known() -> None:
    assert is_known(CHOICE)
    assert not is_known(Apply("number.sin", (X,), NUMBER))
    assert not is_known(Read(0, Mixed()))


def test_an_operation_on_what_is_always_missing_is_not_known() -> None:
    """It would have to be told for what a column of nothing is taken: a number, a text or a truth value."""
    nothing = Read(0, Nothing(UNDEFINED))
    assert not is_known(Apply("number.bin_end", (nothing,), NUMBER, (0.0, 5.0)))
    assert not is_known(Apply("not", (nothing,), BOOLEAN))
    assert is_known(nothing)
    assert is_known(Apply("missing", (nothing,), BOOLEAN))


# Plans


class Given:
    """The table as a source."""

    def __init__(self, session: SparkSession) -> None:
        self.given = session.createDataFrame(TABLE)

    def frame(self, source: Source, schema: Schema, *, position: bool) -> object:
        return self.given


SCAN = Scan(
    Source("cells", place="here"),
    Schema(tuple(Field(f"f{read.column}", read.column, read.of) for read in (X, Y, A, B, S, T, CODE))),
)


def summed(column: int, function: SummaryFunction, operand: PlanExpression) -> Summarized:
    return Summarized(column, Summary(function, (operand,), operand.of))


FINITE = Apply("number.finite_part", (X,), NUMBER)
SUMMARIES = (
    summed(20, "sum", FINITE),
    summed(21, "product", FINITE),
    summed(22, "min", Apply("number.valid", (X,), NUMBER)),
    summed(23, "max", Apply("number.valid", (X,), NUMBER)),
    summed(24, "first", S),
    summed(25, "first_present", S),
    summed(26, "max", A),
)
NEVER = Apply("number.less", (X, X), BOOLEAN)


def shown(group: Group) -> Plan:
    """All that the groups hold, in fields."""
    return Project(group, tuple(Output(f"g{field.column}", field.column, field.read()) for field in group.schema.fields))


@pytest.mark.parametrize(
    "keys",
    [
        (Output("", 10, S), Output("", 11, A)),
        (Output("", 10, CODE),),
        (Output("", 10, X),),
        (Output("", 10, Apply("number.subtract", (X, Y), NUMBER)),),
        (Output("", 10, Apply("whole.value", (CODE,), NUMBER, (0.5, 0.0))), Output("", 11, constant("same"))),
        (),
    ],
    ids=["text and truth", "codes", "numbers", "differences", "what codes stand for", "no key"],
)
@pytest.mark.parametrize("test", [Apply("number.less", (X, Y), BOOLEAN), NEVER], ids=["some", "none"])
def test_groups_are_the_same_in_the_same_order(spark: SparkSession, keys: tuple[Output, ...], test: PlanExpression) -> None:
    plan = shown(Group(Keep(SCAN, test), keys, SUMMARIES))
    assert cells_below(plan) is SCAN
    meant = rows_of_table(Lower(spark, Given(spark)).frame(plan, position=True).toArrow(), plan)  # type: ignore[arg-type]
    assert told(rows_of_table(computed(plan, TABLE), plan)) == told(meant)
    assert bool(meant) == (test is not NEVER)


def told(rows: list[Row]) -> list[object]:
    """Rows by what they write; the zeros, which sums do not tell apart, are one."""
    return [
        encode({name: 0.0 if value == 0 and not isinstance(value, bool) else value for name, value in row.items()})
        for row in rows
    ]


def test_cells_are_numbered_in_the_order_of_their_places() -> None:
    places = [{"a": 1, "b": 2}, {"a": 0, "b": 5}, {"a": 1, "b": 0}]
    assert numbered(pa.table({"c0": [1, 2, 3], POSITION: places})).to_pydict() == {"c0": [2, 3, 1], POSITION: [0, 1, 2]}


def surveyed(column: int, around: Summary | Around, frame: Frame = WHOLE) -> Surveyed:
    return Surveyed(column, around, frame)


SUMS = [
    surveyed(40 + index, Summary("sum", (FINITE,), NUMBER), frame)
    for index, frame in enumerate((WHOLE, Frame(None, 0, peers=False), Frame(None, -1, peers=False)))
]
RANKS = [
    surveyed(50 + index, Around(name, (), NUMBER)) for index, name in enumerate(("row_number", "rank", "dense_rank", "size"))
]


@pytest.mark.parametrize("partition", [(), (S,), (X, A)], ids=["all", "by text", "by numbers and truth"])
@pytest.mark.parametrize(
    "sort",
    [(), (SortKey(X),), (SortKey(X, descending=True), SortKey(S)), (SortKey(T, descending=True),), (SortKey(A),)],
    ids=["as they are", "up", "down and up", "text down", "truth"],
)
def test_windows_are_the_same(spark: SparkSession, partition: tuple[PlanExpression, ...], sort: tuple[SortKey, ...]) -> None:
    plan = Window(SCAN, partition, sort, (*SUMS, *RANKS), by_order=not sort)
    outputs = tuple(Output(f"f{field.column}", field.column, field.read()) for field in plan.schema.fields)
    first = Keep(Project(plan, outputs), Apply("number.less", (Read(50, NUMBER), constant(9.0)), BOOLEAN))
    assert cells_below(first) is SCAN
    meant = rows_of_table(Lower(spark, Given(spark)).frame(first, position=True).toArrow(), first)  # type: ignore[arg-type]
    assert told(rows_of_table(computed(first, TABLE), first)) == told(meant)


def test_groups_of_groups_are_computed_as_well(spark: SparkSession) -> None:
    below = Group(SCAN, (Output("", 10, S), Output("", 11, A)), (summed(20, "sum", FINITE),))
    plan = shown(Group(below, (Output("", 12, Read(10, TEXT)),), (summed(30, "max", Read(20, NUMBER)),)))
    meant = rows_of_table(Lower(spark, Given(spark)).frame(plan, position=True).toArrow(), plan)  # type: ignore[arg-type]
    assert told(rows_of_table(computed(plan, TABLE), plan)) == told(meant)


@pytest.mark.parametrize(
    "plan",
    [
        Sort(SCAN, (SortKey(X),)),
        Keep(SCAN, Apply("number.less", (Apply("number.sin", (X,), NUMBER), Y), BOOLEAN)),
        Group(SCAN, (Output("", 10, S),), (summed(20, "list", X),)),
        Group(SCAN, (), (summed(20, "sum", X),), always=True),
        Group(SCAN, (Output("", 10, Apply("number.mixed", (X,), Mixed(), ("undefined",))),), ()),
        Window(SCAN, (), (), (surveyed(40, Summary("sum", (X,), NUMBER), Frame(None, 0, peers=True)),), by_order=True),
        Window(SCAN, (), (), (surveyed(40, Around("previous", (X,), NUMBER, (1,))),), by_order=True),
        Window(Window(SCAN, (), (), ()), (), (SortKey(X),), tuple(RANKS)),
    ],
    ids=["order", "operation", "summary", "always a row", "mixed key", "frame", "function of a window", "another order"],
)
def test_what_is_not_simple_stays_with_spark(plan: Plan) -> None:
    assert cells_below(plan) is None
