"""Which checker a spec goes to: the only place that tells Vega from Vega-Lite."""

from __future__ import annotations

from sheliak.checker.check import Checked, CheckOptions, check_document
from sheliak.checker.report import Report
from sheliak.diagnostics.front_ends import VegaLiteNotChecked
from sheliak.source.json_reader import Document, read_document
from sheliak.source.place import Place
from sheliak.source.text import Source


def check_source(source: Source, options: CheckOptions) -> Report:
    """Checks the text of a spec with the checker for its language."""
    document = read_document(source)
    if is_vega_lite(document.value):
        return _check_vega_lite(document)
    return Report(source, check_document(document, options))


def is_vega_lite(value: object) -> bool:
    """The spec says so itself: its `$schema` is that of Vega-Lite."""
    schema = value.get("$schema") if isinstance(value, dict) else None
    return isinstance(schema, str) and "/vega-lite/" in schema


def _check_vega_lite(document: Document) -> Report:
    hint = VegaLiteNotChecked(place=Place(("$schema",)))
    return Report(document.source, Checked(document, (hint,), {}))
