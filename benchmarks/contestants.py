"""Who is timed: each answers the rows of a workload's charts, from the files to rows at hand."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from workloads import Chart, fields_of, spec_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from sheliak.engines.spark.pipeline import Pipeline

Row: TypeAlias = dict[str, Any]
Charts: TypeAlias = tuple[Chart, ...]


class Contestant(Protocol):
    name: str

    def rows(self, charts: Charts) -> list[list[Row]]:
        """The rows of each chart."""


@dataclass
class Sheliak:
    """From the spec to the spec that holds the rows."""

    session: SparkSession
    folder: Path
    name: str = "Sheliak"

    def rows(self, charts: Charts) -> list[list[Row]]:
        pipeline = opened(charts, self.session, self.folder)
        pipeline.spec()
        found = {vertex.name: rows for vertex, rows in pipeline.fetched.items()}
        return [found[one.name] for one in charts]


def opened(charts: Charts, session: SparkSession, folder: Path) -> Pipeline:
    """The planned charts over the flights."""
    from sheliak.engines.reference.inputs import Surroundings
    from sheliak.engines.spark.given import frames_of
    from sheliak.engines.spark.pipeline import open_pipeline
    from sheliak.expressions.zones import zone_of
    from sheliak.loading.folders import DataFolders
    from sheliak.source.tree import Node

    around = Surroundings(DataFolders(None), zone_of("UTC"))
    pipeline = open_pipeline(Node(spec_of(charts)), session, around, frames=frames_of({"flights": str(folder)}, session))
    left = [step for step in pipeline.run.engines.values() if step.engine != "spark"]
    assert not left, left
    return pipeline


@dataclass
class ByHand:
    """DataFrame code, one query after another."""

    flights: DataFrame
    name: str = "by hand"

    def rows(self, charts: Charts) -> list[list[Row]]:
        return [one.by_hand(self.flights).to_pylist() for one in charts]


@dataclass
class VegaFusion:
    """Its own pre-transformed spec; nothing is remembered from the run before."""

    folder: Path
    name: str = "VegaFusion"

    def rows(self, charts: Charts) -> list[list[Row]]:
        import vegafusion

        vegafusion.runtime.clear_cache()
        spec = spec_of(charts, str(self.folder))
        made, _ = vegafusion.runtime.pre_transform_spec(
            spec, "UTC", "UTC", row_limit=100_000, keep_datasets=[one.name for one in charts]
        )
        found = {data["name"]: data["values"] for data in made["data"] if data["name"] != "flights"}
        return [found[one.name] for one in charts]


@dataclass
class DuckDb:
    folder: Path
    connection: Any = field(init=False)
    name: str = "DuckDB"

    def __post_init__(self) -> None:
        import duckdb

        self.connection = duckdb.connect()
        self.connection.execute("set threads = 2")
        self.connection.execute(f"create view flights as select * from read_parquet('{self.folder}/*.parquet')")

    def rows(self, charts: Charts) -> list[list[Row]]:
        def ask(query: str) -> list[tuple[float, ...]]:
            return self.connection.execute(query).fetchall()  # type: ignore[no-any-return]

        return [self.connection.sql(one.sql(ask)).to_arrow_table().to_pylist() for one in charts]


def is_there(module: str) -> bool:
    return importlib.util.find_spec(module) is not None


def contestants(session: SparkSession, folder: Path) -> list[Contestant]:
    """Sheliak and the hand-written code, and who else is installed."""
    flights = session.read.parquet(str(folder))
    others: list[tuple[str, Callable[[Path], Contestant]]] = [("vegafusion", VegaFusion), ("duckdb", DuckDb)]
    return [Sheliak(session, folder), ByHand(flights), *(make(folder) for module, make in others if is_there(module))]


def differences(chart: Chart, mine: list[Row], others: list[Row]) -> list[str]:
    """Where two sides' rows of a chart differ, numbers by more than 1e-9 of their size."""
    left, right = ({_key(chart, row): row for row in rows} for rows in (mine, others))
    wrong = [f"{key}: only on one side" for key in left.keys() ^ right.keys()]
    for key in left.keys() & right.keys():
        wrong += [
            f"{key}: {field} {left[key].get(field)} and {right[key].get(field)}"
            for field in fields_of(chart)
            if field not in chart.keys and not _same(left[key].get(field), right[key].get(field))
        ]
    return wrong


def _key(chart: Chart, row: Row) -> tuple[object, ...]:
    return tuple(_plain(row.get(field)) for field in chart.keys)


def _plain(value: object) -> object:
    """Dates as milliseconds, numbers as floats."""
    instant = getattr(value, "ms", None)
    return float(instant) if instant is not None else float(value) if isinstance(value, int | float) else value


def _same(one: object, other: object) -> bool:
    one, other = _plain(one), _plain(other)
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) <= 1e-9 * max(abs(one), abs(other), 1.0)
    return one == other
