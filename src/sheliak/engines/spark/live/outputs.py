"""The rows that a dataset had after the last step, where the next difference needs them: its traces and rows, in a file of the store."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import cast

from sheliak.changes.change import Changeset, Trace
from sheliak.changes.table import Table, difference
from sheliak.engines.spark.live.run import Traced
from sheliak.engines.spark.live.store import Draft, Store
from sheliak.engines.spark.live.traces import Id
from sheliak.expressions.values import Row, decode, encode


def table_name(dataset: str) -> str:
    return f"rows:{dataset}"


def write_rows(draft: Draft, dataset: str, found: Traced) -> None:
    """The rows of a dataset from now on."""
    import pyarrow as pa

    path = draft.new_file(table_name(dataset), ".arrow")
    traces = [json.dumps(trace) for trace in found.traces]
    rows = [json.dumps(encode(row)) for row in found.rows]
    table = pa.table({"t": pa.array(traces, pa.string()), "r": pa.array(rows, pa.string())})
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    draft.replace(table_name(dataset), [path], "rows")


def read_rows(store: Store, dataset: str) -> Traced | None:
    """The rows of a dataset; None where they are not kept."""
    import pyarrow as pa

    files = store.table(table_name(dataset))
    if not files:
        return None
    table = pa.ipc.open_file(pa.memory_map(str(files[0].path))).read_all()
    rows = [cast("Row", decode(json.loads(text))) for text in table.column("r").to_pylist()]
    return Traced(rows, [json.loads(text) for text in table.column("t").to_pylist()])


def changes_between(before: Traced | None, after: Traced | None) -> Changeset:
    """What leads from some rows to others, removes first."""
    return difference(_table(before), _table(after))


def changes_of_rows(before: Mapping[Id, Row], after: Mapping[Id, Row]) -> Changeset:
    """The same for the rows that can have changed."""
    return difference(_table_of(before), _table_of(after))


def _table(rows: Traced | None) -> Table:
    return Table() if rows is None else _table_of(rows.by_trace())


def _table_of(rows: Mapping[Id, Row]) -> Table:
    kept = cast("dict[Trace, Row]", dict(rows))
    order = list(kept)
    return Table(kept, order, order)
