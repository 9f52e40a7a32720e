"""Several groupings over one source in one pass: the rows are first put into cells, the finest groups that any of them needs.

A cell has the bases of all groupings as keys (a filter's test is one of them), and the summaries of its rows. Every grouping is then a
grouping of cells: counts and sums add up, a mean is a sum by a count, the first row is the first cell's. Cells are in the order
of their first rows, as groups are. Groupings are put together as long as the number of cells stays small.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import TypeAlias

from sheliak.plan.arithmetic import numbers
from sheliak.plan.choice import choose
from sheliak.plan.coercion import FALSE, NOTHING, is_missing, known, not_
from sheliak.plan.column_types import BOOLEAN, NUMBER, UNDEFINED, Plain
from sheliak.plan.expressions import Apply, Choose, Constant, PlanExpression, Read, constant, operands_of
from sheliak.plan.operators import Group, Keep, Output, Plan, Project, Scan, Schema, Source, Summarized, Summary
from sheliak.plan.rewrite.groupings import Fixed, Grouping
from sheliak.plan.rewrite.rebuilding import Signatures, Substitution

MOST_CELLS = 1 << 12
"""Up to so many cells are cheaper than another pass over the source."""

_PARTS = {
    "calendar.hours": 24,
    "calendar.minutes": 60,
    "calendar.seconds": 60,
    "calendar.day": 7,
    "calendar.month": 12,
    "calendar.date": 31,
}
_NUMBER = Plain("number", UNDEFINED)

Sizes: TypeAlias = Mapping[int, int]
"""About how many different values columns have, of those for which that is known."""


def size_of(e: PlanExpression, sizes: Sizes) -> int | None:
    """The most values that an expression can have, missing and NaN among them; None where nothing says."""
    if e.of == BOOLEAN:
        return 2
    match e:
        case Constant():
            return 1
        case Read(column):
            return sizes.get(column)
        case Apply("number.bin" | "whole.bin", _, _, (float(start), float(stop), float(step))):
            return int((stop - start) / step) + 5
        case Apply("whole.part", _, _, (str(operation),)) | Apply(operation) if operation in _PARTS:
            return _PARTS[operation] + 1
        case Apply("whole.constant" | "whole.missing"):
            return 1
        case Choose(_, consequent, alternate):
            both = [size_of(one, sizes) for one in (consequent, alternate)]
            return None if None in both else sum(one for one in both if one is not None)
        case _:
            inside = [size_of(operand, sizes) for operand in operands_of(e)]
            return None if None in inside or not inside else prod(one for one in inside if one is not None)


@dataclass(slots=True)
class Cells:
    """Groupings that are answered from the same cells."""

    scan: Scan
    column: Callable[[], int]
    groupings: list[Grouping] = field(default_factory=list)
    bases: dict[Hashable, Output] = field(default_factory=dict)
    partial: dict[Hashable, Summarized] = field(default_factory=dict)
    signature: Signatures = field(default_factory=Signatures)

    def bases_with(self, grouping: Grouping) -> dict[Hashable, PlanExpression]:
        """The bases that the cells have, or would have with one more grouping."""
        mine = {key: base.value for key, base in self.bases.items()}
        return mine | {self.signature(base): base for base in grouping.bases()}

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
        """The cells, with all that the groupings ask of them."""
        for grouping in self.groupings:
            self.regrouped(grouping, self.scan)
        return Group(self.scan, tuple(self.bases.values()), tuple(self.partial.values()))

    def regrouped(self, grouping: Grouping, cells: Plan) -> Plan:
        """The grouping over the cells, with the columns that it has over the rows."""
        return Regrouping(self, grouping).plan(cells)


@dataclass(slots=True)
class Regrouping:
    """One grouping of cells."""

    cells: Cells
    grouping: Grouping
    finished: dict[int, PlanExpression] = field(default_factory=dict)
    """Columns that are computed when the cells are summed up."""

    def plan(self, cells: Plan) -> Plan:
        over = Substitution(self._base)
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

    def _base(self, e: PlanExpression) -> PlanExpression | None:
        found = self.cells.bases.get(self.cells.signature(e))
        return None if found is None else Read(found.column, e.of)

    def _summed(self, made: Summarized, over: Substitution) -> list[Summarized]:
        summary, part = made.summary, self.cells.part
        match summary.function:
            case "count" | "count_true" | "sum":
                return [Summarized(made.column, Summary("sum", (part(summary),), summary.of))]
            case "mean":
                return self._mean(made)
            case "first" | "first_present" if all(map(Fixed(self._values()).holds, summary.operands)):
                return [Summarized(made.column, replace(summary, operands=tuple(map(over, summary.operands))))]
            case _:
                return [Summarized(made.column, replace(summary, operands=(part(summary),)))]

    def _values(self) -> list[PlanExpression]:
        return [base.value for base in self.cells.bases.values()]

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


def shared_cells(groupings: Sequence[Grouping], sizes: Sizes, column: Callable[[], int]) -> list[Cells]:
    """The groupings of one scan put together, each with those whose bases it multiplies least; a grouping on its own is left out."""
    every: list[Cells] = []
    for grouping in groupings:
        fitting = [(count, cells) for cells in every if (count := _count(cells, grouping, sizes)) is not None]
        least = min(fitting, key=lambda one: one[0], default=None)
        if least is None:
            every.append(Cells(grouping.scan, column))
        chosen = every[-1] if least is None else least[1]
        chosen.add(grouping)
    return [cells for cells in every if len(cells.groupings) > 1]


def _count(cells: Cells, grouping: Grouping, sizes: Sizes) -> int | None:
    """How many cells there would be with one more grouping; None if too many, or unknown and not just those that are there."""
    together = cells.bases_with(grouping)
    if together.keys() == cells.bases.keys():
        return 0
    counts = [size_of(base, sizes) for base in together.values()]
    if cells.scan is not grouping.scan or None in counts:
        return None
    count = prod(one for one in counts if one is not None)
    return count if count <= MOST_CELLS else None


def scan_of_cells(cells: Group, place: object) -> Scan:
    """Cells that were computed, as a source."""
    return Scan(Source("cells", place=place), Schema(cells.schema.fields, cells.schema.unnamed))
