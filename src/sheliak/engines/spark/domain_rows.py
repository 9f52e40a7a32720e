"""Rows that give scales the same domains as a whole dataset: both ends of its fields, or one row for each different value."""

from __future__ import annotations

from sheliak.compiler.domains import Domain, only_domains
from sheliak.expressions.values import UNDEFINED, Row
from sheliak.plan.column_types import ColumnType, Plain
from sheliak.plan.operators import Plan
from sheliak.plan.planning import Planning
from sheliak.plan.unplannable import Unplannable
from sheliak.source.tree import Node
from sheliak.transforms._reading import read_transform


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


def domain_of_scale(dataset: str, scale: object) -> Domain | None:
    """What one scale needs of a dataset; None where that is all of it."""
    return only_domains(dataset, {"scales": [scale]}, [])


def _is_measurable(of: ColumnType) -> bool:
    return isinstance(of, Plain) and of.kind in ("number", "date")
