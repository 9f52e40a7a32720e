"""How many rows the datasets of a run have, and which fields: counted where the rows are."""

from __future__ import annotations

from dataclasses import dataclass

from sheliak.dataflow.graph import Vertex
from sheliak.engines.protocol import DatasetRun
from sheliak.engines.spark.failures import as_failure
from sheliak.engines.spark.results import fields_of
from sheliak.engines.spark.run import SparkRun
from sheliak.engines.spark.run_report import described_datasets
from sheliak.expressions.values import Row
from sheliak.plan.building import fields_only
from sheliak.plan.column_types import NUMBER
from sheliak.plan.operators import Group, Plan, Summarized, Summary
from sheliak.plan.planning import Planning


@dataclass(frozen=True, slots=True)
class Counted:
    """A dataset without its rows."""

    dataset: DatasetRun
    rows: int | None = None
    """None where the renderer makes them."""
    fields: tuple[str, ...] = ()


def counted(run: SparkRun) -> list[Counted]:
    """Every dataset of a run; what stops it is a RunFailure, though to count rows it need not be known."""
    described = {Vertex("dataset", name): dataset for name, dataset in described_datasets(run).items()}
    planned = {
        vertex: run.plans[vertex]
        for vertex, dataset in described.items()
        if dataset.engine != "renderer" and vertex in run.plans and not dict.__contains__(run.rows, vertex)
    }
    with as_failure():
        numbers = run.fetched(
            {vertex: _number_of_rows(plan, run.planning) for vertex, plan in planned.items()}, "they are counted"
        )
    found = []
    for vertex, dataset in described.items():
        if dataset.engine == "renderer":
            found.append(Counted(dataset))
        elif vertex in planned:
            ((rows,),) = (row.values() for row in numbers[vertex])
            assert isinstance(rows, float)
            found.append(Counted(dataset, int(rows), tuple(fields_of(planned[vertex]))))
        else:
            found.append(Counted(dataset, len(run.rows[vertex]), _names(run.rows[vertex])))
    return found


def _number_of_rows(plan: Plan, planning: Planning) -> Plan:
    made = Summarized(planning.column(), Summary("count", (), NUMBER))
    return fields_only(Group(plan, (), (made,), always=True), {"rows": made.read()}, planning)


def _names(rows: list[Row]) -> tuple[str, ...]:
    names: dict[str, None] = {}
    for row in rows:
        names.update(dict.fromkeys(row))
    return tuple(names)
