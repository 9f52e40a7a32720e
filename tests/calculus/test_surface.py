"""The surface syntax: what is read, what is refused and where."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sheliak.calculus.surface import MAX_HEIGHT, Unparsed, parse_expression, parse_program, parse_type
from sheliak.calculus.syntax import Arith, Datum, Field, Num, Str
from sheliak.calculus.tokens import SyntaxProblem

INPUT = "input(a, {x: number})\n"


def problems(text: str) -> list[tuple[str, str]]:
    """What is wrong, and the text it is about."""
    with pytest.raises(Unparsed) as raised:
        parse_program(text)
    return [(problem.message, text[problem.span.start : problem.span.end]) for problem in raised.value.problems]


class TestReading:
    def test_comments_and_blank_lines(self) -> None:
        program = parse_program("# books\n\ninput(a, {})  # the only one\n   \n#end")
        assert [definition.name for definition in program.inputs] == ["a"]

    def test_a_definition_goes_on_while_a_parenthesis_is_open(self) -> None:
        one_line = parse_program(INPUT + "data(a, b, filter(datum.x + 1))")
        many_lines = parse_program(INPUT + "data(a,\n  b, # comment\n  filter(\n datum.x\n + 1)\n)\n")
        assert one_line == many_lines

    def test_windows_line_ends_and_a_byte_order_mark(self) -> None:
        assert parse_program("\ufeff" + INPUT.replace("\n", "\r\n") + "data(a, b)\r\n") == parse_program(INPUT + "data(a, b)")

    def test_names_in_quotes(self) -> None:
        program = parse_program("input('my books', {\"a.b\": number, 'ü': string})\ndata(\"my books\", '', cross('1', \"'\"))")
        assert program.inputs[0].name == "my books"
        assert list(program.inputs[0].type.fields) == ["a.b", "ü"]
        assert program.spec[0].name == ""

    def test_words_of_the_syntax_are_names_too(self) -> None:
        program = parse_program(
            "input(data, {as: number, sum: number})\ndata(data, input, agg(datum.as, sum datum.sum as sum, count as as))"
        )
        assert program.spec[0].name == "input"

    def test_strength_of_operators(self) -> None:
        a, b, c = Num(1.0), Num(2.0), Num(3.0)
        assert parse_expression("1 - 2 - 3") == Arith("-", Arith("-", a, b), c)
        assert parse_expression("1 + 2 * 3") == Arith("+", a, Arith("×", b, c))
        assert parse_expression("(1 + 2) / 3") == Arith("/", Arith("+", a, b), c)
        assert parse_expression("1 - -2") == Arith("-", a, Num(-2.0))

    def test_paths(self) -> None:
        assert parse_expression("datum['a.b'].c") == Field(Field(Datum(), "a.b"), "c")

    @pytest.mark.parametrize("text, value", [(r"'a\n\t\\\''", "a\n\t\\'"), (r'"\u00e9\x41\u{1F600}"', "éA😀"), ("'\"'", '"')])
    def test_strings(self, text: str, value: str) -> None:
        assert parse_expression(text) == Str(value)

    @pytest.mark.parametrize(
        "text, value", [("1", 1.0), ("1.", 1.0), (".5", 0.5), ("2.5e-3", 0.0025), ("-7", -7.0), ("- 7", -7.0)]
    )
    def test_numbers(self, text: str, value: float) -> None:
        assert parse_expression(text) == Num(value)

    def test_every_node_knows_where_it_was_written(self) -> None:
        text = INPUT + "data(a, b, formula(round(datum.x / 10), y))"
        program = parse_program(text)
        spans = [program.inputs[0].span, program.spec[0].span, program.spec[0].source_span, program.spec[0].name_span]
        spans += [program.spec[0].transforms[0].span]
        written = [text[span.start : span.end] for span in spans if span]
        assert written == [INPUT.strip(), text[len(INPUT) :], "a", "b", "formula(round(datum.x / 10), y)"]


class TestRefusing:
    @pytest.mark.parametrize(
        "definition, message, about",
        [
            ("data(a b)", "expected `,`, found `b`", "b"),
            ("data(a, b, sort(x))", "expected a transform: agg, cross, formula or filter, found `sort`", "sort"),
            (
                "data(a, b, filter(avg_words))",
                "expected `(` after the builtin `avg_words` (a field is written datum.avg_words), found `)`",
                ")",
            ),
            ("data(a, b, filter(datum.x.))", "expected the name of a field, found `)`", ")"),
            ("data(a, b, filter(datum[x]))", "expected the name of a field in quotes, found `x`", "x"),
            ("data(a, b, filter(-datum.x))", "a minus sign with nothing before it belongs to a number; write 0 - ... else", "-"),
            ("data(a, b, filter([1] + 1))", "an array or an object cannot be an operand", "[1]"),
            ("data(a, b, filter(1 + {}))", "an array or an object cannot be an operand", "{}"),
            ("data(a, b, filter(1 +))", "expected an expression, found `)`", ")"),
            ("data(a, b, agg(sum datum.x))", "expected `as`, found `)`", ")"),
            ("data(a, b, agg(sum x as y))", "expected a path, such as datum.field, found `x`", "x"),
            (
                "data(a, b, agg(count as n, datum.x))",
                "expected an operator: sum, avg or count (the keys come first), found `datum`",
                "datum",
            ),
            ("data(a, b) data(b, c)", "expected the end of the line after a definition, found `data`", "data"),
            ("books", "expected `input(...)` or `data(...)`, found `books`", "books"),
            ("data(a, b", "expected `,` or `)`, found the end of the text", ""),
            ("data(a, b, filter(1)\ndata(b, c)", "expected `,` or `)`, found `data`", "data"),
            ("data(a, b)\ninput(c, {})", "inputs come first, before every data", "input"),
            ("data(a, b, cross(a))", "expected `,`, found `)`", ")"),
            ("data(a, b, filter({a 1}))", "expected `:`, found `1`", "1"),
            ("data(a, b, filter(round(1 2)))", "expected `,` or `)`, found `2`", "2"),
        ],
    )
    def test_definitions(self, definition: str, message: str, about: str) -> None:
        assert problems(INPUT + definition)[0] == (message, about)

    @pytest.mark.parametrize(
        "text, message",
        [
            ("", "a program begins with an input: input(name, {field: type, ...})"),
            ("data(a, b)", "a program begins with an input: input(name, {field: type, ...})"),
            ("input(a, number)", "the tuples of an input are records: {field: type, ...}"),
            ("input(a, {x: int})", "expected a type: boolean, number, string, {field: type, ...} or [type], found `int`"),
            ("input(a, {x: number, x: string})", "the field `x` stands here twice"),
        ],
    )
    def test_inputs(self, text: str, message: str) -> None:
        assert problems(text)[0][0] == message

    @pytest.mark.parametrize(
        "text, message, about",
        [
            ("'abc", "this string does not end on its line", "'abc"),
            ("'ab\nc'", "this string does not end on its line", "'ab"),
            ("1x", "this is not a number", "1"),
            ("1.2.3", "this is not a number", "1"),
            ("1e999", "this number is too large for a double", "1e999"),
            (r"'\q'", r"there is no escape \q", r"\q"),
            (r"'ab\u{110000}'", "there is no such character", r"\u{110000}"),
            ("datum.x >= 10", "the character '>' has no meaning here", ">"),
            ("a ; b", "the character ';' has no meaning here", ";"),
        ],
    )
    def test_words(self, text: str, message: str, about: str) -> None:
        with pytest.raises(SyntaxProblem) as raised:
            parse_expression(text)
        span = raised.value.span
        assert (raised.value.message, text[span.start : span.end]) == (message, about)

    def test_one_problem_per_definition_and_all_of_them(self) -> None:
        found = problems(INPUT + "data(a, b, filter(+ +))\ndata(a, c, filter(1))\ndata(a, d, filter(\n1 2))\ndata(a e)")
        assert [about for _, about in found] == ["+", "2", "e"]


class TestDepth:
    """Input nested 10 000 deep is refused with a message, whatever nests."""

    @pytest.mark.parametrize(
        "text",
        [
            pytest.param("(" * 10_000 + "1" + ")" * 10_000, id="parentheses"),
            pytest.param("[" * 10_000 + "]" * 10_000, id="arrays"),
            pytest.param("{a:" * 10_000 + "1" + "}" * 10_000, id="objects"),
            pytest.param("round(" * 10_000 + "1" + ")" * 10_000, id="calls"),
            pytest.param("1" + " + 1" * 10_000, id="a long sum"),
            pytest.param("1" + " / 1" * 10_000, id="a long quotient"),
            pytest.param("datum" + ".a" * 10_000, id="a long path"),
            pytest.param("((((1" + " + (1" * 10_000 + ")" * 10_000, id="to the right"),
            pytest.param("(" * 100 + "1" + (" + 1" * 100 + ")") * 100, id="long sums in long sums"),
        ],
    )
    def test_expressions(self, text: str) -> None:
        with pytest.raises(SyntaxProblem, match=f"more than {MAX_HEIGHT}"):
            parse_expression(text)

    @pytest.mark.parametrize(
        "text", ["[" * 10_000 + "]" * 10_000, "{a:" * 10_000 + "number" + "}" * 10_000], ids=["arrays", "records"]
    )
    def test_types(self, text: str) -> None:
        with pytest.raises(SyntaxProblem, match=f"more than {MAX_HEIGHT}"):
            parse_type(text)

    def test_what_is_just_not_too_deep_is_read(self) -> None:
        assert parse_expression("(" * MAX_HEIGHT + "1" + ")" * MAX_HEIGHT) == Num(1.0)
        assert parse_expression("1" + " + 1" * (MAX_HEIGHT - 1))


WORDS = [
    "input",
    "data",
    "(",
    ")",
    ",",
    "{",
    "}",
    "[",
    "]",
    "datum",
    ".",
    "x",
    "'s'",
    "1",
    "+",
    "-",
    "*",
    "/",
    "agg",
    "cross",
    "formula",
    "filter",
    "sum",
    "as",
    ":",
    "number",
    "\n",
    "#",
    "\\",
    "é",
]


@given(st.lists(st.sampled_from([*WORDS, INPUT, "data(a, b, filter(1))\n", "{x: number}"]), max_size=25))
def test_any_text_is_read_or_refused(words: list[str]) -> None:
    text = INPUT + " ".join(words)
    try:
        parse_program(text)
    except Unparsed as unparsed:
        assert all(0 <= problem.span.start <= problem.span.end <= len(text) for problem in unparsed.problems)
