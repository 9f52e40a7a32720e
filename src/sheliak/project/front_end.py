"""Which checker a spec goes to: the only place that sends Vega and Vega-Lite different ways."""

from __future__ import annotations

from sheliak.checker.check import CheckOptions, check_document
from sheliak.checker.report import Report
from sheliak.source.json_reader import read_document
from sheliak.source.text import Source
from sheliak.vegalite.recognise import is_vega_lite


class NotChecked(Exception):
    """A spec that cannot be checked here; the text says why, and what to do."""


def check_source(source: Source, options: CheckOptions) -> Report:
    """Checks the text of a spec with the checker for its language; raises NotChecked where that is not installed."""
    document = read_document(source)
    if not is_vega_lite(document):
        return Report(source, check_document(document, options))
    from sheliak.vegalite.check import check_vega_lite
    from sheliak.vegalite.compiling import VegaLiteUnavailable

    try:
        return check_vega_lite(source, document, options)
    except VegaLiteUnavailable as problem:
        raise NotChecked(str(problem)) from problem
