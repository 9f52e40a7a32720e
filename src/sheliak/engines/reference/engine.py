"""run_reference: a spec in, the rows of its datasets out."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass

from sheliak.dataflow.graph import Graph, Vertex, build_graph
from sheliak.engines.protocol import DatasetRun, RunResult, TransformRun
from sheliak.engines.reference.inputs import Inputs, Surroundings, load_inputs
from sheliak.engines.reference.rewritten import changed_by_groups, rewritten_datasets, written_by
from sheliak.engines.reference.run import Run
from sheliak.expressions.values import Row, Value
from sheliak.expressions.zones import zone_of
from sheliak.loading.folders import DataFolders
from sheliak.loading.rows import LoadFailure
from sheliak.source.json_reader import Document
from sheliak.source.tree import Node


def run_reference(
    spec: Document | Node | Mapping[str, object],
    folders: DataFolders | None = None,
    *,
    timezone: str = "UTC",
    seed: float = 42,
    now: float | None = None,
    signals: Mapping[str, Value] | None = None,
    data: Mapping[str, list[Row]] | None = None,
) -> RunResult:
    """The datasets of a spec's top level as they are after a chart's first run.

    Never raises for what a spec says: what cannot be run has a reason instead of rows, what Vega refuses is among the errors.
    `now` is what the clock shows, in milliseconds; `signals` and `data` replace initial values and sources.
    """
    root = spec.root if isinstance(spec, Document) else spec if isinstance(spec, Node) else Node(dict(spec))
    surroundings = Surroundings(
        folders or DataFolders(None),
        zone_of(timezone),
        seed,
        float(round(time.time() * 1000)) if now is None else now,
        signals or {},
        data or {},
    )
    return ReferenceEngine(surroundings).run(root)


@dataclass(frozen=True, slots=True)
class ReferenceEngine:
    """The Engine that runs everything in Python."""

    surroundings: Surroundings

    def run(self, root: Node) -> RunResult:
        graph = build_graph(root)
        if graph.problems:
            return refused(graph, graph.problems)
        try:
            inputs = load_inputs(graph, self.surroundings).changed({}, changed_by_groups(root))
        except LoadFailure as error:
            return refused(graph, (str(error),))
        return result_of(self._after_triggers(graph, inputs))

    def _after_triggers(self, graph: Graph, inputs: Inputs) -> Run:
        """The run, or, where triggers changed datasets during it, the run over the changed datasets.

        Vega passes the changes on to what depends on them. To run everything anew gives the same rows, apart from the order of
        groups that vanish and return; triggers are not asked a second time.
        """
        first = Run(graph, self.surroundings, inputs).first()
        changed = inputs_after_triggers(first, inputs)
        return first if changed is inputs else Run(graph, self.surroundings, changed).first()


def inputs_after_triggers(first: Run, inputs: Inputs) -> Inputs:
    """What datasets hold after what triggers and signals did to them during a run; the same inputs where they did nothing."""
    if first.error is not None:
        return inputs
    reasons = _changed_in_the_renderer(first)
    rows: dict[str, list[Row]] = {}
    for name, changes in first.changes.items():
        source = Vertex("source", name)
        origin = first.graph.definitions.by_dataset[name].origin
        if origin == "source" or name in reasons or source not in first.rows:
            continue
        changed = changes.applied(inputs.rows.get(name, []), first.rows[source])
        if changed is not None:
            rows[name] = changed
    return inputs.changed(rows, reasons) if rows or reasons else inputs


def _changed_in_the_renderer(run: Run) -> dict[str, str]:
    """Datasets with triggers, or signals that change them, which only the renderer can evaluate."""
    reasons: dict[str, str] = {}
    for vertex, reason in run.reasons.items():
        definition = run.graph.definitions.by_signal.get(vertex.name) if vertex.kind == "signal" else None
        if vertex.kind == "trigger":
            reasons[vertex.name] = reason
        elif definition is not None and definition.expression is not None:
            reasons |= dict.fromkeys(written_by(definition.expression), reason)
    return reasons


# Results


def result_of(run: Run) -> RunResult:
    """What a run found."""
    definitions = run.graph.definitions
    rewritten = rewritten_datasets(run)
    return RunResult(
        {definition.name: _dataset(run, definition.name, rewritten) for definition in definitions.datasets},
        run.signals,
        tuple(signal.name for signal in definitions.signals if signal.is_interactive),
        (run.error,) if run.error is not None else (),
        (*run.inputs.warnings, *run.warnings),
    )


def _dataset(run: Run, name: str, rewritten: Mapping[str, str]) -> DatasetRun:
    vertex = Vertex("dataset", name)
    steps = run.graph.definitions.by_dataset[name].transforms
    transforms = tuple(_transform(run, Vertex("transform", name, index), step.type) for index, step in enumerate(steps))
    if name in rewritten:
        return DatasetRun(name, "renderer", transforms, reason=rewritten[name])
    if vertex in run.rows:
        return DatasetRun(name, "driver", transforms, run.rows[vertex])
    return DatasetRun(name, "renderer", transforms, reason=_reason(run, vertex))


def _transform(run: Run, vertex: Vertex, kind: str) -> TransformRun:
    if vertex in run.rows:
        return TransformRun(kind, "driver")
    return TransformRun(kind, "renderer", _reason(run, vertex))


def _reason(run: Run, vertex: Vertex) -> str:
    return run.reasons.get(vertex) or f"the run stops before it: {run.error}"


def refused(graph: Graph, problems: tuple[str, ...]) -> RunResult:
    """Vega refuses the whole spec: no dataset exists."""
    reason = f"Vega refuses the spec: {problems[0]}"
    datasets = {
        definition.name: DatasetRun(
            definition.name,
            "renderer",
            tuple(TransformRun(step.type, "renderer", reason) for step in definition.transforms),
            reason=reason,
        )
        for definition in graph.definitions.datasets
    }
    return RunResult(datasets, errors=problems)
