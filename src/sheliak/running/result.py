"""What `sheliak.run` gives back: a chart whose data Spark has computed, or computes when they are asked for."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from datetime import UTC, date, datetime
from functools import cached_property
from numbers import Real
from typing import TYPE_CHECKING, Self, TypeAlias

from sheliak.engines.protocol import DatasetRun
from sheliak.expressions.values import Date, Json, Value
from sheliak.running.opening import Ready, RunOptions, SpecFile, open_chart, ready, told_failures
from sheliak.running.plain_rows import plain
from sheliak.running.writing import CHARTS, require_writable, write_chart

if TYPE_CHECKING:
    import pyarrow as pa

    from sheliak.engines.spark.passed_on import SparkSession
    from sheliak.engines.spark.pipeline import Pipeline
    from sheliak.running.plan_text import Plan

Surrounded: TypeAlias = "Callable[[], AbstractContextManager[None]]"
"""What stands around everything that is done with a session."""

_MIME_TYPES = ("application/vnd.vega.v6+json", "application/vnd.vega.v5+json")


class Datasets(Mapping[str, "pa.Table"]):
    """The datasets that an engine runs, as Arrow tables; each is fetched when it is first asked for."""

    def __init__(self, result: Result) -> None:
        self._result = result
        self._tables: dict[str, pa.Table] = {}

    def __getitem__(self, name: str) -> pa.Table:
        from sheliak.running.arrow_tables import table_of

        if name not in self._tables:
            run = self._result.runs.get(name)
            if run is None or run.engine == "renderer":
                raise KeyError(name if run is None else f"the rows of {name} are made by the renderer: {run.reason}")
            self._tables[name] = table_of(self._result.dataset(name).rows or [])
        return self._tables[name]

    def __iter__(self) -> Iterator[str]:
        return (name for name, run in self._result.runs.items() if run.engine != "renderer")

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        return f"<datasets {', '.join(self)}>"


class Result:
    """A chart, run. Close it, or use it in a `with` block, to remove what was written for Spark to read."""

    def __init__(self, pipeline: Pipeline, given: Ready, hosts: tuple[str, ...], surrounded: Surrounded) -> None:
        self._pipeline = pipeline
        self._given = given
        self._hosts = hosts
        self._surrounded = surrounded
        self.datasets: Mapping[str, pa.Table] = Datasets(self)

    @classmethod
    def opened(cls, spec: SpecFile, options: RunOptions, start: Callable[[], SparkSession], *, is_borrowed: bool) -> Result:
        """Checks and plans a spec, on a session that is borrowed or our own. Raises RunFailure."""
        from sheliak.engines.spark.session import quiet, surrounding

        surrounded = surrounding(start, is_borrowed=is_borrowed)
        with quiet():
            given = ready(spec, options, start)
        with surrounded():
            pipeline = open_chart(given, start(), options.row_limit)
        return cls(pipeline, given, options.hosts, surrounded)

    @cached_property
    def runs(self) -> Mapping[str, DatasetRun]:
        """Who runs each dataset of the spec, without rows."""
        from sheliak.engines.spark.run_report import described_datasets

        with self._running():
            return described_datasets(self._pipeline.run)

    @cached_property
    def spec(self) -> dict[str, object]:
        """The pre-transformed spec: small, with its data in it, and with the picture of the original."""
        with self._running():
            return self._pipeline.spec()

    @cached_property
    def plan(self) -> Plan:
        """What ran where, and why; `print` shows it."""
        from sheliak.engines.spark.chart_report import report_of_pipeline
        from sheliak.running.plan_text import Plan

        with self._running():
            return Plan(report_of_pipeline(self._pipeline))

    @property
    def signals(self) -> dict[str, Json]:
        """The values that the signals of the top level have, as far as they could be computed."""
        with self._running():
            return {name: plain(value) for name, value in self._pipeline.run.signals.items()}

    def dataset(self, name: str) -> DatasetRun:
        """A dataset with its rows as JavaScript's values, and who ran its transforms."""
        with self._running():
            return self._pipeline.dataset(name)

    def update(self, signals: Mapping[str, object]) -> Result:
        """The same chart for other values of signals: only what depends on them is computed anew."""
        with self._running():
            changed = self._pipeline.update(values_of(signals))
        return Result(changed, self._given, self._hosts, self._surrounded)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the chart as the name says: .vg.json, .html (which works offline), .svg, .png or .pdf."""
        target = os.fspath(path)
        require_writable(target, CHARTS, "a chart")
        write_chart(target, self.spec, self._hosts, self._given.surroundings.zone.name)

    def close(self) -> None:
        """Removes what was written for Spark to read."""
        self._pipeline.close()
        self._given.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *ended: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<sheliak.Result: {', '.join(self._pipeline.graph.definitions.by_dataset) or 'no datasets'}>"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, object]:
        return {**dict.fromkeys(_MIME_TYPES, self.spec), "text/plain": repr(self)}

    def _repr_html_(self) -> str | None:
        """A picture, for notebooks that know no Vega; pages that work by themselves are large, and `save` writes them."""
        from base64 import b64encode

        from sheliak.running.pictures import can_draw, picture_of

        if not can_draw():
            return None
        picture = b64encode(picture_of(self.spec, "svg", self._hosts, self._given.surroundings.zone.name)).decode()
        return f'<img alt="chart" src="data:image/svg+xml;base64,{picture}">'

    @contextlib.contextmanager
    def _running(self) -> Iterator[None]:
        with told_failures(), self._surrounded():
            yield


def values_of(signals: Mapping[str, object]) -> dict[str, Value]:
    """Values given in Python as JavaScript's."""
    return {name: value_of(value) for name, value in signals.items()}


def value_of(value: object) -> Value:
    """A value of Python as one of JavaScript; raises TypeError for what has no counterpart."""
    if type(value) is float or type(value) is str:
        return value
    if type(value) is int:
        return float(value)
    match value:
        case None | bool() | str() | float():
            return value
        case Real():  # numpy's numbers are such as well
            return float(value)
        case Mapping():
            return {str(name): value_of(member) for name, member in value.items()}
        case list() | tuple():
            return [value_of(element) for element in value]
        case datetime():
            return Date(value.timestamp() * 1000)
        case date():
            return Date(datetime(value.year, value.month, value.day, tzinfo=UTC).timestamp() * 1000)
        case _:
            raise TypeError(f"no value of a chart has the type {type(value).__name__}")
