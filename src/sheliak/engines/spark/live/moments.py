"""The datasets of a spec at one moment, and the runs over the rows that its sources have then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sheliak.changes.change import Error, Rejected
from sheliak.dataflow.graph import Graph, Vertex
from sheliak.engines.failures import RowLimit
from sheliak.engines.reference.engine import ReferenceEngine
from sheliak.engines.reference.inputs import Inputs, Surroundings
from sheliak.engines.spark.failures import StoppedRun
from sheliak.engines.spark.job_failures import reason_of
from sheliak.engines.spark.live.run import LiveSparkRun, Traced, Types
from sheliak.engines.spark.live.source_table import SourceTable
from sheliak.engines.spark.live.standing import Standing
from sheliak.engines.spark.run_report import described_datasets
from sheliak.source.tree import Node

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

MOST_ROWS = 500_000
"""A dataset with more rows, whose changes cannot be told from the changes of its sources, is not brought to the driver."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The datasets of a spec at one moment: the rows of the sources, the plans that stand, the groups that are remembered."""

    tables: dict[str, SourceTable]
    around: Surroundings
    standing: Standing
    groups: dict[str, SourceTable]

    def remembered_rows(self, dataset: str) -> Traced | None:
        """The rows of a dataset whose groups are remembered."""
        form = self.standing.remembered(dataset, self.tables) if dataset in self.groups else None
        return None if form is None else self.standing.rows_of_remembered(dataset, form, self.groups[dataset])


def moment_of(
    graph: Graph, tables: dict[str, SourceTable], around: Surroundings, inputs: Inputs, session: SparkSession
) -> Moment:
    """The plans over the rows of sources, and the groups to be remembered. Raises Rejected where the rows stop the run."""
    standing = standing_of(run_over(graph, tables, around, inputs, session))
    groups: dict[str, SourceTable] = {}
    for dataset in standing.described:
        form = standing.remembered(dataset, tables)
        if form is None:
            continue
        try:
            groups[dataset] = standing.group_table(dataset, form, tables)
        except StoppedRun:
            standing.give_up(dataset)  # whether the rows can be is told where all of them are run
    return Moment(tables, around, standing, groups)


def standing_of(run: LiveSparkRun) -> Standing:
    return Standing(run, described_datasets(run))


def run_over(
    graph: Graph,
    tables: dict[str, SourceTable],
    around: Surroundings,
    inputs: Inputs,
    session: SparkSession,
    types: Mapping[str, Types] | None = None,
) -> LiveSparkRun:
    """The run over the rows of sources, in columns of given types or of their own. Raises Rejected where they stop it."""
    run = LiveSparkRun(graph, around, inputs, tables, session, types or {})
    try:
        run.run()
    except StoppedRun as problem:
        run.error = problem.reason
    if run.error is not None:
        run.close()
        vertex = run.at
        raise Rejected(Error(vertex.name if vertex is not None else "the run", None, run.error))
    return run


def rows_at(moment: Moment, names: Sequence[str], root: Node) -> dict[str, Traced]:
    """The rows of datasets: those of remembered groups, whose sums are exact, as they are; the others are run."""
    found = {name: rows for name in names if (rows := _remembered_rows(moment, name)) is not None}
    left = [name for name in names if name not in found]
    return found | (rows_of_run(moment.standing.run, left, root) if left else {})


def _remembered_rows(moment: Moment, name: str) -> Traced | None:
    """None as well where they are too many, or stop the run: what is run tells it."""
    if name in moment.groups and moment.groups[name].count > MOST_ROWS:
        return None
    try:
        return moment.remembered_rows(name)
    except StoppedRun:
        return None


def rows_of_run(run: LiveSparkRun, names: Sequence[str], root: Node) -> dict[str, Traced]:
    """The rows of datasets that an engine runs."""
    vertices = [Vertex("dataset", name) for name in names if Vertex("dataset", name) in run.rows]
    try:
        found = run.traced(vertices, MOST_ROWS)
    except StoppedRun as problem:
        return _rows_in_python(run, names, root, str(problem))
    for vertex, traced in found.items():
        if len(traced.rows) > MOST_ROWS:
            raise RowLimit(vertex.name, MOST_ROWS, "its changes are told by comparison")
    return {vertex.name: traced for vertex, traced in found.items()}


def _rows_in_python(run: LiveSparkRun, names: Sequence[str], root: Node, problem: str) -> dict[str, Traced]:
    """Rows that stop a run on Spark may be told in Python alone; if they stop that run too, they cannot be."""
    if any(table.scanned is not None for table in run.tables.values()):
        raise Rejected(Error("the run", None, reason_of(problem)))
    data = {name: [one.row or {} for one in table.all()] for name, table in run.tables.items()}
    result = ReferenceEngine(replace(run.surroundings, data=data)).run(root)
    if result.errors:
        raise Rejected(Error("the run", None, result.errors[0]))
    return {name: Traced(rows, [*range(1, len(rows) + 1)]) for name, rows in result.rows.items() if name in names}
