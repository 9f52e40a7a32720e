"""Checks the corpus in this process and counts as its own scorer does: found, located, silent where all is right."""

from __future__ import annotations

import collections
import copy
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from sheliak.checker.check import CheckOptions, check_document
from sheliak.checker.report import Finding, Report
from sheliak.diagnostics.registry import Severity
from sheliak.loading import DataFolders
from sheliak.source.json_reader import read_document
from sheliak.source.text import Source

LEVELS = 2
"""A finding is at the right place if it is at most so many levels above or below the fault."""


class Corpus:
    """The corpus folder beside the repository."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.folders = DataFolders(folder, folder)
        self.index: dict[str, Any] = {entry["id"]: entry for entry in json.loads((folder / "index.json").read_text())}
        self.natural: list[Any] = json.loads((folder / "natural_index.json").read_text())

    def lines(self, name: str) -> list[Any]:
        return [json.loads(line) for line in (self.folder / name).read_text().splitlines() if line.strip()]

    def spec(self, name: str, section: str = "valid") -> Any:
        return json.loads((self.folder / section / f"{name}.json").read_text())

    def check(self, spec: object) -> tuple[Finding, ...]:
        """Errors and warnings of a spec."""
        source = Source("spec.json", json.dumps(spec))
        report = Report(source, check_document(read_document(source), CheckOptions(self.folders)))
        return tuple(finding for finding in report.diagnostics if finding.severity is not Severity.HINT)


def mutated(spec: Any, edits: list[Mapping[str, Any]]) -> Any:
    """A spec after the edits of a mutant (JSON Patch: add, remove, replace, move)."""
    spec = copy.deepcopy(spec)
    for edit in edits:
        value = _taken(spec, edit["from"]) if edit["op"] == "move" else copy.deepcopy(edit.get("value"))
        if edit["op"] in ("remove", "replace"):
            _taken(spec, edit["path"])
        if edit["op"] != "remove":
            _put(spec, edit["path"], value, fresh=edit["op"] != "replace")
    return spec


def _holder(spec: Any, pointer: str) -> tuple[Any, str]:
    keys = [key.replace("~1", "/").replace("~0", "~") for key in pointer.split("/")[1:]]
    for key in keys[:-1]:
        spec = spec[int(key)] if isinstance(spec, list) else spec[key]
    return spec, keys[-1]


def _taken(spec: Any, pointer: str) -> Any:
    holder, key = _holder(spec, pointer)
    return holder.pop(int(key)) if isinstance(holder, list) else holder.pop(key)


def _put(spec: Any, pointer: str, value: Any, *, fresh: bool) -> None:
    holder, key = _holder(spec, pointer)
    if not isinstance(holder, list):
        holder[key] = value
    elif key == "-":
        holder.append(value)
    else:
        holder.insert(int(key), value)


def near(pointer: str, fault: str) -> bool:
    one, other = pointer.strip("/").split("/"), fault.strip("/").split("/")
    shared = min(len(one), len(other))
    return one[:shared] == other[:shared] and abs(len(one) - len(other)) <= LEVELS


def new_findings(before: tuple[Finding, ...], after: tuple[Finding, ...]) -> Iterator[Finding]:
    """The findings that the unbroken spec does not have."""
    known = collections.Counter((finding.code, finding.message) for finding in before)
    for finding in after:
        if known[finding.code, finding.message] > 0:
            known[finding.code, finding.message] -= 1
        else:
            yield finding
