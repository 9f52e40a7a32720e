"""The rows of several plans, out of Spark in as few passes and jobs as possible.

Plans are rewritten first. What the ends of files state is not asked of Spark. Groupings over one source are put together into cells, which
Spark computes once; the cells, what is not computed from them, and all other plans are one job.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

from sheliak.engines.spark.cells_at_hand import cells_below, computed, group_below, numbered
from sheliak.engines.spark.expressions import column_name
from sheliak.engines.spark.lazy_functions import F
from sheliak.engines.spark.lower import Lower
from sheliak.engines.spark.results import rows_of_table
from sheliak.engines.spark.stated import stated_rows
from sheliak.engines.spark.summaries import POSITION
from sheliak.engines.spark.tables import SAMPLE, Table, is_telling
from sheliak.engines.spark.windows import first_rows
from sheliak.expressions.values import Row
from sheliak.plan.column_types import Plain
from sheliak.plan.expressions import Read
from sheliak.plan.known_texts import KnownTexts, unknown
from sheliak.plan.operators import Group, Keep, Plan, Project, Scan, Schema, Window
from sheliak.plan.rewrite import rewritten
from sheliak.plan.rewrite.groupings import Grouping, groupings_of
from sheliak.plan.rewrite.pruned_columns import in_reading_order
from sheliak.plan.rewrite.rebuilding import Rebuilding
from sheliak.plan.rewrite.shared_cells import Cells, cells_of, scan_of_cells, shared_cells

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import Column, DataFrame
    from pyspark.sql.types import DataType

_TOGETHER = 12
"""More frames than this are not one job: Spark would plan longer than it saves."""
_ROW_OF_PARTITION = (1 << 33) - 1
"""The part of Spark's increasing numbers that counts the rows of a partition."""
MOST_AT_HAND = 100_000
"""More cells than this stay with Spark."""
FEW_ROWS = 200_000
"""A source with fewer rows is read again as soon as Spark has put its cells aside."""
FEWEST_ROWS = 20_000
"""Of fewer rows than this there are few cells, whatever their keys."""


def fetch(plans: Mapping[str, Plan], lower: Lower, *, limit: int | None = None) -> dict[str, list[Row]]:
    """The rows of every plan, in their order; with a limit at most one row more than it of each, so that more can be seen.

    A plan that stands under several names is run once.
    """
    asked = {id(plan): plan for plan in plans.values()}
    found = {key: rows for key, plan in asked.items() if (rows := stated_rows(plan)) is not None}
    left = [plan for key, plan in asked.items() if key not in found]
    if left:
        done = rewritten(left, texts=unknown if lower.traced else known_texts(left))
        tables = Fetching(lower, None if limit is None else limit + 1).tables(done)
        found |= {id(plan): rows_of_table(table, made) for plan, made, table in zip(left, done, tables, strict=True)}
    return {name: found[id(plan)] for name, plan in plans.items()}


def known_texts(plans: Sequence[Plan]) -> KnownTexts:
    """The texts of columns of which every one is known, where there are so many rows that it pays to ask."""
    tables = {
        field.column: plan.source.place
        for plan in in_reading_order(plans)
        if isinstance(plan, Scan) and isinstance(plan.source.place, Table) and not _has_fewer(plan, FEW_ROWS)
        for field in plan.schema.fields
    }
    return lambda column: tables[column].texts(column) if column in tables else None


@dataclass(slots=True, eq=False)
class Shared:
    """Cells of a source: Spark computes them once, and keeps them if plans of its own read them."""

    group: Group
    lower: Lower
    kept: DataFrame | None = None

    def frame(self, schema: Schema, *, position: bool) -> DataFrame:
        if self.kept is None:
            self.kept = self.lower.frame(self.group, position=True).persist()
        names = dict.fromkeys(column_name(field.column) for field in schema.fields)
        # There are few: in one partition their groups need no exchange.
        return self.kept.coalesce(1).select(*names, *([POSITION] if position else []))

    def all_cells(self) -> DataFrame:
        """The cells as they leave Spark, not many more than may."""
        whole = self.lower.frame(self.group, position=True) if self.kept is None else self.kept
        return limited(whole, self.group, MOST_AT_HAND + 1)

    def release(self) -> None:
        if self.kept is not None:
            self.kept.unpersist()


@dataclass(slots=True)
class Fetching:
    """One request for the rows of several plans."""

    lower: Lower
    most: int | None

    def tables(self, plans: Sequence[Plan]) -> list[pa.Table]:
        """The rows of each plan with their positions."""
        shared: list[Shared] = []
        try:
            return self._answered(self._regrouped(plans, shared) if len(plans) > 1 else plans)
        finally:
            for cells in shared:
                cells.release()

    def _regrouped(self, plans: Sequence[Plan], shared: list[Shared]) -> list[Plan]:
        """The plans over cells."""
        over: dict[int, Plan] = {}
        for cells in self._cells(plans):
            if _has_fewer(cells.scan, FEW_ROWS):
                plans = self._at_hand(plans, cells, shared)
            else:
                over |= self._over(cells, shared)
        return list(map(Replacing(over), plans))

    def _at_hand(self, plans: Sequence[Plan], cells: Cells, shared: list[Shared]) -> list[Plan]:
        """The plans over the cells of few rows that are computed here; any other reads the rows themselves as soon as cells."""
        replacing, mine = Replacing(self._over(cells, shared)), shared[-1]
        made = list(map(replacing, plans))
        here = [scan is not None and scan.source.place is mine for scan in map(cells_below, made)]
        if sum(here) < 2 or self.lower.traced:
            shared.remove(mine)
            return list(plans)
        return [new if is_here else old for old, new, is_here in zip(plans, made, here, strict=True)]

    def _over(self, cells: Cells, shared: list[Shared]) -> dict[int, Plan]:
        """What stands in the place of each group that is made from the cells."""
        shared.append(Shared(cells.plan(), self.lower))
        scan = scan_of_cells(shared[-1].group, shared[-1])
        return {id(grouping.group): cells.regrouped(grouping, scan) for grouping in cells.groupings}

    def _answered(self, plans: Sequence[Plan]) -> list[pa.Table]:
        """What can be computed from cells is computed here; everything else, and the cells, are one job."""
        here = self._from_cells(plans)
        left = [plan for plan in plans if id(plan) not in here]
        frames = [self._frame(plan) for plan in left]
        cells = list(dict.fromkeys(here.values()))
        tables = self._collected([*frames, *(one.all_cells() for one in cells)])
        found = {id(plan): table for plan, table in zip(left, tables[: len(left)], strict=True)}
        for one, table in zip(cells, tables[len(left) :], strict=True):
            mine = [plan for plan in plans if here.get(id(plan)) is one]
            found |= dict(zip(map(id, mine), self._of_cells(mine, table), strict=True))
        return [found[id(plan)] if self.most is None else found[id(plan)].slice(0, self.most) for plan in plans]

    def _of_cells(self, plans: Sequence[Plan], cells: pa.Table) -> list[pa.Table]:
        """The rows of plans over cells that are at hand; should there be many, as Spark computes them."""
        if cells.num_rows > MOST_AT_HAND:
            return self._collected([self._frame(plan) for plan in plans])
        at_hand = numbered(cells)
        return [computed(plan, at_hand) for plan in plans]

    def _from_cells(self, plans: Sequence[Plan]) -> dict[int, Shared]:
        """The plans that are computed from cells at hand, and which: one alone is as well computed where they are."""
        if self.lower.traced:
            return {}
        below = {id(plan): scan.source.place for plan in plans if (scan := cells_below(plan)) is not None}
        times = Counter(map(id, below.values()))
        return {plan: place for plan, place in below.items() if isinstance(place, Shared) and times[id(place)] > 1}

    def _cells(self, plans: Sequence[Plan]) -> list[Cells]:
        numbers = count(1 + max(field.column for plan in in_reading_order(plans) for field in plan.schema.fields))
        groupings = {id(grouping.group): grouping for grouping in groupings_of(plans)}
        here = {group_below(plan, groupings) for plan in plans}
        by_scan: dict[int, list[Grouping]] = {}
        for group, grouping in groupings.items():
            if group in here or not _has_fewer(grouping.scan, FEW_ROWS):
                by_scan.setdefault(id(grouping.scan), []).append(grouping)
        several = [groupings for groupings in by_scan.values() if len(groupings) > 1]
        return [cells for groupings in several for cells in self._put_together(groupings, lambda: next(numbers))]

    def _put_together(self, groupings: Sequence[Grouping], column: Callable[[], int]) -> list[Cells]:
        if _has_fewer(groupings[0].scan, FEWEST_ROWS):
            return [cells_of(groupings, column)]
        texts = unknown if self.lower.traced else known_texts([groupings[0].scan])
        return shared_cells(groupings, self._sizes(groupings), column, texts)

    def _sizes(self, groupings: Sequence[Grouping]) -> Mapping[int, int]:
        """About how many texts the columns hold that are bases; a sample that keeps finding new ones says nothing."""
        bases = [base for grouping in groupings for base in grouping.bases()]
        columns = sorted({base.column for base in bases if isinstance(base, Read) and isinstance(base.of, Plain)})
        if len({frozenset(map(id, grouping.bases())) for grouping in groupings}) < 2 or not columns:
            return {}
        scan = groupings[0].scan
        place = scan.source.place
        if isinstance(place, Table) and place.distinct is not None:
            return place.distinct(columns)
        sample = self.lower.sources.frame(scan.source, _only(scan, columns), position=False).limit(SAMPLE)
        found = sample.agg(*(F.approx_count_distinct(column_name(column)).alias(f"d{column}") for column in columns)).toArrow()
        counted = {column: int(found.column(f"d{column}")[0].as_py()) for column in columns}
        return {column: size + 1 for column, size in counted.items() if is_telling(size)}

    def _frame(self, plan: Plan) -> DataFrame:
        frame = self.lower.frame(plan, position=True)
        return frame if self.most is None else limited(frame, plan, self.most)

    def _collected(self, frames: Sequence[DataFrame]) -> list[pa.Table]:
        tables: list[pa.Table] = []
        for start in range(0, len(frames), _TOGETHER):
            some = frames[start : start + _TOGETHER]
            tables += [some[0].toArrow()] if len(some) == 1 else collected_together(some)
        return tables


def limited(frame: DataFrame, plan: Plan, most: int) -> DataFrame:
    """No more rows than this; of groups, which lie in few partitions, no more of each, for which no rows have to be brought together."""
    while isinstance(plan, Project | Keep | Window):
        if isinstance(plan, Keep) and (first := first_rows(plan.upstream, plan.test)) is not None and first.most <= most:
            return frame
        plan = plan.upstream
    if not isinstance(plan, Group):
        return frame.limit(most)
    return frame.filter(F.monotonically_increasing_id().bitwiseAND(F.lit(_ROW_OF_PARTITION)) < most)


class Replacing(Rebuilding):
    """Plans with others in the place of some."""

    def __init__(self, over: Mapping[int, Plan]) -> None:
        super().__init__(lambda plan: plan)
        self.over = over

    def __call__(self, plan: Plan) -> Plan:
        found = self.over.get(id(plan))
        return super().__call__(plan) if found is None else found


def _has_fewer(scan: Scan, rows: int) -> bool:
    return scan.source.count is not None and scan.source.count < rows


def _only(scan: Scan, columns: Sequence[int]) -> Schema:
    return Schema(tuple(field for field in scan.schema.fields if field.column in columns))


def collected_together(frames: Sequence[DataFrame]) -> list[pa.Table]:
    """The rows of several frames in one job: one below another, columns of one type in one column."""
    import pyarrow.compute as pc

    columns = [_slots(frame) for frame in frames]
    types = {slot: of for mine in columns for slot, (_, of) in mine.items()}
    empty = {slot: F.lit(None).cast(of).alias(slot) for slot, of in types.items()}
    together: DataFrame | None = None
    for number, (frame, mine) in enumerate(zip(frames, columns, strict=True)):
        taken = {slot: _taken(name, of).alias(slot) for slot, (name, of) in mine.items()}
        part = frame.select(F.lit(number).alias("u"), *(taken.get(slot, nothing) for slot, nothing in empty.items()))
        together = part if together is None else together.union(part)
    assert together is not None
    table = together.toArrow()
    tables = []
    for number, mine in enumerate(columns):
        rows = table.filter(pc.equal(table.column("u"), number))
        tables.append(rows.select(list(mine)).rename_columns([name for name, _ in mine.values()]))
    return tables


def _slots(frame: DataFrame) -> dict[str, tuple[str, DataType]]:
    """A place for each column of a frame, called by its type and how many of the type came before."""
    slots: dict[str, tuple[str, DataType]] = {}
    numbers: Counter[str] = Counter()
    for field in frame.schema.fields:
        of = _nullable(field.dataType)
        kind = of.simpleString()
        slots[f"{kind} {numbers[kind]}"] = (field.name, of)
        numbers[kind] += 1
    return slots


def _taken(name: str, of: DataType) -> Column:
    from pyspark.sql.types import ArrayType, StructType

    return F.col(name).cast(of) if isinstance(of, ArrayType | StructType) else F.col(name)


def _nullable(of: DataType) -> DataType:
    """Records whose members may be null: beside rows of other frames they are, and Arrow insists on what is stated."""
    from pyspark.sql.types import ArrayType, StructField, StructType

    if isinstance(of, StructType):
        return StructType([StructField(field.name, _nullable(field.dataType)) for field in of.fields])
    return ArrayType(_nullable(of.elementType)) if isinstance(of, ArrayType) else of
