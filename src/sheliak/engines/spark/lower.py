"""From plans to Spark's data frames: one case for each operator. Columns are called c0, c1, …; names stay in the plan's schema.

A frame may carry two hidden columns: `p`, the order of the rows, and `i`, the numbers they were given when taken in. Both are there only
if somebody above asks for them (decision 0002).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, assert_never

from sheliak.engines.spark.arrow_in import frame_of_arrow
from sheliak.engines.spark.expressions import Lowering, column_name, held, prepared
from sheliak.engines.spark.kernels import run_kernel
from sheliak.engines.spark.lazy_functions import F
from sheliak.engines.spark.ordering import ascending_keys
from sheliak.engines.spark.places import counted_place, keyed_place
from sheliak.engines.spark.remembered_lookups import remember_lookups
from sheliak.engines.spark.summaries import ARRIVAL, POSITION, summary_column
from sheliak.engines.spark.tables import Table
from sheliak.engines.spark.windows import FirstRows, first_rows, only_first, window_columns
from sheliak.plan.expressions import PlanExpression, Read, parts_of
from sheliak.plan.operators import (
    Cross,
    Fresh,
    Generate,
    Group,
    Join,
    Keep,
    Output,
    PerGroup,
    Plan,
    Project,
    Sample,
    Scan,
    Schema,
    Sort,
    Source,
    Summary,
    Unfold,
    Union,
    Window,
)
from sheliak.plan.stopping import stops

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession


class Sources(Protocol):
    """Where scans find their rows."""

    def frame(self, source: Source, schema: Schema, *, position: bool) -> DataFrame:
        """The rows with the schema's columns and, if it is asked for, their position."""


@dataclass(slots=True)
class Lower:
    """Lowers plans for one session; a plan that is used twice becomes one frame."""

    session: SparkSession
    sources: Sources
    frames: dict[tuple[int, bool, bool], DataFrame] = field(default_factory=dict)
    kept: list[Plan] = field(default_factory=list)
    """The plans whose frames are remembered: while they live, no other has their identity."""
    traced: bool = False
    """A position tells which row it is, whatever the other rows are: that of a group holds its key (decision 0010)."""

    def __post_init__(self) -> None:
        remember_lookups(self.session)

    def frame(self, plan: Plan, *, position: bool = False, arrival: bool = False) -> DataFrame:
        """The rows of a plan, with their position and their numbers if they are asked for."""
        key = (id(plan), position, arrival)
        if key not in self.frames:
            self.frames[key] = self._frame(plan, position, arrival)
            self.kept.append(plan)
        return self.frames[key]

    def _frame(self, plan: Plan, position: bool, arrival: bool) -> DataFrame:
        match plan:
            case Scan(source, schema):
                frame = self.sources.frame(source, schema, position=position or arrival)
                return self._hidden(frame, schema, position, arrival) if arrival else frame
            case Keep(upstream, test):
                return self._keep(upstream, test, position, arrival)
            case Project(upstream, outputs):
                return self._project(upstream, outputs, position, arrival)
            case Unfold():
                return self._unfold(plan, position, arrival)
            case Group():
                frame = self._group(plan, position or arrival)
                return self._hidden(frame, plan.schema, position, arrival) if arrival or _has_more(plan) else frame
            case Window():
                return self._window(plan, position, arrival)
            case Join():
                return self._join(plan, position, arrival)
            case Cross():
                return self._cross(plan, position, arrival)
            case Union():
                return self._union(plan, position, arrival)
            case Sort():
                return self._sort(plan, position, arrival)
            case Fresh(upstream):
                frame = self.frame(upstream, position=position or arrival)
                return self._hidden(frame, plan.schema, position, arrival) if arrival else frame
            case Sample():
                return self._sample(plan, position, arrival)
            case PerGroup():
                return self._per_group(plan, position, arrival)
            case Generate():
                return self._hidden(self._generate(plan), plan.schema, position, arrival)
            case _:
                assert_never(plan)

    def _hidden(self, frame: DataFrame, schema: Schema, position: bool, arrival: bool) -> DataFrame:
        """A frame whose rows were just taken in, in the order of their position: both hidden columns are that."""
        return frame.select(*_columns(schema), *_hidden_columns(position, arrival, F.col(POSITION)))

    def _keep(self, upstream: Plan, test: PlanExpression, position: bool, arrival: bool) -> DataFrame:
        first = first_rows(upstream, test)
        if first is not None:
            return self._first(first, position, arrival)
        # Rows are put in order behind a filter: Spark pushes no filter below the numbers it gives, and they rise just the same.
        late = position and not arrival and is_numbered_late(upstream)
        frame = self.frame(upstream, position=position and not late, arrival=arrival)
        ready, lowering = prepared(frame, [test])
        kept = ready.filter(lowering.condition(test))
        if late:
            return kept.select(*_columns(upstream.schema), F.monotonically_increasing_id().alias(POSITION))
        return kept if ready is frame else kept.select(*_columns(upstream.schema), *_names(position, arrival))

    def _first(self, plan: FirstRows, position: bool, arrival: bool, *, numbered: bool = True) -> DataFrame:
        """The first rows in the order of a window, and their numbers if they are asked for."""
        window = plan.window
        frame, tie = self._with_ties(window, position, arrival)
        frame, number = only_first(frame, plan, tie)
        wanted = [*_columns(window.upstream.schema), *_names(position, arrival)]
        if numbered:
            return frame.select(*wanted, number())
        has_more = tie not in wanted or not all(isinstance(key.value, Read) for key in window.sort)
        return frame.select(*wanted) if has_more else frame

    def _with_ties(self, window: Window, position: bool, arrival: bool) -> tuple[DataFrame, str]:
        """The rows that a window looks at, and the column by which those that tie are in order."""
        if window.by_order or (not arrival and is_just_taken_in(window.upstream)):
            return self.frame(window.upstream, position=True, arrival=arrival), POSITION
        return self.frame(window.upstream, position=position, arrival=True), ARRIVAL

    def _project(self, upstream: Plan, outputs: tuple[Output, ...], position: bool, arrival: bool) -> DataFrame:
        made = {output.column: output.value for output in outputs}
        first = first_rows(upstream.upstream, upstream.test) if isinstance(upstream, Keep) else None
        if first is not None and first.number not in _columns_read(made.values()):
            frame = self._first(first, position, arrival, numbered=False)
            columns = _columns(first.window.upstream.schema)
        else:
            frame = self.frame(upstream, position=position, arrival=arrival)
            columns = _columns(upstream.schema)
        if columns == [column_name(column) for column in made] and all(map(_is_same, made, made.values())):
            return frame
        frame, lowering = prepared(frame, made.values())
        return frame.select(*_made(made.items(), lowering), *_names(position, arrival))

    def _unfold(self, plan: Unfold, position: bool, arrival: bool) -> DataFrame:
        frame, lowering = prepared(self.frame(plan.upstream, position=position or arrival), [plan.items])
        spread = frame.select("*", F.posexplode(lowering.column(plan.items)).alias("u", column_name(plan.element.column)))
        index = [] if plan.index is None else [F.col("u").cast("double").alias(column_name(plan.index.column))]
        place = F.struct(F.col(POSITION).alias("a"), F.col("u").alias("b")) if position or arrival else F.lit(None)
        kept = [column for column in _columns(plan.schema) if plan.index is None or column != column_name(plan.index.column)]
        return spread.select(*kept, *index, *_hidden_columns(position, arrival, place))

    def _group(self, plan: Group, position: bool) -> DataFrame:
        ordered = position or any(made.summary.needs_order for made in plan.summaries)
        parts = [key.value for key in plan.keys] + [part for made in plan.summaries for part in made.summary.operands]
        frame, lowering = prepared(self.frame(plan.upstream, position=ordered), parts)
        keys = [lowering.column(key.value).alias(column_name(key.column)) for key in plan.keys]
        made = [summary_column(made.summary, lowering).alias(column_name(made.column)) for made in plan.summaries]
        # The one group of a plan without keys needs no place, and of no rows it has none.
        first = [(F.min(POSITION) if keys else F.min(F.lit(0))).alias(POSITION)] if position else []
        count = [F.count(F.lit(1)).alias("n")] if not keys and not plan.always else []
        grouped = frame.groupBy(*keys).agg(*(made + first + count or [F.count(F.lit(1)).alias("none")]))
        if position and keys and self.traced:
            grouped = keyed_place(grouped, [column_name(key.column) for key in plan.keys])
        return grouped.filter(F.col("n") > 0) if count else grouped

    def _window(self, plan: Window, position: bool, arrival: bool) -> DataFrame:
        in_order = any(isinstance(made.around, Summary) and made.around.needs_order for made in plan.surveyed)
        ordered = position or plan.by_order or in_order
        frame = self.frame(plan.upstream, position=ordered, arrival=arrival or not plan.by_order)
        frame, made = window_columns(frame, plan, POSITION if plan.by_order else ARRIVAL)
        kept = _columns(plan.upstream.schema)
        return frame.select(*kept, *made, *_names(position, arrival))

    def _join(self, plan: Join, position: bool, arrival: bool) -> DataFrame:
        left, lowering = prepared(self.frame(plan.upstream, position=position, arrival=arrival), [mine for mine, _ in plan.keys])
        names = [f"k{index}" for index in range(len(plan.keys))]
        left = left.select("*", *(lowering.column(mine).alias(name) for (mine, _), name in zip(plan.keys, names, strict=True)))
        right = self._last_by_key(plan, [f"o{index}" for index in range(len(plan.keys))])
        condition = F.lit(True)
        for index in range(len(plan.keys)):
            condition = condition & F.col(f"k{index}").eqNullSafe(F.col(f"o{index}"))
        joined = left.join(right, condition, "left")
        found = F.col("r").isNotNull().alias(column_name(plan.found.column))
        copied = [F.col("r")[f"f{index}"].alias(column_name(made.column)) for index, (_, made) in enumerate(plan.copied)]
        return joined.select(*_columns(plan.upstream.schema), found, *copied, *_names(position, arrival))

    def _last_by_key(self, plan: Join, names: list[str]) -> DataFrame:
        values = [theirs for _, theirs in plan.keys] + [value for value, _ in plan.copied]
        frame, lowering = prepared(self.frame(plan.other, position=True), values)
        keys = [lowering.column(theirs).alias(name) for (_, theirs), name in zip(plan.keys, names, strict=True)]
        copied = [lowering.column(value).alias(f"f{index}") for index, (value, _) in enumerate(plan.copied)]
        row = F.struct(F.lit(True).alias("found"), *copied)
        return frame.groupBy(*keys).agg(F.max_by(row, F.col(POSITION)).alias("r"))

    def _cross(self, plan: Cross, position: bool, arrival: bool) -> DataFrame:
        ordered = position or arrival
        frame = self.frame(plan.upstream, position=ordered)
        members = [F.col(name).alias(f"f{index}") for index, name in enumerate(_columns(plan.upstream.schema))]
        sides = []
        for made, name in ((plan.left, "pl"), (plan.right, "pr")):
            place = [F.col(POSITION).alias(name)] if ordered else []
            sides.append(frame.select(F.struct(*members).alias(column_name(made.column)), *place))
        pair = F.struct("pl", "pr") if ordered else F.lit(None)
        return sides[0].crossJoin(sides[1]).select(*_columns(plan.schema), *_hidden_columns(position, arrival, pair))

    def _union(self, plan: Union, position: bool, arrival: bool) -> DataFrame:
        parts = []
        for upstream, values in plan.parts:
            frame, lowering = prepared(self.frame(upstream, position=position, arrival=arrival), values)
            columns = [field.column for field in plan.schema.fields]
            parts.append(frame.select(*_made(zip(columns, values, strict=True), lowering), *_names(position, arrival)))
        if position:
            parts = _in_turn(parts, POSITION, range(len(parts)), traced=self.traced)
        if arrival:
            parts = _in_turn(parts, ARRIVAL, plan.turns or range(len(parts)), traced=self.traced)
        result = parts[0]
        for part in parts[1:]:
            result = result.union(part)
        return result

    def _sort(self, plan: Sort, position: bool, arrival: bool) -> DataFrame:
        frame = self.frame(plan.upstream, arrival=position or arrival)
        if not position:
            return frame.select(*_columns(plan.schema), *_names(False, arrival))
        frame, lowering = prepared(frame, [key.value for key in plan.keys])
        keys: list[Column] = []
        for key in plan.keys:
            keys += ascending_keys(lowering.column(key.value), key.value.of, descending=key.descending)
        place = F.struct(*(key.alias(f"k{index}") for index, key in enumerate(keys)), F.col(ARRIVAL).alias("i"))
        return frame.select(*_columns(plan.schema), place.alias(POSITION), *_names(False, arrival))

    def _sample(self, plan: Sample, position: bool, arrival: bool) -> DataFrame:
        import pyarrow as pa
        from pyspark.sql import Window as SparkWindow

        numbers = pa.table({"n": pa.array(plan.numbers, pa.int64()), "s": pa.array(range(len(plan.numbers)), pa.int64())})
        frame = self.frame(plan.upstream, position=True, arrival=arrival)
        counted = frame.select("*", F.row_number().over(SparkWindow.orderBy(POSITION)).alias("rn"))
        chosen = counted.join(F.broadcast(frame_of_arrow(self.session, numbers)), F.col("rn") == F.col("n") + 1)
        found = F.struct(F.col("s").alias("k0"), F.col(POSITION).alias("i")) if self.traced else F.col("s")
        place = [found.alias(POSITION)] if position else []
        return chosen.select(*_columns(plan.schema), *place, *_names(False, arrival))

    def _per_group(self, plan: PerGroup, position: bool, arrival: bool) -> DataFrame:
        frame = self.frame(plan.upstream, position=True, arrival=plan.aligned and arrival)
        frame, lowering = prepared(frame, [*plan.keys, *plan.inputs.values()])
        if not plan.aligned:
            made = run_kernel(frame, plan, lowering, [], traced=self.traced)
            return self._hidden(made, plan.schema, position, arrival)
        return run_kernel(frame, plan, lowering, _names(position, arrival))

    def _generate(self, plan: Generate) -> DataFrame:
        number = F.col("id").cast("double") * plan.step + F.lit(plan.start).cast("double")
        return self.session.range(plan.count).select(number.alias(column_name(plan.number.column)), F.col("id").alias(POSITION))


def _has_more(group: Group) -> bool:
    """The frame of a group needs a column that the group does not have."""
    return not group.keys and (not group.always or not group.summaries)


def is_numbered_late(plan: Plan) -> bool:
    """The rows of a table in the order in which Spark reads it, or some of them: any number that counts on will do."""
    match plan:
        case Keep(upstream):
            return is_numbered_late(upstream)
        case Scan(source):
            return isinstance(source.place, Table) and source.place.position is None
        case _:
            return False


def is_just_taken_in(plan: Plan) -> bool:
    """The rows have the numbers of their order: they were taken in like this, and at most some have been left out since."""
    while isinstance(plan, Project | Keep):
        plan = plan.upstream
    return isinstance(plan, Scan | Group | Fresh | Generate)


def _columns(schema: Schema) -> list[str]:
    """The names of a schema's columns, each once."""
    return list(dict.fromkeys(column_name(field.column) for field in schema.fields))


def _names(position: bool, arrival: bool) -> list[str]:
    return [*([POSITION] if position else []), *([ARRIVAL] if arrival else [])]


def _hidden_columns(position: bool, arrival: bool, place: Column) -> list[Column]:
    return [place.alias(name) for name in _names(position, arrival)]


def _is_same(column: int, value: PlanExpression) -> bool:
    return isinstance(value, Read) and value.column == column


def _columns_read(values: Iterable[PlanExpression]) -> set[int]:
    return {part.column for value in values for part in parts_of(value) if isinstance(part, Read)}


def _made(values: Iterable[tuple[int, PlanExpression]], lowering: Lowering) -> list[Column | str]:
    """Columns by their numbers; one that stays as it is by its name, for every call that makes a column is a question to Java."""
    return [
        column_name(column) if _is_same(column, value) else _computed(value, lowering).alias(column_name(column))
        for column, value in values
    ]


def _computed(value: PlanExpression, lowering: Lowering) -> Column:
    made = lowering.column(value)
    return held(made) if stops(value) else made


def _in_turn(parts: list[DataFrame], name: str, turns: Sequence[int], *, traced: bool) -> list[DataFrame]:
    """Places that put the rows of each part behind those of earlier turns; of different types they are counted first."""
    if len({part.schema[name].dataType.simpleString() for part in parts}) > 1:
        parts = [part.withColumn(name, counted_place(part, name, traced=traced)) for part in parts]
    return [
        part.withColumn(name, F.struct(F.lit(turn).alias("a"), F.col(name).alias("b")))
        for turn, part in zip(turns, parts, strict=True)
    ]
