"""Strict typing is Fig. 5 as it stands: no unknown, nothing missing, no conversion."""

from __future__ import annotations

import pytest

from expressions.typing_scope import DATUM, REMOTE, FakeScope, told, typed
from sheliak.types.render import render_type
from sheliak.types.shapes import UNKNOWN

DERIVABLE = [
    ("datum.n * 2 - datum.place.x / 3", "number"),
    ("datum.n + 1", "number"),
    ("datum.words + datum.n", "string"),
    ("datum.text + datum.flag", "string"),
    ("datum.flag + datum.words", "string"),
    ("[datum.n, 2]", "[number]"),
    ("[datum.text, datum.words]", "[string]"),
    ("{a: datum.n}", "{a: number}"),
    ("abs(datum.n)", "number"),
    ("length(datum.words)", "number"),
    ("upper(datum.words)", "string"),
    ("datum.n < 2", "boolean"),
    ("datum.words < datum.text", "boolean"),
    ("datum.date < datum.date", "boolean"),
    ("year(datum.date)", "number"),
    ("isValid(datum.gaps) ? datum.gaps * 2 : 0", "number"),
    ("scale('xscale', datum.n)", "unknown"),
]

NOT_DERIVABLE = [
    # T-eArithNum takes numbers
    ("datum.words - 1", "strict-coercion", "datum.words"),
    ("datum.digits * 2", "strict-coercion", "datum.digits"),
    ("datum.text * 2", "strict-coercion", "datum.text"),
    ("datum.flag * 2", "strict-coercion", "datum.flag"),
    ("datum.date - 1", "strict-coercion", "datum.date"),
    ("-datum.flag", "strict-coercion", "datum.flag"),
    ("datum.mixed * 2", "strict-coercion", "datum.mixed"),
    # T-eAddStrL and T-eAddStrR take text, numbers and booleans
    ("datum.flag + datum.flag", "strict-coercion", "datum.flag"),
    ("datum.n + datum.flag", "strict-coercion", "datum.flag"),
    ("datum.words + datum.date", "strict-coercion", "datum.date"),
    ("datum.place + 'x'", "strict-coercion", "datum.place"),
    ("datum.list + datum.n", "strict-coercion", "datum.list"),
    # T-eArr
    ("[1, 'a']", "strict-mixed-array", "[1, 'a']"),
    # T-eBuiltin takes exactly its types
    ("abs(datum.flag)", "strict-coercion", "datum.flag"),
    ("isNaN(datum.words)", "strict-coercion", "datum.words"),
    ("upper(datum.n)", "strict-coercion", "datum.n"),
    ("length(datum.place)", "strict-coercion", "datum.place"),
    ("year(datum.day)", "strict-coercion", "datum.day"),
    # beyond the paper: an order compares values of one kind
    ("datum.n < datum.digits", "strict-coercion", "datum.digits"),
    ("datum.flag < datum.n", "strict-coercion", "datum.flag"),
    # no unknown
    ("anything * 2", "strict-unknown", "anything"),
    ("anything.x", "strict-unknown", "anything"),
    ("scale('xscale', 1) - 1", "strict-unknown", "scale('xscale', 1)"),
    ("anything + 1", "strict-unknown", "anything"),
    # nothing missing
    ("datum.some + 1", "strict-possibly-missing", "datum.some"),
    ("datum.gaps * 2", "strict-possibly-missing", "datum.gaps"),
    ("datum.either.x", "strict-possibly-missing", "datum.either"),
    ("abs(datum.gaps)", "strict-possibly-missing", "datum.gaps"),
    # what is wrong without strictness stays so
    ("datum.nn + 1", "unknown-field", "nn"),
    ("datum.n.x", "field-of-a-value", "x"),
    ("rond(datum.n)", "unknown-function", "rond"),
]


@pytest.mark.parametrize(("text", "expected"), DERIVABLE)
def test_what_the_figure_derives_is_accepted(text: str, expected: str) -> None:
    scope = FakeScope(strict=True)
    assert render_type(typed(text, scope)) == expected
    assert [finding.message() for finding in scope.findings] == []


@pytest.mark.parametrize(("text", "code", "underlined"), NOT_DERIVABLE)
def test_what_the_figure_does_not_derive_is_an_error(text: str, code: str, underlined: str) -> None:
    assert told(text, FakeScope(strict=True)) == [(code, "error", underlined)]


def test_an_unseen_field_is_unknown() -> None:
    scope = FakeScope(strict=True, variables={"datum": REMOTE})
    assert told("datum.a", scope) == [("strict-unknown", "error", "datum.a")]


@pytest.mark.parametrize("text", ["datum.nn * 2 + 1", "abs(datum.some)", "[datum.some, 'a']", "(anything - 1) * datum.n"])
def test_one_cause_is_told_once(text: str) -> None:
    assert len(told(text, FakeScope(strict=True, variables={"datum": DATUM, "anything": UNKNOWN}))) == 1


def test_numbers_as_text_are_text_to_the_figure_but_the_warning_stays() -> None:
    scope = FakeScope(strict=True)
    assert told("1 + datum.digits", scope) == [("numeric-text-concatenation", "warning", "datum.digits")]
    assert render_type(typed("1 + datum.digits", scope)) == "string"
