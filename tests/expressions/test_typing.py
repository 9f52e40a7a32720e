"""Γ, T ⊢ e : T': one case per rule; the datum and the signals are those of `typing_scope`."""

from __future__ import annotations

import pytest

from expressions.typing_scope import DATUM, REMOTE, ROW, FakeScope, typed
from sheliak.types.render import render_type
from sheliak.types.shapes import NUMBER, STRING, UNKNOWN, Array, Record, Unknown, Unseen

RULES = [
    # T-eBool, T-eNum, T-eStr
    ("true", "boolean"),
    ("1.5", "number"),
    ("'a'", '"a"'),
    ("null", "null"),
    ("/a+/g", "unknown"),
    # T-eDatum, and the other names
    ("width", "number"),
    ("PI", "number"),
    ("E", "number"),  # a constant wins over the signal of the same name
    ("anything", "unknown"),
    # T-eField
    ("datum.n", "number"),
    ("datum['a b']", "number"),
    ("datum.place.x", "number"),
    ("datum.some", "number | undefined"),
    ("datum.either.x", "number | undefined"),
    ("datum.nothing.x", "unknown"),
    ("datum['wo' + 'rds']", "string"),
    ("datum[choice]", "number | string"),
    ("datum[anything]", "unknown"),
    ("datum.list[0]", "number"),
    ("datum.list[width]", "number"),
    ("datum.list.length", "number"),
    ("datum.names[0]", "string"),
    ("datum.words.length", "number"),
    ("datum.words[width]", "string"),
    ("anything.x.y", "unknown"),
    # T-eArithNum
    ("datum.n - 1", "number"),
    ("datum.n * datum.digits", "number"),
    ("datum.date - datum.date", "number"),
    ("datum.text / 2", "number"),
    ("datum.mixed % 2", "number"),
    ("anything * 2", "number"),
    ("datum.n | 0", "number"),
    ("-datum.gaps", "number"),
    ("~datum.flag", "number"),
    ("+datum.digits", "number"),
    ("datum.n + 1", "number"),
    ("datum.n + datum.flag", "number"),
    ("datum.n + null", "number"),
    # T-eAddStrL, T-eAddStrR
    ("datum.text + 1", "string"),
    ("1 + datum.text", "string"),
    ("datum.words + datum.digits", "string"),
    ("datum.date + 'x'", "string"),
    ("datum.list + datum.flag", "string"),
    ("'a' + 'b'", '"ab"'),
    ("'a' + 1", '"a1"'),
    ("choice + '_x'", '"n_x" | "words_x"'),
    ("anything + 1", "unknown"),
    ("anything + 'x'", "string"),
    ("datum.mixed + 1", "number | string"),
    # comparisons
    ("datum.n < 1", "boolean"),
    ("datum.words == 'a'", "boolean"),
    ("datum.n === null", "boolean"),
    ("'x' in datum", "boolean"),
    ("!datum.n", "boolean"),
    # && and || yield an operand, ?: a branch
    ("datum.n && datum.flag", "number | boolean"),
    ("datum.place && datum.n", "number"),
    ("datum.gaps || 'none'", 'number | "none"'),
    ("datum.some || 0", "number"),
    ("datum.flag ? 1 : 'a'", 'number | "a"'),
    ("if(datum.flag, 1, 'a')", 'number | "a"'),
    ("datum.flag ? 1 : datum.n ? 2 : null", "number | null"),
    # T-eArr, T-eObj
    ("[1, 2]", "[number]"),
    ("[1, 'a']", '[number | "a"]'),
    ("[]", "[unknown]"),
    ("{a: 1, 'b c': datum.words}", '{a: number, "b c": string}'),
    ("{a: {b: 1}}.a.b", "number"),
    # T-eBuiltin
    ("abs(datum.n)", "number"),
    ("isValid(datum.n)", "boolean"),
    ("upper(datum.words)", "string"),
    ("datetime(2020, 0)", "date"),
    ("utc(2020, 0)", "number"),
    ("max(1, 2, 3)", "number"),
    ("scale('xscale', datum.n)", "unknown"),
    ("range('xscale')", "[unknown]"),
]


@pytest.mark.parametrize(("text", "expected"), RULES)
def test_a_rule_gives_a_type_and_no_finding(text: str, expected: str) -> None:
    scope = FakeScope()
    assert render_type(typed(text, scope)) == expected
    assert [finding.message() for finding in scope.findings] == []


RESULTS = [
    ("toNumber(datum.n)", "number"),
    ("toNumber(datum.digits)", "number | null"),
    ("toNumber(datum.gaps)", "number | null"),
    ("toString(datum.n)", "string"),
    ("toString(anything)", "string | null"),
    ("toBoolean(datum.text)", "boolean | null"),
    ("toDate(datum.day)", "number | null"),
    ("toDate(datum.date)", "date"),
    ("toDate(datum.n)", "number"),
    ("timeParse(datum.day, '%Y')", "date | null"),
    ("timeParse(datum.words_or_null, '%Y')", 'date | null | "null"'),
    ("length(datum.list)", "number"),
    ("length(anything)", "number | undefined"),
    ("lerp(datum.list, 0.5)", "number"),
    ("lerp(datum.names, 0.5)", "unknown"),
    ("clampRange(brush, 0, 1)", "[number]"),
    ("clampRange(datum.names, 0, 1)", "[unknown]"),
    ("sampleNormal(0, 1)", "number"),
    ("sampleNormal(datum.date, 1)", "unknown"),
    ("timeOffset('year', datum.date)", "date"),
    ("timeOffset(datum.words, datum.date)", "date | undefined"),
    ("timeSequence('day', datum.date, datum.date)", "[date]"),
    ("timeFormat(datum.date, '%b %Y')", "string (date)"),
    ("timeFormat(datum.date, '%A')", "string"),
    ("extent(datum.list)", "[number]"),
    ("sort(datum.names)", "[string]"),
    ("reverse(anything)", "[unknown]"),
    ("slice(datum.list, 1)", "[number]"),
    ("slice(datum.words, 1)", "string"),
    ("peek(datum.list)", "number | undefined"),
    ("peek(datum.words)", "string | undefined"),
    ("pluck(datum.rows, 'a')", "[number]"),
    ("pluck(datum.rows, 'p.q')", "[number]"),
    ("pluck(datum.place, 'x')", "number"),
    ("pluck(anything, 'x')", "unknown"),
    ("sequence(3)", "[number]"),
    ("split(datum.text, ',')", "[string]"),
    ("merge({a: 1}, {a: 'x', b: 2})", '{a: "x", b: number}'),
    ("merge({a: 1}, anything)", "{…}"),
    ("flush([0, 1], 0.5, 0.1, 'l', 'r', 0)", '"l" | "r" | number'),
    ("interpolateLinear([0, 1], 0.5)", "number | undefined"),
    ("warn('x', datum.n)", "number"),
    ("indata('table', 'a', 1)", "number | undefined"),
    ("rgb('red').r", "number"),
    ("rgb('red').displayable", "unknown"),
    ("data('table').length", "number"),
    ("data('table')[0].p.q", "number"),
    ("length(data('table'))", "number"),
    ("treeAncestors('table', 1)", "[{a: number, name: string, p: {q: number}}] | undefined"),
]


@pytest.mark.parametrize(("text", "expected"), RESULTS)
def test_a_result_follows_from_the_arguments(text: str, expected: str) -> None:
    scope = FakeScope()
    assert render_type(typed(text, scope)) == expected
    assert scope.findings == []


NARROWED = [
    "isArray(datum.words) ? join(datum.words, ' ') : datum.words",
    "isArray(datum.words) && join(datum.words, ' ')",
    "!isArray(datum.words) || join(datum.words, ' ')",
    "if(isArray(datum.words), join(datum.words, ' '), datum.words)",
    "isString(datum.n) ? length(datum.n) : datum.n * 2",
    "isNumber(datum.words) && datum.words * 2",
    "isNumber(datum['words']) ? datum.words * 2 : 0",
    "isDate(datum.day) ? time(datum.day) - datum.day : 0",
    "isValid(datum.words) && isNumber(datum.words) ? -datum.words : 0",
]


@pytest.mark.parametrize("text", NARROWED)
def test_code_that_a_test_keeps_from_running_is_not_told_of(text: str) -> None:
    scope = FakeScope()
    typed(text, scope)
    assert scope.findings == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("isNumber(datum.mixed) ? datum.mixed : 0", "number"),
        ("isNumber(datum.mixed) ? 0 : datum.mixed", "number | string"),
        ("isValid(datum.gaps) ? datum.gaps : 0", "number"),
        ("datum.some != null ? datum.some : 0", "number"),
        ("datum.gaps === null ? 0 : datum.gaps", "number"),
        ("datum.either ? datum.either.x : 0", "number"),
        ("isDefined(datum.some) ? datum.some : 0", "number"),
        # isValid(NaN) is false, so nothing follows from the other outcome
        ("isValid(datum.gaps) ? 0 : datum.gaps", "number | null"),
    ],
)
def test_a_test_narrows_a_type(text: str, expected: str) -> None:
    assert render_type(typed(text)) == expected


def test_unseen_fields_are_required_with_the_type_their_use_demands() -> None:
    scope = FakeScope(variables={"datum": REMOTE})
    typed("datum.a * 2 + year(datum.b) > 3 && datum.c.d == 'x' && length(join(datum.e))", scope)
    demanded = {".".join(unseen.path): types for unseen, types in scope.requirements.items()}
    assert NUMBER in demanded["a"]
    assert STRING in demanded["c.d"]
    assert Array(UNKNOWN) in demanded["e"]
    assert scope.findings == []
    assert typed("datum.a.b", scope) == Unknown(Unseen("remote", ("a", "b")))


def test_signals_that_are_read_are_told() -> None:
    scope = FakeScope(variables={"datum": DATUM, "event": UNKNOWN, "width": NUMBER, "parent": ROW})
    typed("datum.n + event.x + width * PI - parent.a", scope)
    assert scope.signals == ["width", "parent"]


def test_many_texts_are_text() -> None:
    texts = ", ".join(f"'t{index}'" for index in range(100))
    assert typed(f"[{texts}]") == typed("[datum.words]")


def test_a_long_chain_is_typed_in_no_more_time_than_its_length() -> None:
    chain = "".join(f"datum.n == {index} ? 'v{index}' : " for index in range(400)) + "'z'"
    assert render_type(typed(chain)) == "string"
    assert render_type(typed(" && ".join(["isArray(datum.list)"] * 400))) == "boolean"


def test_an_object_is_a_closed_record() -> None:
    assert typed("{a: 1}") == Record({"a": NUMBER})
