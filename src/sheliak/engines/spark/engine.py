"""run_spark: a spec in, the rows of its datasets out, computed on Spark wherever a plan can say them exactly."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from sheliak.dataflow.graph import Graph, build_graph
from sheliak.engines.protocol import DatasetRun, RunResult
from sheliak.engines.reference.engine import ReferenceEngine, inputs_after_triggers, refused
from sheliak.engines.reference.inputs import (
    Inputs,
    Surroundings,
    load_inputs,
    never_apart,
)
from sheliak.engines.reference.rewritten import changed_by_groups
from sheliak.engines.reference.run import Run
from sheliak.engines.reference.sources import FileAtHand
from sheliak.engines.spark.failures import StoppedRun
from sheliak.engines.spark.given import Given
from sheliak.engines.spark.lower import Lower
from sheliak.engines.spark.reading.files import is_apart, is_too_large
from sheliak.engines.spark.run import SparkRun
from sheliak.engines.spark.run_report import result_of
from sheliak.engines.spark.sources import SessionSources, sees_files
from sheliak.expressions.values import Row, Value
from sheliak.expressions.zones import zone_of
from sheliak.loading.folders import DataFolders
from sheliak.loading.rows import LoadFailure
from sheliak.source.json_reader import Document
from sheliak.source.tree import Node

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def run_spark(
    spec: Document | Node | Mapping[str, object],
    session: SparkSession,
    folders: DataFolders | None = None,
    *,
    timezone: str = "UTC",
    seed: float = 42,
    now: float | None = None,
    signals: Mapping[str, Value] | None = None,
    data: Mapping[str, list[Row]] | None = None,
    frames: Mapping[str, Given] | None = None,
) -> RunResult:
    """The datasets of a spec's top level as they are after a chart's first run; for every transform who ran it, and why.

    `frames` are Spark's data frames that datasets have before their transforms, instead of what the spec names.
    """
    root = spec.root if isinstance(spec, Document) else spec if isinstance(spec, Node) else Node(dict(spec))
    clock = float(round(time.time() * 1000)) if now is None else now
    around = Surroundings(folders or DataFolders(None), zone_of(timezone), seed, clock, signals or {}, data or {})
    return SparkEngine(session, around, frames or {}).run(root)


@dataclass(frozen=True, slots=True)
class SparkEngine:
    """The Engine that plans every transform it can, and leaves the others to the driver."""

    session: SparkSession
    surroundings: Surroundings
    frames: Mapping[str, Given] = field(default_factory=dict)

    def run(self, root: Node) -> RunResult:
        graph = build_graph(root)
        if graph.problems:
            return refused(graph, graph.problems)
        try:
            inputs = load_inputs(graph, self.surroundings, self.apart, self.frames).changed({}, changed_by_groups(root))
        except LoadFailure as error:
            return refused(graph, (str(error),))
        sources = SessionSources(self.session)
        try:
            return self._run(root, graph, inputs, sources)
        except StoppedRun as problem:
            # What stops a run is found when rows are computed; where it stops the others is known to the plain run alone.
            if self.frames or is_too_large(inputs.files.values()):
                raise problem.failure() from problem
            return self._on_the_driver(root, f"the run on Spark stops: {problem.reason}")
        finally:
            sources.close()

    def _run(self, root: Node, graph: Graph, inputs: Inputs, sources: SessionSources) -> RunResult:
        run = self.started(graph, inputs, sources)
        run.first()
        if (run.changes or run.given) and not self.frames:
            return self._on_the_driver(root, "an expression changes a dataset while it runs")
        return result_of(run)

    def _on_the_driver(self, root: Node, reason: str) -> RunResult:
        """The run in Python, and why it is not on Spark."""
        result = ReferenceEngine(self.surroundings).run(root)
        return replace(result, datasets={name: _because(found, reason) for name, found in result.datasets.items()})

    @property
    def apart(self) -> Callable[[FileAtHand], bool]:
        """Which files Spark reads by itself."""
        return is_apart if sees_files(self.session) else never_apart

    def started(self, graph: Graph, inputs: Inputs, sources: SessionSources) -> SparkRun:
        """A run that begins with what triggers make of the datasets."""
        if any(definition.triggers for definition in graph.definitions.datasets):
            inputs = inputs_after_triggers(Run(graph, self.surroundings, inputs).run(), inputs)
        return SparkRun(graph, self.surroundings, inputs, Lower(self.session, sources), self.frames)


def _because(found: DatasetRun, reason: str) -> DatasetRun:
    return replace(
        found, transforms=tuple([replace(one, reason=reason) if one.engine == "driver" else one for one in found.transforms])
    )
