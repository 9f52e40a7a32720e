"""Rows that give scales the same domains as a whole dataset: both ends of its fields, or one row for each different value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sheliak.compiler.domains import Domain, only_domains
from sheliak.expressions.values import UNDEFINED, Row
from sheliak.plan.column_types import ColumnType, Plain
from sheliak.plan.operators import Plan
from sheliak.plan.planning import Planning
from sheliak.plan.unplannable import Unplannable
from sheliak.source.tree import Node
from sheliak.transforms._reading import read_transform

if TYPE_CHECKING:
    from sheliak.engines.spark.run import SparkRun


def plan_of_domain(plan: Plan, domain: Domain, planning: Planning) -> Plan | None:
    """The plan of what scales need of a dataset; None where the whole of it is not more."""
    reads = plan.schema.reads()
    if not all(field in reads for field in domain.fields):
        return None
    if domain.kind == "extents" and not all(_is_measurable(reads[field].of) for field in domain.fields):
        return None
    try:
        return read_transform(Node(domain.transform())).plan(plan, planning)
    except Unplannable:
        return None


def rows_of_domain(rows: list[Row], domain: Domain) -> list[Row]:
    """What the plan of a domain gave, as rows of the dataset."""
    if domain.kind != "extents":
        return rows
    ends = rows[0] if rows else {}
    return [
        {field: ends.get(f"{end}{number}", UNDEFINED) for number, field in enumerate(domain.fields)} for end in ("low", "high")
    ]


def rows_for_scale(run: SparkRun, dataset: str) -> list[Row] | None:
    """Rows for the scale that a run is at; None where it is at none, or where the scale needs all of the dataset."""
    if run.at is None or run.at.kind != "scale":
        return None
    domain = only_domains(dataset, {"scales": [run.graph.definitions.scales[run.at.name].value]}, [])
    vertex = run.graph.outputs[dataset]
    plan = plan_of_domain(run.plans[vertex], domain, run.planning) if domain is not None else None
    if plan is None or domain is None:
        return None
    return rows_of_domain(run.fetched({vertex: plan}, "a scale takes its domain from them")[vertex], domain)


def _is_measurable(of: ColumnType) -> bool:
    return isinstance(of, Plain) and of.kind in ("number", "date")
