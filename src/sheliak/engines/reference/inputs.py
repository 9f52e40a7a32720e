"""What a run starts with: the surroundings it is given, and the rows that are loaded before it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sheliak.dataflow.definitions import DatasetDefinition
from sheliak.dataflow.graph import Graph
from sheliak.engines.protocol import Unavailable
from sheliak.engines.reference.sources import rows_of_url
from sheliak.expressions.values import Row, Value
from sheliak.expressions.zones import UTC, Zone
from sheliak.loading.folders import DataFolders
from sheliak.loading.formats import has_signal
from sheliak.loading.rows import rows_of_values, value_of_json


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a run depends on besides the spec."""

    folders: DataFolders
    zone: Zone = UTC
    seed: float = 42
    now: float = 0.0
    signals: Mapping[str, Value] = field(default_factory=dict)
    """Values that signals have from the start, instead of those their definitions give."""
    data: Mapping[str, list[Row]] = field(default_factory=dict)
    """Rows that datasets have before their transforms, instead of those the spec names."""


@dataclass(slots=True)
class Inputs:
    """The rows of every dataset whose source no signal decides: Vega loads them before the run."""

    rows: dict[str, list[Row]] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)
    """Why the renderer has to load a dataset."""
    warnings: list[str] = field(default_factory=list)

    def changed(self, rows: Mapping[str, list[Row]], reasons: Mapping[str, str]) -> Inputs:
        """The same with other rows for some datasets, or none."""
        return Inputs({**self.rows, **rows}, {**self.reasons, **reasons}, self.warnings)


def load_inputs(graph: Graph, around: Surroundings) -> Inputs:
    """Loads what can be loaded now. Raises LoadFailure where Vega refuses the spec."""
    inputs = Inputs()
    for definition in graph.definitions.datasets:
        if definition.name in around.data:
            inputs.rows[definition.name] = around.data[definition.name]
        elif definition.origin in ("values", "url") and not decided_by_signals(definition):
            _load(definition, inputs, around)
    return inputs


def _load(definition: DatasetDefinition, inputs: Inputs, around: Surroundings) -> None:
    given, format = definition.node.get(definition.origin), definition.node.get("format")
    assert given is not None
    if definition.origin == "values":
        inputs.rows[definition.name] = rows_of_values(given, format, around.zone)
        return
    try:
        loaded = rows_of_url(value_of_json(given.value), format, around.folders, around.zone)
    except Unavailable as reason:
        inputs.reasons[definition.name] = str(reason)
        return
    inputs.rows[definition.name] = loaded.rows
    inputs.warnings += [loaded.warning] if loaded.warning is not None else []


def decided_by_signals(definition: DatasetDefinition) -> bool:
    """A signal gives the values, a part of the url or a part of the format. Signals inside of values are data."""
    if has_signal(definition.format):
        return True
    given = definition.given
    if definition.origin == "url":
        return has_signal(given)
    return isinstance(given, dict) and bool(given.get("signal"))
