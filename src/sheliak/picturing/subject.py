"""What a picture is made of: the Vega of a spec, the shapes of its datasets, and the findings at their places in that Vega."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sheliak.checker.check import CheckOptions, check_document
from sheliak.checker.report import Finding, Report
from sheliak.checker.session import Stage
from sheliak.picturing.picture import Problem
from sheliak.project.front_end import NotChecked
from sheliak.project.selection import Selection
from sheliak.source.declared import dataclass
from sheliak.source.json_reader import Document, read_document
from sheliak.source.place import PathKey, Place
from sheliak.source.text import Source
from sheliak.source.tree import Node
from sheliak.vegalite.recognise import is_vega_lite

Path = tuple[PathKey, ...]


class NoPicture(Exception):
    """There is nothing to draw; the text says why."""


@dataclass(frozen=True, slots=True)
class Subject:
    """One spec, ready to be pictured."""

    title: str
    root: Node
    """The Vega."""
    stages: tuple[Stage, ...]
    problems: tuple[tuple[Path | None, Problem], ...]
    """Findings; the path is missing where none of the Vega shows the mistake."""
    name_of: Callable[[str], str]
    """What the author calls a dataset of the Vega."""


def subject_of(source: Source, options: CheckOptions, selection: Selection) -> Subject:
    """Checks a spec for its picture; raises NoPicture, and NotChecked where the compiler of Vega-Lite is not installed."""
    document = read_document(source)
    if is_vega_lite(document):
        return _of_vega_lite(source, document, options, selection)
    report = Report(source, check_document(document, options))
    _require_readable(report)
    problems = tuple((finding.diagnostic.place.path, _problem(finding)) for finding in selection.told(report))
    return Subject(source.name, document.root, report.checked.stages, problems, lambda name: name)


def _problem(finding: Finding) -> Problem:
    return Problem(finding.severity.value, finding.code, finding.message)


def _require_readable(report: Report) -> None:
    document = report.checked.document
    if not document.readable or not document.root.is_object:
        raise NoPicture(_first_error(report) or f"{report.source.name} is no spec")


def _first_error(report: Report) -> str | None:
    """Where the first error is, and what it is."""
    for finding in report.diagnostics:
        if finding.severity.value == "error":
            return f"{report.source.name}:{finding.location.line}:{finding.location.column}: {finding.message}"
    return None


def _of_vega_lite(source: Source, document: Document, options: CheckOptions, selection: Selection) -> Subject:
    """The Vega that Vega-Lite makes of the spec; findings are told as of the spec, and shown where they show in the Vega."""
    from sheliak.vegalite.causes import Sight
    from sheliak.vegalite.check import check_vega_lite
    from sheliak.vegalite.compiling import CompileFailure, Compiler, VegaLiteUnavailable
    from sheliak.vegalite.telling import Telling
    from sheliak.vegalite.views import MOST_VIEWS, number_of_views
    from sheliak.vegalite.words import wrong_words

    try:
        report = check_vega_lite(source, document, options)
        _require_readable(report)
        compiler = Compiler(document.root)
    except VegaLiteUnavailable as problem:
        raise NotChecked(str(problem)) from problem
    root, spec = Node(compiler.spec), compiler.spec
    if (views := number_of_views(root)) > MOST_VIEWS:
        raise NoPicture(f"{source.name}: the spec has {views} views, more than the {MOST_VIEWS} that are compiled")
    for wrong in reversed(list(wrong_words(root))):
        spec = wrong.mended(spec)
    sight = Sight(root, spec, compiler, options)
    try:
        compiled, checked, causes = sight.look()
    except CompileFailure as failure:
        raise NoPicture(_first_error(report) or f"{source.name}: Vega-Lite refuses the spec: {failure.reason}") from failure
    telling = Telling(document, root, sight, compiled)
    shown = {
        (told.finding.code, told.finding.place): causes[told.cause][0].place
        for told in telling.told(causes, [])
        if told.cause in causes
    }
    problems = tuple(_placed(selection.told(report), shown))
    return Subject(source.name, compiled.document.root, checked.stages, problems, telling.name_of)


def _placed(findings: tuple[Finding, ...], shown: dict[tuple[str, Place], Place]) -> Iterator[tuple[Path | None, Problem]]:
    for finding in findings:
        place = shown.get((finding.code, finding.diagnostic.place))
        yield place.path if place is not None else None, _problem(finding)
