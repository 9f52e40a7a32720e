"""The rows that a vertex holds: by their traces, in their order, and in the order in which they were taken in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from sheliak.changes.change import Add, Changeset, Remove, Trace, Update
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


def difference(before: Table, after: Table, candidates: Iterable[Trace] | None = None) -> Changeset:
    """The changes that lead from one table to the other, removes first; only `candidates` can have changed.

    A row that has not changed is taken over from `before`, so that the next comparison is one of identity.
    """
    changes: list[Add | Update | Remove] = []
    for trace in before.order if candidates is None else candidates:
        if trace in before.rows and trace not in after.rows:
            changes.append(Remove(trace, before.rows[trace]))
    for trace in after.order if candidates is None else candidates:
        old, new = before.rows.get(trace), after.rows.get(trace)
        if new is None or old is new:
            continue
        if old is not None and same(old, new):
            after.rows[trace] = old
        else:
            changes.append(Add(trace, new) if old is None else Update(trace, old, new))
    return tuple(changes)


def is_reordered(before: Table, after: Table) -> bool:
    """The same rows may stand in another order, or have been taken in in another one."""
    return before.order != after.order or before.arrival != after.arrival
