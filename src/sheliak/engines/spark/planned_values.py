"""What a run holds without having computed it: rows, datasets and signals that are computed when somebody asks for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from sheliak.dataflow.graph import Vertex
from sheliak.expressions.values import Row, Value
from sheliak.plan.operators import Plan
from sheliak.plan.unplannable import Unplannable

if TYPE_CHECKING:
    from sheliak.engines.spark.run import SparkRun


class PlannedRows(dict[Vertex, list[Row]]):
    """Rows of vertices; those of a plan are computed when somebody asks for them."""

    def __init__(self, run: SparkRun) -> None:
        super().__init__()
        self.run = run

    def __missing__(self, vertex: Vertex) -> list[Row]:
        if vertex not in self.run.plans:
            raise KeyError(vertex)
        self[vertex] = self.run.rows_at(vertex)
        return self[vertex]

    def __contains__(self, vertex: object) -> bool:
        return super().__contains__(vertex) or vertex in self.run.plans

    def get(self, vertex: Vertex, default: list[Row] | None = None) -> list[Row]:  # type: ignore[override]
        if vertex in self:
            return self[vertex]
        return [] if default is None else default


class FinishedDatasets(dict[str, list[Row]]):
    """The rows of the datasets that are done, by name."""

    def __init__(self, run: SparkRun) -> None:
        super().__init__()
        self.run = run

    def __missing__(self, name: str) -> list[Row]:
        return self.run.rows[Vertex("dataset", name)]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and Vertex("dataset", name) in self.run.rows


class PublishedSignals(dict[str, Value]):
    """The values of signals; what a transform publishes is computed when somebody asks for it."""

    def __init__(self, known: Mapping[str, Value]) -> None:
        super().__init__(known)
        self.later: dict[str, Callable[[], Value]] = {}

    def __missing__(self, name: str) -> Value:
        self[name] = self.later.pop(name)()
        return self[name]

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or name in self.later


class PlannedDatasets(Mapping[str, Plan]):
    """The plans of the datasets that stand so far."""

    def __init__(self, run: SparkRun) -> None:
        self.run = run

    def __getitem__(self, name: str) -> Plan:
        vertex = Vertex("dataset", name)
        self.run._require(vertex)
        if vertex not in self.run.rows:
            raise Unplannable(f"the dataset `{name}` does not stand yet")
        if self.run.graph.outputs[name] in self.run.tied:
            raise Unplannable(f"the rows of `{name}` hold each other")
        return self.run.plan_of(vertex)

    def __iter__(self) -> Iterator[str]:
        return iter(self.run.graph.definitions.by_dataset)

    def __len__(self) -> int:
        return len(self.run.graph.definitions.by_dataset)
