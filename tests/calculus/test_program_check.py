"""The findings of a program: which, how many, and what helps."""

from sheliak.calculus.program_check import Finding, check_program
from sheliak.calculus.spec_typing import type_of_spec
from sheliak.calculus.surface import parse_program

BOOKS = "input(books, {classification: string, words: number, author: {name: string}})\n"
AGGS = "data(books, aggs, agg(datum.classification, avg datum.words as avg_words, count as book_count))\n"


def findings(text: str) -> list[Finding]:
    return list(check_program(parse_program(text)).findings)


def only(text: str) -> Finding:
    (finding,) = findings(text)
    return finding


def test_a_well_typed_program_has_the_types_of_t_spec() -> None:
    program = parse_program(BOOKS + AGGS + "data(aggs, x, cross(a, b))\ndata(x, y, filter(datum.a.avg_words))")
    report = check_program(program)
    assert report.findings == ()
    assert report.types == type_of_spec(program.context, program.spec)


def test_a_similar_name_is_offered() -> None:
    finding = only(BOOKS + AGGS + "data(aggs, x, filter(datum.avgwords))")
    assert finding.code == "unknown-field"
    assert "`avgwords`" in finding.reason.message()
    assert finding.help == "a field with a similar name exists: `avg_words`"


def test_nothing_is_offered_where_nothing_is_similar() -> None:
    assert only(BOOKS + AGGS + "data(aggs, x, filter(datum.zzz))").help is None


def test_similar_names_of_builtins_and_datasets() -> None:
    assert only(BOOKS + "data(books, x, filter(rond(1)))").help == "a builtin with a similar name exists: `round`"
    assert only(BOOKS + "data(boks, x)").help == "a dataset with a similar name exists: `books`"


def test_a_field_that_agg_dropped() -> None:
    text = BOOKS + AGGS + "data(aggs, more, formula(1, one))\ndata(more, x, filter(datum.author))"
    finding = only(text)
    assert finding.code == "dropped-field"
    (related,) = finding.related
    assert related.span is not None
    assert text[related.span.start :].startswith("agg(datum.classification")
    assert related.message == "`author` is dropped here"
    assert finding.help == "`agg` keeps its keys and outputs only; add datum.author to its keys, or use it before"


def test_the_agg_that_dropped_it_is_the_last_one_that_had_it() -> None:
    text = BOOKS + AGGS + "data(aggs, again, agg(datum.avg_words), filter(datum.classification))"
    (related,) = only(text).related
    assert related.span is not None
    assert text[related.span.start : related.span.end] == "agg(datum.avg_words)"


def test_a_key_of_several_names_is_one_field() -> None:
    finding = only(BOOKS + "data(books, x, agg(datum.author.name), filter(datum.author.name))")
    assert finding.code == "dropped-field"
    assert finding.help == 'the key of several names is one field: datum["author.name"]'


def test_a_field_that_cross_nested() -> None:
    finding = only(BOOKS + "data(books, x, cross(l, r), filter(datum.words))")
    assert finding.code == "nested-field"
    assert finding.help == "`cross` puts the two tuples under `l` and `r`: the field is datum.l.words or datum.r.words"


def test_a_field_of_a_nested_record() -> None:
    finding = only(BOOKS + "data(books, x, filter(datum.author.nam))")
    assert finding.help == "a field with a similar name exists: `name`"


def test_one_finding_per_definition_and_none_for_what_reads_from_it() -> None:
    text = (
        BOOKS
        + "data(books, a, filter(datum.p), filter(datum.q))\ndata(a, b, filter(datum.r))\ndata(b, c)\ndata(books, d, filter(datum.s))"
    )
    assert ["`p`" in findings(text)[0].reason.message(), "`s`" in findings(text)[1].reason.message()] == [True, True]
    assert len(findings(text)) == 2


def test_a_repeated_name_keeps_its_first_meaning() -> None:
    text = BOOKS + "data(books, a, formula(1, n))\ndata(books, a, agg())\ndata(a, b, filter(datum.n))"
    assert only(text).code == "repeated-dataset"
    assert only(BOOKS + BOOKS).code == "repeated-dataset"


def test_an_unknown_source_is_told_once() -> None:
    assert [f.code for f in findings(BOOKS + "data(nope, a)\ndata(a, b)\ndata(b, a)")] == ["unknown-dataset", "repeated-dataset"]
