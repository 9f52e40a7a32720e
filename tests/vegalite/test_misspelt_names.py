"""Every name of every valid spec, misspelt: one finding, at that name, in the words of Vega-Lite."""

import re
from collections.abc import Iterator
from functools import cache

import pytest

from sheliak.checker.report import Report
from sheliak.expressions.lexer import DOTTED, NAME, STRING, tokens_of
from vegalite.composed import COMPOSED, PARAMETERS
from vegalite.gallery import MARKS, TRANSFORMS
from vegalite.reading import Path_, changed, check, owner, pointer, strings, underlined

pytest.importorskip("vl_convert")

ALL = {**MARKS, **TRANSFORMS, **COMPOSED, **PARAMETERS}

FIELDS = {
    *("field", "groupby", "fields", "key", "argmax", "fold", "flatten", "pivot", "lookup", "impute", "density", "loess"),
    *("regression", "quantile", "repeat", "row", "column", "layer"),
}
FIELDS_OF_TRANSFORMS = {"value", "on", "extent", "stack"}
EXPRESSIONS = {"calculate", "filter", "expr", "test", "labelExpr", "and", "or", "not"}
COMPILED = re.compile(r"source_\d|data_\d|concat_\d|layer_\d|child_|_start|_end\b|sheliak|maxbins")


def fields(spec: object) -> Iterator[tuple[Path_, str]]:
    """The places that name a field; a `repeat` inside of a `field` names a list of fields."""
    for path, text in strings(spec):
        key = owner(path)
        names_a_list = path[-1] == "repeat"
        if (key in FIELDS and not names_a_list) or (key in FIELDS_OF_TRANSFORMS and path[-3:-2] == ("transform",)):
            yield path, text


def names(text: str) -> Iterator[tuple[int, str]]:
    """The names in an expression, and the texts in square brackets: where each ends, and what it is."""
    for kind, raw, start, end in tokens_of(text):
        if kind in (NAME, DOTTED):
            yield end, raw
        elif kind == STRING and text[start - 1 : start] == "[":
            yield end - 1, raw[1:-1]


@cache
def misspelt(name: str, path: Path_, text: str) -> Report:
    return check(changed(ALL[name], path, f"{text}zz"))


@pytest.mark.parametrize("name", ALL)
def test_a_misspelt_field_is_found_where_it_stands(name: str) -> None:
    for path, text in fields(ALL[name]):
        report = misspelt(name, path, text)
        assert [finding.pointer for finding in report.diagnostics] == [pointer(path)], text
        (finding,) = report.diagnostics
        assert finding.code in ("unknown-field", "field-of-a-value")
        assert finding.location.span.start < finding.location.span.end
        assert f"{text}zz".endswith(underlined(report, finding).strip('"')), text


@pytest.mark.parametrize("name", ALL)
def test_nothing_of_the_compiled_vega_is_mentioned(name: str) -> None:
    written = {text for _, text in strings(ALL[name])}
    for path, text in fields(ALL[name]):
        for finding in misspelt(name, path, text).diagnostics:
            said = " ".join((finding.message, *finding.notes, finding.help or ""))
            unwritten = [word for word in re.findall(r"`([^`]*)`", said) if COMPILED.search(word) and word not in written]
            assert unwritten == [], said


@pytest.mark.parametrize(
    "name", [name for name, spec in ALL.items() if any(owner(path) in EXPRESSIONS for path, _ in strings(spec))]
)
def test_a_misspelt_name_in_an_expression_is_found_where_it_stands(name: str) -> None:
    for path, text in strings(ALL[name]):
        for end, word in names(text) if owner(path) in EXPRESSIONS else ():
            report = check(changed(ALL[name], path, f"{text[:end]}zz{text[end:]}"))
            shown = [(finding.pointer, underlined(report, finding).strip("'\"")) for finding in report.diagnostics]
            assert shown == [(pointer(path), f"{word}zz")], text


@pytest.mark.parametrize("name", PARAMETERS)
def test_a_misspelt_parameter_is_found_where_it_stands(name: str) -> None:
    for path, text in strings(PARAMETERS[name]):
        if path[-1] == "param":
            report = check(changed(PARAMETERS[name], path, f"{text}zz"))
            assert [(finding.code, finding.pointer) for finding in report.diagnostics] == [("unknown-param", pointer(path))]
