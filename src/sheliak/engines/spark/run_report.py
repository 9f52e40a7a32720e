"""What a run found: the rows of its datasets, who ran each transform, and why."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from sheliak.dataflow.definitions import DatasetDefinition
from sheliak.dataflow.graph import Vertex
from sheliak.engines.protocol import DatasetRun, RunResult, TransformRun
from sheliak.engines.reference.rewritten import rewritten_datasets
from sheliak.engines.spark.run import SparkRun


def result_of(run: SparkRun, names: Collection[str] | None = None) -> RunResult:
    """What a run found; the rows of plans are computed now: of all datasets, or of those named."""
    definitions = run.graph.definitions
    rewritten = rewritten_datasets(run)
    wanted = [one.name for one in definitions.datasets if one.name not in rewritten and (names is None or one.name in names)]
    run.bring(Vertex("dataset", name) for name in wanted)
    known = {name: run.signals[name] for name in [*run.signals, *run.lazy.later] if Vertex("signal", name) not in run.reasons}
    return RunResult(
        {
            definition.name: _dataset(run, definition, rewritten)
            for definition in definitions.datasets
            if names is None or definition.name in names
        },
        known,
        tuple(signal.name for signal in definitions.signals if signal.is_interactive),
        (run.error,) if run.error is not None else (),
        (*run.inputs.warnings, *run.warnings),
    )


def _dataset(run: SparkRun, definition: DatasetDefinition, rewritten: Mapping[str, str]) -> DatasetRun:
    found = described(run, definition, rewritten)
    return found if found.engine == "renderer" else replace(found, rows=run.rows[Vertex("dataset", definition.name)])


def described_datasets(run: SparkRun) -> dict[str, DatasetRun]:
    """Who runs each dataset, without rows."""
    rewritten = rewritten_datasets(run)
    return {definition.name: described(run, definition, rewritten) for definition in run.graph.definitions.datasets}


def described(run: SparkRun, definition: DatasetDefinition, rewritten: Mapping[str, str]) -> DatasetRun:
    """Who runs a dataset, without its rows."""
    vertex = Vertex("dataset", definition.name)
    transforms = tuple(
        _transform(run, Vertex("transform", definition.name, index), step.type)
        for index, step in enumerate(definition.transforms)
    )
    if definition.name in rewritten:
        return DatasetRun(definition.name, "renderer", transforms, reason=rewritten[definition.name])
    if vertex not in run.rows:
        return DatasetRun(definition.name, "renderer", transforms, reason=_reason(run, vertex))
    is_planned = vertex in run.plans and all(step.engine == "spark" for step in transforms)
    return DatasetRun(definition.name, "spark" if is_planned else "driver", transforms)


def _transform(run: SparkRun, vertex: Vertex, kind: str) -> TransformRun:
    return run.engines.get(vertex) or TransformRun(kind, "renderer", _reason(run, vertex))


def _reason(run: SparkRun, vertex: Vertex) -> str:
    return run.reasons.get(vertex) or f"the run stops before it: {run.error}"
