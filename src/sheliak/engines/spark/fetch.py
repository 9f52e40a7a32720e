"""The rows of several plans, out of Spark in as few passes and jobs as possible.

Plans are rewritten first. What the ends of files state is not asked of Spark. Groupings over one source are put together into cells; the
cells and all other plans are one job, the groupings of the cells a second, small one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

from sheliak.engines.spark.arrow_in import frame_of_arrow
from sheliak.engines.spark.expressions import column_name
from sheliak.engines.spark.lazy_functions import F
from sheliak.engines.spark.lower import Lower
from sheliak.engines.spark.results import rows_of_table
from sheliak.engines.spark.stated import stated_rows
from sheliak.engines.spark.summaries import POSITION
from sheliak.expressions.values import Row
from sheliak.plan.column_types import Plain
from sheliak.plan.expressions import Read
from sheliak.plan.operators import Group, Keep, Plan, Project, Scan, Schema, Window
from sheliak.plan.rewrite import rewritten
from sheliak.plan.rewrite.groupings import Grouping, groupings_of
from sheliak.plan.rewrite.pruned_columns import in_reading_order
from sheliak.plan.rewrite.rebuilding import Rebuilding
from sheliak.plan.rewrite.shared_cells import MOST_CELLS, Cells, scan_of_cells, shared_cells

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

_SAMPLE = 20_000
"""So many rows tell about how many different texts a column holds."""
_TOGETHER = 12
"""More frames than this are not one job: Spark would plan longer than it saves."""
_ROW_OF_PARTITION = (1 << 33) - 1
"""The part of Spark's increasing numbers that counts the rows of a partition."""
_FEW_ROWS = 200_000
"""A source with fewer rows is read again sooner than it is asked about."""


def fetch(plans: Mapping[str, Plan], lower: Lower, *, limit: int | None = None) -> dict[str, list[Row]]:
    """The rows of every plan, in their order; with a limit at most one row more than it of each, so that more can be seen.

    A plan that stands under several names is run once.
    """
    asked = {id(plan): plan for plan in plans.values()}
    found = {key: rows for key, plan in asked.items() if (rows := stated_rows(plan)) is not None}
    left = [plan for key, plan in asked.items() if key not in found]
    if left:
        done = rewritten(left)
        tables = Fetching(lower, None if limit is None else limit + 1).tables(done)
        found |= {id(plan): rows_of_table(table, made) for plan, made, table in zip(left, done, tables, strict=True)}
    return {name: found[id(plan)] for name, plan in plans.items()}


@dataclass(frozen=True, slots=True, eq=False)
class Collected:
    """Rows that came out of Spark and are read by it again."""

    given: DataFrame

    def frame(self, schema: Schema, *, position: bool) -> DataFrame:
        names = dict.fromkeys(column_name(field.column) for field in schema.fields)
        return self.given.select(*names, *([POSITION] if position else []))


@dataclass(slots=True)
class Fetching:
    """One request for the rows of several plans."""

    lower: Lower
    most: int | None

    def tables(self, plans: Sequence[Plan]) -> list[pa.Table]:
        """The rows of each plan with their positions."""
        cells = self._cells(plans) if len(plans) > 1 else []
        if not cells:
            return self._collected(plans, [self.most] * len(plans))
        shared = {id(grouping.group) for one in cells for grouping in one.groupings}
        alone = [plan for plan in plans if not any(id(below) in shared for below in in_reading_order([plan]))]
        made = [one.plan() for one in cells]
        tables = self._collected([*made, *alone], [*[MOST_CELLS] * len(made), *[self.most] * len(alone)])
        found = dict(zip(map(id, alone), tables[len(made) :], strict=True))
        rest = [plan for plan in plans if id(plan) not in found]
        regrouped = self._regrouped(rest, cells, made, tables[: len(made)])
        found |= zip(map(id, rest), self._collected(regrouped, [self.most] * len(rest)), strict=True)
        return [found[id(plan)] for plan in plans]

    def _regrouped(
        self, plans: Sequence[Plan], cells: Sequence[Cells], made: Sequence[Group], tables: Sequence[pa.Table]
    ) -> list[Plan]:
        """The plans over cells at hand; where there were more than expected, over the source as before."""
        over: dict[int, Plan] = {}
        for one, group, table in zip(cells, made, tables, strict=True):
            if table.num_rows < MOST_CELLS:
                scan = scan_of_cells(group, Collected(frame_of_arrow(self.lower.session, table).coalesce(1)))
                over |= {id(grouping.group): one.regrouped(grouping, scan) for grouping in one.groupings}
        return list(map(Replacing(over), plans))

    def _cells(self, plans: Sequence[Plan]) -> list[Cells]:
        numbers = count(1 + max(field.column for plan in in_reading_order(plans) for field in plan.schema.fields))
        by_scan: dict[int, list[Grouping]] = {}
        for grouping in groupings_of(plans):
            if grouping.scan.source.count is None or grouping.scan.source.count >= _FEW_ROWS:
                by_scan.setdefault(id(grouping.scan), []).append(grouping)
        return [
            cells
            for several in by_scan.values()
            if len(several) > 1
            for cells in shared_cells(several, self._sizes(several), lambda: next(numbers))
        ]

    def _sizes(self, groupings: Sequence[Grouping]) -> dict[int, int]:
        """About how many texts the columns hold that are bases; a sample that keeps finding new ones says nothing."""
        bases = [base for grouping in groupings for base in grouping.bases()]
        columns = sorted({base.column for base in bases if isinstance(base, Read) and isinstance(base.of, Plain)})
        if len({frozenset(map(id, grouping.bases())) for grouping in groupings}) < 2 or not columns:
            return {}
        scan = groupings[0].scan
        sample = self.lower.sources.frame(scan.source, _only(scan, columns), position=False).limit(_SAMPLE)
        found = sample.agg(*(F.approx_count_distinct(column_name(column)).alias(f"d{column}") for column in columns)).toArrow()
        counted = {column: int(found.column(f"d{column}")[0].as_py()) for column in columns}
        return {column: size + 1 for column, size in counted.items() if size < _SAMPLE // 20}

    def _collected(self, plans: Sequence[Plan], limits: Sequence[int | None]) -> list[pa.Table]:
        frames = []
        for plan, most in zip(plans, limits, strict=True):
            frame = self.lower.frame(plan, position=True)
            frames.append(frame if most is None else limited(frame, plan, most))
        tables: list[pa.Table] = []
        for start in range(0, len(frames), _TOGETHER):
            some = frames[start : start + _TOGETHER]
            tables += [some[0].toArrow()] if len(some) == 1 else collected_together(some)
        return [table if most is None else table.slice(0, most) for table, most in zip(tables, limits, strict=True)]


def limited(frame: DataFrame, plan: Plan, most: int) -> DataFrame:
    """No more rows than this; of groups, which lie in few partitions, no more of each, for which no rows have to be brought together."""
    while isinstance(plan, Project | Keep | Window):
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


def _only(scan: Scan, columns: Sequence[int]) -> Schema:
    return Schema(tuple(field for field in scan.schema.fields if field.column in columns))


def collected_together(frames: Sequence[DataFrame]) -> list[pa.Table]:
    """The rows of several frames in one job: one below another, each in columns of its own."""
    import pyarrow.compute as pc

    together: DataFrame | None = None
    columns = [frame.columns for frame in frames]
    for number, frame in enumerate(frames):
        apart = frame.toDF(*(f"{number}_{name}" for name in columns[number])).withColumn("u", F.lit(number))
        together = apart if together is None else together.unionByName(apart, allowMissingColumns=True)
    assert together is not None
    table = together.toArrow()
    tables = []
    for number, names in enumerate(columns):
        mine = table.filter(pc.equal(table.column("u"), number))
        tables.append(mine.select([f"{number}_{name}" for name in names]).rename_columns(names))
    return tables
