"""The rows that a vertex holds: by their traces, in their order, and in the order in which they were taken in."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from sheliak.changes.change import Change, Changeset, Trace, change_between
from sheliak.changes.sameness import same
from sheliak.expressions.values import Row


@dataclass(slots=True)
class Table:
    """Never changed once it is finished: a change makes another one."""

    rows: dict[Trace, Row] = field(default_factory=dict)
    order: list[Trace] = field(default_factory=list)
    arrival: list[Trace] = field(default_factory=list)
    """Rows that a sort does not tell apart stay in this order. Mostly it is `order` itself, the same list."""

    @property
    def is_in_arrival_order(self) -> bool:
        return self.arrival is self.order

    def listed(self) -> list[Row]:
        """The rows in their order."""
        return [self.rows[trace] for trace in self.order]


def table_of(rows: dict[Trace, Row]) -> Table:
    """Rows in the order of their making."""
    order = list(rows)
    return Table(rows, order, order)


def difference(before: Table, after: Table, candidates: AbstractSet[Trace] | None = None) -> Changeset:
    """The changes that lead from one table to the other, removes first; only `candidates` can have changed.

    A row that has not changed is taken over from `before`, so that the next comparison is one of identity.
    """
    changes = [_gone(trace, before) for trace in before.order if trace not in after.rows and _may(trace, candidates)]
    for trace in _among(after.order, candidates):
        old, new = before.rows.get(trace), after.rows[trace]
        if old is new:
            continue
        if old is not None and same(old, new):
            after.rows[trace] = old
            continue
        changes.append(change_between(trace, old, new))
    return tuple([change for change in changes if change is not None])


def _may(trace: Trace, candidates: AbstractSet[Trace] | None) -> bool:
    return candidates is None or trace in candidates


def _among(order: list[Trace], candidates: AbstractSet[Trace] | None) -> Iterable[Trace]:
    return order if candidates is None else [trace for trace in order if trace in candidates] if candidates else ()


def _gone(trace: Trace, before: Table) -> Change | None:
    return change_between(trace, before.rows[trace], None)


def is_reordered(before: Table, after: Table) -> bool:
    """The same rows may stand in another order, or have been taken in in another one."""
    return before.order != after.order or before.arrival != after.arrival
