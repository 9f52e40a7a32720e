"""A report: findings with their positions in the text, in its order, ready to be rendered."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from sheliak.checker.check import Checked
from sheliak.diagnostics.registry import Diagnostic, Severity
from sheliak.diagnostics.spec import DuplicateKey, InvalidJson
from sheliak.source.declared import dataclass
from sheliak.source.place import Place
from sheliak.source.text import Source, Span


@dataclass(frozen=True, slots=True)
class Location:
    """A stretch of a file: offsets, and 1-based lines and columns counted in code points."""

    span: Span
    line: int
    column: int
    end_line: int
    end_column: int
    pointer: str


@dataclass(frozen=True, slots=True)
class RelatedLocation:
    """Another place that a finding speaks of."""

    location: Location
    message: str


@dataclass(frozen=True, slots=True)
class Edit:
    """Text to put in place of a span of the file."""

    span: Span
    text: str
    description: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding, located and put into words."""

    file: str
    location: Location
    code: str
    title: str
    severity: Severity
    message: str
    notes: tuple[str, ...]
    help: str | None
    related: tuple[RelatedLocation, ...]
    edits: tuple[Edit, ...]
    """A safe repair, if there is one: all its edits together."""
    diagnostic: Diagnostic

    @property
    def pointer(self) -> str:
        """Where it is, as a JSON Pointer."""
        return self.location.pointer


class Report:
    """What the check of one spec found. `str()` shows it; a notebook shows it as HTML."""

    def __init__(self, source: Source, checked: Checked) -> None:
        self.source = source
        self.checked = checked

    @cached_property
    def diagnostics(self) -> tuple[Finding, ...]:
        """The findings in the order of the text."""
        found = list(self._findings())
        found.sort(key=lambda finding: (finding.location.span.start, finding.code))
        return tuple(found)

    @property
    def ok(self) -> bool:
        """No errors; warnings and hints do not count."""
        return not any(finding.severity is Severity.ERROR for finding in self.diagnostics)

    def _findings(self) -> Iterator[Finding]:
        for index, diagnostic in enumerate(self.checked.diagnostics):
            yield self._finding(diagnostic, self.checked.repeats.get(index, ()))

    def _finding(self, diagnostic: Diagnostic, repeats: tuple[Place, ...]) -> Finding:
        related = [RelatedLocation(self.locate(other.place), other.message) for other in diagnostic.related()]
        related += [RelatedLocation(self.locate(place), "the same mistake again") for place in repeats]
        location = self.locate(diagnostic.place)
        if isinstance(diagnostic, InvalidJson | DuplicateKey):
            location = self.located(diagnostic.span, diagnostic.place)
            if diagnostic.other is not None:
                related.append(RelatedLocation(self.located(diagnostic.other, diagnostic.place), "it belongs to this"))
        return Finding(
            self.source.name,
            location,
            diagnostic.code,
            diagnostic.title,
            diagnostic.severity,
            diagnostic.message(),
            diagnostic.notes(),
            diagnostic.help(),
            tuple(related),
            self._edits(diagnostic, repeats),
            diagnostic,
        )

    def _edits(self, diagnostic: Diagnostic, repeats: tuple[Place, ...]) -> tuple[Edit, ...]:
        repair = diagnostic.repair()
        if repair is None:
            return ()
        spans = [self.checked.document.span_of(place) for place in (repair.place, *repeats)]
        return tuple(Edit(span, repair.replacement, repair.description) for span in spans)

    def locate(self, place: Place) -> Location:
        """Where a place stands in the text."""
        return self.located(self.checked.document.span_of(place), place)

    def located(self, span: Span, place: Place) -> Location:
        """A span of the text, with the pointer of the value it belongs to."""
        line, column = self.source.line_column(span.start)
        end_line, end_column = self.source.line_column(span.end)
        return Location(span, line, column, end_line, end_column, place.pointer)
