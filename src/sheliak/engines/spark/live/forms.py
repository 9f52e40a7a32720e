"""How much of a dataset's plan a change of a source can touch (decision 0010).

    ByRow       what comes of a row depends on it alone: the plan is run over the rows that change, as they were and as they are
    ByGroup     what comes of a group is remembered in a form from which rows can be taken away: only changes are looked at
    ByKey       what comes of a row depends on the rows with its key: the plan is run over the rows whose keys are touched
    Whole       anything else is run again, and compared with what was there

A form holds as long as the plan stands: new rows fit the types of its columns, and nothing that shaped it depends on rows.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TypeAlias

from sheliak.engines.spark.live.accumulators import is_kept
from sheliak.plan.expressions import PlanExpression
from sheliak.plan.operators import (
    Fresh,
    Group,
    Join,
    Keep,
    PerGroup,
    Plan,
    Project,
    Scan,
    Sort,
    Unfold,
    Union,
    Window,
    upstreams,
)
from sheliak.plan.rewrite.rebuilding import Signatures


@dataclass(frozen=True, slots=True, eq=False)
class ByRow:
    plan: Plan


@dataclass(frozen=True, slots=True, eq=False)
class ByGroup:
    plan: Plan
    group: Group


@dataclass(frozen=True, slots=True, eq=False)
class ByKey:
    plan: Plan
    below: Plan
    """The rows that have the keys: a plan that goes by row."""
    keys: tuple[PlanExpression, ...]


@dataclass(frozen=True, slots=True)
class Whole:
    pass


WHOLE = Whole()
Form: TypeAlias = ByRow | ByGroup | ByKey | Whole


@dataclass(frozen=True, slots=True)
class Sources:
    """The sources of a run, by the identities of what its plans scan."""

    live: frozenset[int]
    touched: frozenset[int]


def form_of(plan: Plan, sources: Sources) -> Form:
    """The form of a plan for changes of some sources."""
    if goes_by_row(plan, sources):
        return ByRow(plan)
    group = _only_group(plan)
    if group is not None and goes_by_row(group.upstream, sources) and not _holds_union(group.upstream):
        kept = all(is_kept(made.summary) for made in group.summaries)
        return ByGroup(plan, group) if kept else _by_key(plan, sources)
    return _by_key(plan, sources)


def goes_by_row(plan: Plan, sources: Sources) -> bool:
    """What comes of a row of a source depends on it alone. A sort says only in which order rows are read."""
    match plan:
        case Scan(source):
            return id(source) in sources.live
        case Keep() | Project() | Unfold() | Fresh() | Sort():
            return goes_by_row(plan.upstream, sources)
        case Union(parts):
            return all(goes_by_row(part, sources) for part, _ in parts)
        case Join(upstream, other):
            return goes_by_row(upstream, sources) and not scanned(other) & (sources.touched | row_path(upstream))
        case _:
            return False


def scanned(plan: Plan) -> frozenset[int]:
    """The sources that a plan reads."""
    if isinstance(plan, Scan):
        return frozenset({id(plan.source)})
    return frozenset[int]().union(*(scanned(below) for below in upstreams(plan)))


def row_path(plan: Plan) -> frozenset[int]:
    """The sources whose rows become a plan's rows, without those that are only looked up."""
    if isinstance(plan, Scan):
        return frozenset({id(plan.source)})
    below = upstreams(plan)[:1] if isinstance(plan, Join) else upstreams(plan)
    return frozenset[int]().union(*(row_path(one) for one in below))


def _only_group(plan: Plan) -> Group | None:
    """The group below what goes on with its rows one by one."""
    while isinstance(plan, Project | Keep | Sort | Fresh):
        plan = plan.upstream
    return plan if isinstance(plan, Group) else None


def _holds_union(plan: Plan) -> bool:
    """The places of rows are no plain numbers, or several sources have them."""
    return isinstance(plan, Union | Unfold | Sort) or any(_holds_union(below) for below in upstreams(plan)[:1])


def _by_key(plan: Plan, sources: Sources) -> Form:
    """The lowest operator with keys decides; those above must not bring rows of different keys together."""
    chain: list[Plan] = []
    below = plan
    while not goes_by_row(below, sources):
        chain.append(below)
        if len(upstreams(below)) != 1:
            return WHOLE
        below = upstreams(below)[0]
    keyed = chain.pop()
    keys = _keys_of(keyed)
    if not keys:
        return WHOLE
    signed = Signatures()
    wanted = {signed(key) for key in (_shown_keys(keyed) or keys)}
    return ByKey(plan, below, keys) if all(_stays_inside(one, wanted, signed) for one in chain) else WHOLE


def _keys_of(plan: Plan) -> tuple[PlanExpression, ...]:
    match plan:
        case Group(_, keys):
            return tuple(key.value for key in keys)
        case Window(_, partition):
            return partition
        case PerGroup(_, keys):
            return keys
        case _:
            return ()


def _shown_keys(plan: Plan) -> tuple[PlanExpression, ...]:
    """The keys as the rows above have them."""
    return tuple(key.field.read() for key in plan.keys) if isinstance(plan, Group) else ()


def _stays_inside(plan: Plan, wanted: Collection[object], signed: Signatures) -> bool:
    """Rows that an operator brings together have these keys in common."""
    if isinstance(plan, Keep | Project | Unfold | Fresh | Sort):
        return True
    return set(wanted) <= {signed(key) for key in _keys_of(plan)}
