"""What typing an expression tells: the code, how bad it is, and what is underlined. One cause, one finding."""

from __future__ import annotations

import pytest

from expressions.typing_scope import DATUM, FakeScope, told, typed
from sheliak.diagnostics.registry import REGISTRY
from sheliak.source.place import Place
from sheliak.types.operations import join
from sheliak.types.shapes import NULL, NUMBER, UNKNOWN, Lineage, Record, Unknown

NAMES = [
    ("heigth", "unknown-signal", "error", "heigth"),
    ("undefined", "unknown-signal", "error", "undefined"),
    ("_", "illegal-name", "error", "_"),
    ("item.x", "item-out-of-scope", "error", "item"),
    ("event.x", "event-out-of-scope", "error", "event"),
    ("x() + 1", "event-out-of-scope", "error", "x"),
    ("datum.nn", "unknown-field", "error", "nn"),
    ("datum['nn'] + 1", "unknown-field", "error", "nn"),
    ("datum.place.z", "unknown-field", "error", "z"),
    ("datum.either.z", "unknown-field", "error", "z"),
    ("datum['n' + 'n']", "unknown-field", "error", "'n' + 'n'"),
    ("datum.n.x", "field-of-a-value", "error", "x"),
    ("datum.words.foo", "field-of-a-value", "error", "foo"),
    ("datum.list.first", "field-of-a-value", "error", "first"),
    ("data('tabel')", "unknown-dataset", "warning", "tabel"),
    ("length(data('later'))", "dataset-used-too-early", "error", "later"),
    ("indata('tabel', 'a', 1)", "unknown-dataset", "error", "tabel"),
    ("indata('table', 'aa', 1)", "unknown-field", "error", "aa"),
    ("indata('table', 'p.z', 1)", "unknown-field", "error", "p.z"),
    ("pluck(data('table'), 'nam')", "unknown-field", "error", "nam"),
    ("pluck(data('table'), 'a[')", "invalid-field-path", "error", "a["),
    ("data('table')[0].aa", "unknown-field", "error", "aa"),
    ("setdata('tabel', [])", "unknown-dataset", "error", "tabel"),
    ("vlSelectionTest('tabel', datum)", "unknown-dataset", "error", "tabel"),
    ("data(choice)", "literal-needed", "error", "choice"),
    ("indata('table', choice, 1)", "literal-needed", "error", "choice"),
    ("scale('xscal', 1)", "unknown-scale", "error", "xscal"),
    ("domain(datum.flag ? 'xscale' : 'yscale')", "unknown-scale", "error", "datum.flag ? 'xscale' : 'yscale'"),
    ("invert('iner', 1, anything)", "unknown-scale", "error", "iner"),
    ("geoArea('word', datum)", "unknown-projection", "error", "word"),
    ("intersect([[0, 0], [1, 1]], {markname: 'bar'})", "unknown-mark", "error", "bar"),
    ("intersectLasso('bar', [], null)", "unknown-mark", "error", "bar"),
]

SYNTAX = [
    ("[1, , 2]", "expression-syntax", "error", "[1, , 2]"),
    ("{toString: 1}", "illegal-name", "error", "toString"),
    ("/a/gg", "expression-syntax", "error", "/a/gg"),
]

CALLS = [
    ("rond(1)", "unknown-function", "error", "rond"),
    ("datum.n.toFixed(2)", "illegal-call", "error", "toFixed"),
    ("Math.floor(1)", "illegal-call", "error", "floor"),
    ("abs()", "wrong-arity", "error", "abs()"),
    ("format(datum.n)", "wrong-arity", "error", "format(datum.n)"),
    ("if(datum.n, 1)", "wrong-arity", "error", "if(datum.n, 1)"),
    ("clamp(1, 2, 3, 4)", "wrong-arity", "error", "clamp(1, 2, 3, 4)"),
    ("abs(1, 2)", "wrong-arity", "warning", "abs(1, 2)"),
    ("abs(datum.words)", "wrong-argument", "warning", "datum.words"),
    ("format(datum.words, '.1f')", "wrong-argument", "warning", "datum.words"),
    ("format(datum.words_or_null, '')", "wrong-argument", "warning", "datum.words_or_null"),
    ("timeFormat(datum.day, '%Y')", "wrong-argument", "warning", "datum.day"),
    ("isFinite(datum.digits)", "wrong-argument", "warning", "datum.digits"),
    ("length(datum.n)", "wrong-argument", "warning", "datum.n"),
    ("span(datum.words)", "wrong-argument", "warning", "datum.words"),
    ("join(datum.words)", "wrong-argument", "error", "datum.words"),
    ("indexof(datum.n, 1)", "wrong-argument", "error", "datum.n"),
    ("toNumber(datum.words)", "words-to-number", "warning", "datum.words"),
]

OPERATORS = [
    ("datum.words * 2", "text-in-arithmetic", "error", "datum.words"),
    ("2 - datum.words_or_null", "text-in-arithmetic", "error", "datum.words_or_null"),
    ("datum.n / datum.day", "text-in-arithmetic", "error", "datum.day"),
    ("-datum.words", "text-in-arithmetic", "error", "datum.words"),
    ("datum.words % 2", "text-in-arithmetic", "error", "datum.words"),
    ("'a' * 2", "text-in-arithmetic", "error", "'a'"),
    ("('https://' + datum.n) * 2", "text-in-arithmetic", "error", "'https://' + datum.n"),
    ("timeFormat(datum.date, '%b') - 1", "text-in-arithmetic", "error", "timeFormat(datum.date, '%b')"),
    ("datum.place * 2", "object-in-arithmetic", "error", "datum.place"),
    ("datum.list * 2", "object-in-arithmetic", "warning", "datum.list"),
    ("+datum.words", "words-to-number", "warning", "datum.words"),
    ("+datum.day", "words-to-number", "warning", "datum.day"),
    ("datum.words < 5", "text-compared-with-number", "warning", "datum.words"),
    ("5 >= datum.words", "text-compared-with-number", "warning", "datum.words"),
    ("datum.day < datum.date", "text-compared-with-number", "warning", "datum.day"),
    ("datum.date > '2020-01-01'", "text-compared-with-number", "warning", "'2020-01-01'"),
    ("inrange(datum.day, [0, 1])", "text-compared-with-number", "warning", "datum.day"),
    ("datum.digits < datum.digits", "numeric-text-order", "warning", "datum.digits < datum.digits"),
    ("datum.digits + 1", "numeric-text-concatenation", "warning", "datum.digits"),
    ("datum.n + datum.digits", "numeric-text-concatenation", "warning", "datum.digits"),
    ("datum.date + 1000", "date-plus-number", "warning", "datum.date"),
    ("datum.digits === 5", "never-equal", "warning", "datum.digits === 5"),
    ("datum.n == 'high'", "never-equal", "warning", "datum.n == 'high'"),
]


@pytest.mark.parametrize(("text", "code", "severity", "underlined"), [*NAMES, *SYNTAX, *CALLS, *OPERATORS])
def test_a_mistake_is_told_once_where_it_is(text: str, code: str, severity: str, underlined: str) -> None:
    assert told(text) == [(code, severity, underlined)]


SILENT = [
    # text nobody has seen may be numeric
    "datum.text * 2",
    "+datum.text",
    "datum.text < 5",
    # JavaScript coerces these
    "datum.digits * 2",
    "datum.digits < 5",
    "datum.digits == 5",
    "datum.flag * 2",
    "datum.gaps * 2",
    "datum.nothing * 2",
    "datum.mixed - 1",
    "datum.date - datum.date < 3600000",
    "toNumber(datum.digits) + 1",
    "datum.digits < '9'",
    "datum.day < '2020-01-01'",
    "datum.words + 1",
    "inrange(datum.digits, [0, 1])",
    "inrange(datum.day, ['2000', '2001'])",
    "inrange(datum.n, brush)",
    "datum.date + ''",
    # superfluous, but right
    "datum.n != 'none'",
    "datum.n !== ''",
    "datum.n == ''",
    "datum.n === null",
    "datum.n == null",
    "datum.words == 5",
    "isNaN(datum.words)",
    # the name is looked up in the group's own scope
    "scale('inner', 1, anything)",
    "format(datum.words, 'c')",
    "geoArea(null, datum)",
    "year(datum.day)",
    "anything.x",
]


@pytest.mark.parametrize("text", SILENT)
def test_what_javascript_or_vega_can_use_is_not_told_of(text: str) -> None:
    assert told(text) == []


@pytest.mark.parametrize("text", ["datum.nn", "heigth", "rond(1)", "datum.words * 2", "abs()", "datum.n.x", "[1,,2]"])
def test_after_an_error_the_type_is_unknown(text: str) -> None:
    assert isinstance(typed(text), Unknown)


def test_one_cause_is_told_once_however_it_is_used() -> None:
    assert told("abs(datum.nn - 1) + datum.n * 2 > 'x'.length") == [("unknown-field", "error", "nn")]


def test_both_operands_are_looked_at() -> None:
    assert [code for code, _, _ in told("datum.words * datum.day")] == ["text-in-arithmetic", "text-in-arithmetic"]


def test_without_a_datum_the_word_datum_is_out_of_scope() -> None:
    assert told("datum.x", FakeScope(variables={})) == [("datum-out-of-scope", "error", "datum")]


def test_in_a_handler_the_names_of_marks_are_checked() -> None:
    scope = FakeScope(variables={"event": UNKNOWN, "datum": DATUM})
    assert told("x('bars') + xy(group('cel'))[0]", scope) == [("unknown-mark", "error", "cel")]


def test_an_option_that_names_no_field_is_told_of_where_it_is_listed() -> None:
    scope = FakeScope()
    typed("datum[wrong_choice]", scope)
    assert [(f.message(), f.place.pointer) for f in scope.findings] == [("the datum has no field `missing`", "/options")]


def test_a_lookup_that_finds_nothing_counts_as_zero() -> None:
    before = Record({"id": NUMBER})
    step = Lineage("lookup", Place(("transform", 0)), before, added=("age",))
    looked_up = Record({"id": NUMBER, "age": join((NUMBER, NULL)), "other": join((NUMBER, NULL))}, lineage=step)
    told_of = [("null-as-zero", "warning", "datum.age")]
    for text in ("datum.age + 1", "2 * datum.age"):
        assert told(text, FakeScope(variables={"datum": looked_up})) == told_of
    for text in ("isValid(datum.age) ? datum.age + 1 : null", "datum.other + 1", "datum.age + 'x'", "datum.age > 3"):
        assert told(text, FakeScope(variables={"datum": looked_up})) == []


def helps(text: str) -> list[str | None]:
    scope = FakeScope()
    typed(text, scope)
    return [finding.help() for finding in scope.findings]


@pytest.mark.parametrize(
    ("text", "help"),
    [
        ("widht", "a signal with a similar name exists: `width`"),
        ("Width", "names are case sensitive: the signal is called `width`"),
        ("flag", "a field is read as `datum.flag`"),
        ("now", "a function with this name exists: it is called as `now(...)`"),
        ("Infinity", "write `1 / 0`, or a limit such as `MAX_VALUE`"),
        ("rond(1)", "a function with a similar name exists: `round`"),
        ("len('a')", "Vega calls it `length`"),
        ("datum.n.toFixed(2)", "write `format(x, '.2f')`"),
        ("Math.floor(1)", "the functions stand on their own: `floor(...)`"),
        ("pad('x')", "it is called as `pad(string, length, [character], [align])`"),
        ("data('tabel')", "a dataset with a similar name exists: `table`"),
        ("datum.day * 2", "convert it first: `toDate(datum.day)`, or parse it when the data are loaded"),
        ("datum.date + 1", "add to its milliseconds, `time(datum.date) + ...`, or use `timeOffset(unit, datum.date, step)`"),
        ("datum.list * 2", "take one element: `datum.list[0]`"),
    ],
)
def test_the_help_names_the_likeliest_repair(text: str, help: str) -> None:
    assert help in helps(text)


def test_a_name_in_another_case_can_be_repaired() -> None:
    scope = FakeScope()
    typed("scale('XScale', 1)", scope)
    repair = scope.findings[0].repair()
    assert repair is not None
    assert (repair.replacement, repair.place.start, repair.place.end) == ("xscale", 7, 13)


def test_no_message_asks_a_question() -> None:
    for text, *_ in (*NAMES, *SYNTAX, *CALLS, *OPERATORS):
        scope = FakeScope()
        typed(text, scope)
        for finding in scope.findings:
            prose = " ".join((finding.message(), *finding.notes(), finding.help() or "", finding.title))
            assert "?" not in prose.replace(" ? ", "")
            assert REGISTRY[finding.code] is type(finding)
