"""Groupings straight over a source, with everything between written as expressions over the source's own columns."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

from sheliak.plan.column_types import Plain
from sheliak.plan.expressions import Constant, PlanExpression, Read, operands_of, parts_of
from sheliak.plan.operators import Fresh, Group, Keep, Plan, Project, Scan, Summarized, SummaryFunction
from sheliak.plan.rewrite.fused_projections import made_by
from sheliak.plan.rewrite.pruned_columns import in_reading_order
from sheliak.plan.rewrite.rebuilding import Signatures, reads_replaced
from sheliak.plan.stopping import stops

_ADDABLE: frozenset[SummaryFunction] = frozenset(
    {"count", "count_true", "sum", "product", "mean", "min", "max", "min_text", "max_text", "any"}
)
"""Summaries of a whole that follow from those of its parts."""


@dataclass(frozen=True, slots=True, eq=False)
class Grouping:
    """A group of a plan, its keys, summaries and the tests before it over the columns of a scan."""

    group: Group
    scan: Scan
    keys: tuple[PlanExpression, ...]
    summaries: tuple[Summarized, ...]
    tests: tuple[PlanExpression, ...]

    def bases(self) -> list[PlanExpression]:
        """Values that split the rows finely enough for every key and test: text as it is, of other columns what is made of them."""
        found: list[PlanExpression] = []
        for e in (*self.keys, *self.tests):
            reads = [part for part in parts_of(e) if isinstance(part, Read)]
            found += reads if reads and all(_is_small(read) for read in reads) else [e]
        return found


def _is_small(read: Read) -> bool:
    return isinstance(read.of, Plain) and read.of.kind in ("text", "boolean")


def groupings_of(plans: Sequence[Plan]) -> list[Grouping]:
    """The groupings of all plans whose summaries can be put together from those of finer groups."""
    groups = [plan for plan in in_reading_order(plans) if isinstance(plan, Group)]
    return [made for group in groups if (made := _grouping(group)) is not None and _is_addable(made)]


def _grouping(group: Group) -> Grouping | None:
    between: list[Project | Keep] = []
    plan = group.upstream
    while not isinstance(plan, Scan):
        if isinstance(plan, Project | Keep):
            between.append(plan)
        elif not isinstance(plan, Fresh):
            return None
        plan = plan.upstream
    if plan.source.place is None:
        return None
    values: dict[int, PlanExpression] = {}
    tests: list[PlanExpression] = []
    for step in reversed(between):
        over_scan = reads_replaced(values)
        if isinstance(step, Keep):
            tests.append(over_scan(step.test))
        else:
            values |= {column: over_scan(value) for column, value in made_by(step).items()}
    over_scan = reads_replaced(values)
    summaries = tuple(
        replace(one, summary=replace(one.summary, operands=tuple(map(over_scan, one.summary.operands))))
        for one in group.summaries
    )
    return Grouping(group, plan, tuple(over_scan(key.value) for key in group.keys), summaries, tuple(tests))


def _is_addable(grouping: Grouping) -> bool:
    if grouping.group.always or any(stops(e) for e in (*grouping.keys, *grouping.tests)):
        return False
    fixed = Fixed(grouping.bases())
    return all(_adds_up(one, fixed) for one in grouping.summaries)


def _adds_up(made: Summarized, fixed: Fixed) -> bool:
    summary = made.summary
    if any(stops(operand) for operand in summary.operands):
        return False
    if summary.function in _ADDABLE:
        return True
    # The first row of a group is the first of its first part; with a test, only if that is the same for a whole part.
    alone = summary.function == "first" and len(summary.operands) == 1
    return alone or (summary.function in ("first", "first_present") and all(map(fixed.holds, summary.operands)))


class Fixed:
    """What is the same for all rows of a part, where parts are made by some bases."""

    def __init__(self, bases: Sequence[PlanExpression]) -> None:
        self.signature = Signatures()
        self.bases: set[Hashable] = {self.signature(base) for base in bases}

    def holds(self, e: PlanExpression) -> bool:
        if isinstance(e, Constant) or self.signature(e) in self.bases:
            return True
        operands = operands_of(e)
        return bool(operands) and all(map(self.holds, operands))
