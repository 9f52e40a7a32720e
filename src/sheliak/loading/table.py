"""Looked-at rows, column by column, and what was seen in each column."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import cast

from sheliak.loading.columns import MAX_FIELDS, Column, columns_of, type_of_column, type_of_texts
from sheliak.loading.formats import UNCERTAIN
from sheliak.loading.parsing import Evidence, inferred_type
from sheliak.source.declared import dataclass, replace
from sheliak.types.shapes import NULL, UNKNOWN, Array, Lineage, Record, Type, Union

MayHold = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Table:
    """The looked-at rows of a source, before `parse`."""

    columns: Mapping[str, Column]
    count: int
    leading: tuple[str, ...]
    """The columns that `parse: "auto"` considers: the header of delimited text, the keys of the first JSON row."""
    parses: bool = True
    """Vega parses rows of an array only: a document that is one object is taken as it is."""
    plain: bool = False
    """Some rows are numbers, texts or booleans rather than objects."""
    null_row: int | None = None
    """The index of the first row that is null."""


@dataclass(frozen=True, slots=True)
class Survey:
    """What a table says about the source: small, so that it can be kept while the rows are forgotten."""

    columns: Mapping[str, Evidence]
    table: Table
    """Without its columns."""
    open: bool = False
    sampled: bool = False
    may_hold: MayHold | None = None
    note: str | None = None


def table_of_document(value: object) -> Table:
    """A JSON value as rows: the elements of an array; anything else is one row."""
    if isinstance(value, list):
        return table_of_rows(value)
    return replace(table_of_rows([value]), parses=False)


def table_of_rows(rows: Sequence[object]) -> Table:
    """Objects are rows as they are, plain values become `{data: value}`, an array's elements are called by their index."""
    objects = [row for row in rows if isinstance(row, dict)]
    plain, null_row = False, None
    if len(objects) < len(rows):
        plain = not all(isinstance(row, dict | list) for row in rows)
        null_row = rows.index(None) if None in rows else None
        objects = [row if isinstance(row, dict) else _wrapped(row) for row in rows if row is not None]
    leading = tuple(objects[0]) if objects else ()
    return Table(columns_of(objects), len(objects), leading, plain=plain, null_row=null_row)


def _wrapped(row: object) -> dict[str, object]:
    if not isinstance(row, list):
        return {"data": row}
    return {**{str(index): element for index, element in enumerate(islice(row, MAX_FIELDS))}, "length": len(row)}


def survey_of(table: Table, infer: bool = False) -> Survey:
    """The evidence in every column of a table that is all there is; with `infer`, also what `parse: "auto"` makes of it."""
    columns = {name: _evidence(column, infer) for name, column in islice(table.columns.items(), MAX_FIELDS)}
    return Survey(columns, replace(table, columns={}), open=len(table.columns) > MAX_FIELDS)


def survey_of_sample(table: Table, infer: bool, may_hold: MayHold | None, note: str) -> Survey:
    """The evidence in a part of the rows: only null seen so far says nothing of the rest, and no record denies a field
    without asking the whole source."""
    survey = survey_of(table, infer)
    columns = {name: replace(seen, of=_of_sample(seen.of, may_hold)) for name, seen in survey.columns.items()}
    return replace(survey, columns=columns, sampled=True, may_hold=may_hold, note=note)


def _evidence(column: Column, infer: bool) -> Evidence:
    kinds = column.kinds()
    texts = cast("set[str]", set[object]().union(*column.pieces)) if kinds == {str} else column.texts() if str in kinds else set()
    of_texts = type_of_texts(texts)
    of = of_texts if kinds == {str} else type_of_column(column, 1)
    blank = "" in texts or type(None) in kinds
    valued = len(texts) > ("" in texts) or bool(kinds - {str, type(None)})
    return Evidence(of, column.everywhere, blank, valued, inferred_type(kinds, texts, of_texts) if infer else None)


def inferred_type_of(column: Column) -> str:
    """The parser that `parse: "auto"` chooses for a column."""
    return _evidence(column, infer=True).inferred or UNCERTAIN


def _of_sample(of: Type, may_hold: MayHold | None) -> Type:
    if of is NULL:
        return UNKNOWN
    return _asking(of, may_hold) if may_hold is not None else of


def _asking(of: Type, may_hold: MayHold) -> Type:
    """The type with every record in it asking `may_hold` before a field counts as absent."""
    match of:
        case Record(fields):
            inner = {name: _asking(member, may_hold) for name, member in fields.items()}
            return replace(of, fields=inner, lineage=Lineage("url", may_hold=may_hold))
        case Array(element):
            return Array(_asking(element, may_hold))
        case Union(options):
            return Union(tuple(_asking(option, may_hold) for option in options))
        case _:
            return of
