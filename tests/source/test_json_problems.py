"""The words for malformed JSON: each case is a text, the part that is underlined, and the message."""

import pytest

from sheliak.source import Problem, Source, read_document

_CASES = [
    ("", "", "the text is empty: there is no JSON value to read"),
    ("// only a note", "// only a note", "the text holds only blank space and comments: there is no JSON value to read"),
    # Commas and colons.
    ('{"a": 1 "b": 2}', '"b"', 'a comma or `}` is missing before `"b"`'),
    ("[1 2]", "2", "a comma or `]` is missing before `2`"),
    ("[[] {}]", "{", "a comma or `]` is missing before `{`"),
    ('{"a": 1,, "b": 2}', ",", "a member is missing before this comma"),
    ("[1,,2]", ",", "an element is missing before this comma"),
    ('{"a" 1}', "1", "a colon is missing after the key `a`: `1` stands instead"),
    ('{"a" = 1}', "=", "a colon is missing after the key `a`: `=` stands instead"),
    ('{"a"}', "}", "the key `a` has no value: `}` stands where a colon is expected"),
    ('{"a": }', "}", "the key `a` has no value: `}` stands instead"),
    ('{"a": , "b": 1}', ",", "the key `a` has no value: `,` stands instead"),
    ('["a": 1]', ":", "a colon inside an array; keys and their values stand in `{` and `}`"),
    ("[:]", ":", "`:` stands where an element or `]` is expected"),
    ('{"a": 1; "b": 2}', ";", "a semicolon stands where a comma is expected"),
    ('{"a": 1 + 2}', "+", "`+` stands where a comma or `}` is expected"),
    # Quotes and keys.
    ("{'a': 1}", "'a'", "a JSON string or key stands in straight double quotes; this is a single quote"),
    ('{"a": `x`}', "`x`", "a JSON string or key stands in straight double quotes; this is a back quote"),
    ("[“x”]", "“x”", "a JSON string or key stands in straight double quotes; this is a typographic quote"),
    ("{name: 1}", "name", "the key `name` must stand in double quotes"),
    ("{$schema: 1}", "$schema", "the key `$schema` must stand in double quotes"),
    ("{1: 2}", "1", "`1` stands where a key in double quotes or `}` is expected"),
    ('{"e": "datum.x == "a""}', "a", 'the string ends before `a`; a double quote inside a string is written `\\"`'),
    # Strings.
    ('{"a": "x}\n', '"x}', "this string has no closing double quote"),
    ('{"a": "x,\n "b": 1}', '"x,', "this string has no closing double quote"),
    ('{"a": "x\n y"}', '"x', "a line break inside a string is written `\\n`"),
    ('["x\\', '"x', "this string has no closing double quote"),
    ('"a\tb"', "\t", "the character U+0009 (tab) inside a string is written `\\t`"),
    ('"\x01"', "\x01", "the character U+0001 (control character) inside a string is written `\\u0001`"),
    (r'"C:\data"', r"\d", r"`\d` is not an escape of JSON; a backslash itself is written `\\`"),
    (r'"\u12"', r"\u12", r"`\u` needs four hexadecimal digits"),
    ('"a\\\nb"', "\\", "a string cannot go on behind a backslash at the end of its line"),
    # Words and numbers.
    ('{"a": True}', "True", "`True` is written `true` in JSON"),
    ("[None]", "None", "`None` is written `null` in JSON"),
    ("[undefined]", "undefined", "`undefined` is not a JSON value; write `null`, or leave the member out"),
    ("[width]", "width", "`width` is not a JSON value; text stands in double quotes"),
    ("[012]", "012", "`012` is not a JSON number: a JSON number does not start with 0"),
    ("[.5]", ".5", "`.5` is not a JSON number: a digit is expected before the decimal point"),
    ("[5.]", "5.", "`5.` is not a JSON number: a digit is expected behind the decimal point"),
    ("[+5]", "+5", "`+5` is not a JSON number: a JSON number has no plus sign"),
    ("[0x1F]", "0x1F", "`0x1F` is not a JSON number: JSON writes numbers in decimal"),
    ("[1.2.3]", "1.2.3", "`1.2.3` is not a JSON number: digits, at most one decimal point and an exponent make a number"),
    # Brackets.
    ('{"a": [1, 2}', "}", "`}` stands where the `[` of line 1, column 7 must be closed by `]` first"),
    ('[{"a": 1]', "]", "`]` stands where the `{` of line 1, column 2 must be closed by `}` first"),
    ("[1}", "}", "`}` stands where the `[` of line 1, column 1 must be closed by `]` first"),
    ("[1, 2", "[", "this `[` is never closed: the text ends where `]` is expected"),
    ('{"a":', "{", "this `{` is never closed: the text ends where `}` is expected"),
    ('{"a"', "{", "this `{` is never closed: the text ends where `}` is expected"),
    ("{", "{", "this `{` is never closed: the text ends where `}` is expected"),
    ("[1]]", "]", "`]` closes nothing: every bracket before it is closed already"),
    ("{} {}", "{", "`{` stands behind the end of the JSON value"),
    # Other languages.
    ("# note\n{}", "# note", "a comment starts with `//`, not with `#`"),
    ("[1] /* open", "/*", "this comment is never closed by `*/`"),
    ("<!doctype html>", "<", "`<` stands where a JSON value is expected: this seems to be HTML or XML"),
    ("{\n<<<<<<< HEAD\n}", "<<<<<<< HEAD", "a merge conflict was left unresolved here"),
    ("[1,\u00a02]", "\u00a0", "the character U+00A0 (no-break space) cannot stand between JSON values"),
    ("[\x00]", "\x00", "the character U+0000 (null) cannot stand between JSON values"),
    ("[@]", "@", "`@` stands where a JSON value is expected"),
]


def _only_problem(text: str) -> Problem:
    document = read_document(Source("spec.json", text))
    assert not document.readable
    [problem] = document.problems
    return problem


@pytest.mark.parametrize(("text", "underlined", "message"), _CASES)
def test_malformed_json_is_told_once_in_plain_words(text: str, underlined: str, message: str) -> None:
    problem = _only_problem(text)
    assert problem.message == message
    assert text[problem.span.start : problem.span.end] == underlined


def test_a_problem_knows_the_path_it_was_met_in() -> None:
    assert _only_problem('{"data": [{}, {"name": tables}]}').path == ("data", 1, "name")


def test_indentation_tells_which_bracket_was_left_open() -> None:
    text = '{\n  "marks": {\n    "from": {\n      "data": "t"\n  },\n  "width": 1\n}\n'
    problem = _only_problem(text)
    assert problem.span.start == text.index("{\n      ")
    assert problem.related is not None and problem.related.start == len(text)


def test_a_long_line_full_of_brackets_is_judged_quickly() -> None:
    text = "[" + "[]," * 300_000
    assert _only_problem(text).message.startswith("this `[` is never closed")


def test_a_long_or_unprintable_token_is_shortened_in_the_message() -> None:
    message = _only_problem("[" + "x" * 1000 + "]").message
    assert message == f"`{'x' * 40}…` is not a JSON value; text stands in double quotes"
    assert "\u2066" not in _only_problem('{"a\u2066": }').message


def test_constants_of_javascript_are_told_and_read() -> None:
    document = read_document(Source("spec.json", '{"a": [NaN, -Infinity]}'))
    assert [problem.kind for problem in document.problems] == ["constant", "constant"]
    assert document.problems[1].message == "`-Infinity` is not a JSON value; `null` stands for a missing number"
    assert document.problems[1].path == ("a", 1)
    assert document.root.descend("a", 1).value == float("-inf")  # type: ignore[union-attr]


def test_each_repeated_key_names_the_one_it_overwrites() -> None:
    document = read_document(Source("spec.json", '{"o": {"a": 1,\n "b": 2, "a": 3, "\\u0061": 4}}'))
    first, second = document.problems
    assert (first.kind, first.path, second.path) == ("duplicate-key", ("o", "a"), ("o", "a"))
    assert first.message == "the key `a` is repeated: its value at line 1, column 8 is overwritten"
    assert second.message == "the key `\\u0061` is repeated: its value at line 2, column 10 is overwritten"
    assert first.related is not None and first.related.start == 7
    assert document.value == {"o": {"a": 4, "b": 2}}


def test_a_key_repeated_in_every_row_is_told_fifty_times() -> None:
    document = read_document(Source("spec.json", "[" + ",".join(['{"a": 1, "a": 2}'] * 80) + "]"))
    assert len(document.problems) == 50
    assert document.value == [{"a": 2}] * 80
