"""Reports on Vega-Lite specs, and ways to look at them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path

from sheliak.checker.check import CheckOptions
from sheliak.checker.report import Finding, Report
from sheliak.loading import DataFolders
from sheliak.source.json_reader import read_document
from sheliak.source.place import PathKey, Place
from sheliak.source.text import Source
from sheliak.vegalite.check import check_vega_lite

Path_ = tuple[PathKey, ...]


def check(spec: object, folder: Path | None = None) -> Report:
    """The report on a spec, given as a value or as its text."""
    source = Source("chart.vl.json", spec if isinstance(spec, str) else json.dumps(spec, indent=1))
    return check_vega_lite(source, read_document(source), CheckOptions(DataFolders(folder)))


def one_finding(spec: object, folder: Path | None = None) -> Finding:
    """The only finding on a spec."""
    (finding,) = check(spec, folder).diagnostics
    return finding


def underlined(report: Report, finding: Finding) -> str:
    return report.source.text[finding.location.span.start : finding.location.span.end]


def found(spec: object, folder: Path | None = None) -> list[tuple[str, str, str]]:
    """Code, pointer and underlined text of every finding."""
    report = check(spec, folder)
    return [(finding.code, finding.pointer, underlined(report, finding)) for finding in report.diagnostics]


def pointer(path: Path_) -> str:
    return Place(path).pointer


def strings(value: object, path: Path_ = ()) -> Iterator[tuple[Path_, str]]:
    """Every string of a spec that is not in its rows, with its path."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, list):
        for index, element in enumerate(value):
            yield from strings(element, (*path, index))
    elif isinstance(value, dict):
        for key, member in value.items():
            if key != "values":
                yield from strings(member, (*path, key))


def owner(path: Path_) -> str:
    """The member that a string belongs to, through the lists around it."""
    return next((key for key in reversed(path) if isinstance(key, str)), "")


def changed(spec: object, path: Path_, value: object) -> object:
    """A copy of a spec with another value at a path."""
    copy = deepcopy(spec)
    holder: object = copy
    for key in path[:-1]:
        holder = holder[key]  # type: ignore[index]
    holder[path[-1]] = value  # type: ignore[index]
    return copy
