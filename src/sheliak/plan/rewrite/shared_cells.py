"""Several groupings over one source in one pass: the rows are first put into cells, the finest groups that any of them needs.

A cell has the bases of all groupings as keys (a filter's test is one of them), and the summaries of its rows. Every grouping is then a
grouping of cells: counts and sums add up, a mean is a sum by a count, the first row is the first cell's. Cells are in the order
of their first rows, as groups are. Groupings are put together as long as that takes less than another pass.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace

from sheliak.plan.arithmetic import numbers
from sheliak.plan.choice import choose
from sheliak.plan.coercion import FALSE, NOTHING, is_missing, known, not_
from sheliak.plan.column_types import BOOLEAN, NUMBER, UNDEFINED, Plain
from sheliak.plan.expressions import Apply, Choose, PlanExpression, Read, constant
from sheliak.plan.known_texts import KnownTexts, unknown
from sheliak.plan.operators import Group, Keep, Output, Plan, Project, Scan, Schema, Source, Summarized, Summary
from sheliak.plan.rewrite.groupings import Fixed, Grouping
from sheliak.plan.rewrite.rebuilding import Signatures, Substitution
from sheliak.plan.rewrite.sizes import Sizes, count_of
from sheliak.plan.rewrite.whole_keys import Meaning, coded_key, shown

MOST_CELLS = 1 << 12
"""Up to so many cells are cheaper than another pass over the source."""
AS_A_PASS = 100_000
"""So many cells with whole numbers for keys, most of them empty, cost as much as another pass."""

_NUMBER = Plain("number", UNDEFINED)


@dataclass(frozen=True, slots=True)
class Shown:
    """A base that is kept as a whole number, what it stands for, and under which key it is kept."""

    value: PlanExpression
    meaning: Meaning
    kept: Hashable


@dataclass(slots=True, eq=False)
class Cells:
    """Groupings that are answered from the same cells."""

    scan: Scan
    column: Callable[[], int]
    texts: KnownTexts = unknown
    groupings: list[Grouping] = field(default_factory=list)
    bases: dict[Hashable, Output] = field(default_factory=dict)
    shown: dict[Hashable, Shown] = field(default_factory=dict)
    partial: dict[Hashable, Summarized] = field(default_factory=dict)
    signature: Signatures = field(default_factory=Signatures)

    def bases_with(self, grouping: Grouping) -> dict[Hashable, PlanExpression]:
        """The bases that the cells have, or would have with one more grouping."""
        mine = {key: base.value for key, base in self.bases.items()}
        return mine | {self.signature(base): base for base in map(self._kept, grouping.bases())}

    def _kept(self, base: PlanExpression) -> PlanExpression:
        """A base as cells keep it, these or others that the grouping goes to: where it can be a whole number, as that."""
        made = coded_key(base, self.texts)
        if made is None or made.meaning is None:
            return base
        self.shown[self.signature(base)] = Shown(base, made.meaning, self.signature(made.code))
        return made.code

    def read(self, e: PlanExpression) -> PlanExpression | None:
        """An expression over rows as one over cells, if it is one of their bases."""
        of_base = self.shown.get(self.signature(e))
        found = self.bases.get(self.signature(e) if of_base is None else of_base.kept)
        if found is None:
            return self._part_of_base(e)
        return Read(found.column, e.of) if of_base is None else shown(Read(found.column, e.of), of_base.meaning)

    def _part_of_base(self, e: PlanExpression) -> PlanExpression | None:
        """A part of a date, as the hour of one that is known to the hour."""
        floor = floor_of_part(e, [base.value for base in self.bases.values()])
        if floor is None or not isinstance(e, Apply):
            return None
        (length,) = floor.options
        column = self.bases[self.signature(floor)].column
        start = Apply("whole.value", (Read(column, floor.of),), floor.of, (length, 0.0))
        return replace(e, operands=(start,))

    def fixed(self, without: Hashable = None) -> Fixed:
        """What is the same for all rows of a cell, or would be without one of the bases."""
        bases = {key: base.value for key, base in self.bases.items() if key != without}
        return Fixed([*bases.values(), *(one.value for one in self.shown.values() if one.kept in bases)])

    def add(self, grouping: Grouping) -> None:
        for key, base in self.bases_with(grouping).items():
            if key not in self.bases:
                self.bases[key] = Output("", self.column(), base)
        self.groupings.append(grouping)

    def part(self, summary: Summary) -> Read:
        """A summary of the rows of a cell, as a column of the cells."""
        key = (summary.function, *map(self.signature, summary.operands), summary.options)
        if key not in self.partial:
            self.partial[key] = Summarized(self.column(), summary)
        return self.partial[key].read()

    def plan(self) -> Group:
        """The cells, with all that the groupings ask of them; a base that follows from others is computed from theirs."""
        for key, base in list(self.bases.items()):
            others = [other.value for other in self.bases.values() if other is not base]
            if self.fixed(without=key).holds(base.value) or floor_of_part(base.value, others) is not None:
                del self.bases[key]
        for grouping in self.groupings:
            self.regrouped(grouping, self.scan)
        return Group(self.scan, tuple(self.bases.values()), tuple(self.partial.values()))

    def regrouped(self, grouping: Grouping, cells: Plan) -> Plan:
        """The grouping over the cells, with the columns that it has over the rows."""
        return Regrouping(self, grouping).plan(cells)


_LENGTHS = {"calendar.day": 86_400_000.0, "calendar.hours": 3_600_000.0, "calendar.minutes": 60_000.0, "calendar.seconds": 1000.0}
"""Parts of dates, and how many milliseconds each of them lasts."""


def floor_of_part(e: PlanExpression, bases: Sequence[PlanExpression]) -> Apply | None:
    """The date among some bases, as a whole number of some length, from which a part follows."""
    match e:
        case Apply("whole.part", (ms,), _, (str(operation),)) if operation in _LENGTHS:
            signature = Signatures()
            dates = (base for base in bases if isinstance(base, Apply) and base.operation == "whole.floor")
            return next((one for one in dates if signature(one.operands[0]) == signature(ms) and _lasts(operation, one)), None)
        case _:
            return None


def _lasts(operation: str, floor: Apply) -> bool:
    """A part of a date stays the same for the length of a floor."""
    match floor.options:
        case (float(length),):
            return _LENGTHS[operation] % length == 0
        case _:
            return False


@dataclass(slots=True)
class Regrouping:
    """One grouping of cells."""

    cells: Cells
    grouping: Grouping
    finished: dict[int, PlanExpression] = field(default_factory=dict)
    """Columns that are computed when the cells are summed up."""

    def plan(self, cells: Plan) -> Plan:
        over = Substitution(self.cells.read)
        for test in self.grouping.tests:
            cells = Keep(cells, over(test))
        old = self.grouping.group
        keys = tuple(replace(key, value=over(value)) for key, value in zip(old.keys, self.grouping.keys, strict=True))
        summaries = [made for one in self.grouping.summaries for made in self._summed(one, over)]
        group = Group(cells, keys, tuple(summaries))
        if not self.finished:
            return group
        kept = {field.column: field.read() for field in old.schema.fields}
        return Project(group, tuple(Output("", column, self.finished.get(column, value)) for column, value in kept.items()))

    def _summed(self, made: Summarized, over: Substitution) -> list[Summarized]:
        summary, part = made.summary, self.cells.part
        match summary.function:
            case "count" | "count_true" | "sum":
                return [Summarized(made.column, Summary("sum", (part(summary),), summary.of))]
            case "mean":
                return self._mean(made)
            case "first" | "first_present" if all(map(self.cells.fixed().holds, summary.operands)):
                return [Summarized(made.column, replace(summary, operands=tuple(map(over, summary.operands))))]
            case _:
                return [Summarized(made.column, replace(summary, operands=(part(summary),)))]

    def _mean(self, made: Summarized) -> list[Summarized]:
        (value,) = made.summary.operands
        gone = is_missing(value)
        counted = Summary("count", (), NUMBER) if gone is FALSE else Summary("count_true", (not_(gone),), NUMBER)
        total = Summarized(self.cells.column(), Summary("sum", (self.cells.part(Summary("sum", (value,), _NUMBER)),), _NUMBER))
        count = Summarized(self.cells.column(), Summary("sum", (self.cells.part(counted),), NUMBER))
        some = Apply("number.less", (constant(0.0), count.read()), BOOLEAN)
        mean = numbers("number.divide", known(total.read()), count.read())
        self.finished[made.column] = choose(some, mean, NOTHING[UNDEFINED])
        return [total, count]


def shared_cells(
    groupings: Sequence[Grouping], sizes: Sizes, column: Callable[[], int], texts: KnownTexts = unknown
) -> list[Cells]:
    """The groupings of one scan put together where that takes less; a grouping on its own is left out."""
    return [cells for cells in passes_of(groupings, sizes, column, texts) if len(cells.groupings) > 1]


def passes_of(groupings: Sequence[Grouping], sizes: Sizes, column: Callable[[], int], texts: KnownTexts = unknown) -> list[Cells]:
    """The groupings of one scan put together, each with those whose bases it multiplies least: as many passes over the scan."""
    every: list[Cells] = []
    for grouping in groupings:
        fitting = [(count, cells) for cells in every if (count := _count(cells, grouping, sizes)) is not None]
        least = min(fitting, key=lambda one: one[0], default=None)
        if least is None:
            every.append(Cells(grouping.scan, column, texts))
        chosen = every[-1] if least is None else least[1]
        chosen.add(grouping)
    return _joined(every, sizes)


def cells_of(groupings: Sequence[Grouping], column: Callable[[], int], texts: KnownTexts = unknown) -> Cells:
    """The groupings of one scan put together, however many cells that makes."""
    made = Cells(groupings[0].scan, column, texts)
    for grouping in groupings:
        made.add(grouping)
    return made


def _joined(every: list[Cells], sizes: Sizes) -> list[Cells]:
    """Cells of whole numbers put together, where more of them cost less than another pass."""
    joined: list[Cells] = []
    together: dict[Hashable, PlanExpression] = {}
    count = 0
    for cells in every:
        values = {key: base.value for key, base in cells.bases.items()}
        own, both = (count_of(list(bases.values()), sizes) for bases in (values, together | values))
        if own is None or both is None or not all(map(_is_whole, values.values())):
            continue
        if not joined or both - own - count < AS_A_PASS:
            joined.append(cells)
            together |= values
            count = both
    if len(joined) < 2:
        return every
    made = cells_of([grouping for cells in joined for grouping in cells.groupings], joined[0].column, joined[0].texts)
    return [made, *(cells for cells in every if cells not in joined)]


def _is_whole(base: PlanExpression) -> bool:
    """A base that engines keep as a whole number or a truth value."""
    match base:
        case Apply(operation):
            if operation == "known":
                return base.of == BOOLEAN or _is_whole(base.operands[0])
            return base.of == BOOLEAN or operation.startswith("whole.") or operation == "text.code"
        case Choose(_, consequent, alternate):
            return base.of == BOOLEAN or (_is_whole(consequent) and _is_whole(alternate))
        case _:
            return base.of == BOOLEAN


def _count(cells: Cells, grouping: Grouping, sizes: Sizes) -> int | None:
    """How many cells there would be with one more grouping; None if too many, or unknown and not just those that are there."""
    together = cells.bases_with(grouping)
    if together.keys() == cells.bases.keys():
        return 0
    count = count_of(list(together.values()), sizes)
    return count if cells.scan is grouping.scan and count is not None and count <= MOST_CELLS else None


def scan_of_cells(cells: Group, place: object) -> Scan:
    """Cells that were computed, as a source."""
    return Scan(Source("cells", place=place), Schema(cells.schema.fields, cells.schema.unnamed))
