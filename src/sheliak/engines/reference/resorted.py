"""Lists of rows that are sorted where they lie.

A dataset hands the list of its new rows to those that read it. A `collect` that is the first to take such a list sorts the list itself: who
reads it later, new row by new row, finds the rows in that order. Who reads the dataset as a whole does not, unless the list is the dataset.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from sheliak.dataflow.definitions import DatasetDefinition, Step
from sheliak.dataflow.graph import Graph, Vertex
from sheliak.transforms._running import writes_into_its_input

_HANDS_ON = frozenset({"collect", "extent"})
"""Transforms that hand on the very list they are given."""
_READS_WHOLE = frozenset({"countpattern", "cross", "density", "flatten", "fold", "kde", "loess", "quantile", "regression"})
"""Transforms that read the dataset as a whole on a first run."""
_LIST_IS_DATASET = frozenset({"cross", "density", "flatten", "fold", "kde", "loess", "regression"})
"""Transforms whose list of new rows is the dataset itself."""


@dataclass(slots=True)
class ReadingOrders:
    """Where each derived dataset of a spec finds its rows, and which datasets change their own order, on a first run."""

    graph: Graph
    reads: dict[str, tuple[Vertex, ...]] = field(default_factory=dict)
    """For a derived dataset the vertices whose rows it starts with: those of its sources, or later ones with the same rows sorted."""
    turned: dict[Vertex, str] = field(default_factory=dict)
    """For a `collect` that sorts a whole dataset with its list, the name of that dataset."""

    def __post_init__(self) -> None:
        last: dict[str, Vertex] = {}
        for vertex in self.graph.order:
            definition = self.graph.definitions.by_dataset.get(vertex.name)
            if definition is None or definition.origin != "source":
                continue
            if vertex.kind == "source":
                self.reads[vertex.name] = tuple(self._found(definition, name, last) for name in definition.upstream)
            elif vertex.kind == "transform" and _sorts_what_it_is_given(definition, vertex.index):
                owner = self._owner(definition.upstream[0])
                last[owner] = vertex
                if self._is_its_list(owner):
                    self.turned[vertex] = owner

    def _found(self, definition: DatasetDefinition, name: str, last: dict[str, Vertex]) -> Vertex:
        own = self.graph.outputs.get(name, Vertex("dataset", name))
        return own if _reads_whole(definition) else last.get(self._owner(name), own)

    def _owner(self, name: str) -> str:
        """The dataset that made the list which a dataset hands to its readers."""
        definition = self.graph.definitions.by_dataset.get(name)
        if definition is None or not _is_plainly_derived(definition) or not _all_hand_on(definition.transforms):
            return name
        return self._owner(definition.upstream[0])

    def _is_its_list(self, name: str) -> bool:
        steps = self.graph.definitions.by_dataset[name].transforms
        makers = [step for step in steps if step.cls is None or not step.cls.writes and step.type != "extent"]
        return bool(makers) and makers[-1].type in _LIST_IS_DATASET


def _sorts_what_it_is_given(definition: DatasetDefinition, index: int) -> bool:
    step = definition.transforms[index]
    sort = step.node.get("sort") if step.type == "collect" else None
    given = sort is not None and sort.value is not None
    return given and _is_plainly_derived(definition) and _all_hand_on(definition.transforms[:index])


def _is_plainly_derived(definition: DatasetDefinition) -> bool:
    """It takes the list of one dataset, and copies nothing."""
    return definition.origin == "source" and len(definition.upstream) == 1 and not writes_into_its_input(definition.classes)


def _all_hand_on(steps: tuple[Step, ...]) -> bool:
    return all(step.type in _HANDS_ON for step in steps)


def _reads_whole(definition: DatasetDefinition) -> bool:
    if not _is_plainly_derived(definition):
        return False
    first = next(_others(definition.transforms), None)
    return first is None or first.type in _READS_WHOLE


def _others(steps: tuple[Step, ...]) -> Iterator[Step]:
    """The steps that do more than look at rows."""
    return (step for step in steps if step.type != "extent")
