"""Frames of pandas, polars and Arrow as Altair would write them into a chart, without writing them.

Altair writes a time as text. Where the chart turns the text into a date before anything reads it, the time itself says the same;
elsewhere the text is what the chart shows. A time without a zone is read as local time, a day as its first moment.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sheliak.loading import record_of_arrow_schema, row_type
from sheliak.loading.columnar_rows import value_of
from sheliak.source.declared import replace
from sheliak.types.operations import join, text_type
from sheliak.types.shapes import NULL, Record, Type

if TYPE_CHECKING:
    import pyarrow as pa

_MOST_ROWS_LOOKED_AT = 1_000_000
_MOST_TEXTS = 10_000


@dataclass(frozen=True)
class Rows:
    """Rows that have no columns of one type each."""

    rows: list[dict[str, object]]

    @property
    def record(self) -> Record:
        return row_type([{name: value_of(value) for name, value in row.items()} for row in self.rows])


@dataclass(frozen=True)
class Columns:
    """A table in memory, and the frame it was made of."""

    table: pa.Table
    frame: object

    @property
    def record(self) -> Record:
        table = self.table
        never_null = frozenset(name for name in table.column_names if table.column(name).null_count == 0)
        record = record_of_arrow_schema(table.schema, never_null)
        return replace(record, fields={name: _told_by_texts(of, table.column(name)) for name, of in record.fields.items()})

    def with_times(self, parsed: Collection[str], mentioned: str) -> Columns:
        """The table with the times that the chart reads as they are, not as dates, in Altair's text.

        `parsed` are the columns that become dates before anything reads them, `mentioned` is the text of the compiled chart.
        """
        names = [field.name for field in self.table.schema if _is_time(field.type)]
        shown = [name for name in names if name not in parsed and name in mentioned]
        return Columns(_with_columns(self.table, _texts(self.frame, shown)), self.frame) if shown else self


def at_hand(frame: object) -> Columns | Rows:
    """A frame in the driver's memory, as Altair writes it: without its index, and without infinite numbers if it is of pandas."""
    import altair as alt
    import pyarrow as pa

    if type(frame).__module__.partition(".")[0] == "pandas":
        named = alt.utils.sanitize_pandas_dataframe(_heading(frame))
        try:
            table = pa.Table.from_pandas(frame, preserve_index=False)
        except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError):
            return Rows(alt.to_values(frame)["values"])
        return Columns(_finite(table.rename_columns(list(named.columns))), frame)
    return Columns(_days(_arrow(frame)), frame)


def _heading(frame: object) -> object:
    return frame[:0]  # type: ignore[index]


def _arrow(frame: object) -> pa.Table:
    import pyarrow as pa

    if isinstance(frame, pa.Table):
        return frame
    if hasattr(frame, "__arrow_c_stream__"):
        return pa.RecordBatchReader.from_stream(frame).read_all()
    import narwhals.stable.v1 as nw

    return nw.from_native(frame, eager_only=True).to_arrow()


def _finite(table: pa.Table) -> pa.Table:
    from pyarrow import compute, types

    for index, field in enumerate(table.schema):
        if types.is_floating(field.type):
            column = table.column(index)
            table = table.set_column(index, field, compute.if_else(compute.is_finite(column), column, None))
    return _days(table)


def _days(table: pa.Table) -> pa.Table:
    """Days that are counted in milliseconds are days."""
    import pyarrow as pa
    from pyarrow import types

    for index, field in enumerate(table.schema):
        if types.is_date64(field.type):
            days = table.column(index).cast(pa.date32())
            table = table.set_column(index, pa.field(field.name, pa.date32()), days)
    return table


def _is_time(of: pa.DataType) -> bool:
    from pyarrow import types

    return bool(types.is_timestamp(of) or types.is_date(of))


def _texts(frame: object, names: list[str]) -> pa.Table:
    """Columns of times as the text that Altair writes."""
    import altair as alt
    import narwhals.stable.v1 as nw
    import pyarrow as pa

    if type(frame).__module__.partition(".")[0] == "pandas":
        return pa.Table.from_pandas(alt.utils.sanitize_pandas_dataframe(frame[names]), preserve_index=False)  # type: ignore[index]
    return alt.utils.sanitize_narwhals_dataframe(nw.from_native(frame, eager_only=True).select(names)).to_arrow()


def _with_columns(table: pa.Table, others: pa.Table) -> pa.Table:
    for name in others.column_names:
        table = table.set_column(table.schema.get_field_index(name), name, others.column(name))
    return table


def _told_by_texts(of: Type, column: pa.ChunkedArray) -> Type:
    """The type of a column of text by all texts in it, where they are not too many."""
    from pyarrow import compute, types

    kind = column.type.value_type if types.is_dictionary(column.type) else column.type
    if not (types.is_string(kind) or types.is_large_string(kind)) or len(column) > _MOST_ROWS_LOOKED_AT:
        return of
    texts: Iterable[str | None] = compute.unique(column).to_pylist()
    distinct = [text for text in texts if text is not None]
    if len(distinct) > _MOST_TEXTS or not distinct:
        return of
    told = join(map(text_type, distinct))
    return join((told, NULL)) if column.null_count else told
