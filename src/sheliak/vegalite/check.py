"""check_vega_lite: a Vega-Lite spec in, a report on it out."""

from __future__ import annotations

from collections.abc import Iterator

from sheliak.checker.check import Checked, CheckOptions
from sheliak.checker.report import Report
from sheliak.diagnostics.registry import Diagnostic
from sheliak.diagnostics.spec import DuplicateKey, InvalidJson
from sheliak.diagnostics.vegalite import TooManyViews
from sheliak.source.json_reader import Document
from sheliak.source.place import Place
from sheliak.source.text import Source
from sheliak.source.tree import Node
from sheliak.vegalite.causes import Sight
from sheliak.vegalite.compiling import CompileFailure, Compiler
from sheliak.vegalite.failures import located_failure
from sheliak.vegalite.params import unknown_params
from sheliak.vegalite.shapes import requirements_of, stages_of
from sheliak.vegalite.telling import Telling
from sheliak.vegalite.views import MOST_VIEWS, number_of_views
from sheliak.vegalite.words import wrong_words


def check_vega_lite(source: Source, document: Document, options: CheckOptions) -> Report:
    """Checks a Vega-Lite spec: its own words, then the Vega that Vega-Lite makes of it, told of at places of the spec.

    Raises VegaLiteUnavailable when the compiler of Vega-Lite is not installed.
    """
    return Report(source, _checked(document, options))


def _checked(document: Document, options: CheckOptions) -> Checked:
    compiler = Compiler(document.root)
    # Without its rows; every path in it is a path in the document.
    root = Node(compiler.spec)
    found = list(_problems(document))
    views = number_of_views(root)
    if views > MOST_VIEWS:
        return Checked(document, (*found, TooManyViews(place=Place(()), views=views, limit=MOST_VIEWS)), {})
    spec = compiler.spec
    # From the end, so that taking out one element of a list leaves the others where they are.
    for wrong in reversed(list(wrong_words(root))):
        found.append(wrong.finding)
        spec = wrong.mended(spec)
    found += unknown_params(root)
    return _compiled(document, root, Sight(root, spec, compiler, options), found)


def _compiled(document: Document, root: Node, sight: Sight, found: list[Diagnostic]) -> Checked:
    """The check of the Vega that is made of a spec, after what was found in the spec itself."""
    try:
        compiled, checked = sight.check(sight.spec)
    except CompileFailure as failure:
        return Checked(document, (*found, located_failure(sight, failure)), {})
    telling = Telling(document, root, sight, compiled)
    told = telling.told(sight.causes(compiled, checked), tuple(found))
    return Checked(
        document,
        (*found, *(one.finding for one in told)),
        {len(found) + index: one.repeats for index, one in enumerate(told) if one.repeats},
        stages_of(telling, checked.stages),
        requirements_of(telling, checked.requirements),
        tuple((telling.place_of(place), note) for place, note in checked.notes),
    )


def _problems(document: Document) -> Iterator[Diagnostic]:
    for problem in document.problems:
        cls = DuplicateKey if problem.kind == "duplicate-key" else InvalidJson
        yield cls(place=Place(problem.path), reason=problem.message, span=problem.span, other=problem.related)
