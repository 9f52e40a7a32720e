"""From what was seen in a source to the record that a dataset starts with.

Problems are found while a source is read, and a file is read once for many specs. So their places are relative to the data
definition (`format/parse/x`), and `loaded` moves them to where the definition stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from sheliak.diagnostics.loading import NullRow, ParseOfAbsentColumn, ParseOfPlainValues
from sheliak.diagnostics.registry import Diagnostic
from sheliak.loading.formats import Format
from sheliak.loading.parsing import parsed_type
from sheliak.loading.table import Survey
from sheliak.source.declared import dataclass, replace
from sheliak.source.place import PathKey, Place
from sheliak.source.tree import Node
from sheliak.types.shapes import NULL, UNKNOWN, Lineage, Record, Unseen

SOURCE = ""
"""As the first step of a relative place: the `values` or the `url` itself."""
Distinct = Callable[[str], frozenset[str] | None]


@dataclass(frozen=True, slots=True)
class Shape:
    """What is known of the rows of a source, whoever reads it."""

    record: Record
    problems: tuple[Diagnostic, ...] = ()
    survey: Survey | None = None
    rows: int | None = None
    note: str | None = None
    distinct: Distinct | None = None


@dataclass(frozen=True, slots=True)
class Loaded:
    """The shape of one row of a dataset's source, with its lineage, and what was wrong with the source."""

    record: Record
    problems: tuple[Diagnostic, ...] = ()
    sampled: bool = False
    """Only a part was looked at; the record's `may_hold` asks the rest."""
    rows: int | None = None
    """The number of rows, where it is known."""
    note: str | None = None


UNSEEN_SHAPE = Shape(Record({}, open=True))


def loaded(shape: Shape, node: Node, dataset: str, step: str) -> Loaded:
    """The shape as the source of one dataset: `node` is its `values` or `url`."""
    path = node.path
    sampled, may_hold = (shape.survey.sampled, shape.survey.may_hold) if shape.survey is not None else (False, None)
    lineage = Lineage(step, Place(path), dataset=dataset, may_hold=may_hold, distinct=shape.distinct)
    of = shape.record
    record = Record(of.fields, of.optional, of.open, Unseen(dataset) if of.open else None, lineage)
    problems = tuple(_moved(problem, path) for problem in shape.problems)
    return Loaded(record, problems, sampled, shape.rows, shape.note)


def at(*path: PathKey, on_key: bool = False) -> Place:
    """A place relative to the data definition."""
    return Place(path, on_key)


def _moved(problem: Diagnostic, source: tuple[PathKey, ...]) -> Diagnostic:
    relative = problem.place.path
    path = (*source, *relative[1:]) if relative[0] == SOURCE else (*source[:-1], *relative)
    return type(problem)(**{**vars(problem), "place": Place(path, problem.place.on_key)})


def shape_of_problem(problem: Diagnostic) -> Shape:
    """A source whose rows cannot be known, and why."""
    return replace(UNSEEN_SHAPE, problems=(problem,))


def shape_of_survey(survey: Survey, format: Format) -> Shape:
    """The record of the rows after `parse`; a source without any row says nothing about its columns."""
    rows = None if survey.sampled else survey.table.count
    problems = tuple(_problems_of_rows(survey, format))
    if not survey.columns:
        return Shape(Record({}, open=True), problems, survey, rows, survey.note)
    how = _parse_types(survey, format)
    fields = {name: parsed_type(seen, how.get(name)) for name, seen in survey.columns.items()}
    optional = frozenset(name for name, seen in survey.columns.items() if not seen.everywhere and name not in how)
    absent = [name for name in how if name not in survey.columns]
    fields |= {name: UNKNOWN if _may_hold(survey, name) else NULL for name in absent}
    problems += tuple(_absent_column(survey, name) for name in absent if not _may_hold(survey, name))
    return Shape(Record(fields, optional, survey.open), problems, survey, rows, survey.note)


def _parse_types(survey: Survey, format: Format) -> Mapping[str, str]:
    """The parser of each column that has one."""
    if format.parse is None or not survey.table.parses or survey.table.plain:
        return {}
    if format.parse != "auto":
        return format.parse
    return {name: survey.columns[name].inferred or "unknown" for name in survey.table.leading if name in survey.columns}


def _may_hold(survey: Survey, name: str) -> bool:
    return survey.open or (survey.may_hold is not None and survey.may_hold(name))


def _absent_column(survey: Survey, name: str) -> Diagnostic:
    return ParseOfAbsentColumn(place=at("format", "parse", name, on_key=True), column=name, columns=tuple(survey.columns))


def _problems_of_rows(survey: Survey, format: Format) -> Iterator[Diagnostic]:
    """Rows on which Vega stops: null, and plain values where `parse` sets fields on the row itself."""
    table = survey.table
    if table.null_row is not None:
        yield NullRow(place=at(SOURCE), row=table.null_row + 1)
    elif table.plain and table.parses and isinstance(format.parse, Mapping) and format.parse:
        yield ParseOfPlainValues(place=at("format", "parse"))
