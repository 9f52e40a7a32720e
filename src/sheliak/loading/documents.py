"""Decoded documents as tables: what `format` makes of a JSON value, and which problems that shows."""

from __future__ import annotations

from sheliak.diagnostics.loading import MissingDataProperty
from sheliak.diagnostics.registry import Diagnostic
from sheliak.loading.formats import Format
from sheliak.loading.property_path import Missing, member_names, split_path
from sheliak.loading.shape import at
from sheliak.loading.table import Table, table_of_document
from sheliak.loading.topojson import table_of_objects


def document_path(format: Format) -> tuple[str, ...]:
    """The steps to the part of a document that the rows are made of; none when it is the whole."""
    steps = split_path(format.property) if format.property else ()
    return (*steps, "objects") if format.type == "topojson" else steps


def table_of_part(part: object | Missing, format: Format) -> Table | Diagnostic:
    """The rows in the part at the end of the path, or what is wrong with it."""
    if isinstance(part, Missing) and not (format.type == "topojson" and part.step == "objects"):
        under, there = ".".join(part.taken), member_names(part.holder)
        return _missing(format, missing=part.step, under=under, there=there)
    if format.type == "topojson":
        return table_of_objects(part, format)
    return table_of_document(part) if part is not None or not format.property else _missing(format, found="null")


def _missing(format: Format, **known: object) -> Diagnostic:
    given = {"missing": "", "under": "", "there": (), **known}
    return MissingDataProperty(place=at("format", "property"), property=format.property or "", **given)  # type: ignore[arg-type]
