"""Where a chart is cut in two: what an engine computes once, and what is left to the renderer.

A dataset that the renderer needs is cut behind the last transform that an engine ran. What a reader of the chart can change is left to
the renderer too, as long as the rows before it are few; otherwise it is computed for the signals' initial values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from sheliak.compiler.mentions import mentioned
from sheliak.dataflow.definitions import DatasetDefinition
from sheliak.dataflow.graph import Graph, Vertex


@dataclass(frozen=True, slots=True)
class Cut:
    """A dataset of the spec that is drawn: its rows after so many transforms, the others still to be run there."""

    definition: DatasetDefinition
    done: int
    """How many transforms are behind the rows."""
    inline: bool
    """The rows stand in the spec; otherwise the dataset starts as the original does."""
    live: bool = False
    """The rest is left to the renderer because a reader of the chart can change it."""

    @property
    def vertex(self) -> Vertex:
        """Where the rows come from."""
        return vertex_after(self.definition, self.done)

    @property
    def rest(self) -> list[object]:
        """The transforms that the renderer runs."""
        return [step.node.value for step in self.definition.transforms[self.done :]]


def vertex_after(definition: DatasetDefinition, done: int) -> Vertex:
    """The rows of a dataset after so many of its transforms."""
    if done == len(definition.transforms):
        return Vertex("dataset", definition.name)
    return Vertex("transform", definition.name, done - 1) if done else Vertex("source", definition.name)


@dataclass(slots=True)
class Splitting:
    """Finds the cuts of a chart."""

    graph: Graph
    is_available: Callable[[Vertex], bool]
    """Whether an engine has the rows of a vertex."""
    live: frozenset[Vertex]
    given: frozenset[str] = frozenset()
    """Datasets whose source the caller replaced: the spec does not say their rows."""
    frozen: set[str] = field(default_factory=set)
    """Datasets that are computed for the initial values of signals, although those may change."""
    last: dict[str, int] = field(default_factory=dict)
    """Datasets that cannot be cut behind more than so many transforms, because their rows cannot stand in a spec."""

    def cuts(self, drawn: object) -> dict[str, Cut]:
        """The cuts of the datasets that the drawn part of the spec, or what is left of other datasets, mentions."""
        by_name = self.graph.definitions.by_dataset
        found: dict[str, Cut] = {}
        pending = mentioned(drawn, by_name)
        while pending:
            name = pending.pop()
            if name not in found:
                cut = found[name] = self._cut(by_name[name])
                pending |= mentioned(kept_of(cut), by_name)
        return {name: found[name] for name in by_name if name in found}

    def demanded_by_live(self, cuts: Mapping[str, Cut], name: str) -> set[str]:
        """The datasets with live transforms on which it depends that these rows are sent."""
        found: set[str] = set()
        pending, seen = {name}, set[str]()
        while pending:
            current = pending.pop()
            seen.add(current)
            if cuts[current].live:
                found.add(current)
            pending |= {other for other, cut in cuts.items() if current in mentioned(kept_of(cut), cuts)} - seen
        return found

    def _cut(self, definition: DatasetDefinition) -> Cut:
        most = min(self._available(definition), self.last.get(definition.name, len(definition.transforms)))
        if most < 0:
            return Cut(definition, 0, inline=False)
        wanted = self._before_live(definition)
        done = min(most, wanted)
        is_live = done < most
        if done == 0 and definition.origin != "url" and definition.name not in self.given:
            # Values stand in the spec already; rows of other datasets are shared with them.
            return Cut(definition, 0, inline=False, live=is_live)
        return Cut(definition, done, inline=True, live=is_live)

    def _available(self, definition: DatasetDefinition) -> int:
        """After how many transforms an engine still has the rows; -1: not even the rows it starts with."""
        done = len(definition.transforms)
        while done >= 0 and not self.is_available(vertex_after(definition, done)):
            done -= 1
        return done

    def _before_live(self, definition: DatasetDefinition) -> int:
        """How many transforms come before the first that may change; 0 where the rows themselves may."""
        if definition.name in self.frozen:
            return len(definition.transforms)
        if Vertex("source", definition.name) in self.live:
            return 0
        for index in range(len(definition.transforms)):
            if Vertex("transform", definition.name, index) in self.live:
                return index
        return len(definition.transforms)


def kept_of(cut: Cut) -> dict[str, object]:
    """What stays of a dataset's definition beside its rows."""
    given = cut.definition.node.value
    assert isinstance(given, dict)
    kept = dict(given) if not cut.inline else {name: given[name] for name in ("name", "on", "async") if name in given}
    if cut.done or cut.inline:
        kept.pop("transform", None)
        if rest := cut.rest:
            kept["transform"] = rest
    return kept
