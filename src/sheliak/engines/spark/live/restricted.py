"""Plans over a few rows of a source: those that change, as they were (at even places) and as they are (at odd ones).

A small plan is lowered once, over a file that is written anew for every step, and run again. Such a plan holds no exchange: Spark would
answer from what it remembers of the run before. Where it reads but one file, that is a pipe: Spark begins while the rows are still looked up.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sheliak.engines.spark.arrow_values import arrow_type, plain_values
from sheliak.engines.spark.begun import Begun
from sheliak.engines.spark.column_schema import spark_type
from sheliak.engines.spark.expressions import column_name
from sheliak.engines.spark.lazy_functions import F
from sheliak.engines.spark.lower import Lower
from sheliak.engines.spark.pipes import can_wait, filled, is_pipe, let_go, make_pipe
from sheliak.engines.spark.sources import SessionSources, is_connect, sees_files
from sheliak.engines.spark.summaries import POSITION
from sheliak.expressions.values import UNDEFINED, Row
from sheliak.plan.operators import Plan, Scan, Schema, Source
from sheliak.plan.rewrite.rebuilding import Rebuilding

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

_PAUSE = 0.0002
_READ = "Scan text"
"""How Spark calls that it reads a leaf (`_leaf`); a plan may come to one several times."""
_REMEMBERING = ("Exchange", "AdaptiveSparkPlan")
"""In the names of operators that answer from the run before; a plan is adapted only where it has an exchange."""
SMALL = 20_000
"""More rows than this are no small step: they take the way through Spark's own frames, in parallel."""


@dataclass(frozen=True, slots=True)
class PlacedRows:
    """Rows of a source at their places, column by column."""

    columns: Mapping[str, Sequence[object]] = field(default_factory=dict)
    places: Sequence[int] = ()


def placed_rows(rows: Sequence[Row], places: Sequence[int], schema: Schema) -> PlacedRows:
    """Rows as a scan's columns have them."""
    return PlacedRows(
        {column_name(one.column): plain_values([row.get(one.name, UNDEFINED) for row in rows], one.of) for one in schema.fields},
        places,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Leaf:
    """A frame whose columns are those of a scan."""

    given: DataFrame

    def frame(self, schema: Schema, *, position: bool) -> DataFrame:
        names = dict.fromkeys(column_name(field.column) for field in schema.fields)
        return self.given.select(*names, *([POSITION] if position else []))


def scans_of(plan: Plan, wanted: Mapping[int, str]) -> dict[str, Scan]:
    """The scans of a plan that read certain sources, by the names of these."""
    from sheliak.plan.rewrite.pruned_columns import in_reading_order

    scans = [one for one in in_reading_order([plan]) if isinstance(one, Scan) and id(one.source) in wanted]
    return {wanted[id(scan.source)]: scan for scan in scans}


def with_scans(plan: Plan, other: Mapping[int, Scan]) -> Plan:
    """The plan with other scans, by the identities of the sources they take the place of."""
    return Rebuilding(lambda one: other.get(id(one.source), one) if isinstance(one, Scan) else one)(plan)


@dataclass(slots=True)
class Restricted:
    """A plan over a few rows of its sources."""

    plan: Plan
    session: SparkSession
    sources: SessionSources
    scans: Mapping[str, Scan]
    """The scans whose rows are given, by name."""
    over: dict[str, Source] = field(default_factory=dict)
    """The sources that take their places."""
    replaced: Plan | None = None
    ready: DataFrame | None = None
    waiting: Begun | None = None
    """A run that has begun, and waits for its rows."""
    running: Begun | None = None
    content: bytes | None = None
    """The rows that it will read, as long as it does not."""
    pipe: str | None = None
    """Where the rows come from, if Spark can wait for them there."""
    paths: dict[str, str] = field(default_factory=dict)
    finish: Callable[[DataFrame], DataFrame] = field(default=lambda frame: frame)
    """What is made of the frame at last."""

    @property
    def lowered(self) -> Plan:
        """The plan whose places the rows come with."""
        assert self.replaced is not None
        return self.replaced

    def tables(self, rows: Mapping[str, PlacedRows]) -> pa.Table:
        """What the plan makes of rows; of a scan without rows, of none."""
        return self.begun(rows)()

    def begun(self, rows: Mapping[str, PlacedRows]) -> Callable[[], pa.Table]:
        """The same, which Spark works on until it is asked for."""
        if self.waiting is None:
            self.finished()  # what failed leaves nothing that is ready
        few = sum(len(of.places) for of in rows.values()) <= SMALL
        if few and (self.ready is not None or self._is_repeatable()):
            return self._repeated({name: rows.get(name, _none(self.scans[name].schema)) for name in self.paths})
        self.finished()
        leaves = {name: self._frame_of(rows.get(name, PlacedRows()), scan.schema) for name, scan in self.scans.items()}
        return self._lowered(leaves).toArrow

    def start(self) -> bool:
        """Spark begins with the plan as far as it can without rows; False where that is nothing. `finished` ends what is not gone on with."""
        if self.waiting is not None:
            return True
        self.finished()
        if self.pipe is None:
            return False
        if not is_pipe(self.pipe):  # whoever tidies up the folder of temporary files may have found it old
            make_pipe(self.pipe)
        assert self.ready is not None
        try:
            self.waiting = Begun(self.ready)
        except BaseException:
            self._let_go()
            raise
        return True

    def _repeated(self, rows: Mapping[str, PlacedRows]) -> Callable[[], pa.Table]:
        if self.start():
            (name,) = self.paths
            content, running = _text(rows[name]).encode(), self.waiting
            assert running is not None
            self.running, self.waiting, self.content = running, None, content
            self.go_on()

            def answer() -> pa.Table:
                all_go_on([self])
                return running.table()

            return answer
        self._wait()  # it reads the files that are written now
        for name, path in self.paths.items():
            _write(path, rows[name])
        assert self.ready is not None
        self.running = Begun(self.ready)
        return self.running.table

    def go_on(self) -> bool:
        """Spark gets the rows it waits for, none where nobody has any; False if it has not come so far."""
        if self.waiting is not None:
            self._repeated({name: _none(scan.schema) for name, scan in self.scans.items()})
        if self.pipe is None or self.content is None or self.running is None:
            return True
        if filled(self.pipe, self.content) or self.running.is_answering():
            self.content = None
        return self.content is None

    def finished(self) -> None:
        """Waits for what Spark works on, whether or not somebody asked for it."""
        all_go_on([self])
        self._wait()

    def _wait(self) -> None:
        running, self.running = self.running, None
        if running is not None:
            running.wait()
            if running.has_failed:
                self._let_go()

    def _let_go(self) -> None:
        """A run that failed may still come to its pipe, and would take the rows of the next, which gets a pipe of its own."""
        if self.pipe is not None:
            (scan,) = self.scans.values()
            let_go(self.pipe, _text(_none(scan.schema)).encode())
            self.ready = self.pipe = None

    def _is_repeatable(self) -> bool:
        """Prepares the plan over files; False where that cannot be."""
        if is_connect(self.session) or not sees_files(self.session):
            return False
        self.paths = {name: self.sources.new_path(".json") for name in self.scans}
        for name, path in self.paths.items():
            _write(path, _none(self.scans[name].schema))
        frame = self._lowered({name: _leaf(self.session, self.paths[name], scan.schema) for name, scan in self.scans.items()})
        planned = _operators(frame)
        if any(name in operator for operator in planned for name in _REMEMBERING):
            self.paths = {}
            return False
        self.ready = frame
        if len(self.paths) == 1 and sum(one.startswith(_READ) for one in planned) == 1 and can_wait(self.session):
            # Of several pipes one could be waited for that nobody reads, where Spark has but one core. A pipe is read once.
            (self.pipe,) = self.paths.values()
            make_pipe(self.pipe)
        return True

    def _lowered(self, leaves: Mapping[str, DataFrame]) -> DataFrame:
        scans = {id(scan.source): Scan(Source(name, place=_Leaf(leaves[name])), scan.schema) for name, scan in self.scans.items()}
        self.replaced = with_scans(self.plan, scans)
        self.over = {name: scans[id(scan.source)].source for name, scan in self.scans.items()}
        return self.finish(Lower(self.session, self.sources, traced=True).frame(self.replaced, position=True))

    def _frame_of(self, given: PlacedRows, schema: Schema) -> DataFrame:
        return self.sources.frame_of_table(table_of_placed(given, schema))


def _operators(frame: DataFrame) -> list[str]:
    """The names of a plan's operators; its text may be cut by a setting of the session."""
    found, left = [], [frame._jdf.queryExecution().executedPlan()]
    while left:
        operator = left.pop()
        found.append(str(operator.nodeName()))
        children = operator.children()
        left += [children.apply(index) for index in range(children.size())]
    return found


def all_go_on(plans: Sequence[Restricted]) -> None:
    """Spark gets the rows that some plans wait for, in the order in which it comes to them: on one core that is known to nobody."""
    while [plan for plan in plans if not plan.go_on()]:
        time.sleep(_PAUSE)


def _none(schema: Schema) -> PlacedRows:
    return PlacedRows({column_name(one.column): () for one in schema.fields})


def table_of_placed(given: PlacedRows, schema: Schema) -> pa.Table:
    """Rows and their places as the columns of a scan."""
    import pyarrow as pa

    types = {column_name(field.column): arrow_type(field.of) for field in schema.fields}
    columns = {name: pa.array(given.columns.get(name, ()), of) for name, of in types.items()}
    return pa.table({**columns, POSITION: pa.array(given.places, pa.int64())})


def _leaf(session: SparkSession, path: str, schema: Schema) -> DataFrame:
    """The rows of a file, read again whenever the frame is run: one list for each column."""
    types = {column_name(one.column): spark_type(one.of) for one in schema.fields} | {POSITION: "bigint"}
    of = f"struct<{','.join(f'{name}:array<{kind}>' for name, kind in types.items())}>"
    lists = session.read.text(path, wholetext=True).coalesce(1).select(F.from_json("value", of).alias("v")).select("v.*")
    return lists.select(F.inline(F.arrays_zip(*types)))


def _write(path: str, given: PlacedRows) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write(_text(given))


def _text(given: PlacedRows) -> str:
    return json.dumps({**given.columns, POSITION: given.places}, ensure_ascii=False)
