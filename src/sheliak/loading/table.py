"""From looked-at rows to the record that a dataset starts with.

Problems are found while a source is read, and a file is read once for many specs. So their places are relative to the data
definition (`format/parse/x`), and `loaded` moves them to where the definition stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from sheliak.diagnostics.finding import Finding
from sheliak.diagnostics.loading import NullRow, ParseOfAbsentColumn, ParseOfPlainValues
from sheliak.loading.columns import MAX_FIELDS, Column, columns_of, type_of_column
from sheliak.loading.formats import Format
from sheliak.loading.parsing import inferred_type, parsed_type
from sheliak.source.place import PathKey, Place
from sheliak.source.tree import Node
from sheliak.types.shapes import NULL, UNKNOWN, Array, Lineage, Record, Type, Union, Unseen

Asks = Callable[[str], bool]
Distinct = Callable[[str], frozenset[str] | None]


@dataclass(frozen=True, slots=True)
class Table:
    """The looked-at rows of a source, column by column, before `parse`."""

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
class Shape:
    """What is known of the rows of a source, whoever reads it."""

    record: Record
    problems: tuple[Finding, ...] = ()
    sampled: bool = False
    rows: int | None = None
    note: str | None = None
    may_hold: Asks | None = None
    distinct: Distinct | None = None


@dataclass(frozen=True, slots=True)
class Loaded:
    """The shape of one row of a dataset's source, with its lineage, and what was wrong with the source."""

    record: Record
    problems: tuple[Finding, ...] = ()
    sampled: bool = False
    """Only a part was looked at; the record's `may_hold` asks the rest."""
    rows: int | None = None
    """The number of rows, where it is known."""
    note: str | None = None


SOURCE = ""
"""As the only step of a relative place: the `values` or the `url` itself."""
UNSEEN_SHAPE = Shape(Record({}, open=True))


def loaded(shape: Shape, node: Node, dataset: str, step: str) -> Loaded:
    """The shape as the source of one dataset: `node` is its `values` or `url`."""
    path = node.path
    lineage = Lineage(step, Place(path), dataset=dataset, may_hold=shape.may_hold, distinct=shape.distinct)
    unseen = Unseen(dataset) if shape.record.open else None
    record = replace(shape.record, unseen=unseen, lineage=lineage)
    problems = tuple(_moved(problem, path) for problem in shape.problems)
    return Loaded(record, problems, shape.sampled, shape.rows, shape.note)


def at(*path: PathKey, on_key: bool = False) -> Place:
    """A place relative to the data definition."""
    return Place(path, on_key)


def _moved(problem: Finding, source: tuple[PathKey, ...]) -> Finding:
    relative = problem.place.path
    path = (*source, *relative[1:]) if relative[0] == SOURCE else (*source[:-1], *relative)
    return problem.moved(Place(path, problem.place.on_key))


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


def shape_of_table(table: Table, format: Format, may_hold: Asks | None = None, sampled: bool = False) -> Shape:
    """The record of the table's rows after `parse`; a source without any row says nothing about its columns."""
    count = None if sampled else table.count
    problems = list(_problems_of_rows(table, format))
    if not table.columns:
        return Shape(Record({}, open=True), tuple(problems), sampled, count)
    how = dict.fromkeys(table.leading, "auto") if format.parse == "auto" else format.parse or {}
    builder = _ShapeBuilder(table, may_hold, sampled)
    fields = builder.fields(how if table.parses and not table.plain else {})
    optional = frozenset(name for name, column in table.columns.items() if not column.everywhere) - builder.made_present
    record = Record(fields, optional, open=len(table.columns) > MAX_FIELDS)
    return Shape(record, (*problems, *builder.problems), sampled, count, may_hold=may_hold)


def _problems_of_rows(table: Table, format: Format) -> Iterator[Finding]:
    """Rows on which Vega stops: null, and plain values where `parse` sets fields on the row itself."""
    if table.null_row is not None:
        yield NullRow(place=at(SOURCE), row=table.null_row + 1)
    elif table.plain and table.parses and isinstance(format.parse, Mapping) and format.parse:
        yield ParseOfPlainValues(place=at("format", "parse"))


class _ShapeBuilder:
    """Applies `parse` column by column, and gathers what is wrong with it."""

    def __init__(self, table: Table, may_hold: Asks | None, sampled: bool) -> None:
        self.table = table
        self.may_hold = may_hold
        self.sampled = sampled
        self.problems: list[Finding] = []
        self.made_present: set[str] = set()

    def fields(self, how: Mapping[str, str]) -> dict[str, Type]:
        found = {name: self._field(column, how.get(name)) for name, column in islice(self.table.columns.items(), MAX_FIELDS)}
        self.made_present.update(how)
        for name in how:
            if name not in found:
                found[name] = self._absent(name)
        return found

    def _field(self, column: Column, how: str | None) -> Type:
        if how == "auto":
            how = inferred_type(column)
        of = parsed_type(column, how) if how is not None else type_of_column(column, 1)
        return self._of_sample(of) if self.sampled else of

    def _of_sample(self, of: Type) -> Type:
        """Only null seen so far says nothing of the rest; nested records ask the whole source before they deny a field."""
        if of is NULL:
            return UNKNOWN
        return asking(of, self.may_hold) if self.may_hold is not None else of

    def _absent(self, name: str) -> Type:
        if len(self.table.columns) > MAX_FIELDS or (self.may_hold is not None and self.may_hold(name)):
            return UNKNOWN
        columns = tuple(self.table.columns)
        self.problems.append(ParseOfAbsentColumn(place=at("format", "parse", name, on_key=True), column=name, columns=columns))
        return NULL


def asking(of: Type, may_hold: Asks) -> Type:
    """The type with every record in it asking `may_hold` before a field counts as absent."""
    match of:
        case Record(fields):
            inner = {name: asking(member, may_hold) for name, member in fields.items()}
            return replace(of, fields=inner, lineage=Lineage("url", may_hold=may_hold))
        case Array(element):
            return Array(asking(element, may_hold))
        case Union(options):
            return Union(tuple(asking(option, may_hold) for option in options))
        case _:
            return of
