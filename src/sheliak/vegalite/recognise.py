"""Tells Vega-Lite specs from Vega specs."""

from __future__ import annotations

from sheliak.source.json_reader import Document

COMPOSITIONS = ("layer", "hconcat", "vconcat", "concat")
"""The members of a view that list other views."""

_OF_VIEWS_ONLY = ("mark", "encoding", *COMPOSITIONS)
_OF_VEGA_ONLY = ("marks", "scales", "signals", "axes", "legends")


def is_vega_lite(document: Document) -> bool:
    """Whether a document is a Vega-Lite spec: by its `$schema`, and without one by members that only Vega-Lite has."""
    value = document.value
    if not isinstance(value, dict):
        return False
    schema = value.get("$schema")
    if isinstance(schema, str) and "vega" in schema:
        return "vega-lite" in schema
    return _looks_like_a_view(value)


def _looks_like_a_view(value: dict[str, object]) -> bool:
    if any(name in value for name in _OF_VEGA_ONLY):
        return False
    return any(name in value for name in _OF_VIEWS_ONLY) or ("spec" in value and ("facet" in value or "repeat" in value))
