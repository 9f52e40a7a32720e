"""`data[].values`: rows written in the spec itself, and so all at hand."""

from __future__ import annotations

from sheliak.diagnostics.loading import FormatTypeMissing, ValuesNotJson, ValuesNotText
from sheliak.diagnostics.registry import Diagnostic
from sheliak.loading.data_file import Unreadable
from sheliak.loading.delimited import table_of_text, with_header
from sheliak.loading.distinct import distinct_texts
from sheliak.loading.documents import document_path, table_of_part
from sheliak.loading.formats import Format
from sheliak.loading.json_text import decode
from sheliak.loading.property_path import select
from sheliak.loading.shape import SOURCE, UNSEEN_SHAPE, Loaded, Shape, at, loaded, shape_of_problem, shape_of_survey
from sheliak.loading.table import Table, survey_of
from sheliak.source.declared import replace
from sheliak.source.tree import Node


def shape_of_values(node: Node, format: Format | None, dataset: str) -> Loaded:
    """The record of the rows at `node`, a data definition's `values`.

    It is open when nobody can know the rows: a signal gives them or a part of the format, there are none, or they are wrong.
    """
    value = node.value
    if format is None or not value or (isinstance(value, dict) and value.get("signal")):
        return loaded(UNSEEN_SHAPE, node, dataset, "values")
    return loaded(_shape_of_value(value, format), node, dataset, "values")


def _shape_of_value(value: object, format: Format) -> Shape:
    problem: Diagnostic | None = None
    if format.separator is None and isinstance(value, str):
        value, format, problem = _decoded(value, format)
    found = _table(value, format)
    if isinstance(found, Diagnostic):
        return shape_of_problem(problem or found)
    shape = shape_of_survey(survey_of(found, infer=format.parse == "auto"), format)
    problems = (problem,) if problem is not None else shape.problems
    return replace(shape, problems=problems, distinct=lambda name: distinct_texts(found, format, name))


def _table(value: object, format: Format) -> Table | Diagnostic:
    if format.separator is None:
        return table_of_part(select(value, document_path(format)), format)
    if not isinstance(value, str):
        return _not_text(value, format)
    return table_of_text(with_header(value, format), format.separator)


def _decoded(text: str, format: Format) -> tuple[object, Format, Diagnostic | None]:
    """Text is JSON text; lines with commas or tabs were meant to be delimited, and are read as they were meant."""
    try:
        return decode(text), format, None
    except Unreadable as error:
        first = text.partition("\n")[0]
        kind = "tsv" if "\t" in first else "csv" if "," in first else None
        if kind is None or first.lstrip()[:1] in ("[", "{"):
            return [], format, ValuesNotJson(place=at(SOURCE), reason=str(error).removeprefix("it is not JSON ").strip("()"))
        meant = replace(format, type=kind, property=None)
        return (
            text,
            meant,
            FormatTypeMissing(place=at(SOURCE), source="the text of `values`", type=kind, declared=format.declared),
        )


def _not_text(value: object, format: Format) -> Table | Diagnostic:
    """Vega writes the value as text and reads that: a plain array of texts gives one odd line, objects give nothing."""
    if isinstance(value, list) and all(isinstance(line, str) for line in value):
        return table_of_text(with_header(",".join(value), format), format.separator or "")
    kind = "array" if isinstance(value, list) else "object" if isinstance(value, dict) else "number"
    return ValuesNotText(place=at("format", "type"), type=format.type, found=kind)
