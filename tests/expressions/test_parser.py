"""What is an expression, what tree it has, where its parts stand, and what we say of a text that is none."""

import sys
from time import process_time

import pytest

from sheliak.expressions.letters import first_letters, later_letters
from sheliak.expressions.nodes import (
    ArrayLiteral,
    Binary,
    Call,
    Conditional,
    Expression,
    Identifier,
    Literal,
    Logical,
    Member,
    ObjectLiteral,
    Property,
    Regex,
    Unary,
    children,
    depth_of,
    static_name,
)
from sheliak.expressions.parser import MAX_DEPTH, ExpressionSyntaxError, ExpressionTooDeep, parse_expression


def name(text: str) -> Identifier:
    return Identifier(text, 0, 0)


def number(value: float) -> Literal:
    return Literal(value, str(value), 0, 0)


def text(value: str) -> Literal:
    return Literal(value, repr(value), 0, 0)


a, b, c, d, e = map(name, "abcde")

TREES: dict[str, Expression] = {
    "a": a,
    "  a  ": a,
    "a + b * c": Binary("+", a, Binary("*", b, c, 0, 0), 0, 0),
    "a - b - c": Binary("-", Binary("-", a, b, 0, 0), c, 0, 0),
    "(a - b) - c": Binary("-", Binary("-", a, b, 0, 0), c, 0, 0),
    "a - (b - c)": Binary("-", a, Binary("-", b, c, 0, 0), 0, 0),
    "a || b && c": Logical("||", a, Logical("&&", b, c, 0, 0), 0, 0),
    "a in b": Binary("in", a, b, 0, 0),
    "-a * !b": Binary("*", Unary("-", a, 0, 0), Unary("!", b, 0, 0), 0, 0),
    "- -a": Unary("-", Unary("-", a, 0, 0), 0, 0),
    "a ? b : c ? d : e": Conditional(a, b, Conditional(c, d, e, 0, 0), 0, 0),
    "a ? b ? c : d : e": Conditional(a, Conditional(b, c, d, 0, 0), e, 0, 0),
    "a ?.5 : b": Conditional(a, number(0.5), b, 0, 0),
    "a.b": Member(a, b, False, 0, 0),
    "a . in": Member(a, name("in"), False, 0, 0),
    "a['b']": Member(a, text("b"), True, 0, 0),
    "1..b": Member(number(1), b, False, 0, 0),
    "1 .b": Member(number(1), b, False, 0, 0),
    "if(a, b, c)": Call(name("if"), (a, b, c), 0, 0),
    "a()": Call(a, (), 0, 0),
    "a.b(c)": Call(Member(a, b, False, 0, 0), (c,), 0, 0),
    "[]": ArrayLiteral((), (), 0, 0),
    "[a, b,]": ArrayLiteral((a, b), (), 0, 0),
    "[, a,, b]": ArrayLiteral((a, b), (0, 2), 0, 0),
    "{}": ObjectLiteral((), 0, 0),
    "{a: b, 'x y': c, 1: d, in: e,}": ObjectLiteral(
        (Property(a, b, 0, 0), Property(text("x y"), c, 0, 0), Property(number(1), d, 0, 0), Property(name("in"), e, 0, 0)), 0, 0
    ),
    "0x1F": number(31),
    "1e3": number(1000),
    "5.": number(5),
    "1e999": number(float("inf")),
    "0x" + "f" * 300: number(float("inf")),
    "true": Literal(True, "true", 0, 0),
    "null": Literal(None, "null", 0, 0),
    "tru\\u0065": Literal(True, "true", 0, 0),
    '"it\'s"': text("it's"),
    r"'\x41\u0042\u{43}\x{44}\n\0\q'": text("ABCD\n\0q"),
    r"'\ud83d\ude00'": text("😀"),
    "'a\\\r\nb'": text("ab"),
    "/a[/]b/gi": Regex("a[/]b", "gi", 0, 0),
    "/=a/": Regex("=a", "", 0, 0),
    "/a/gg": Regex("a", "gg", 0, 0),
    "a / b / c": Binary("/", Binary("/", a, b, 0, 0), c, 0, 0),
    "(a) / b": Binary("/", a, b, 0, 0),
    "a in /b/": Binary("in", a, Regex("b", "", 0, 0), 0, 0),
    "a.in / b": Binary("/", Member(a, name("in"), False, 0, 0), b, 0, 0),
    "\\u0061": a,
    "a i\\u006e b": Binary("in", a, b, 0, 0),
    "变量": name("变量"),
    # Vega takes the names that every JavaScript object has for identifiers even between quotes.
    "'toString'": name("toString"),
    "'if'": name("if"),
}


@pytest.mark.parametrize("source", TREES)
def test_tree(source: str) -> None:
    assert parse_expression(source) == TREES[source]


REJECTED = {
    "": ("expected an expression, found the end of the expression", 0, 0),
    "a +": ("expected an expression, found the end of the expression", 3, 3),
    "a b": ("expected an operator or the end, found `b`", 2, 3),
    "a, b": ("expected an operator or the end, found `,`", 1, 2),
    "f(a b)": ("expected `,` or `)` in the arguments, found `b`", 4, 5),
    "f(a,)": ("expected an expression, found `)`", 4, 5),
    "(a": ("expected `)` to close the `(`, found the end of the expression", 2, 2),
    "a[b": ("expected `]` to close the `[`, found the end of the expression", 3, 3),
    "[a b]": ("expected `,` or `]` in the array, found `b`", 3, 4),
    "{a b}": ("expected `:` after the key of an object, found `b`", 3, 4),
    "{(a): 1}": ("expected the key of an object or `}`, found `(`", 1, 2),
    "{a: 1, 'a': 2}": ("the object has the key `a` twice", 7, 10),
    "{1: a, 1.0: b}": ("the object has the key `1` twice", 7, 10),
    "a ? b": ("expected `:` and the other branch of the conditional, found the end of the expression", 5, 5),
    ".a": ("expected an expression, found `.a`", 1, 2),
    "a = 1": ("assignment is not part of the expression language (`==` compares)", 2, 3),
    "a += 1": ("expected an operator or the end, found `+=`", 2, 4),
    "a++": ("`++` is not part of the expression language", 1, 3),
    "a // b": ("comments are not part of the expression language", 2, 4),
    "x => x": ("functions are not part of the expression language", 2, 4),
    "a; b": ("an expression is one value: `;` is not part of the language", 1, 2),
    "`a`": ("template strings are not part of the expression language", 0, 1),
    "typeof a": ("`typeof` is a reserved word: expected an expression", 0, 6),
    "new a": ("`new` is a reserved word: expected an expression", 0, 3),
    "a @ b": ("the character `@` is not allowed here", 2, 3),
    "a × b": ("the character `×` is not allowed here", 2, 3),
    "a“b": ("the character `“` is not allowed here", 1, 2),
    "'a": ("the text has no closing quote", 0, 2),
    "a + 'b\nc'": ("the text has no closing quote", 4, 6),
    "3px": ("`3px` is not a number", 0, 3),
    "1.5em + 2": ("`1.5em` is not a number", 0, 5),
    "010": ("`010` is not a number", 0, 3),
    "1e+": ("`1e+` is not a number", 0, 3),
    r"'\1'": ("octal escapes such as `\\1` are not allowed", 1, 3),
    r"'a\xg'": ("`\\x` is not an escape sequence", 2, 4),
    "/a": ("the regular expression has no closing `/`", 0, 2),
    "/a(/": ("the regular expression is not valid: a group has no closing `)`", 0, 4),
    "/a/x": ("the regular expression is not valid: `x` is not one of the flags g, i, m, u, y", 0, 4),
    "a ** b": ("expected an expression, found `*`", 3, 4),
    "a?.b": ("expected an expression, found `.b`", 3, 4),
}


@pytest.mark.parametrize("source", REJECTED)
def test_rejection_says_what_is_wrong_and_where(source: str) -> None:
    with pytest.raises(ExpressionSyntaxError) as caught:
        parse_expression(source)
    assert (caught.value.message, caught.value.offset, caught.value.end) == REJECTED[source]


def test_messages_have_no_question_marks() -> None:
    assert [message for message, _, _ in REJECTED.values() if "?" in message] == []


def parts(source: str) -> list[str]:
    """The text of every node, the root first."""
    found, pending = [], [parse_expression(source)]
    while pending:
        node = pending.pop(0)
        found.append(source[node.start : node.end])
        pending += children(node)
    return found


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("(a + b) * c", ["(a + b) * c", "a + b", "c", "a", "b"]),
        (" - (a) ", ["- (a)", "a"]),
        ("(a).b[ c ]", ["(a).b[ c ]", "(a).b", "c", "a"]),
        ("f( a , (b) )", ["f( a , (b) )", "f", "a", "b"]),
        ("(a) ? (b) : (c) ", ["(a) ? (b) : (c)", "a", "b", "c"]),
        ("[ a,{ b : c } ] ", ["[ a,{ b : c } ]", "a", "{ b : c }", "c"]),
        ("a + b * (c) - d", ["a + b * (c) - d", "a + b * (c)", "d", "a", "b * (c)", "b", "c"]),
        ("'😀' + x", ["'😀' + x", "'😀'", "x"]),
        ("/a/g + 1", ["/a/g + 1", "/a/g", "1"]),
    ],
)
def test_every_node_spans_its_text(source: str, expected: list[str]) -> None:
    assert parts(source) == expected


def test_keys_and_names_after_a_dot_have_places() -> None:
    tree = parse_expression("{ 'k' : a . \\u0062 }")
    assert isinstance(tree, ObjectLiteral)
    entry = tree.properties[0]
    assert (entry.key.start, entry.key.end, entry.start, entry.end) == (2, 5, 2, 18)
    assert isinstance(entry.value, Member)
    assert (entry.value.property.start, entry.value.property.end) == (12, 18)


def test_the_same_text_gives_the_same_tree() -> None:
    assert parse_expression("datum.same + 1") is parse_expression("datum.same + 1")


def test_literals_of_different_kinds_differ() -> None:
    assert parse_expression("true") != parse_expression("1")
    assert parse_expression("'1'") != parse_expression("1")
    assert parse_expression("1.0") == parse_expression("1")
    assert len({parse_expression(source) for source in ("1", "1.0", "true", "'1'", "null")}) == 4


@pytest.mark.parametrize(
    ("source", "expected"), [("a.b", "b"), ("a['b c']", "b c"), ("a[0]", "0"), ("a[1e21]", "1e+21"), ("a[b]", None)]
)
def test_static_name(source: str, expected: str | None) -> None:
    tree = parse_expression(source)
    assert isinstance(tree, Member)
    assert static_name(tree) == expected


NESTED = {
    "brackets": lambda n: "(" * n + "a" + ")" * n,
    "arrays": lambda n: "[" * n + "]" * n,
    "objects": lambda n: "{a:" * n + "1" + "}" * n,
    "calls": lambda n: "f(" * n + ")" * n,
    "indexes": lambda n: "a[" * n + "0" + "]" * n,
    "prefixes": lambda n: "!" * n + "a",
    "sum": lambda n: "a" + "+a" * n,
    "alternates": lambda n: "a?b:" * n + "c",
    "consequents": lambda n: "a?" * n + "b" + ":c" * n,
    "members": lambda n: "a" + ".b" * n,
    "powers of operators": lambda n: "a||b&&c|d^e&f==g<h<<i+j*k " + "||a" * n,
}


@pytest.mark.parametrize("shape", NESTED)
@pytest.mark.parametrize("levels", [10_000, 100_000])
def test_too_deep_is_said_cleanly(shape: str, levels: int) -> None:
    with pytest.raises(ExpressionTooDeep, match=f"nests more than {MAX_DEPTH} levels deep"):
        parse_expression(NESTED[shape](levels))


@pytest.mark.parametrize("shape", NESTED)
def test_hundreds_of_levels_are_read(shape: str) -> None:
    tree = parse_expression(NESTED[shape](900))
    assert depth_of(tree) <= MAX_DEPTH


def test_a_deep_tree_leaves_room_for_recursive_walks() -> None:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(1000)
    try:
        parse_expression("a" + "+ab" * 800)
        assert sys.getrecursionlimit() >= 10 * MAX_DEPTH
    finally:
        sys.setrecursionlimit(limit)


@pytest.mark.parametrize(
    "piece", ["/a/+", "'", "\\", "'\\", "a.", "[{", "/[", "1.", "0x", "é ", '"a\n', "a?", "/(/,", "{a:", "\\u0061 ", "/\\"]
)
def test_time_grows_with_the_length_only(piece: str) -> None:
    source = piece * 20_000
    start = process_time()
    with pytest.raises(ExpressionSyntaxError):
        parse_expression(source)
    assert process_time() - start < 5


def test_letters_are_those_of_unicode_7() -> None:
    assert (len(first_letters()), len(later_letters())) == (48_599, 50_232)
    assert "\u00e9" in first_letters() and "\u0301" not in first_letters() and "\u0301" in later_letters()
    assert "\u0560" not in later_letters()  # a letter since Unicode 11


@pytest.mark.parametrize("shape", NESTED)
def test_a_deep_tree_can_be_compared_hashed_and_shown(shape: str) -> None:
    source = NESTED[shape](900)
    tree, again = parse_expression(source), parse_expression(source + " ")
    assert tree is not again
    assert tree == again
    assert hash(tree) == hash(again)
    assert repr(tree) == repr(again)
