"""Specs to be pictured, and their pictures."""

import json
from pathlib import Path

from sheliak.checker.check import CheckOptions
from sheliak.loading import DataFolders
from sheliak.picturing.building import picture_of
from sheliak.picturing.json_form import as_object
from sheliak.picturing.picture import Picture
from sheliak.picturing.subject import subject_of
from sheliak.project.selection import Selection
from sheliak.source.text import Source, read_text

Spec = dict[str, object]

ROWS = [{"kind": "novel", "words": 9700, "title": "Tide Tables"}, {"kind": "essay", "words": 1200, "title": "Low Water"}]

PIPELINE: Spec = {
    "$schema": "https://vega.github.io/schema/vega/v6.json",
    "signals": [
        {"name": "least", "value": 3, "bind": {"input": "range"}},
        {"name": "most", "value": 9000},
        {"name": "unused", "value": 1},
    ],
    "data": [
        {"name": "books", "values": ROWS},
        {
            "name": "long",
            "source": "books",
            "transform": [
                {"type": "filter", "expr": "datum.words > least && datum.words < most"},
                {"type": "formula", "as": "pages", "expr": "datum.words / 300"},
            ],
        },
        {
            "name": "totals",
            "source": "long",
            "transform": [
                {"type": "aggregate", "groupby": ["kind"], "ops": ["mean"], "fields": ["pages"]},
                {"type": "wordcloud", "text": {"field": "kind"}},
            ],
        },
    ],
    "scales": [
        {"name": "x", "type": "band", "domain": {"data": "totals", "field": "kind"}, "range": "width"},
        {"name": "y", "domain": {"data": "totals", "field": "mean_pages"}, "range": "height"},
    ],
    "marks": [
        {
            "type": "rect",
            "from": {"data": "totals"},
            "encode": {"update": {"x": {"scale": "x", "field": "kind"}, "y": {"scale": "y", "field": "mean_pages"}}},
        }
    ],
}

FACETS: Spec = {
    "$schema": "https://vega.github.io/schema/vega/v6.json",
    "data": [
        {"name": "books", "values": ROWS},
        {"name": "kinds", "values": [{"kind": "novel", "shelf": "A"}]},
    ],
    "marks": [
        {
            "type": "group",
            "name": "cells",
            "from": {"facet": {"name": "cell", "data": "books", "groupby": ["kind"]}},
            "data": [
                {
                    "name": "placed",
                    "source": "cell",
                    "transform": [
                        {"type": "lookup", "from": "kinds", "key": "kind", "fields": ["kind"], "values": ["shelf"]},
                        {"type": "stack", "field": "words"},
                    ],
                }
            ],
            "marks": [{"type": "symbol", "from": {"data": "placed"}, "encode": {"update": {"y": {"field": "y0"}}}}],
        },
        {
            "type": "group",
            "from": {"facet": {"name": "line", "data": "books", "groupby": ["kind"]}},
            "marks": [{"type": "line", "from": {"data": "line"}, "encode": {"update": {"x": {"field": "words"}}}}],
        },
    ],
}


def pictured(spec: object, *, marks: bool = True) -> Picture:
    """The picture of a spec without data files."""
    source = Source("chart.vg.json", json.dumps(spec, indent=1))
    return picture_of(subject_of(source, CheckOptions(DataFolders(None)), Selection()), marks=marks)


def pictured_file(path: Path, data: Path) -> Picture:
    options = CheckOptions(DataFolders(path.parent, data))
    return picture_of(subject_of(read_text(path), options, Selection()))


def named(picture: Picture) -> dict[str, dict[str, object]]:
    """The nodes of the JSON form by their names."""
    nodes = as_object(picture)["nodes"]
    assert isinstance(nodes, list)
    return {node["name"]: node for node in nodes}


def arrows(picture: Picture) -> set[tuple[str, str, str]]:
    """The edges, with names for ids."""
    names = {node.id: node.name for node in picture.nodes}
    return {(names[edge.source], names[edge.target], edge.role) for edge in picture.edges}
