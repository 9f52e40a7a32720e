"""The rows of several plans, out of Spark in as few passes and jobs as possible.

Plans are rewritten first. What the ends of files state is not asked of Spark. Groupings over one source are put together into cells, which
Spark computes once; the cells, what is not computed from them, and all other plans are one job.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from math import prod
from typing import TYPE_CHECKING

from sheliak.engines.spark.cells_at_hand import cells_below, computed, group_below, group_below_window, numbered
from sheliak.engines.spark.expressions import column_name
from sheliak.engines.spark.lazy_functions import F
from sheliak.engines.spark.lower import Lower
from sheliak.engines.spark.one_pass import OnePass, one_pass
from sheliak.engines.spark.results import rows_of_table
from sheliak.engines.spark.stated import stated_rows
from sheliak.engines.spark.summaries import POSITION
from sheliak.engines.spark.tables import SAMPLE, Table, is_telling
from sheliak.engines.spark.windows import first_rows
from sheliak.expressions.values import Row
from sheliak.plan.column_types import Plain
from sheliak.plan.columns_read import scans_of
from sheliak.plan.expressions import PlanExpression, Read
from sheliak.plan.known_texts import Texts
from sheliak.plan.operators import Group, Keep, Plan, Project, Scan, Schema, Source, Window
from sheliak.plan.rewrite import rewritten
from sheliak.plan.rewrite.groupings import Grouping, groupings_of
from sheliak.plan.rewrite.known_codes import Span, codes_of
from sheliak.plan.rewrite.numbered_cells import numbered_cells
from sheliak.plan.rewrite.pruned_columns import in_reading_order
from sheliak.plan.rewrite.rebuilding import Rebuilding
from sheliak.plan.rewrite.shared_cells import Cells, cells_of, passes_of, scan_of_cells, shared_cells

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
_FEWEST_NUMBERS, _MOST_NUMBERS, _ROWS_FOR_A_NUMBER = 1 << 12, 1 << 15, 300


def fetch(plans: Mapping[str, Plan], lower: Lower, *, limit: int | None = None) -> dict[str, list[Row]]:
    """The rows of every plan, in their order; with a limit at most one row more than it of each, so that more can be seen.

    A plan that stands under several names is run once.
    """
    asked = {id(plan): plan for plan in plans.values()}
    found = {key: rows for key, plan in asked.items() if (rows := stated_rows(plan)) is not None}
    left = [plan for key, plan in asked.items() if key not in found]
    if left:
        fetching, done = _begun(left, lower, None if limit is None else limit + 1)
        brought = fetching.tables(done)
        found |= {id(plan): rows_of_table(table, made) for plan, made, table in zip(left, done, brought, strict=True)}
    return {name: found[id(plan)] for name, plan in plans.items()}


def passes_over(plans: Sequence[Plan], lower: Lower) -> Counter[Source]:
    """How often each source is read when plans are fetched at once."""
    left = [plan for plan in {id(plan): plan for plan in plans}.values() if stated_rows(plan) is None]
    fetching, done = _begun(left, lower, None)
    scans = [scan for plan in fetching.over_cells(done, []) for scan in scans_of(plan)]
    cells = dict.fromkeys(place.origin for scan in scans if isinstance(place := scan.source.place, Shared))
    return Counter(
        [*(scan.source for scan in scans if not isinstance(scan.source.place, Shared)), *(one.source for one in cells)]
    )


def _begun(plans: Sequence[Plan], lower: Lower, most: int | None) -> tuple[Fetching, list[Plan]]:
    """What brings the rows of plans, and the plans as they are run."""
    tables = {} if lower.traced else tables_of(plans)
    done = rewritten(plans, texts=partial(known_texts, tables), spans=partial(known_span, tables))
    return Fetching(lower, most, tables), done


def tables_of(plans: Sequence[Plan]) -> dict[int, Table]:
    """The tables of columns, of those with so many rows that it pays to ask what is known of all of them."""
    return {
        field.column: plan.source.place
        for plan in in_reading_order(plans)
        if isinstance(plan, Scan) and isinstance(plan.source.place, Table) and not _has_fewer(plan, FEW_ROWS)
        for field in plan.schema.fields
    }


def known_texts(tables: Mapping[int, Table], column: int) -> Texts | None:
    return tables[column].texts(column) if column in tables else None


def known_span(tables: Mapping[int, Table], column: int) -> Span | None:
    return tables[column].span(column) if column in tables else None


@dataclass(slots=True, eq=False)
class Shared:
    """Cells of a source: Spark computes them once, and keeps them if plans of its own read them."""

    group: Group
    lower: Lower
    kept: DataFrame | None = None
    together: OnePass | None = None
    """The pass from which these cells come beside others."""
    is_alone: bool = False
    """They are brought for the one plan that they are the groups of."""

    def frame(self, schema: Schema, *, position: bool) -> DataFrame:
        if self.kept is None:
            self.kept = self.lower.frame(self.group, position=True).persist()
        names = dict.fromkeys(column_name(field.column) for field in schema.fields)
        # There are few: in one partition their groups need no exchange.
        return self.kept.coalesce(1).select(*names, *([POSITION] if position else []))

    @property
    def source(self) -> Source:
        """What the cells are made of."""
        (scan,) = scans_of(self.group)
        return scan.source

    @property
    def origin(self) -> Shared | OnePass:
        """What leaves Spark at once."""
        return self.together or self

    def tables(self, rows: pa.Table) -> dict[int, pa.Table]:
        """The cells by what they are, as those of one pass are."""
        return {id(self.group): rows}

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
    known: Mapping[int, Table]
    """The tables of columns of which something is known."""

    def tables(self, plans: Sequence[Plan]) -> list[pa.Table]:
        """The rows of each plan with their positions."""
        shared: list[Shared] = []
        try:
            return self._answered(self.over_cells(plans, shared))
        finally:
            for cells in shared:
                cells.release()

    def over_cells(self, plans: Sequence[Plan], shared: list[Shared]) -> list[Plan]:
        """The plans over cells, which are added to those that are shared."""
        if len(plans) > 1:
            plans = self._over_shared_cells(plans, shared)
        return list(plans) if self.lower.traced else [self._over_few_groups(plan, shared) for plan in plans]

    def _over_shared_cells(self, plans: Sequence[Plan], shared: list[Shared]) -> list[Plan]:
        over: dict[int, Plan] = {}
        numbers = count(1 + max(field.column for plan in in_reading_order(plans) for field in plan.schema.fields))
        if not self.lower.traced:
            plans = self._in_one_pass(plans, lambda: next(numbers), shared)
        for cells in self._cells(plans, lambda: next(numbers)):
            if _has_fewer(cells.scan, FEW_ROWS):
                plans = self._at_hand(plans, cells, shared)
            else:
                over |= self._over(cells, shared)
        return list(map(Replacing(over), plans))

    def _over_few_groups(self, plan: Plan, shared: list[Shared]) -> Plan:
        """A plan that looks around in few groups, over these as cells: for windows Spark would bring them together once more."""
        group = group_below_window(plan)
        found = [one for mine in _by_scan(groupings_of([plan])) for one in mine if one.group is group]
        if group is None or not found or not self._are_few(found[0].keys):
            return plan
        shared.append(Shared(group, self.lower, is_alone=True))
        return Replacing({id(group): scan_of_cells(group, shared[-1])})(plan)

    def _are_few(self, keys: Sequence[PlanExpression]) -> bool:
        codes = [codes_of(key, partial(known_span, self.known)) for key in keys]
        return 0 < prod(0 if some is None else len(some) + 1 for some in codes) <= MOST_AT_HAND

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
        return _regroupings(cells, shared[-1])

    def _in_one_pass(self, plans: Sequence[Plan], column: Callable[[], int], shared: list[Shared]) -> list[Plan]:
        """The plans over cells that come from one pass instead of several, as far as they can be computed here."""
        groupings = {id(grouping.group): grouping for grouping in groupings_of(plans)}
        here = {group_below(plan, groupings) for plan in plans}
        over: dict[int, Plan] = {}
        for mine in _by_scan(one for group, one in groupings.items() if group in here and not _has_fewer(one.scan, FEW_ROWS)):
            together = self._together(mine, column) if len(mine) > 1 else None
            for one in () if together is None else together.sets:
                shared.append(Shared(one.group, self.lower, together=together))
                over |= _regroupings(one.cells, shared[-1])
        made = list(map(Replacing(over), plans))
        # A plan that is not computed here reads the rows itself.
        return [old if cells_below(new) is None else new for old, new in zip(plans, made, strict=True)]

    def _answered(self, plans: Sequence[Plan]) -> list[pa.Table]:
        """What can be computed from cells is computed here; everything else, and the cells, are one job."""
        here = self._from_cells(plans)
        left = [plan for plan in plans if id(plan) not in here]
        frames = [self._frame(plan) for plan in left]
        origins = list(dict.fromkeys(place.origin for place in here.values()))
        tables = self._collected([*frames, *(one.all_cells() for one in origins)])
        found = {id(plan): table for plan, table in zip(left, tables[: len(left)], strict=True)}
        cells = {
            key: table for one, rows in zip(origins, tables[len(left) :], strict=True) for key, table in one.tables(rows).items()
        }
        for place in dict.fromkeys(here.values()):
            mine = [plan for plan in plans if here.get(id(plan)) is place]
            found |= dict(zip(map(id, mine), self._of_cells(mine, cells.get(id(place.group))), strict=True))
        return [found[id(plan)] if self.most is None else found[id(plan)].slice(0, self.most) for plan in plans]

    def _of_cells(self, plans: Sequence[Plan], cells: pa.Table | None) -> list[pa.Table]:
        """The rows of plans over cells that are at hand; should there be many, or others than were known, as Spark computes them."""
        if cells is None or cells.num_rows > MOST_AT_HAND:
            return self._collected([self._frame(plan) for plan in plans])
        at_hand = numbered(cells)
        return [computed(plan, at_hand) for plan in plans]

    def _from_cells(self, plans: Sequence[Plan]) -> dict[int, Shared]:
        """The plans that are computed from cells at hand, and which: one alone is as well computed where they are."""
        if self.lower.traced:
            return {}
        below = {id(plan): scan.source.place for plan in plans if (scan := cells_below(plan)) is not None}
        times = Counter(map(id, below.values()))
        return {
            plan: place
            for plan, place in below.items()
            if isinstance(place, Shared) and (times[id(place)] > 1 or place.is_alone or place.together is not None)
        }

    def _cells(self, plans: Sequence[Plan], column: Callable[[], int]) -> list[Cells]:
        groupings = {id(grouping.group): grouping for grouping in groupings_of(plans)}
        here = {group_below(plan, groupings) for plan in plans}
        wanted = [one for group, one in groupings.items() if group in here or not _has_fewer(one.scan, FEW_ROWS)]
        several = [mine for mine in _by_scan(wanted) if len(mine) > 1]
        return [cells for mine in several for cells in self._put_together(mine, column)]

    def _put_together(self, groupings: Sequence[Grouping], column: Callable[[], int]) -> list[Cells]:
        if _has_fewer(groupings[0].scan, FEWEST_ROWS):
            return [cells_of(groupings, column)]
        return shared_cells(groupings, self._sizes(groupings), column, partial(known_texts, self.known))

    def _together(self, groupings: Sequence[Grouping], column: Callable[[], int]) -> OnePass | None:
        """The groupings of one scan in one pass, those of them that can be; None where they do not take several anyway."""
        texts, spans = partial(known_texts, self.known), partial(known_span, self.known)
        sets = numbered_cells(groupings, spans, column, texts, _most_numbers(groupings[0].scan))
        mine = [grouping for one in sets for grouping in one.cells.groupings]
        passes = passes_of(mine, self._sizes(mine), column, texts) if len(mine) > 1 else []
        return one_pass(sets, self.lower) if len(passes) > 1 and len(sets) <= len(passes) else None

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


def _regroupings(cells: Cells, place: Shared) -> dict[int, Plan]:
    """What stands in the place of each group that is made from the cells."""
    scan = scan_of_cells(place.group, place)
    return {id(grouping.group): cells.regrouped(grouping, scan) for grouping in cells.groupings}


def _by_scan(groupings: Iterable[Grouping]) -> list[list[Grouping]]:
    """The groupings over each source; cells are none."""
    found: dict[int, list[Grouping]] = {}
    for grouping in groupings:
        if not isinstance(grouping.scan.source.place, Shared):
            found.setdefault(id(grouping.scan), []).append(grouping)
    return [*found.values()]


def _most_numbers(scan: Scan) -> int:
    """Up to so many combinations of keys in a set: to make cells of them must take less than a look at every row."""
    rows = scan.source.count
    return _FEWEST_NUMBERS if rows is None else max(_FEWEST_NUMBERS, min(rows // _ROWS_FOR_A_NUMBER, _MOST_NUMBERS))


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
