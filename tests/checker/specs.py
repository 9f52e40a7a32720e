"""Small specs for the tests of the checker, and what it finds in them."""

from __future__ import annotations

import json
from pathlib import Path

from sheliak.checker.check import CheckOptions, check_document
from sheliak.checker.report import Report
from sheliak.loading import DataFolders
from sheliak.source.json_reader import read_document
from sheliak.source.text import Source

BOOKS = [
    {"classification": "novel", "words": 90000, "language": "en"},
    {"classification": "essay", "words": 12000, "language": "cs"},
]


def check(spec: object, *, strict: bool = False, folder: Path | None = None) -> Report:
    """The report on a spec, given as a value or as its text."""
    text = spec if isinstance(spec, str) else json.dumps(spec, indent=1)
    source = Source("spec.vg.json", text)
    return Report(source, check_document(read_document(source), CheckOptions(DataFolders(folder), strict=strict)))


def found(spec: object, *, strict: bool = False, folder: Path | None = None) -> list[tuple[str, str]]:
    """Code and pointer of every finding."""
    return [(finding.code, finding.pointer) for finding in check(spec, strict=strict, folder=folder).diagnostics]


def books(*transforms: object, **more: object) -> dict[str, object]:
    """A spec with one dataset, `books`, and these transforms."""
    return {"data": [{"name": "books", "values": BOOKS, "transform": list(transforms)}], **more}


AGGREGATE = {
    "type": "aggregate",
    "groupby": ["classification"],
    "ops": ["mean", "count"],
    "fields": ["words", ""],
    "as": ["avg_words", "n"],
}
