"""On the valid specs of the corpus the loader reports no error, and it looks at all their files quickly."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from sheliak.diagnostics.registry import Diagnostic, Severity
from sheliak.loading import DataFolders, Loaded, read_format, shape_of_url, shape_of_values
from sheliak.source.tree import Node

pytestmark = pytest.mark.needs_shared
BUDGET = 2.0
"""Seconds of CPU for everything; a quiet machine takes about 0.3."""


def definitions(node: Node) -> Iterator[Node]:
    """The data definitions of a spec, at any depth."""
    data = node.get("data")
    if data is not None:
        yield from (element for element in data.elements() if element.get("url") or element.get("values"))
    for _, member in node.members():
        yield from definitions(member)
    for element in node.elements():
        yield from definitions(element)


def loaded(definition: Node, folders: DataFolders, problems: list[Diagnostic]) -> Loaded:
    format = read_format(definition.get("format"), problems.append)
    values, url = definition.get("values"), definition.get("url")
    if values is not None:
        return shape_of_values(values, format, "table")
    assert url is not None
    return shape_of_url(url, format, "table", folders)


def test_valid_specs_have_no_error(shared: Path) -> None:
    corpus = shared / "corpus"
    folders = DataFolders(corpus)
    index = json.loads((corpus / "index.json").read_text(encoding="utf-8"))
    specs = {entry["id"]: Node(json.loads((corpus / "valid" / f"{entry['id']}.json").read_bytes())) for entry in index}
    found = {name: list(definitions(spec)) for name, spec in specs.items()}
    wrong: dict[str, list[str]] = {}
    start = time.process_time()
    for name, nodes in found.items():
        problems: list[Diagnostic] = []
        for node in nodes:
            problems += loaded(node, folders, problems).problems
        wrong[name] = [problem.message() for problem in problems if problem.severity is Severity.ERROR]
    cost = time.process_time() - start
    expected = {entry["id"] for entry in index if entry["expect_zero_errors"]}
    assert {name: messages for name, messages in wrong.items() if messages and name in expected} == {}
    assert cost < BUDGET


def test_every_local_file_of_the_corpus_has_a_closed_record(shared: Path) -> None:
    folders = DataFolders(shared / "corpus")
    kinds = {".json": "json", ".csv": "csv", ".tsv": "tsv"}
    for path in sorted((shared / "corpus" / "data").iterdir()):
        if path.suffix in kinds:
            definition = Node({"url": f"data/{path.name}", "format": {"type": kinds[path.suffix]}})
            problems: list[Diagnostic] = []
            result = loaded(definition, folders, problems)
            assert (result.record.open, problems, result.problems) == (False, [], ()), path.name
