"""What a run starts with: the surroundings it is given, and the rows that are loaded before it."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, field

from sheliak.dataflow.definitions import DatasetDefinition
from sheliak.dataflow.graph import Graph
from sheliak.engines.failures import RunFailure
from sheliak.engines.protocol import Unavailable
from sheliak.engines.reference.sources import FileAtHand, Refused, located, rows_of_url
from sheliak.expressions.values import Row, Value, to_text
from sheliak.expressions.zones import UTC, Zone
from sheliak.loading.folders import DataFolders
from sheliak.loading.formats import has_signal
from sheliak.loading.remote import RemoteFiles, Unfetched
from sheliak.loading.rows import LoadedRows, rows_of_values, value_of_json
from sheliak.source.tree import Node


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
    remote: RemoteFiles | None = None
    """The hosts whose files may be fetched."""
    strict_files: bool = False
    """A file that is missing or cannot be read is a RunFailure; Vega warns, and goes on without rows."""


@dataclass(slots=True)
class Inputs:
    """The rows of every dataset whose source no signal decides: Vega loads them before the run."""

    rows: dict[str, list[Row]] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)
    """Why the renderer has to load a dataset."""
    warnings: list[str] = field(default_factory=list)
    files: dict[str, FileAtHand] = field(default_factory=dict)
    """Files that the engine reads by itself."""

    def changed(self, rows: Mapping[str, list[Row]], reasons: Mapping[str, str]) -> Inputs:
        """The same with other rows for some datasets, or none."""
        files = {name: file for name, file in self.files.items() if name not in rows}
        return Inputs({**self.rows, **rows}, {**self.reasons, **reasons}, self.warnings, files)


def never_apart(file: FileAtHand) -> bool:
    """Every file is read here."""
    return False


def load_inputs(
    graph: Graph, around: Surroundings, apart: Callable[[FileAtHand], bool] = never_apart, given: Container[str] = ()
) -> Inputs:
    """Loads what can be loaded now, but for the files that an engine reads by itself and the datasets whose rows it was `given`.

    Raises LoadFailure where Vega refuses the spec.
    """
    inputs = Inputs()
    for definition in graph.definitions.datasets:
        if definition.name in given:
            continue
        if definition.name in around.data:
            inputs.rows[definition.name] = around.data[definition.name]
        elif definition.origin in ("values", "url") and not decided_by_signals(definition):
            _load(definition, inputs, around, apart)
    return inputs


def _load(definition: DatasetDefinition, inputs: Inputs, around: Surroundings, apart: Callable[[FileAtHand], bool]) -> None:
    given, format = definition.node.get(definition.origin), definition.node.get("format")
    assert given is not None
    name = definition.name
    if definition.origin == "values":
        inputs.rows[name] = rows_of_values(given, format, around.zone)
        return
    try:
        loaded = load_url(value_of_json(given.value), format, around, name, apart)
    except Unavailable as reason:
        inputs.reasons[name] = str(reason)
        return
    if isinstance(loaded, FileAtHand):
        inputs.files[name] = loaded
        return
    inputs.rows[name] = loaded.rows
    inputs.warnings += [loaded.warning] if loaded.warning is not None else []


def load_url(
    url: Value, format: Node | None, around: Surroundings, dataset: str, apart: Callable[[FileAtHand], bool] = never_apart
) -> LoadedRows | FileAtHand:
    """The rows behind a url, or the file that an engine reads by itself; raises Unavailable, and RunFailure if files are strict."""
    text = to_text(url, around.zone)
    try:
        if apart is not never_apart and not text.startswith("data:"):
            file = _at_hand(text, format, around)
            if file is not None and apart(file):
                return file
        loaded = rows_of_url(url, format, around.folders, around.zone, around.remote)
    except Refused as reason:
        if around.strict_files:
            raise RunFailure(str(reason), dataset=dataset, help=_FOLDERS) from reason
        raise
    if loaded.warning is not None and around.strict_files:
        raise RunFailure(in_words(loaded.warning, text), dataset=dataset, help=_FOLDERS if not loaded.rows else None)
    return loaded


_FOLDERS = "data is read from below the spec's folder, and from below the folders given with --data-dir"


def _at_hand(url: str, format: Node | None, around: Surroundings) -> FileAtHand | None:
    try:
        path = located(url, around.folders, around.remote)
    except Unfetched:
        return None  # the warning is made where rows are loaded
    return None if path is None else FileAtHand(path, url, format)


def in_words(warning: str, url: str) -> str:
    """What Vega logs, as a message: the file first, then what is so."""
    for opening, words in (("Loading failed ", "cannot be loaded"), ("Data ingestion failed ", "cannot be read")):
        if warning.startswith(opening):
            return f"`{url}` {words}: {warning.removeprefix(opening).removeprefix(url).lstrip(': ')}"
    return warning


def decided_by_signals(definition: DatasetDefinition) -> bool:
    """A signal gives the values, a part of the url or a part of the format. Signals inside of values are data."""
    if has_signal(definition.format):
        return True
    given = definition.given
    if definition.origin == "url":
        return has_signal(given)
    return isinstance(given, dict) and bool(given.get("signal"))
