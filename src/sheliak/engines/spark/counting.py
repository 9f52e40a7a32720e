"""How many rows the datasets of a run have, and which fields: counted where the rows are."""

from __future__ import annotations

from dataclasses import dataclass

from sheliak.dataflow.graph import Vertex
from sheliak.engines.protocol import DatasetRun
from sheliak.engines.spark.failures import stopped
from sheliak.engines.spark.results import fields_of
from sheliak.engines.spark.run import SparkRun
from sheliak.engines.spark.run_report import described_datasets
from sheliak.expressions.values import Row


@dataclass(frozen=True, slots=True)
class Counted:
    """A dataset without its rows."""

    dataset: DatasetRun
    rows: int | None = None
    """None where the renderer makes them."""
    fields: tuple[str, ...] = ()


def counted(run: SparkRun) -> list[Counted]:
    """Every dataset of a run."""
    return [_counted(run, dataset) for dataset in described_datasets(run).values()]


def _counted(run: SparkRun, dataset: DatasetRun) -> Counted:
    vertex = Vertex("dataset", dataset.name)
    if dataset.engine == "renderer":
        return Counted(dataset)
    if vertex in run.plans and not dict.__contains__(run.rows, vertex):
        plan = run.plans[vertex]
        with stopped(), run.progress(run.label([vertex])):
            return Counted(dataset, run.lower.frame(plan).count(), tuple(fields_of(plan)))
    rows = run.rows[vertex]
    return Counted(dataset, len(rows), _names(rows))


def _names(rows: list[Row]) -> tuple[str, ...]:
    names: dict[str, None] = {}
    for row in rows:
        names.update(dict.fromkeys(row))
    return tuple(names)
