"""A printed tree reads back as the same tree, and has no bracket too many."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fuzzing.expression_texts import Texts
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
)
from sheliak.expressions.parser import PRECEDENCE, ExpressionSyntaxError, parse_expression
from sheliak.expressions.printer import print_expression, quoted

NAMES = st.sampled_from(["a", "datum", "if", "x_1", "$", "变量", "toString"]).map(lambda name: Identifier(name, 0, 0))
NUMBERS = st.sampled_from(["0", "1", "1.5", "1.", ".5", "1e3", "0xff"]).map(lambda raw: parse_expression(raw))
TEXTS = st.text(max_size=5).filter(lambda text: text != "if").map(lambda text: Literal(text, quoted(text), 0, 0))
CONSTANTS = st.sampled_from(["true", "false", "null"]).map(lambda raw: parse_expression(raw))
REGEXES = st.sampled_from([Regex("a", "", 0, 0), Regex("[/]=", "gi", 0, 0), Regex("=", "", 0, 0)])
KEYS = st.sampled_from(["a", "b", "in", "null"])


def array(items: list[Expression | None]) -> Expression:
    holes = tuple(index for index, item in enumerate(items) if item is None)
    return ArrayLiteral(tuple(item for item in items if item is not None), holes, 0, 0)


def combined(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    binary = [operator for operator, level in PRECEDENCE.items() if level > 2]
    entries = st.dictionaries(KEYS, inner, max_size=3)
    return st.one_of(
        st.builds(lambda operator, operand: Unary(operator, operand, 0, 0), st.sampled_from("+-~!"), inner),
        st.builds(lambda operator, left, right: Binary(operator, left, right, 0, 0), st.sampled_from(binary), inner, inner),
        st.builds(
            lambda operator, left, right: Logical(operator, left, right, 0, 0), st.sampled_from(["||", "&&"]), inner, inner
        ),
        st.builds(lambda test, yes, no: Conditional(test, yes, no, 0, 0), inner, inner, inner),
        st.builds(lambda owner, name: Member(owner, name, False, 0, 0), inner, NAMES),
        st.builds(lambda owner, index: Member(owner, index, True, 0, 0), inner, inner),
        st.builds(lambda callee, arguments: Call(callee, tuple(arguments), 0, 0), inner, st.lists(inner, max_size=3)),
        st.lists(st.none() | inner, max_size=3).map(array),
        entries.map(lambda found: ObjectLiteral(tuple(Property(Identifier(k, 0, 0), v, 0, 0) for k, v in found.items()), 0, 0)),
    )


TREES = st.recursive(st.one_of(NAMES, NUMBERS, TEXTS, CONSTANTS, REGEXES), combined, max_leaves=12)


@given(TREES)
def test_a_printed_tree_reads_back_as_the_same_tree(tree: Expression) -> None:
    assert parse_expression(print_expression(tree)) == tree


def test_what_was_parsed_prints_as_text_that_prints_the_same() -> None:
    texts, parsed = Texts(11), 0
    for _ in range(3000):
        try:
            tree = parse_expression(texts.joined(texts.text()))
        except ExpressionSyntaxError:
            continue
        parsed += 1
        printed = print_expression(tree)
        assert parse_expression(printed) == tree
        assert print_expression(parse_expression(printed)) == printed
    assert parsed > 500


@pytest.mark.parametrize(
    ("source", "printed"),
    [
        ("((a))", "a"),
        ("(a+b)*c", "(a + b) * c"),
        ("a+(b*c)", "a + b * c"),
        ("(a-b)-c", "a - b - c"),
        ("a-(b-c)", "a - (b - c)"),
        ("-(-a)", "- -a"),
        ("-(+a)", "-+a"),
        ("!(a&&b)", "!(a && b)"),
        ("(-a).b", "(-a).b"),
        ("(a?b:c)?d:(e?f:g)", "(a ? b : c) ? d : e ? f : g"),
        ("(1).a", "(1).a"),
        ("1.5.a", "1.5.a"),
        ("f( a,b )", "f(a, b)"),
        ("[,a,,]", "[, a, ,]"),
        ("{a:1,'b c':[2]}", "{a: 1, 'b c': [2]}"),
        ("a / /b/g", "a / /b/g"),
        ("datum [ 'x' ] . y", "datum['x'].y"),
    ],
)
def test_brackets_are_the_ones_needed(source: str, printed: str) -> None:
    assert print_expression(parse_expression(source)) == printed


@given(st.text())
def test_quoted_text_reads_back(text: str) -> None:
    tree = parse_expression("[" + quoted(text) + "]")
    assert isinstance(tree, ArrayLiteral)
    assert getattr(tree.elements[0], "value", text) == text
