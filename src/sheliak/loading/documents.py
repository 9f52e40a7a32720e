"""Decoded documents as tables: what `format` makes of a JSON value, and which problems that shows."""

from __future__ import annotations

from sheliak.diagnostics.finding import Finding
from sheliak.diagnostics.loading import MissingDataProperty
from sheliak.loading.formats import Format
from sheliak.loading.property_path import Missing, member_names, split_path
from sheliak.loading.table import Table, at, table_of_document
from sheliak.loading.topojson import table_of_topology


def property_steps(format: Format) -> tuple[str, ...]:
    """The steps of `format.property`; none when the whole document is meant."""
    return split_path(format.property) if format.property else ()


def table_of_value(value: object | Missing, format: Format) -> Table | Finding:
    """The rows in the value that `format.property` leads to, or what is wrong with it."""
    if isinstance(value, Missing):
        under = ".".join(value.taken)
        there = member_names(value.holder)
        return MissingDataProperty(
            place=at("format", "property"), property=format.property or "", missing=value.step, under=under, there=there
        )
    if format.type == "topojson":
        return table_of_topology(value, format)
    if value is None and format.property:
        return MissingDataProperty(
            place=at("format", "property"), property=format.property, missing="", under="", there=(), found="null"
        )
    return table_of_document(value)
