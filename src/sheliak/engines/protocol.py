"""What an engine answers: the rows of every dataset it ran, and for every transform who runs it and why.

A dataset whose whole pipeline an engine ran has rows. Otherwise it stays with the renderer, and the reason says what kept it there.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol, TypeAlias

from sheliak.expressions.values import Json, Row, Value, encode
from sheliak.source.tree import Node

EngineName: TypeAlias = Literal["spark", "driver", "renderer"]
"""`driver`: in Python, next to the user; `renderer`: in Vega itself, when the chart is drawn."""


Progress: TypeAlias = "Callable[[str], AbstractContextManager[object]]"
"""Told what is being computed, for the time of a block."""


def silent(label: str) -> AbstractContextManager[object]:
    """Nobody is told."""
    return nullcontext(label)


class Unavailable(Exception):
    """Something that only the renderer knows was asked for; the text says what. It is no mistake of the spec."""


@dataclass(frozen=True, slots=True)
class TransformRun:
    """Who runs one transform; `reason` says why Spark leaves it to the driver, or an engine to the renderer."""

    type: str
    engine: EngineName
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class DatasetRun:
    """What became of one dataset of the top level."""

    name: str
    engine: EngineName
    transforms: tuple[TransformRun, ...] = ()
    rows: list[Row] | None = None
    """All of its rows, in Vega's order; None when the renderer has to make them."""
    reason: str | None = None
    """Why there are no rows."""


@dataclass(frozen=True, slots=True)
class RunResult:
    """What became of a spec."""

    datasets: Mapping[str, DatasetRun]
    signals: Mapping[str, Value] = field(default_factory=dict)
    """The values of the top-level signals that could be computed."""
    interactive: tuple[str, ...] = ()
    """The signals among them that a user may change: the datasets hold for their initial values."""
    errors: tuple[str, ...] = ()
    """What stopped the run, as Vega would log it; or why Vega would refuse the spec."""
    warnings: tuple[str, ...] = ()

    @property
    def rows(self) -> dict[str, list[Row]]:
        """The rows of the datasets that were run."""
        return {name: dataset.rows for name, dataset in self.datasets.items() if dataset.rows is not None}


class Engine(Protocol):
    """Runs the data of a spec's top level."""

    def run(self, root: Node) -> RunResult: ...


# Results as files


def report_of(result: RunResult) -> dict[str, Json]:
    """The result without its rows, as JSON: engine and reason for every dataset and transform."""
    return {
        "datasets": {name: _report_of_dataset(dataset) for name, dataset in result.datasets.items()},
        "errors": list(result.errors),
        "warnings": list(result.warnings),
        "interactive": list(result.interactive),
    }


def _report_of_dataset(dataset: DatasetRun) -> Json:
    transforms: list[Json] = [{"type": step.type, "engine": step.engine, "reason": step.reason} for step in dataset.transforms]
    return {"engine": dataset.engine, "reason": dataset.reason, "transforms": transforms}


def lines_of(rows: list[Row]) -> Iterator[str]:
    """One row a line, with values that JSON cannot hold encoded."""
    return (json.dumps(encode(row), ensure_ascii=False, separators=(",", ":")) for row in rows)


def write_result(result: RunResult, folder: Path) -> None:
    """Writes `run.json`, and `<dataset>.jsonl` for every dataset that was run.

    A dataset whose name is no plain file name gets no file: a spec must not choose where it writes.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in result.rows.items():
        if is_plain_name(name):
            (folder / f"{name}.jsonl").write_text("".join(f"{line}\n" for line in lines_of(rows)), encoding="utf-8")
    (folder / "run.json").write_text(json.dumps(report_of(result), ensure_ascii=False, indent=1), encoding="utf-8")


def is_plain_name(name: str) -> bool:
    return bool(name) and not set(name) & set("/\\\0") and name not in (".", "..") and len(name.encode()) < 200
