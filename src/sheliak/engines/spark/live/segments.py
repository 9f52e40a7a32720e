"""Rows of a source in immutable Arrow files, read where they lie.

A first file holds the rows that a source starts with: their places count from 0, their ids from 1. A later one holds what has become of
some rows since: `p` their places, `id` their ids, `h` a hash of the id, by which the file is sorted, `gone` for those that were removed.
The columns c0, c1, ... are the fields, whose names and types stand in the file.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from hashlib import blake2b
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from sheliak.changes.change import Trace
from sheliak.engines.spark.arrow_values import arrow_array, arrow_type, values_of
from sheliak.engines.spark.live.column_json import text_of_types, types_of_text
from sheliak.expressions.values import UNDEFINED, Row, Undefined, Value
from sheliak.plan.column_types import ColumnType, type_of_values, unified

if TYPE_CHECKING:
    import pyarrow as pa

_BATCH = 1_000_000
"""Rows of a batch: a row is found by its number in few steps, and no column of text outgrows its offsets."""
_ROW_GROUP = 250_000
"""Rows that Spark reads as one piece."""
_DIGITS = 18
_MOST = 10 ** (_DIGITS - 1)
_LOW_BITS = (1 << 63) - 1
_GOLDEN = 0x9E3779B97F4A7C15
_NESTED = {list, dict}
_UNLIKE = frozenset({*_NESTED, Undefined})
_TYPES = b"sheliak.types"


class Version(NamedTuple):
    """A row of a source as it is from some change on; None if it is not there any more."""

    id: Trace
    place: int
    row: Row | None


def id_text(id: Trace) -> str:
    """An id as text: 1 and 1.0 are one id, "1" is another."""
    if type(id) is int:
        return str(id)
    if isinstance(id, float) and id.is_integer():
        return str(int(id))
    return json.dumps(id, ensure_ascii=False)


def id_of(text: str) -> Trace:
    """The id that a text stands for."""
    found: Trace = int(text) if text.isdecimal() else json.loads(text)
    return found


def hash_of(text: str) -> int:
    """A number in place of an id, the same in every process."""
    if len(text) < _DIGITS and text.isdecimal():
        # Neighbours are spread out, as the first digits of the golden ratio do it.
        return (int(text) * _GOLDEN & _LOW_BITS) - (1 << 62)
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little", signed=True)


def are_numbers(ids: Sequence[Trace]) -> bool:
    """All ids are whole numbers of few digits, as those of most sources are: then they need not be looked at one by one."""
    return set(map(type, ids)) == {int} and min(ids) >= 0 and max(ids) < _MOST  # type: ignore[operator]


def hashes_of(ids: Sequence[Trace]) -> Any:
    """The hashes of many ids, as an array."""
    import numpy as np

    if are_numbers(ids):
        spread = np.asarray(ids, dtype=np.uint64) * np.uint64(_GOLDEN) & np.uint64(_LOW_BITS)
        return spread.astype(np.int64) - (1 << 62)
    return np.asarray([hash_of(id_text(id)) for id in ids], dtype=np.int64)


class Segment:
    """The rows of one file, or of one that is still to be written."""

    def __init__(self, table: pa.Table, types: Mapping[str, ColumnType]) -> None:
        self.table = table
        self.types = types

    @property
    def count(self) -> int:
        return int(self.table.num_rows)

    @property
    def is_first(self) -> bool:
        """Places and ids are numbers in a row."""
        return "p" not in self.table.column_names

    @cached_property
    def batches(self) -> list[pa.RecordBatch]:
        return [batch for batch in self.table.to_batches() if batch.num_rows]

    @cached_property
    def hashes(self) -> Any:
        return self.table.column("h").combine_chunks().to_numpy()

    @cached_property
    def ids(self) -> pa.Array:
        return self.table.column("id").combine_chunks()

    def found(self, ids: Sequence[Trace], hashes: Any, wanted: Any) -> Any:
        """Where some ids stand; -1 for those that are not here. `wanted` are their numbers among ids and hashes."""
        import numpy as np
        import pyarrow as pa

        known, count, hashes = self.hashes, self.count, hashes[wanted]
        found = np.full(len(wanted), -1, dtype=np.int64)
        if not count:
            return found
        starts = np.searchsorted(known, hashes)
        there = np.flatnonzero(known[np.minimum(starts, count - 1)] == hashes)
        if not len(there):
            return found
        texts = self.ids.take(pa.array(starts[there])).to_pylist()
        for index, start, text, number in zip(there.tolist(), starts[there].tolist(), texts, wanted[there].tolist(), strict=True):
            place, meant = start, id_text(ids[number])
            while place < count and known[place] == hashes[index]:
                if (text if place == start else self.ids[place].as_py()) == meant:
                    found[index] = place
                    break
                place += 1
        return found

    def versions(self, numbers: Sequence[int]) -> list[Version]:
        """The rows with these numbers."""
        taken = self.taken(numbers)
        if not self.is_first:
            return _later_versions(taken, self.types)
        rows = rows_of(taken, self.types)
        return list(map(Version._make, zip([number + 1 for number in numbers], numbers, rows, strict=True)))

    def taken(self, numbers: Sequence[int]) -> pa.Table:
        """Rows by their numbers, batch by batch: taken from all at once, columns would be copied whole. Numbers in order are the cheapest."""
        import numpy as np
        import pyarrow as pa

        wanted = np.asarray(numbers, dtype=np.int64)
        if len(self.batches) == 1:
            return pa.Table.from_batches([self.batches[0].take(pa.array(wanted))])
        is_ordered = bool((wanted[1:] >= wanted[:-1]).all())
        order = None if is_ordered else np.argsort(wanted, kind="stable")
        ordered = wanted if order is None else wanted[order]
        ends = np.cumsum([0, *(batch.num_rows for batch in self.batches)])
        bounds = np.searchsorted(ordered, ends)
        parts = [
            batch.take(pa.array(ordered[low:high] - start))
            for batch, start, low, high in zip(self.batches, ends, bounds, bounds[1:], strict=False)
            if high > low
        ]
        if not parts:
            return self.table.slice(0, 0)
        taken = pa.Table.from_batches(parts)
        return taken if order is None else taken.take(pa.array(np.argsort(order, kind="stable")))

    def all(self) -> list[Version]:
        return self.versions(range(self.count))


def versions_of(wanted: Sequence[tuple[Segment, Sequence[int]]]) -> list[Version]:
    """The rows with certain numbers in later files; files of the same types are read as one, for what is asked of Arrow is what takes time."""
    import pyarrow as pa

    found: list[Version] = []
    for _, several in groupby(wanted, key=lambda one: tuple(one[0].types.items())):
        parts = list(several)
        taken = pa.concat_tables([segment.taken(numbers) for segment, numbers in parts])
        found += _later_versions(taken, parts[0][0].types)
    return found


def _later_versions(taken: pa.Table, types: Mapping[str, ColumnType]) -> list[Version]:
    hidden = (taken.column("id").to_pylist(), taken.column("p").to_numpy().tolist(), taken.column("gone").to_pylist())
    rows = rows_of(taken, types)
    return [Version(id_of(id), place, None if gone else row) for id, place, gone, row in zip(*hidden, rows, strict=True)]


def rows_of(table: pa.Table, types: Mapping[str, ColumnType]) -> list[Row]:
    """The fields of a table's rows as JavaScript's values."""
    columns = {name: values_of(table.column(f"c{index}"), of) for index, (name, of) in enumerate(types.items())}
    if not columns:
        return [{} for _ in range(table.num_rows)]
    if not any(UNDEFINED in values for values in columns.values()):
        return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
    return [
        {name: value for name, value in zip(columns, values, strict=True) if value is not UNDEFINED}
        for values in zip(*columns.values(), strict=True)
    ]


def bare(row: Row) -> Row:
    """A row as it will be read again: a member that is undefined is none."""
    if _UNLIKE.isdisjoint(map(type, row.values())):
        return row
    return {name: _bare(value) for name, value in row.items() if value is not UNDEFINED}


def _bare(value: Value) -> Value:
    match value:
        case dict():
            return bare(value)
        case list():
            return [_bare(element) for element in value]
        case _:
            return value


def types_of_rows(rows: Sequence[Row]) -> dict[str, ColumnType]:
    """The least types that hold all rows; a field that only some have is undefined in the others."""
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: type_of_values(row.get(name, UNDEFINED) for row in rows) for name in names}


def columns_of(rows: Sequence[Row], types: Mapping[str, ColumnType]) -> dict[str, pa.Array]:
    return {
        f"c{index}": arrow_array([row.get(name, UNDEFINED) for row in rows], of) for index, (name, of) in enumerate(types.items())
    }


def first_segment(rows: Sequence[Row]) -> Segment:
    """What a source starts with."""
    import pyarrow as pa

    types = types_of_rows(rows)
    columns = columns_of(rows, types)
    # A table without columns would forget how many rows it has.
    table = pa.table(columns if columns else {"none": pa.nulls(len(rows), pa.bool_())})
    return Segment(table, types)


def later_segment(versions: Iterable[Version], like: Mapping[str, ColumnType] | None = None) -> Segment:
    """What has become of rows, sorted by the hashes of their ids; types that hold them all, or `like` others where those do."""
    import pyarrow as pa

    given = list(versions)
    texts, hashes = [id_text(one.id) for one in given], hashes_of([one.id for one in given])
    order = _order(hashes, texts)
    given = [given[index] for index in order]
    present = [one.row for one in given if one.row is not None]
    types = dict(like) if like is not None and fit(present, like) else types_of_rows(present)
    hidden = {
        "p": pa.array([one.place for one in given], pa.int64()),
        "id": pa.array([texts[index] for index in order], pa.string()),
        "h": pa.array(hashes[order], pa.int64()),
        "gone": pa.array([one.row is None for one in given], pa.bool_()),
    }
    return Segment(pa.table({**hidden, **columns_of([one.row or {} for one in given], types)}), types)


def _order(hashes: Any, texts: Sequence[str]) -> list[int]:
    """The numbers of ids by their hashes, by their texts where these are the same."""
    import numpy as np

    order = np.argsort(hashes, kind="stable")
    ordered = hashes[order]
    if (ordered[1:] != ordered[:-1]).all():
        return cast("list[int]", order.tolist())
    return sorted(range(len(texts)), key=lambda index: (hashes[index], texts[index]))


def fit(rows: Sequence[Row], types: Mapping[str, ColumnType]) -> bool:
    """The types hold the rows as they are."""
    members = [set(names) for names in set(map(tuple, rows))]
    if not all(types.keys() >= names for names in members):
        return False
    if members and all(names == types.keys() for names in members):
        return all(_holds(of, list(map(itemgetter(name), rows))) for name, of in types.items())
    return all(_holds(of, [row.get(name, UNDEFINED) for row in rows]) for name, of in types.items())


def _holds(of: ColumnType, values: list[Value]) -> bool:
    kinds = set(map(type, values))
    if not kinds & _NESTED:
        # One value of each kind is enough.
        values = [next(value for value in values if type(value) is kind) for kind in kinds]
    return unified(of, type_of_values(values)) == of


# Files


def write_segment(segment: Segment, path: Path) -> None:
    import pyarrow as pa

    table = segment.table.replace_schema_metadata({_TYPES: text_of_types(dict(segment.types)).encode()})
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table, max_chunksize=_BATCH)


def read_segment(path: Path) -> Segment:
    """A file's rows; what of them is never asked for is not read."""
    import pyarrow as pa

    table = pa.ipc.open_file(pa.memory_map(str(path))).read_all()
    return Segment(table.replace_schema_metadata(None), types_of_text((table.schema.metadata or {})[_TYPES]))


def converted_files(files: Iterable[Path], types: Mapping[str, ColumnType], rows: Path, scanned: Path) -> None:
    """Parquet files whose columns c0, c1, ... are fields of these types, as one file that is read row by row, and one for Spark.

    The second has the places of the rows as well, in the column `p`.
    """
    import pyarrow as pa
    from pyarrow import parquet

    schema = pa.schema([(f"c{index}", arrow_type(of)) for index, of in enumerate(types.values())])
    placed = schema.append(pa.field("p", pa.int64()))
    place = 0
    with (
        pa.OSFile(str(rows), "wb") as sink,
        pa.ipc.new_file(sink, schema.with_metadata({_TYPES: text_of_types(dict(types)).encode()})) as writer,
        parquet.ParquetWriter(str(scanned), placed, compression="zstd") as other,
    ):
        for file in files:
            for batch in parquet.ParquetFile(file).iter_batches(_BATCH, columns=schema.names):
                table = pa.Table.from_batches([batch]).cast(schema)
                writer.write_table(table)
                places = pa.array(range(place, place + table.num_rows), pa.int64())
                other.write_table(table.append_column(placed.field("p"), places), row_group_size=_ROW_GROUP)
                place += table.num_rows


def merged(older: Segment, newer: Segment) -> Segment:
    """Two later files as one: of a row that both have, the newer version."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if older.types != newer.types:
        known = {one.id: one for segment in (older, newer) for one in segment.all()}
        return later_segment(known.values(), newer.types)  # as those that come next will have them
    rest = older.table.filter(pc.invert(pc.is_in(older.table.column("id"), newer.table.column("id").combine_chunks())))
    return Segment(pa.concat_tables([rest, newer.table]).sort_by([("h", "ascending"), ("id", "ascending")]), older.types)
