"""Ranks: the order in which Vega runs the operators of a graph."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Generic, TypeVar

V = TypeVar("V", bound=Hashable)
_PATIENCE = 200_000
"""Vega ranks anew along every way through the graph. After so many steps the order is any that respects the needs."""


class Ranking(Generic[V]):
    """Ranks in the order of making, corrected as Vega corrects them while it connects operator after operator."""

    def __init__(self, made: Sequence[V], needs: Mapping[V, tuple[V, ...]], deaf: AbstractSet[V] = frozenset()) -> None:
        self._made = made
        self._needs = needs
        # What a deaf vertex reads does not start it, so that it may stand on a circle.
        self._starts = {vertex: () if vertex in deaf else needs[vertex] for vertex in made}
        self._ranks = {vertex: rank for rank, vertex in enumerate(made)}
        self._next = len(made)
        self._targets: dict[V, dict[V, None]] = {vertex: {} for vertex in made}
        self._steps = 0
        self.has_cycle = _has_cycle(made, self._starts)
        if not self.has_cycle:
            self._connect(deaf)

    def _connect(self, deaf: AbstractSet[V]) -> None:
        for vertex in self._made:
            sources = [source for source in self._needs[vertex] if source in self._ranks]
            if vertex not in deaf:
                for source in sources:
                    self._targets[source][vertex] = None
            if any(self._ranks[vertex] < self._ranks[source] for source in sources):
                self._rerank(vertex)

    def follow(self, source: V, target: V) -> None:
        """Ranks the target after the source, and what waits for it after it; a circle is left as it is."""
        if self.has_cycle or self._reaches(target, source):
            return
        self._targets[source][target] = None
        if self._ranks[target] < self._ranks[source]:
            self._rerank(target)

    def _reaches(self, start: V, end: V) -> bool:
        pending, seen = [start], {start}
        while pending:
            vertex = pending.pop()
            if vertex == end:
                return True
            further = [target for target in self._targets[vertex] if target not in seen]
            seen.update(further)
            pending += further
        return False

    def _rerank(self, vertex: V) -> None:
        """A new rank after all others, and then new ranks for everything that hears of it, on every way down."""
        pending = [vertex]
        while pending and self._steps < _PATIENCE:
            current = pending.pop()
            self._ranks[current] = self._next
            self._next += 1
            self._steps += 1
            pending += reversed(self._targets[current])

    def order(self) -> tuple[V, ...]:
        """The vertices by rank."""
        if self._steps >= _PATIENCE or self.has_cycle:
            return tuple(_sorted_by_needs(self._made, self._starts))
        return tuple(sorted(self._made, key=self._ranks.__getitem__))


def _has_cycle(made: Sequence[V], needs: Mapping[V, tuple[V, ...]]) -> bool:
    return len(list(_sorted_by_needs(made, needs))) < len(made)


def _sorted_by_needs(made: Sequence[V], needs: Mapping[V, tuple[V, ...]]) -> Iterator[V]:
    """The vertices in the order of making, each put off until what it needs is there; those on a cycle never are."""
    known = set(made)
    waiting = {vertex: {need for need in needs[vertex] if need in known} for vertex in made}
    readers: dict[V, list[V]] = {vertex: [] for vertex in made}
    for vertex, wanted in waiting.items():
        for need in wanted:
            readers[need].append(vertex)
    ready = [vertex for vertex in made if not waiting[vertex]][::-1]
    while ready:
        vertex = ready.pop()
        yield vertex
        for reader in reversed(readers[vertex]):
            waiting[reader].discard(vertex)
            if not waiting[reader]:
                ready.append(reader)
