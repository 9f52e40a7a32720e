"""check_vega_lite: a Vega-Lite spec in, a report on it out."""

from __future__ import annotations

from collections.abc import Iterator

from sheliak.checker.check import Checked, CheckOptions
from sheliak.checker.report import Report
from sheliak.diagnostics.registry import Diagnostic
from sheliak.diagnostics.spec import DuplicateKey, InvalidJson
from sheliak.diagnostics.vegalite import TooManyViews, UnknownParam
from sheliak.source.json_reader import Document
from sheliak.source.place import Place
from sheliak.source.text import Source
from sheliak.source.tree import Node
from sheliak.vegalite.blame import located_failure
from sheliak.vegalite.causes import Sight
from sheliak.vegalite.compiling import CompileFailure, Compiler
from sheliak.vegalite.params import unknown_params
from sheliak.vegalite.shapes import requirements_of, stages_of
from sheliak.vegalite.telling import Telling
from sheliak.vegalite.views import MOST_VIEWS, composition_place, number_of_views
from sheliak.vegalite.words import wrong_words

Found = list[tuple[Diagnostic, tuple[Place, ...]]]
"""Findings, each with the further places of the same mistake."""


def check_vega_lite(source: Source, document: Document, options: CheckOptions) -> Report:
    """Checks a Vega-Lite spec: its own words, then the Vega that Vega-Lite makes of it, told of at places of the spec.

    Raises VegaLiteUnavailable when the compiler of Vega-Lite is not installed.
    """
    return Report(source, _checked(document, options))


def _checked(document: Document, options: CheckOptions) -> Checked:
    compiler = Compiler(document.root)
    # Without its rows; every path in it is a path in the document.
    root = Node(compiler.spec)
    found: Found = [(problem, ()) for problem in _problems(document)]
    views = number_of_views(root)
    if views > MOST_VIEWS:
        found.append((TooManyViews(place=composition_place(root), views=views, limit=MOST_VIEWS), ()))
        return _result(document, found)
    spec = compiler.spec
    # From the end, so that taking out one element of a list leaves the others where they are.
    for wrong in reversed(list(wrong_words(root))):
        found.append((wrong.finding, ()))
        spec = wrong.mended(spec)
    found += unknown_params(root)
    return _compiled(document, root, Sight(root, spec, compiler, options), found)


def _compiled(document: Document, root: Node, sight: Sight, found: Found) -> Checked:
    """The check of the Vega that is made of a spec, after what was found in the spec itself."""
    try:
        compiled, checked, causes = sight.look()
    except CompileFailure as failure:
        # An unknown parameter is what Vega-Lite most likely stops at.
        if not any(isinstance(finding, UnknownParam) for finding, _ in found):
            found.append((located_failure(sight, failure), ()))
        return _result(document, found)
    telling = Telling(document, root, sight, compiled)
    told = telling.told(causes, [finding for finding, _ in found])
    found += [(one.finding, one.repeats) for one in told]
    return _result(document, found, telling, checked)


def _result(document: Document, found: Found, telling: Telling | None = None, checked: Checked | None = None) -> Checked:
    diagnostics = tuple(finding for finding, _ in found)
    repeats = {index: places for index, (_, places) in enumerate(found) if places}
    if telling is None or checked is None:
        return Checked(document, diagnostics, repeats)
    notes = tuple((telling.place_of(place), note) for place, note in checked.notes)
    stages, requirements = stages_of(telling, checked.stages), requirements_of(telling, checked.requirements)
    return Checked(document, diagnostics, repeats, stages, requirements, notes)


def _problems(document: Document) -> Iterator[Diagnostic]:
    for problem in document.problems:
        cls = DuplicateKey if problem.kind == "duplicate-key" else InvalidJson
        yield cls(place=Place(problem.path), reason=problem.message, span=problem.span, other=problem.related)
