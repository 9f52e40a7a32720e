"""The pages that explain findings, taken apart: their specs, and the files they need beside them."""

import re
from dataclasses import dataclass
from pathlib import Path

from sheliak.checker.check import CheckOptions
from sheliak.checker.report import Finding
from sheliak.diagnostics.catalogue import explanation
from sheliak.loading import DataFolders
from sheliak.project.front_end import check_source
from sheliak.source.text import Source

_FENCE = re.compile(r"^```(\w+) ?(.*)\n((?:.*\n)*?)```$", re.MULTILINE)


@dataclass(frozen=True)
class Example:
    """A spec of a page; strict when its fence says so."""

    text: str
    strict: bool

    def findings(self, folder: Path) -> tuple[Finding, ...]:
        source = Source("spec.vg.json", self.text)
        return check_source(source, CheckOptions(DataFolders(folder), strict=self.strict)).diagnostics


@dataclass(frozen=True)
class Page:
    text: str
    wrong: Example
    right: Example
    files: dict[str, str]

    def write_files(self, folder: Path) -> None:
        for name, content in self.files.items():
            (folder / name).write_text(content, encoding="utf-8")


def page_of(code: str) -> Page:
    text = explanation(code)
    fences = [(found[1], found[2], found[3]) for found in _FENCE.finditer(text)]
    wrong, right = (Example(content, words == "strict") for kind, words, content in fences if kind == "vega")
    return Page(text, wrong, right, {words: content for kind, words, content in fences if kind == "file"})
