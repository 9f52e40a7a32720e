"""Findings as a person or a program reads them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, TypeAlias

from sheliak.calculus.change_lines import ChangeProblem
from sheliak.calculus.program_check import Finding
from sheliak.calculus.syntax import Span
from sheliak.calculus.tokens import SyntaxProblem

JsonOut: TypeAlias = "bool | int | float | str | list[JsonOut] | dict[str, JsonOut] | None"

_WIDTH: Final = 110  # of a quoted source line; what is longer is cut around the place


class SourceText:
    """A named text, by lines."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text
        self.starts = [0, *(i + 1 for i, c in enumerate(text) if c == "\n")]

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column, from 1."""
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of a line, from 1."""
        end = self.starts[number] - 1 if number < len(self.starts) else len(self.text)
        return self.text[self.starts[number - 1] : end].rstrip("\r")


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A finding with its place."""

    source: SourceText
    code: str
    message: str
    span: Span
    help: str | None = None
    related: tuple[tuple[Span, str], ...] = ()
    rule: str | None = None


def of_syntax(source: SourceText, problem: SyntaxProblem) -> Diagnostic:
    """A syntax error."""
    return Diagnostic(source, "syntax", problem.message, problem.span)


def of_finding(source: SourceText, finding: Finding) -> Diagnostic:
    """A finding of `check_program`."""
    reason = finding.reason
    related = tuple((note.span or Span(0, 0), note.message) for note in finding.related)
    return Diagnostic(source, finding.code, reason.message(), reason.span or Span(0, 0), finding.help, related, reason.rule)


def of_change(source: SourceText, problem: ChangeProblem) -> Diagnostic:
    """A bad line of changes."""
    start = source.starts[problem.line]
    return Diagnostic(source, problem.code, problem.message, Span(start + problem.start, start + problem.end))


def as_text(diagnostic: Diagnostic) -> str:
    """The place, what is wrong, the line with the place underlined, the repair."""
    source, span = diagnostic.source, diagnostic.span
    line, column = source.position(span.start)
    without = f"no derivation by {diagnostic.rule}: " if diagnostic.rule else ""
    parts = [f"error[{diagnostic.code}] {source.name}:{line}:{column}", f"  {without}{diagnostic.message}"]
    parts += _quoted(source, span, "")
    for place, message in diagnostic.related:
        parts += _quoted(source, place, f" {message}")
    if diagnostic.help:
        parts.append(f"  help: {diagnostic.help}")
    return "\n".join(map(printable, parts))


def printable(line: str) -> str:
    """Nothing in a file may reach the terminal as a command to it; columns stay what they are."""
    return "".join(c if c.isprintable() or c == "\t" else "\ufffd" for c in line)


def _quoted(source: SourceText, span: Span, note: str) -> Iterable[str]:
    line, column = source.position(span.start)
    text = source.line(line)
    length = max(1, min(span.end - span.start, len(text) - column + 1))
    first = max(0, column - 1 - _WIDTH // 3) if len(text) > _WIDTH else 0
    shown = ("…" if first else "") + text[first : first + _WIDTH] + ("…" if first + _WIDTH < len(text) else "")
    before = " " * bool(first) + "".join("\t" if c == "\t" else " " for c in text[first : column - 1])
    underline = "^" * min(length, max(1, first + _WIDTH - column + 1))
    number = f"{line:>5}"
    return (f"{number} | {shown}", f"{' ' * len(number)} | {before}{underline}{note}")


def as_json(diagnostic: Diagnostic) -> JsonOut:
    """The fields every `--output-format json` of the product has, and the rule."""
    return {
        "file": diagnostic.source.name,
        **_place(diagnostic.source, diagnostic.span),
        "pointer": None,
        "code": diagnostic.code,
        "severity": "error",
        "rule": diagnostic.rule,
        "message": diagnostic.message,
        "help": diagnostic.help,
        "related": [{**_place(diagnostic.source, span), "message": message} for span, message in diagnostic.related],
    }


def _place(source: SourceText, span: Span) -> dict[str, JsonOut]:
    line, column = source.position(span.start)
    end_line, end_column = source.position(span.end)
    return {"line": line, "column": column, "end_line": end_line, "end_column": end_column}
