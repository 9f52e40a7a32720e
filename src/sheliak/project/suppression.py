"""Findings that the spec itself asks to be left out.

`"usermeta": {"sheliak": {"ignore": ["unknown-field"]}}` in an object holds for everything inside it. The comment
`// sheliak: ignore unknown-field` holds for its line or, alone on its line, for the next one; `// sheliak: ignore-file
unknown-field` for the whole file. No code means every code, and a code may hold `*`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from sheliak.checker.report import Finding, Report
from sheliak.project.codes import matches
from sheliak.source.json_reader import Document

_DIRECTIVE = re.compile(r"\s*sheliak:\s*(ignore(?:-file)?)(?![\w-])[:\s]*(.*)", re.DOTALL)
_NOT_BLANK = re.compile(r"\S")
_EVERYTHING = ("*",)


class Suppressions:
    """What one spec asks to be left out; nothing is looked for before there is a finding to ask about."""

    def __init__(self, report: Report) -> None:
        self._document: Document = report.checked.document
        self._lines: dict[int, tuple[str, ...]] | None = None
        self._file: tuple[str, ...] = ()

    def cover(self, finding: Finding) -> bool:
        """The spec asks for this finding to be left out."""
        if self._lines is None:
            self._lines = dict(self._read_comments())
        codes = (*self._file, *self._lines.get(finding.location.line, ()), *usermeta_codes(self._document.value, finding.pointer))
        return matches(finding.code, codes)

    def _read_comments(self) -> Iterator[tuple[int, tuple[str, ...]]]:
        """Line -> codes; codes for the whole file are kept apart."""
        source = self._document.source
        found: dict[int, tuple[str, ...]] = {}
        for number, comment in enumerate(self._document.comments()):
            directive = _DIRECTIVE.match(comment.text)
            if directive is None:
                continue
            codes = _codes(directive[2])
            if directive[1] == "ignore-file":
                self._file += codes
                continue
            line, column = source.line_column(comment.span.start)
            if not source.line_text(line)[: column - 1].strip():
                line = self._lines_after[number]
            found[line] = found.get(line, ()) + codes
        yield from found.items()

    @cached_property
    def _lines_after(self) -> list[int]:
        """For each comment the line of the next thing that is none: several comments may stand above one line."""
        source, comments = self._document.source, self._document.comments()
        lines = [0] * len(comments)
        next_start, next_line = -1, 0
        for number in reversed(range(len(comments))):
            following = _NOT_BLANK.search(source.text, comments[number].span.end)
            start = following.start() if following else len(source.text)
            if start != next_start:
                next_line = source.line_column(start)[0]
            lines[number] = next_line
            next_start = comments[number].span.start
        return lines


def _codes(text: str) -> tuple[str, ...]:
    """The codes that open the text, separated by commas or blanks; what follows ` -- ` is a remark."""
    words = re.split(r"[,\s]+", text.partition("--")[0].strip())
    return tuple(word for word in words if word) or _EVERYTHING


def usermeta_codes(value: object, pointer: str) -> Iterator[str]:
    """The codes that the objects on the way to a place ask to leave out."""
    yield from _asked(value)
    for step in pointer.split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict) and key in value:
            value = value[key]
        elif isinstance(value, list) and key.isdecimal() and int(key) < len(value):
            value = value[int(key)]
        else:
            return
        yield from _asked(value)


def _asked(value: object) -> tuple[str, ...]:
    for key in ("usermeta", "sheliak", "ignore"):
        value = value.get(key) if isinstance(value, dict) else None
    codes = value if isinstance(value, list) else [value]
    return tuple(code for code in codes if isinstance(code, str))
