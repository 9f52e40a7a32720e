"""`full`: a finding with its line of the spec, what there is to know about it, and the likeliest repair.

error[unknown-field]: dataset `aggs` has no field `avgwords`
  --> books.vg.json:36:37
   |
36 |         {"type": "formula", "expr": "round(datum.avgwords / 100)", "as": "avg_hundreds"}
   |                                                  ^^^^^^^^
   = note: the fields here are `classification`, `avg_words`, `book_count`
   = help: a field with a similar name exists: `avg_words`
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sheliak.checker.report import Finding, RelatedLocation
from sheliak.project.outcome import Outcome
from sheliak.rendering.paint import Paint, plain, prose
from sheliak.rendering.snippet import Label, gutter_width, is_shown_in_part, snippet
from sheliak.rendering.visible import visible
from sheliak.source.text import Source

COLUMNS = 100
_MOST_PLACES = 8


def render_outcome(outcome: Outcome, paint: Paint = plain, columns: int = COLUMNS) -> Iterator[str]:
    """The findings of one spec, an empty line after each."""
    for finding in outcome.findings:
        yield from render_finding(finding, outcome.source, paint, columns)
        yield ""


def render_finding(finding: Finding, source: Source, paint: Paint = plain, columns: int = COLUMNS) -> Iterator[str]:
    """One finding."""
    severity = finding.severity.value
    alone, repeated = _grouped(finding.related)
    primary = Label(finding.location.span, "", severity, "^")
    labels = [primary, *(Label(other.location.span, other.message) for other in alone)]
    gutter = gutter_width(source, labels)
    yield paint(severity, f"{severity}[{finding.code}]") + paint("title", ": ") + prose(paint, visible(finding.message), "title")
    yield " " * gutter + paint("gutter", "--> ") + paint("text", _location(finding, source, columns))
    yield from snippet(source, labels, columns, gutter, paint)
    for note in (*finding.notes, *(_places(message, places) for message, places in repeated.items())):
        yield _remark(paint, gutter, "note", "title", note)
    if finding.help is not None:
        yield _remark(paint, gutter, "help", "help", finding.help)


def _location(finding: Finding, source: Source, columns: int) -> str:
    """File, line and column; in a line that is shown in part, also the path that leads there."""
    place = f"{visible(finding.file)}:{finding.location.line}:{finding.location.column}"
    if finding.pointer and is_shown_in_part(source, finding.location.line, columns):
        return f"{place} ({visible(finding.pointer)})"
    return place


def _remark(paint: Paint, gutter: int, word: str, role: str, text: str) -> str:
    return " " * gutter + paint("gutter", " = ") + paint(role, f"{word}: ") + prose(paint, visible(text))


def _grouped(related: Iterable[RelatedLocation]) -> tuple[list[RelatedLocation], dict[str, list[RelatedLocation]]]:
    """Places of which something is said once, and those of which the same is said several times."""
    by_message: dict[str, list[RelatedLocation]] = {}
    for other in related:
        by_message.setdefault(other.message, []).append(other)
    alone = [places[0] for places in by_message.values() if len(places) == 1]
    return alone, {message: places for message, places in by_message.items() if len(places) > 1}


def _places(message: str, places: list[RelatedLocation]) -> str:
    shown = ", ".join(f"{place.location.line}:{place.location.column}" for place in places[:_MOST_PLACES])
    more = f" and {len(places) - _MOST_PLACES} more" if len(places) > _MOST_PLACES else ""
    return f"{message}: {shown}{more}"
