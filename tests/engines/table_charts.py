"""Several charts over one table that Spark reads: their rows beside the reference engine's.

Rows of a spec lie in the driver's memory; a table does not, and is treated otherwise: what its file states is not asked for, groupings over it
share cells, its keys are whole numbers, the ends of bins are no keys. Here all of that happens to tables of a few rows; most of them
count as large, for small ones share their cells in another way.
"""

from __future__ import annotations

import contextlib
import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING
from unittest.mock import patch

import pyarrow as pa
import pyarrow.parquet as pq

from engines.comparing import MOST_WRITTEN
from engines.tallies import Findings
from engines.trials import NOW, ZONES, Outcome, answer
from engines.variations import Variation, settled
from fuzzing.transform_expressions import quoted
from fuzzing.transform_specs import Json, Object, Specs
from fuzzing.transform_words import WORDS
from sheliak.engines.failures import RunFailure
from sheliak.engines.protocol import RunResult
from sheliak.engines.reference.engine import run_reference
from sheliak.engines.reference.inputs import Surroundings
from sheliak.engines.spark import fetch
from sheliak.engines.spark.cells_at_hand import computed
from sheliak.engines.spark.failures import StoppedRun
from sheliak.engines.spark.given import Given, frames_of
from sheliak.engines.spark.lower import Lower
from sheliak.engines.spark.one_pass import OnePass, one_pass
from sheliak.engines.spark.pipeline import open_pipeline
from sheliak.expressions.values import Row
from sheliak.expressions.zones import zone_of
from sheliak.loading import DataFolders
from sheliak.loading.columnar_rows import value_of
from sheliak.plan.expressions import Apply
from sheliak.plan.known_texts import KnownTexts, unknown
from sheliak.plan.operators import Group, Plan
from sheliak.plan.rewrite import rewritten
from sheliak.plan.rewrite import shared_cells as sharing
from sheliak.plan.rewrite.groupings import Grouping
from sheliak.plan.rewrite.known_codes import Spans
from sheliak.plan.rewrite.numbered_cells import NumberedCells
from sheliak.plan.rewrite.pruned_columns import in_reading_order
from sheliak.plan.rewrite.shared_cells import AS_A_PASS, MOST_CELLS, Cells, cells_of, shared_cells
from sheliak.plan.rewrite.sizes import Sizes
from sheliak.source.tree import Node

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_ADDABLE = ("count", "sum", "mean", "average", "min", "max", "valid", "missing", "product")
"""What cells are made for; other operations are drawn as well."""
_EXACT = frozenset({"count", "valid", "missing", "distinct", "min", "max"})
"""What is the same to the last bit, by which later transforms may sort and group."""
_TYPES: dict[str, tuple[pa.DataType, ...]] = {
    "number": (pa.float64(), pa.float64(), pa.float32()),
    "small": (pa.float64(), pa.decimal128(9, 1)),
    "few": (pa.int64(), pa.int32(), pa.int8(), pa.float64()),
    "word": (pa.string(),),
    "digits": (pa.string(),),
    "date": (pa.timestamp("ms", "UTC"), pa.timestamp("us", "UTC"), pa.date32()),
    "flag": (pa.bool_(),),
    "list": (pa.list_(pa.float64()),),
    "object": (pa.struct([("p", pa.float64()), ("q", pa.string())]),),
}


class TableCharts(Specs):
    """Random charts over a random table."""

    linked = False
    """Charts that brush each other: they group by what has few values, and are mostly answered from the same cells."""

    unrelated = False
    """Charts that group by one thing each, of which a file tells every value."""

    def table(self) -> pa.Table:
        """Columns of one type each, some with nulls, numbers with NaN now and then."""
        rows = self.random.choice([0, 1, 3, 12, 40, 90, 90, 250])
        names = self.random.sample(self.words, self.random.randint(3, 6))
        kinds = ["number", "small", "few", "few", "word", "word", "digits", "date", "date", "flag", "list", "object"]
        self.kinds = {name: self.random.choice(kinds) for name in names}
        self.names = [*self.kinds]
        fields, columns = [], []
        for name, kind in self.kinds.items():
            of = self.random.choice(_TYPES[kind])
            gaps = self.random.choice([0.0, 0.0, 0.1, 0.5])
            words = self.random.sample(WORDS, 6)
            cells = [None if self.chance(gaps) else self.cell(kind, of, words) for _ in range(rows)]
            fields.append(pa.field(name, of, nullable=gaps > 0 or self.chance(0.5)))
            columns.append(pa.array(cells, of))
        return pa.Table.from_arrays(columns, schema=pa.schema(fields))

    def cell(self, kind: str, of: pa.DataType, words: list[str]) -> object:
        match kind:
            case "number" if self.chance(0.05):
                return self.random.choice([float("nan"), -0.0, 0.0])
            case "number":
                return float(str(self.number()))
            case "small" if pa.types.is_decimal(of):
                return Decimal(str(round(self.random.uniform(-20, 20), 1)))
            case "word":
                return self.random.choice(words)
            case "date":
                at = self.instant()
                assert isinstance(at, int)
                when = datetime.fromtimestamp(0, UTC) + timedelta(milliseconds=at)
                return when.date() if pa.types.is_date32(of) else when
            case "list":
                return [float(str(self.number())) for _ in range(self.random.randint(0, 3))]
            case _:
                value = self.value(kind)
                return float(value) if pa.types.is_floating(of) and isinstance(value, int) else value

    # Charts

    def charts(self) -> Object:
        """A dataset for each chart, all from the table, as it is or after a step of its own."""
        self.linked = self.chance(0.5)
        self.unrelated = self.chance(0.3)
        first: list[Json] = [self.transform(first=True)] if self.chance(0.15) and not self.linked and not self.unrelated else []
        known = [*self.names]
        data: list[Json] = [{"name": "t", "url": "t.parquet", "transform": first}]
        for number in range(self.random.randint(2, 6)):
            self.names = [*known]
            if self.unrelated and self.chance(0.8):
                data.append({"name": f"chart{number}", "source": "t", "transform": self.by_one_key()})
                continue
            before = self.brushed if self.linked else self.before
            steps: list[Json] = [step for _ in range(self.random.choice([0, 1, 1, 1, 2, 3])) for step in before()]
            steps.append(self.grouping())
            if _EXACT.issuperset(steps[-1].get("ops") or []):  # type: ignore[union-attr]
                steps += [self.transform(first=False) for _ in range(self.random.choice([0, 0, 1]))]
            data.append({"name": f"chart{number}", "source": "t", "transform": steps})
        return {**self.named_signals(str(data)), "data": data}

    def before(self) -> list[Json]:
        """What comes before rows are grouped."""
        kind = self.random.choice(["filter", "formula", "bin", "bin", "timeunit", "timeunit", "extent"])
        made = [self._step(kind)]
        if kind == "extent":
            made.append({**self._step("bin"), "field": made[0]["field"], "extent": {"signal": f"e{self.signals}"}})
        return [*made]

    def brushed(self) -> list[Json]:
        """What comes before the groups of charts that brush each other: parts of dates, bins, and tests with few values."""
        name, kind = self.random.choice([*self.kinds.items()])
        read = f"datum[{quoted(name)}]"
        match kind:
            case "number" | "small" | "few" if self.chance(0.5):
                low = self.random.randint(-12, 4)
                test = f"{read} >= {low} && {read} < {low + self.random.choice([2, 7.5, 20])}"
                return [{"type": "filter", "expr": self.random.choice([test, f"!({test})", f"inrange({read}, [{low}, 6])"])}]
            case "number" | "small" | "few":
                low, step = self.random.randint(-20, 2), self.random.choice([0.5, 1, 2, 5])
                self.names += ["bin0", "bin1"]
                return [{"type": "bin", "field": self.path(name), "extent": [low, low + 10 * step], "step": step}]
            case "date" if self.chance(0.3):
                return [self._step("timeunit") | {"field": self.path(name)}]
            case "date":
                part = self.random.choice(["hours", "month", "year", "day", "date", "quarter", "minutes"])
                self.names.append(part)
                return [{"type": "formula", "as": part, "expr": f"{self.random.choice(['utc', ''])}{part}({read})"}]
            case "word" | "digits":
                word = quoted(self.random.choice(WORDS))
                tests = [f"{read} === {word}", f"{read} > {word}", f"isValid({read})", f"length({read}) > 1", f"{read} == 10"]
                return [{"type": "filter", "expr": self.random.choice(tests)}]
            case _:
                return [{"type": "filter", "expr": self.random.choice([read, f"!{read}", f"{read} != null"])}]

    def by_one_key(self) -> list[Json]:
        """Groups by something of which a file tells every value, mostly by nothing else: such charts come from one pass."""
        name, kind = self.random.choice([*self.kinds.items()])
        keys, steps = [self.path(name)], []
        if kind in ("number", "small", "few"):
            low, step = self.random.randint(-20, 2), self.random.choice([0.5, 1, 2, 5])
            steps.append({"type": "bin", "field": self.path(name), "extent": [low, low + 10 * step], "step": step})
            keys = ["bin0"]
        elif kind == "date" and self.chance(0.5):
            units = ["year", "month", "date", "hours"][: self.random.choice([3, 3, 4])]
            steps.append({"type": "timeunit", "field": self.path(name), "units": units, "timezone": "utc"})
            keys = ["unit0"]
        elif kind == "date":
            part = self.random.choice(["hours", "day", "minutes", "month"])
            steps.append({"type": "formula", "as": "part", "expr": f"utc{part}(datum[{quoted(name)}])"})
            keys = ["part"]
        if self.chance(0.2):
            keys += [self.path(self.random.choice([*self.kinds]))]
        numbers = [name for name, kind in self.kinds.items() if kind in ("number", "small", "few")] or [*self.kinds]
        fields = [self.path(self.random.choice(numbers)) for _ in range(self.random.choice([1, 1, 2]))]
        ops = [self.random.choice(["count", "mean", "sum", "min", "max", "valid", "missing"]) for _ in fields]
        steps.append({"type": "aggregate", "groupby": keys, "ops": ops, "fields": fields, "as": ["m0", "m1"][: len(ops)]})
        if self.chance(0.3) and _EXACT.issuperset(ops):
            sort = {"field": [self.random.choice(["m0", *keys])], "order": [self.random.choice(["ascending", "descending"])]}
            ranks = ["row_number", "rank", "dense_rank"]
            steps.append({"type": "window", "sort": sort, "ops": ranks, "fields": [None, None, None], "as": ranks})
            steps.append({"type": "stack", "field": "m0", "sort": {"field": "row_number"}})
        return steps

    def _step(self, kind: str) -> Object:
        with patch.object(self, "types", (kind,)):
            step = self.transform(first=True)
        if kind in ("bin", "timeunit"):
            # Names of their own: a mean of infinite numbers, as starts of bins may be, is another on Spark (decision 0001).
            made = ["u", "v"] if "as" in step else ["bin0", "bin1"] if kind == "bin" else ["unit0", "unit1"]
            step |= {"as": [*made]} if "as" in step else {}
            self.names += made
        if kind == "bin":
            step["field"] = self.field_of("number", "small", "few")
        return step

    def grouping(self) -> Object:
        """An aggregate by a few columns, mostly by those that were just made or have few values."""
        step = self._step("aggregate")
        if "fields" in step and isinstance(step.get("ops"), list):
            step["fields"] = [self.path(self.random.choice([*self.kinds])) for _ in step["ops"]]  # type: ignore[union-attr]
        kinds = ("word", "flag") if self.linked else ("word", "few", "flag", "date")
        few = [name for name in self.names if self.kinds.get(name) in kinds or name not in self.kinds]
        if few and (self.linked or self.chance(0.8)):
            step["groupby"] = [
                self.path(name) for name in self.random.sample(few, min(len(few), self.random.choice([0, 1, 1, 2, 3])))
            ]
        if (self.linked or self.chance(0.7)) and isinstance(step.get("ops"), list):
            step["ops"] = [self.random.choice(_ADDABLE) for _ in step["ops"]]  # type: ignore[union-attr]
        return step


@dataclass(frozen=True, slots=True)
class TableTrial:
    """Charts, the table, and how Spark comes to it."""

    spec: Mapping[str, object]
    table: pa.Table
    zone: str
    files: int
    """As how many Parquet files the table lies in a folder; 0 for a frame."""
    groups: int
    """Rows of a file that lie together."""
    variation: Variation
    is_small: bool
    """It counts as the small table that it is, not as a large one."""
    most_cells: int = MOST_CELLS
    """More cells than these are no set: keys are soon unrelated then, and come from one pass by their numbers."""

    def told(self) -> str:
        columns = {field.name: str(field.type) for field in self.table.schema}
        size = "small" if self.is_small else "as if large"
        return f"{self.zone}, {self.files} files, {size}, sets of {self.most_cells}, ANSI {self.variation.ansi}, {columns}\n  {json.dumps(self.spec)}"


def random_table_trial(seed: int) -> TableTrial:
    """The trial that a seed names."""
    random, charts = Random(f"table trial {seed}"), TableCharts(seed)
    table = charts.table()
    spec = charts.charts()
    files, groups = random.choice([1, 3] if charts.unrelated else [0, 0, 1, 1, 3]), random.choice([1, 7, 1000])
    variation = Variation(ansi=random.random() < 0.5, generated=random.random() < 1 / 12)
    is_small = random.random() < 0.4 and not charts.unrelated
    most_cells = random.choice([1, 8] if charts.unrelated else [1, 8, MOST_CELLS])
    return TableTrial(spec, table, random.choice(ZONES), files, groups, variation, is_small, most_cells)


def differences_over_table(trial: TableTrial, session: SparkSession) -> list[str]:
    """Where the engines differ."""
    few, fewest = (fetch.FEW_ROWS, fetch.FEWEST_ROWS) if trial.is_small else (0, 0)
    limits = patch.multiple(fetch, FEW_ROWS=few, FEWEST_ROWS=fewest)
    cells = patch.multiple(sharing, MOST_CELLS=trial.most_cells, AS_A_PASS=AS_A_PASS if trial.most_cells == MOST_CELLS else 0)
    with settled(session, trial.variation.settings), _lying(trial, session) as given, limits, cells:
        # The files of a folder come as Spark reads them, the largest first.
        rows = rows_of(session.read.parquet(str(given)).toArrow() if trial.files > 1 else trial.table)
        spark = answer(lambda: _on_spark(trial, frames_of({"t": given}, session), session))
    meant = answer(lambda: run_reference(trial.spec, timezone=trial.zone, now=NOW, data={"t": rows}))
    if isinstance(spark, RunResult) and isinstance(meant, RunResult) and spark.errors and meant.errors:
        return []  # a run over a table stops with the reason of the row that Spark came to first
    return Outcome(spark, meant).differences


def _on_spark(trial: TableTrial, frames: Mapping[str, Given], session: SparkSession) -> RunResult:
    """All datasets, fetched at once as those of a chart are."""
    around = Surroundings(DataFolders(None), zone_of(trial.zone), now=NOW)
    pipeline = None
    try:
        pipeline = open_pipeline(Node(dict(trial.spec)), session, around, frames=frames, row_limit=MOST_WRITTEN)
        run = pipeline.run
        planned = [vertex for vertex in run.plans if vertex.kind == "dataset" and not dict.__contains__(run.rows, vertex)]
        run.rows |= run.fetched({vertex: run.plans[vertex] for vertex in planned}, "they are compared")
        return pipeline.everything()
    except (RunFailure, StoppedRun) as failure:
        if isinstance(failure, RunFailure) and not failure.message.startswith(("the run stops", "Vega refuses")):
            raise
        return RunResult({}, errors=(str(failure),))
    finally:
        if pipeline is not None:
            pipeline.close()


def rows_of(table: pa.Table) -> list[Row]:
    return [{name: value_of(cell) for name, cell in row.items()} for row in table.to_pylist()]


@contextlib.contextmanager
def _lying(trial: TableTrial, session: SparkSession) -> Iterator[object]:
    """The table as what a caller gives: a frame, a file, a folder of files."""
    if not trial.files:
        yield session.createDataFrame(trial.table)
        return
    with tempfile.TemporaryDirectory(prefix="sheliak-tables-") as folder:
        size = max(1, -(-trial.table.num_rows // trial.files))
        for number in range(trial.files):
            part = trial.table.slice(number * size, size)
            pq.write_table(part, Path(folder) / f"part-{number}.parquet", row_group_size=trial.groups)
        yield Path(folder) / "part-0.parquet" if trial.files == 1 else Path(folder)


class Tables(Findings):
    """Charts over tables."""

    def summary(self) -> str:
        return f"tables: {dict(self.tally)}, {len(self.failures)} differences"


def table_campaign(count: int, seed: int, session: SparkSession) -> Tables:
    """Tries the charts of so many seeds."""
    tables = Tables()
    with contextlib.suppress(KeyboardInterrupt), counted_cells(tables.tally):
        for number in range(count):
            trial = random_table_trial(seed + number)
            tables.tally["specs"] += 1
            tables.tally["charts"] += len(trial.spec["data"]) - 1  # type: ignore[arg-type]
            if found := differences_over_table(trial, session):
                tables.fail(f"table seed {seed + number}: {found[0]}\n  {trial.told()}")
            if number % 50 == 49:
                tables.progress(number + 1, count, "tables")
    return tables


@contextlib.contextmanager
def counted_cells(tally: Counter[str]) -> Iterator[None]:
    """Counts the groupings that are answered from cells, and the datasets that are computed from them outside of Spark."""

    def counting(
        groupings: Sequence[Grouping], sizes: Sizes, column: Callable[[], int], texts: KnownTexts = unknown
    ) -> list[Cells]:
        made = shared_cells(groupings, sizes, column, texts)
        tally["answered from cells"] += sum(len(cells.groupings) for cells in made)
        return made

    def putting(groupings: Sequence[Grouping], column: Callable[[], int]) -> Cells:
        tally["put into cells of few rows"] += len(groupings)
        return cells_of(groupings, column)

    def computing(plan: Plan, cells: pa.Table) -> pa.Table:
        tally["computed from cells at hand"] += 1
        return computed(plan, cells)

    def numbering(sets: Sequence[NumberedCells], lower: Lower) -> OnePass | None:
        made = one_pass(sets, lower)
        tally["sets of cells from one pass"] += 0 if made is None else len(sets)
        tally["groupings of these"] += 0 if made is None else sum(len(one.cells.groupings) for one in sets)
        return made

    def rewriting(plans: Sequence[Plan], *, texts: KnownTexts = unknown, spans: Spans = unknown) -> list[Plan]:
        made = rewritten(plans, texts=texts, spans=spans)
        tally["groups by codes of texts"] += sum(
            isinstance(key.value, Apply) and key.value.operation == "text.code"
            for plan in in_reading_order(made)
            if isinstance(plan, Group)
            for key in plan.keys
        )
        return made

    told = {"shared_cells": counting, "cells_of": putting, "one_pass": numbering, "computed": computing, "rewritten": rewriting}
    with patch.multiple(fetch, **told):
        yield
